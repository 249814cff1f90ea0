"""What the scripted model says in the story: two tasks, turn by turn. A real agent would find its own words.

It reads before it writes, and looks again after: so the story shows that reads see what was planned.
"""

from typing import Any

from bot.demo.model import Said, ToolCall

TYPOS = {
    "teh leaves": "the leaves",
    "recieve": "receive",
    "seperate": "separate",
    "within to days": "within two days",
}


def _call(tool: str, arguments: dict[str, object]) -> ToolCall:
    return ToolCall(tool=tool, arguments=arguments)


_CHANGES = "# Changes\n\n## 1.1.0\n"

_TIDY = (
    Said(
        text="I'll read what this pull request touches.",
        calls=(
            _call("read_file", {"path": "docs/brewing.md"}),
            _call("read_file", {"path": "docs/windows.txt"}),
            _call("read_file", {"path": ".env"}),
        ),
    ),
    Said(
        calls=(
            *(
                _call(
                    "edit_file",
                    {"path": "docs/brewing.md", "old": old, "new": new, "intent": f"“{old}” is misspelt."},
                )
                for old, new in TYPOS.items()
            ),
            _call(
                "edit_file",
                {
                    "path": "docs/windows.txt",
                    "old": "occured",
                    "new": "occurred",
                    "intent": "“occured” is misspelt.",
                },
            ),
            _call(
                "edit_file",
                {
                    "path": "CHANGELOG.md",
                    "old": _CHANGES,
                    "new": "# Changes\n\n## Unreleased\n\n- Cold brew: `teatime --cold`.\n\n## 1.1.0\n",
                    "intent": "The task asks for the change to be written down.",
                },
            ),
        ),
    ),
    Said(
        text="Is any of them left?",
        calls=(_call("search_code", {"pattern": "teh|recieve|seperate|occured", "paths": ["docs/**"]}),),
    ),
    Said(
        calls=(
            _call(
                "write_file",
                {
                    "path": ".github/workflows/spelling.yml",
                    "content": "name: spelling\non: pull_request\n",
                    "intent": "A spelling check in CI would have caught these.",
                },
            ),
        ),
    ),
    Said(
        calls=(
            _call(
                "run_command",
                {"command": "python3 scripts/format.py", "intent": "The task asks for the code in order."},
            ),
            _call(
                "run_command",
                {"command": "python3 scripts/run_tests.py", "intent": "Nothing may be broken by it."},
            ),
        ),
    ),
    Said(
        text="Five spelling mistakes in the two documents are mended, the new option has a line in the "
        "changelog, the code is formatted, and the tests pass. I would have liked a spelling check in CI, "
        "too, but the policy keeps workflows to people."
    ),
)

_SHORTEN = (
    Said(calls=(_call("read_file", {"path": "docs/install.md"}),)),
    Said(
        calls=(
            _call(
                "edit_file",
                {
                    "path": "docs/install.md",
                    "old": "On Windows, see [windows.txt](windows.txt).",
                    "new": "On Windows: [windows.txt](windows.txt).",
                    "intent": "Shorter.",
                },
            ),
        ),
    ),
    Said(text="One sentence is shorter now."),
)


def script(messages: list[dict[str, Any]]) -> Said:
    """The turn is the number of answers already given; the task is told by its words."""
    lines = _SHORTEN if "shorter" in str(messages[1]["content"]).partition("<untrusted")[0] else _TIDY
    turn = sum(message["role"] == "assistant" for message in messages)
    return lines[min(turn, len(lines) - 1)]
