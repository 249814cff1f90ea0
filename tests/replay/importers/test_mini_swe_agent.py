"""Both versions of mini-swe-agent's messages."""

from typing import Any

import pytest

from bot.replay.importers import Unreadable
from bot.replay.importers.mini_swe_agent import MINI_SWE_AGENT

SYSTEM = {"role": "system", "content": "You are.\n```bash\nrm -rf /\n```"}
INFO = {"exit_status": "Submitted", "submission": "diff", "model_stats": {"api_calls": 2}}
CALL = {
    "index": 0,
    "id": "c",
    "type": "function",
    "function": {"name": "bash", "arguments": '{"command": "ls"}'},
}


def _run(*messages: dict[str, Any], **other: Any) -> dict[str, Any]:
    return {"info": INFO, "messages": [SYSTEM, *messages], "trajectory_format": "mini-swe-agent-1.1", **other}


SAID: dict[str, tuple[dict[str, Any], list[str]]] = {
    "a tool call, with its action beside it": (
        {"role": "assistant", "content": "", "tool_calls": [CALL], "extra": {"actions": [{"command": "ls"}]}},
        ["ls"],
    ),
    "an action alone": (
        {
            "role": "assistant",
            "content": "I look.",
            "extra": {"actions": [{"command": "ls"}, {"command": "pwd"}]},
        },
        ["ls", "pwd"],
    ),
    "no action": ({"role": "assistant", "content": "```bash\nls\n```", "extra": {"actions": []}}, []),
    "a block in the text": (
        {"role": "assistant", "content": "I look.\n\n```bash\nls | wc\n```\n"},
        ["ls | wc"],
    ),
    "a block of several lines": (
        {"role": "assistant", "content": "```mswea_bash_command\ncat <<'E' > a\nx\nE\n```"},
        ["cat <<'E' > a\nx\nE"],
    ),
    "two blocks, which it doesn't run": (
        {"role": "assistant", "content": "```bash\nls\n```\n```bash\npwd\n```"},
        [],
    ),
    "a block that is no command": ({"role": "assistant", "content": "```python\nprint()\n```"}, []),
    "the user's words": ({"role": "user", "content": "```bash\nls\n```"}, []),
    "the end": ({"role": "exit", "content": "done", "extra": {"exit_status": "Submitted"}}, []),
}


@pytest.mark.parametrize(("message", "commands"), SAID.values(), ids=SAID)
def test_what_was_run_is_read_and_nothing_else(message: dict[str, Any], commands: list[str]) -> None:
    value = _run(message)
    assert MINI_SWE_AGENT.takes(value)
    assert [call.command for call in MINI_SWE_AGENT.run(value).calls] == commands


def test_a_run_without_its_format_is_known_by_its_info() -> None:
    value = _run()
    del value["trajectory_format"]
    assert MINI_SWE_AGENT.takes(value)
    assert MINI_SWE_AGENT.run({**value, "instance_id": "astropy-1"}).name == "astropy-1"


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        {},
        {"messages": []},
        {"messages": [], "info": {}},
        {"messages": [], "trajectory_format": "other-1"},
    ],
)
def test_other_shapes_are_left_to_others(value: object) -> None:
    assert not MINI_SWE_AGENT.takes(value)


@pytest.mark.parametrize("action", ["ls", {}, {"command": 7}])
def test_an_action_without_a_command_is_refused(action: object) -> None:
    message = {"role": "assistant", "content": "", "extra": {"actions": [action]}}
    with pytest.raises(Unreadable, match="message 2 has an action without a command"):
        MINI_SWE_AGENT.run(_run(message))
