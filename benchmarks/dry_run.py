"""A whole dry run of 19 tool calls, beside a real run of architect-ai-cli 1.1.0: processes, start to end.

    python benchmarks/dry_run.py [--rounds 5]

A scripted model without latency tells both the same, each in its own tools' words, on the same repository of
10,000 and of 100,000 files. Theirs has to be a real run, for its dry run executes nothing; what it changed is
put back after each round, outside of the time. Each has run once before, so that its bytecode is compiled and
the index that theirs keeps for five minutes is there; where that is gone, the row says so. It has ripgrep
on its path, as ours has. A round in which a call did not bring what it should ends the benchmark.
"""

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from monorepo import RARE, Monorepo, monorepo
from side_by_side import Row, peer_python, rounds_wanted, run, seconds, told

from bot.demo.model import NAME, Said, ScriptedModel, ToolCall

GOAL = 0.20
SIZES = (10_000, 100_000)
TASK = f"Say what {RARE} is for, and mark where it is used."
OURS = Path(sys.executable).parent


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One call as either program wants it said. One of `shows` must be in its answer."""

    tool: str
    ours: Mapping[str, Any]
    theirs: Mapping[str, Any]
    shows: tuple[str, ...]


def asked() -> Sequence[Asked]:
    """What agents do: look around, search, read, edit, read back, see whether that was all."""
    found, other = _file(0), _file(2000)
    line = f"handler {RARE}"
    return (
        _listed("", shows="part7"),
        _found("file_42*.py", shows="file_42"),
        _searched(rf"handler\s+{RARE}", shows=found),
        _read(found, shows=line),
        _searched(r"^class\s+\w+needle", shows=_NOTHING),
        # Theirs are in any order, and cut: of 100,000 files it may show others.
        _both("grep", shows=(line,), text=RARE),
        _read(other, shows=line),
        _listed("part7", shows="part7/module"),
        _found("*.toml", shows=_NOTHING),
        _read(_file(4001), shows="handler"),
        _edited(found, line, f"{line}  # marked once"),
        _read(found, shows="# marked once"),
        _edited(other, line, f"{line}  # marked once"),
        _searched(rf"{RARE}\s+# marked", shows=other),
        _both("write_file", shows=(_NOTE,), path=_NOTE, content=f"# {RARE}\n\nIt is marked.\n"),
        _read(_NOTE, shows="It is marked."),
        _edited(_NOTE, "It is marked.", "It is marked once."),
        _both("grep", shows=(_NOTE,), text="marked once"),
        _read(other, shows="# marked once"),
    )


class Script:
    """The calls one by one, whatever a program leaves out of what was said before; `answers` are to them."""

    def __init__(self, calls: Sequence[ToolCall]) -> None:
        self.calls = calls
        self.answers: list[str] = []
        self.is_begun = False

    def __call__(self, messages: list[dict[str, Any]]) -> Said:
        is_answer = messages[-1]["role"] == "tool"
        if is_answer:
            self.answers.append(str(messages[-1]["content"]))
        elif self.is_begun:
            return Said(text=_OPINION)
        self.is_begun = True
        if len(self.answers) == len(self.calls):
            return Said(text="It is marked.")
        return Said(calls=[self.calls[len(self.answers)]])


@dataclass(frozen=True, kw_only=True)
class Program:
    """`command` is for a server's address; `environment` holds no key of anybody."""

    name: str
    command: Callable[[str], Sequence[str]]
    environment: Mapping[str, str]
    calls: Sequence[ToolCall]
    shows: Sequence[tuple[str, ...]]

    def took(self, folder: Path) -> float:
        """Seconds for one run. Ends everything where it was not what it should have been."""
        script = Script(self.calls)
        with ScriptedModel(script) as model:
            command = self.command(model.base_url)
            time_s = seconds(lambda: run(command, cwd=folder, env=self.environment))
        for number, (call, shows) in enumerate(zip(self.calls, self.shows, strict=True)):
            answer = script.answers[number] if number < len(script.answers) else "(never made)"
            if not any(one in answer for one in shows):
                raise SystemExit(f"{self.name}, call {number + 1}, {call}: {answer[:500]}")
        return time_s


def main() -> int:
    chosen = rounds_wanted(__doc__).parse_args()
    rows: list[Row] = []
    python = peer_python("architect", "architect-ai-cli==1.1.0", options=["--ignore-requires-python"])
    with tempfile.TemporaryDirectory() as home:
        for files in SIZES:
            rows += compared(files, python.parent, Path(home), rounds=chosen.rounds)
    return told("dry run", rows, peer="architect, for real", unit="ms")


def compared(files: int, peer: Path, home: Path, *, rounds: int) -> Sequence[Row]:
    repository = monorepo(files)
    ours, theirs = _programs(repository, peer, home)
    times: dict[str, list[float]] = {"ours": [], "warm": [], "cold": []}
    ours.took(repository.folder)
    for number in range(rounds + 1):
        shutil.rmtree(home / ".architect", ignore_errors=True)
        for kind in ("cold", "warm"):
            times[kind].append(theirs.took(repository.folder))
            _put_back(repository.folder)
        times["ours"].append(ours.took(repository.folder))
        if not number:
            times = {kind: [] for kind in times}
    what = f"{files:,} files"
    return [
        Row(what=what, ours=times["ours"], peer=times["warm"], goal=GOAL),
        Row(what=f"{what}, theirs without its index", ours=times["ours"], peer=times["cold"], goal=GOAL),
    ]


def _programs(repository: Monorepo, peer: Path, home: Path) -> tuple[Program, Program]:
    calls = asked()
    shows = [one.shows for one in calls]
    environment = {"PATH": f"{OURS}:{os.environ['PATH']}", "HOME": str(home), "NO_COLOR": "1"}
    ours = Program(
        name="ours",
        command=lambda url: [
            *(str(OURS / "dryrun-bot"), "run", TASK, "--dry-run", "--repo", str(repository.folder)),
            *("--model", NAME, "--base-url", url),
        ],
        environment=environment,
        calls=[ToolCall(tool=one.tool, arguments=one.ours) for one in calls],
        shows=shows,
    )
    theirs = Program(
        name="architect",
        command=lambda url: [
            *(str(peer / "architect"), "run", TASK, "--mode", "yolo", "--workspace", str(repository.folder)),
            *("--model", f"openai/{NAME}", "--api-base", url, "--no-stream", "--max-steps", "40"),
        ],
        # Else its client fetches a list of prices while it is imported.
        environment={
            **environment,
            "LITELLM_LOCAL_MODEL_COST_MAP": "True",
            "LITELLM_API_KEY": "none",
            "OPENAI_API_KEY": "none",
        },
        calls=[ToolCall(tool=one.tool, arguments=one.theirs) for one in calls],
        shows=shows,
    )
    return ours, theirs


def _put_back(folder: Path) -> None:
    for command in (["checkout", "-q", "--", "."], ["clean", "-qfdx"]):
        run(["git", *command], cwd=folder)


# What our second model is asked for at the end; theirs asks for summaries, and takes any text.
_OPINION = json.dumps(
    {
        "steps": [
            {
                "number": number,
                "predicted_effect": "The file says one word more.",
                "reversible": True,
                "blast_radius": "single_file",
                "concerns": [],
            }
            for number in range(1, 5)
        ]
    }
)
_NOTE = "docs/needle.md"
_NOTHING = ("0 matches", "0 files", "No results", "No files")


def _file(number: int) -> str:
    """As `monorepo` lays them out."""
    return f"part{number % 50}/module{number % 1000 // 50}/file_{number}.py"


def _read(path: str, *, shows: str) -> Asked:
    return _both("read_file", shows=(shows,), path=path)


def _searched(pattern: str, *, shows: str | tuple[str, ...]) -> Asked:
    return _both("search_code", shows=shows, pattern=pattern)


def _found(pattern: str, *, shows: str | tuple[str, ...]) -> Asked:
    return _both("find_files", shows=shows, pattern=pattern)


def _listed(folder: str, *, shows: str) -> Asked:
    ours = {"folder": folder, "depth": 1}
    return Asked(tool="list_files", ours=ours, theirs={"path": folder or "."}, shows=(shows,))


def _edited(path: str, old: str, new: str) -> Asked:
    ours = {"path": path, "old": old, "new": new}
    theirs = {"path": path, "old_str": old, "new_str": new}
    return Asked(tool="edit_file", ours=ours, theirs=theirs, shows=("edited",))


def _both(tool: str, *, shows: str | tuple[str, ...], **arguments: str) -> Asked:
    shown = (shows,) if isinstance(shows, str) else shows
    return Asked(tool=tool, ours=arguments, theirs=arguments, shows=shown)


if __name__ == "__main__":
    sys.exit(main())
