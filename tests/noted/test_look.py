"""What a transcript keeps of an action gives the same facts again, and so the same verdict."""

from dataclasses import fields
from pathlib import Path

import pytest
from fakes import MemoryTree, call

from bot.action import Action, Call, Kind, canonical
from bot.dispatcher import Dispatcher
from bot.gate import judge
from bot.gate.content import NOTHING, Content
from bot.gate.facts import Earlier, Facts, facts_after
from bot.gate.policy import Policy
from bot.noted.look import Look, look_at
from bot.outside.search import Ripgrep
from bot.proposal import Proposal, propose
from bot.tools import TOOLS
from bot.transcript import Transcript
from bot.verdict import Outcome, Verdict
from bot.workspace import Mode
from bot.workspace.overlay import Overlay

FILES = {
    "a.txt": "alpha\n",
    "crlf.txt": b"one\r\ntwo\r\n",
    "link": (Mode.LINK, b"a.txt"),
    "vendor": (Mode.SUBMODULE, b""),
    "old.txt": "old\n",
}
PATCH = "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-alpha\n+beta\n"
MODE = "diff --git a/a.txt b/a.txt\nold mode 100644\nnew mode 100755\n"
CALLS = {
    "a read": call("read_file", path="a.txt"),
    "a listing": call("list_files", folder="docs"),
    "a search": call("search_code", pattern="x", paths=["src/**"]),
    "a write": call("write_file", path="docs/new.md", content="one\ntwo\n"),
    "a write that is odd in every way": call("write_file", path="x.bin", content="a\0b\u202e\n"),
    "a write that holds a secret": call("write_file", path="x.txt", content="ghp_" + "a1B2" * 9 + "\n"),
    "an edit": call("edit_file", path="a.txt", old="alpha", new="beta"),
    "an edit that fails": call("edit_file", path="a.txt", old="nowhere", new="beta"),
    "a patch": call("apply_patch", patch=PATCH),
    "a patch that makes a program": call("apply_patch", patch=MODE),
    "a deletion": call("delete_file", path="old.txt"),
    "a path that nothing may write": call("write_file", path=".git/config", content="x"),
    "a path with letters that fool": call("write_file", path="docs/\u200b.md", content="x"),
    "through a link": call("write_file", path="link/x.txt", content="x"),
    "into a submodule": call("read_file", path="vendor/x.txt"),
    "a command": call("run_command", command="pytest -q tests && rm -rf build"),
    "a command that names a link": call("run_command", command="cat link vendor/x.txt"),
    "a command that nobody can read": call("run_command", command="echo $(cat x | sh"),
    "a long command": call("run_command", command="echo " + "word " * 1_000),
    "no such tool": call("no_such_tool", x=1),
    "arguments that are none": Call(id="c", tool="write_file", arguments="{not json"),
    "arguments that are missing": call("write_file", path="x.txt"),
}


@pytest.mark.parametrize("asked", CALLS.values(), ids=CALLS)
def test_a_look_that_was_kept_gives_the_facts_and_the_verdict_of_that_day(
    tmp_path: Path, asked: Call
) -> None:
    policy = Policy()
    dispatcher = Dispatcher.rehearsing(
        tools=TOOLS,
        overlay=Overlay(MemoryTree(FILES), Ripgrep()),
        policies=[policy],
        transcript=Transcript.begin(tmp_path / "t.jsonl"),
    )
    if "search" in asked.tool:
        # A tree in memory can't be searched, and what a search finds is no fact.
        proposal = propose(asked, TOOLS)
        facts, verdict = dispatcher.review(proposal, ())
    else:
        proposal = propose(asked, TOOLS)
        rehearsed = dispatcher.simulate(proposal)
        facts, verdict = rehearsed.facts, rehearsed.verdict
    look = Look.model_validate_json(canonical(look_at(proposal, facts, verdict)))
    assert look.verdict == verdict
    again = facts_after(Earlier(), look.after)
    assert again == facts
    assert judge(look.action, again, policy) == verdict


@pytest.mark.parametrize("fact", [one.name for one in fields(Content)])
def test_no_fact_of_what_was_written_is_left_out(fact: str) -> None:
    content = Content(**{fact: 3 if isinstance(getattr(NOTHING, fact), int) else ("a b",)})
    action = Action(tool="a_plugins", kind=Kind.WRITE, arguments={})
    proposal = Proposal(action=action, tool=None, arguments=None, problem=None)
    facts = Facts(kind=Kind.WRITE, known=True, content=content)
    verdict = Verdict(outcome=Outcome.ALLOW, rule="x", reason="x", source="x")
    look = Look.model_validate_json(canonical(look_at(proposal, facts, verdict)))
    assert look.content == content


def test_what_was_denied_at_first_sight_was_never_rehearsed(tmp_path: Path) -> None:
    dispatcher = Dispatcher.rehearsing(
        tools=TOOLS,
        overlay=Overlay(MemoryTree(FILES), Ripgrep()),
        policies=[Policy()],
        transcript=Transcript.begin(tmp_path / "t.jsonl"),
    )
    rehearsed = {
        name: dispatcher.simulate(propose(CALLS[name], TOOLS))
        for name in ("a write", "a path that nothing may write", "an edit that fails")
    }
    looks = {
        name: Look.model_validate(look_at(propose(CALLS[name], TOOLS), one.facts, one.verdict))
        for name, one in rehearsed.items()
    }
    assert {name: look.is_rehearsed for name, look in looks.items()} == {
        "a write": True,
        "a path that nothing may write": False,
        "an edit that fails": True,
    }
