"""A saved plan on a person's own repository: exactly that, or a reason."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from fakes import NOON, FixedClock, ScriptedLlm, call, turn
from own_home import files_in, opened
from real_git import git

from bot import authority
from bot.action import Call
from bot.assignment import Assignment
from bot.command import Approval
from bot.config import read_config
from bot.errors import Reason
from bot.flows.local_apply import Carried, carry_out
from bot.flows.local_dry_run import rehearse
from bot.own_machine import Opened
from bot.plan import Draft, Plan, seal
from bot.refusal import Refusal
from bot.tools import TOOLS
from bot.transcript import Transcript

EDIT = call("edit_file", path="README.md", old="teh", new="the")
MAKE = call("write_file", path="new/file.txt", content="new\n")
DELETE = call("delete_file", path="old.txt")
ALL = Approval(everything=True)


def planned(here: Opened, *calls: Call) -> Plan:
    return rehearse(
        Assignment(name="ad-hoc", words="Fix it."),
        home=here.home,
        llm=ScriptedLlm(*(turn(each) for each in calls), turn(text="Done.")),
        transcript=Transcript.begin(here.repository.root.parent / "plan.jsonl"),
    ).record


def carried(here: Opened, plan: Plan, approval: Approval = ALL) -> Carried | Refusal:
    return carry_out(
        authority.on_own_machine("maja", digest=plan.digest, approval=approval),
        plan,
        home=here.home,
        transcript=Transcript.begin(here.repository.root.parent / "apply.jsonl"),
    )


def again(here: Opened) -> Opened:
    """Opened anew, as the next command would."""
    return opened(here.repository.root.parent)


def test_exactly_the_plan_is_what_is_to_be_written(tmp_path: Path) -> None:
    here = opened(tmp_path)
    plan = planned(here, EDIT, MAKE, call("write_file", path=".env", content="x"), DELETE)
    before = files_in(here.repository.root)
    done = carried(again(here), plan)
    assert isinstance(done, Carried)
    assert files_in(here.repository.root) == before
    here.journal.commit(done.changes)
    after = {path: content for path, (_, content) in files_in(here.repository.root).items()}
    expected = {path: content for path, (_, content) in before.items()}
    expected |= {"README.md": b"# Sample\n\nthe first line\n", "new/file.txt": b"new\n"}
    del expected["old.txt"]
    assert after == expected


def test_a_command_runs_on_a_copy_and_what_it_makes_beside_the_plan_is_left_there(tmp_path: Path) -> None:
    here = opened(tmp_path)
    ignore = call("write_file", path=".gitignore", content="*.log\n")
    command = call("run_command", command="grep -q 'the first' README.md && touch beside.log")
    plan = planned(here, EDIT, ignore, command)
    done = carried(again(here), plan)
    assert isinstance(done, Carried), done
    assert done.left_over == ("beside.log",)
    assert [one.path for one in done.changes] == [".gitignore", "README.md"]


STEPS = {
    "nobody named it": (Approval(), True),
    "another was named": (Approval(steps=frozenset({1})), True),
    "it was named": (Approval(steps=frozenset({2})), False),
    "all were": (ALL, False),
}


@pytest.mark.parametrize(("approval", "is_refused"), STEPS.values(), ids=STEPS)
def test_a_step_that_asks_must_be_named(tmp_path: Path, approval: Approval, *, is_refused: bool) -> None:
    here = opened(tmp_path)
    plan = planned(here, EDIT, DELETE)
    done = carried(again(here), plan, approval)
    assert isinstance(done, Refusal) is is_refused
    if isinstance(done, Refusal):
        assert done.reason is Reason.STEPS_NOT_APPROVED
        assert "--approve 2" in done.next_step


def _commit(here: Opened) -> Opened:
    git(here.repository.root, "commit", "-q", "--allow-empty", "-m", "more")
    return again(here)


def _edit(here: Opened) -> Opened:
    (here.repository.root / "README.md").write_text("# Sample\n\nteh first line, edited\n")
    return again(here)


def _make(here: Opened) -> Opened:
    (here.repository.root / "new").mkdir()
    (here.repository.root / "new/file.txt").write_text("mine")
    return again(here)


def _chmod(here: Opened) -> Opened:
    (here.repository.root / "README.md").chmod(0o755)
    return again(here)


def _stricter(here: Opened) -> Opened:
    config = read_config(b"policy: {paths: {deny: ['README.md']}}\n", file="policy.yml")
    return replace(here, home=replace(again(here).home, config=config))


def _other_tools(here: Opened) -> Opened:
    tools = {name: tool for name, tool in TOOLS.items() if name != "grep"}
    return replace(here, home=replace(again(here).home, tools=tools))


def _later(here: Opened) -> Opened:
    return replace(here, home=replace(again(here).home, clock=FixedClock(NOON + timedelta(hours=73))))


STALE: dict[str, tuple[Callable[[Opened], Opened], Reason, str]] = {
    "a commit": (_commit, Reason.STALE_HEAD, "the newest is now"),
    "an edit": (_edit, Reason.STALE_HEAD, "README.md has changed"),
    "a file in the way": (_make, Reason.STALE_HEAD, "new/file.txt has changed"),
    "a mode": (_chmod, Reason.STALE_HEAD, "README.md has changed"),
    "another policy": (_stricter, Reason.STALE_POLICY, "policy"),
    "other tools": (_other_tools, Reason.STALE_TOOLS, "tools"),
    "time": (_later, Reason.EXPIRED, "expired"),
}


@pytest.mark.parametrize(("happens", "reason", "said"), STALE.values(), ids=STALE)
def test_what_changed_since_makes_it_stale(
    tmp_path: Path, happens: Callable[[Opened], Opened], reason: Reason, said: str
) -> None:
    here = opened(tmp_path)
    plan = planned(here, EDIT, MAKE)
    here = happens(here)
    before = files_in(here.repository.root)
    done = carried(here, plan)
    assert isinstance(done, Refusal)
    assert (done.reason, said in done.detail) == (reason, True)
    assert "dryrun-bot run" in done.next_step
    assert files_in(here.repository.root) == before


def test_an_edit_elsewhere_does_not_matter(tmp_path: Path) -> None:
    here = opened(tmp_path)
    plan = planned(here, EDIT)
    (here.repository.root / "crlf.txt").write_text("mine\n")
    assert isinstance(carried(again(here), plan), Carried)


def _resealed(plan: Plan, **changes: object) -> Plan:
    fields = json.loads(plan.to_bytes())
    del fields["digest"]
    return seal(Draft.model_validate(fields | changes))


FORGED: dict[str, Callable[[dict[str, Any]], dict[str, object]]] = {
    "a chaos run": lambda step: {"chaos": "rate 0.5"},
    "another content": lambda step: {
        "steps": [step | {"arguments": step["arguments"] | {"new": "tha"}}],
    },
    "a denied step that is said to be allowed": lambda step: {
        "steps": [
            step
            | {
                "tool": "write_file",
                "arguments": {"path": ".github/workflows/x.yml", "content": "x"},
                "effects": [],
            }
        ]
    },
}


@pytest.mark.parametrize("forge", FORGED.values(), ids=FORGED)
def test_a_record_that_says_otherwise_than_its_actions_is_refused(
    tmp_path: Path, forge: Callable[[dict[str, Any]], dict[str, object]]
) -> None:
    here = opened(tmp_path)
    plan = planned(here, EDIT)
    forged = _resealed(plan, **forge(json.loads(plan.to_bytes())["steps"][0]))
    before = files_in(here.repository.root)
    done = carried(again(here), forged)
    assert isinstance(done, Refusal)
    assert done.reason in {Reason.CHAOS_PLAN, Reason.PLAN_ALTERED, Reason.STRICTER_NOW}
    assert files_in(here.repository.root) == before


def test_a_command_that_changes_more_than_was_planned_is_refused(tmp_path: Path) -> None:
    here = opened(tmp_path)
    plan = planned(here, EDIT, call("run_command", command="echo more >> crlf.txt"))
    done = carried(again(here), plan)
    assert isinstance(done, Refusal)
    assert (done.reason, "crlf.txt" in done.detail) == (Reason.PREDICTION_MISSED, True)


def test_a_command_that_fails_is_refused_with_its_words(tmp_path: Path) -> None:
    here = opened(tmp_path)
    plan = planned(here, EDIT, call("run_command", command="echo broken; exit 3"))
    done = carried(again(here), plan)
    assert isinstance(done, Refusal)
    assert (done.reason, "broken" in done.detail) == (Reason.STEP_FAILED, True)


def test_a_plan_that_changes_no_file_is_nothing_to_apply(tmp_path: Path) -> None:
    here = opened(tmp_path)
    done = carried(again(here), planned(here, call("run_command", command="ls")))
    assert isinstance(done, Refusal)
    assert done.reason is Reason.NOTHING_TO_APPLY


def test_applied_twice_it_is_refused_the_second_time(tmp_path: Path) -> None:
    here = opened(tmp_path)
    plan = planned(here, EDIT, MAKE)
    done = carried(again(here), plan)
    assert isinstance(done, Carried)
    here.journal.commit(done.changes)
    second = carried(again(here), plan)
    assert isinstance(second, Refusal)
    assert second.reason is Reason.STALE_HEAD


def test_only_what_a_command_may_reach_is_copied(tmp_path: Path) -> None:
    laid: list[list[str]] = []
    here = opened(tmp_path)
    lay = here.home.materialise

    def noting(tree: object, folder: Path) -> None:
        laid.append(list(tree.entries))  # type: ignore[attr-defined]
        lay(tree, folder)  # type: ignore[arg-type]

    here = replace(here, home=replace(here.home, materialise=noting))
    carried(here, planned(here, EDIT))
    carried(here, planned(here, EDIT, call("run_command", command="true")))
    assert laid[0] == ["README.md"]
    assert len(laid[1]) == len(here.home.tree.entries)
