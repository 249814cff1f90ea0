"""Throw mutated text at everything that reads what somebody else wrote, for a bounded time.

    python benchmarks/fuzz.py [--seconds 60] [--seed N]

Command lines, paths, config files and recorded runs (ours, packed ones, and other programs') are taken apart
and put together again from a corpus: the collected cases, a config, and runs made for it. Any exception that
is not a BadConfig is a find; so is a command line that two readings disagree about, a command that no list
allows and that is allowed, a way into git's folder, or a run that is refused without its line.
"""

import argparse
import atexit
import json
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path

import yaml

# The runs are recorded as those of the tests are.
sys.path.append(str(Path(__file__).parent.parent / "tests"))

from recorded import record

from bot.action import Action, Kind
from bot.config import DEFAULT, read_config
from bot.errors import BadConfig
from bot.gate import judge
from bot.gate.facts import Earlier, How, Touch, facts_of
from bot.replay.packing import packed
from bot.replay.policy_work import PolicyWork, PolicyWorker
from bot.replay.result import Result
from bot.replay.shelf import proven_and_packed
from bot.replay.source import File
from bot.replay.subject import DEFAULTS, Policies
from bot.replay.voucher import Voucher
from bot.replay.whole_file import WholeFile
from bot.shell.command_line import command_line_of
from bot.verdict import Outcome
from bot.workspace.empty_tree import EMPTY_TREE

CASES = Path(__file__).parent.parent / "tests" / "cases"
COMMANDS = yaml.safe_load((CASES / "commands.yaml").read_text("utf-8"))
PATHS = [case["path"] for case in yaml.safe_load((CASES / "paths.yaml").read_text("utf-8"))["cases"]]
LINES = [case["command"] for case in COMMANDS["cases"]] + [
    "pytest -q tests/test_a.py -k 'a or b' | tail -5",
    'for x in a b; do echo "$x"; done > out 2>&1',
    "if [ -f a ]; then cat <<EOF\nx\nEOF\nfi",
    "case $x in a) ls;; *) git push;; esac",
    "f() { local a=${1:-b}; echo $((a+1)); }; f x &",
]
CONFIG = """\
version: 1
model: {name: a, advisor: null}
limits: {steps: 40, usd: 0.50}
tasks:
  tidy:
    prompt: Fix typos.
    on: [opened, synchronize]
    paths: ["docs/**"]
policy:
  defaults: {read: allow, delete: ask}
  paths:
    secret: ["**/.env*", "!**/.env.example"]
    allow: []
  commands:
    allow:
      - argv: [pytest, "-q", "tests/**"]
        match: ["pytest -q tests/test_a.py"]
        not_match: ["pytest -q -p evil"]
  tools: {create_issue: ask}
mcp:
  tickets:
    command: [uvx, our-tickets-mcp==1.2.0]
    tools: {create: {kind: external, simulate: {result: {id: dry}}}}
"""
ODD = [
    *"\\'\"$`*?[]{}()<>|&;!\n\t#~=:@/-.,%+^ \0\r\x1b\x7f",
    *(
        "$(",
        "${",
        "<<",
        ">>",
        "&&",
        "||",
        ";;",
        "<(",
        "$'",
        "[[",
        "]]",
        "\u202e",
        "\u200b",
        "\ufeff",
        "\ud800",
        "\uff0e",
    ),
    *(
        "..",
        "./",
        "//",
        "~/",
        "C:",
        "*a",
        "&a",
        "!!",
        "? ",
        "- ",
        ": ",
        "|\n",
        "---\n",
        "%YAML",
        "<<: ",
        "\u0130",
        "\u0301",
    ),
]
JUNK = [
    b"null",
    b"[]",
    b"{}",
    b'"',
    b"\\ud800",
    b"1e999",
    b"9" * 400,
    b"[" * 50,
    b"NaN",
    b"\xff",
    b"\n",
    b"\0",
    b'"$text":',
    b'"messages":7',
    b'"traj":{}',
]


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seconds", type=float, default=60)
    options.add_argument("--seed", type=int, default=int(time.time()))
    chosen = options.parse_args()
    targets: dict[str, Callable[[random.Random], None]] = {
        "command": command,
        "path": path,
        "config": config,
        "run": run,
    }
    tried, began = dict.fromkeys(targets, 0), time.monotonic()
    seed = chosen.seed
    while time.monotonic() - began < chosen.seconds:
        for name, target in targets.items():
            seed += 1
            tried[name] += 1
            try:
                target(random.Random(seed))
            except Exception:
                print(f"{name}: found with --seed {seed - 1}")
                raise
    print(
        ", ".join(f"{count:,} {name}s" for name, count in tried.items()),
        f"from seed {chosen.seed}: nothing found",
    )
    return 0


def mutated(chance: random.Random, corpus: list[str]) -> str:
    text = chance.choice(corpus)
    for _ in range(chance.randint(1, 8)):
        at, other = chance.randint(0, len(text)), chance.choice(corpus)
        match chance.randrange(5):
            case 0:
                text = text[:at] + chance.choice(ODD) * chance.choice([1, 1, 1, 2, 50]) + text[at:]
            case 1:
                text = text[:at] + text[at + chance.randint(1, 6) :]
            case 2:
                text = text[:at] + other[chance.randint(0, len(other)) :]
            case 3:
                text = text[:at] + text[max(0, at - chance.randint(1, 30)) :]
            case _:
                text = (
                    text[:at]
                    + chr(chance.choice([chance.randrange(0x80), chance.randrange(0xD800)]))
                    + text[at:]
                )
    return text


def command(chance: random.Random) -> None:
    text = mutated(chance, LINES)
    line = command_line_of(text)
    action = Action(tool="run_command", kind=Kind.EXTERNAL, arguments={})
    facts = facts_of(action, touches=(), command=text, tree=EMPTY_TREE, earlier=Earlier(wrote={"a": (1,)}))
    verdict = judge(action, facts, DEFAULT.policy)
    assert verdict.outcome is not Outcome.ALLOW, text
    if line.why_not_literal is None and line.fault is None:
        # Written plainly again, the same words must be read.
        plain = " ; ".join(
            " ".join("'" + w.replace("'", "'\\''") + "'" for w in argv) for argv in line.commands
        )
        assert command_line_of(plain).commands == line.commands or len(plain) > 8_192, text


def path(chance: random.Random) -> None:
    text = mutated(chance, PATHS)
    for how in How:
        action = Action(tool="write_file", kind=Kind.WRITE, arguments={})
        facts = facts_of(
            action, touches=(Touch(path=text, how=how),), command=None, tree=EMPTY_TREE, earlier=Earlier()
        )
        verdict = judge(action, facts, DEFAULT.policy)
        names = facts.touched[0].path.normal.casefold().split("/")
        if ".git" in names:
            assert verdict.outcome is Outcome.DENY, text


def config(chance: random.Random) -> None:
    text = mutated(chance, [CONFIG]).encode("utf-8", "surrogatepass")
    try:
        read_config(text, file="f.yml")
    except BadConfig as error:
        told = error
    else:
        return
    assert told.what.startswith("f.yml line "), told.what
    assert told.next_step, told.what


def run(chance: random.Random) -> None:
    folder, corpus, worker = runs()
    content = bytearray(chance.choice(corpus))
    for _ in range(chance.randint(1, 4)):
        at, size = chance.randint(0, len(content)), chance.randint(1, 60)
        match chance.randrange(5):
            case 0:
                content[at : at + 1] = bytes([chance.randrange(256)])
            case 1:
                content[at:at] = chance.choice(JUNK)
            case 2:
                del content[at : at + size]
            case 3:
                content[at:at] = content[: chance.randint(0, len(content))][-size:]
            case _:
                del content[at:]
    file = File(path=folder / "fuzz.jsonl.zst", name="fuzz.jsonl.zst")
    file.path.write_bytes(content)
    for result in (*worker.results(file), *WholeFile(file).runs()):
        if isinstance(result, Result) and result.refused is not None:
            assert " line " in result.refused.why, result.refused.why


@cache
def runs() -> tuple[Path, list[bytes], PolicyWorker]:
    folder, voucher = Path(tempfile.mkdtemp(prefix="dryrun-fuzz-")), Voucher(key=b"k" * 32)
    atexit.register(shutil.rmtree, folder)
    for seed in range(5):
        record(folder, seed)
    ours = [file.read_bytes() for file in folder.glob("transcript-*")]
    called = {"name": "bash", "arguments": '{"command": "ls"}'}
    message = {"role": "assistant", "tool_calls": [{"function": called}], "function_call": called}
    theirs = [
        [{"task_id": 1, "trial": 0, "traj": [message, message]}] * 2,
        {"trajectory": [{"action": "ls -la"}], "environment": "x"},
        {"messages": [message | {"extra": {"actions": [{"command": "ls"}]}}], "info": {"exit_status": "x"}},
        {"request": {"messages": [message]}, "response": {"choices": [{"message": message}]}},
        [message, message],
    ]
    corpus = [*ours, *(json.dumps(value).encode() for value in theirs)]
    small = [proven_and_packed(content, name="a", voucher=voucher) for content in ours]
    worker = PolicyWork(policies=Policies(after=DEFAULTS), voucher=voucher).worker()
    return folder, [*corpus, *small, *map(packed, corpus)], worker


if __name__ == "__main__":
    sys.exit(main())
