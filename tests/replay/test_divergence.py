"""Two runs side by side: what is new, missing, other, or judged otherwise, and where it begins."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from fakes import NOON
from recorded import config_of, situation_of

from bot.action import Call, Kind
from bot.assignment import Assignment
from bot.gate.content import Content
from bot.noted.given import Given
from bot.noted.look import Look
from bot.proposal import propose
from bot.replay.divergence import first_difference
from bot.replay.whole_run import Act, Planned, WholeRun
from bot.tools import TOOLS
from bot.verdict import Outcome, Verdict

GIVEN = Given(
    repository="acme/widgets",
    assignment=Assignment(name="tidy", words="Tidy up."),
    situation=situation_of(config_of()),
    version="0.1.0",
)


def act(tool: str, outcome: Outcome = Outcome.ALLOW, **arguments: Any) -> Act:
    asked = Call(id="c", tool=tool, arguments=json.dumps(arguments))
    action = propose(asked, TOOLS).action
    verdict = Verdict(outcome=outcome, rule=f"r-{outcome}", reason=f"Because {outcome}.", source="a.yml:1")
    look = Look(tool=tool, kind=action.kind, verdict=verdict)
    return Act(call=asked, id=action.id, look=look, answer="fine", error=None)


def run(acts: Sequence[Act], *, digest: str = "0" * 64, steps: Sequence[str] = (), **plan: Any) -> WholeRun:
    return WholeRun(
        run_id="run-1",
        given=GIVEN,
        model="m",
        offered=(),
        turns=(),
        elapsed_s=(),
        acts=tuple(acts),
        advice=(),
        looked=(),
        planned=Planned(digest=digest, made_at=NOON, plan={"model": "m", **plan}, steps=tuple(steps)),
    )


READ = act("read_file", path="README.md")
WRITE = act("write_file", path="a.md", content="x\n")
OTHER = act("write_file", path="a.md", content="y\n")
DELETE = act("delete_file", path="b.md")
RUN = act("run_command", command="ls")
BASE = [READ, WRITE, RUN]


def _as(act: Act, **fields: Any) -> Act:
    return replace(act, **fields)


CASES: dict[str, tuple[list[Act], int, str, str, int]] = {
    "a new action at the beginning": ([DELETE, *BASE], 1, "new action", "delete_file", 0),
    "a new action in between": ([READ, DELETE, WRITE, RUN], 2, "new action", "delete_file", 0),
    "a new action at the end": ([*BASE, DELETE], 4, "new action", "delete_file", 0),
    "a missing action": ([READ, RUN], 2, "missing action", "write_file", 0),
    "all that came after": ([READ], 2, "missing action", "write_file", 1),
    "nothing any more": ([], 1, "missing action", "read_file", 2),
    "other arguments": ([READ, OTHER, RUN], 2, "other arguments", "write_file", 0),
    "another action": ([READ, DELETE, RUN], 2, "other action", "delete_file", 0),
    "a stricter verdict": (
        [READ, act("write_file", Outcome.ASK, path="a.md", content="x\n"), RUN],
        2,
        "allow→ask",
        "write_file",
        0,
    ),
    "a failure": ([READ, _as(WRITE, error="no room"), RUN], 2, "fails now", "write_file", 0),
    "another effect": (
        [READ, _as(WRITE, look=WRITE.look.model_copy(update={"content": Content(added_lines=7)})), RUN],
        2,
        "other effect",
        "write_file",
        0,
    ),
    "another answer": ([_as(READ, answer="other"), WRITE, RUN], 1, "other answer", "read_file", 0),
    "several of them": ([_as(READ, answer="other"), OTHER, RUN, DELETE], 1, "other answer", "read_file", 2),
}


@pytest.mark.parametrize(("now", "number", "what", "tool", "more"), CASES.values(), ids=CASES)
def test_the_first_difference_is_found_and_named(
    now: list[Act], number: int, what: str, tool: str, more: int
) -> None:
    change = first_difference(run(BASE), run(now))
    assert change is not None
    assert (change.action, change.what, change.tool, change.more) == (number, what, tool, more)
    assert change.before
    assert change.after


def test_equal_runs_have_no_difference() -> None:
    assert first_difference(run(BASE), run(BASE)) is None
    assert first_difference(run([]), run([])) is None


def test_what_works_again_is_told() -> None:
    change = first_difference(run([_as(WRITE, error="no room")]), run([WRITE]))
    assert change is not None
    assert (change.what, change.before) == ("works now", "no room")


def test_reads_don_t_count_where_only_the_plan_does() -> None:
    elsewhere = act("read_file", path="docs/guide.md")
    now = run([elsewhere, elsewhere, WRITE, _as(RUN, answer="other words")], digest="1" * 64)
    assert first_difference(run(BASE), run([elsewhere, READ, WRITE, RUN]), steps_only=True) is None
    change = first_difference(run(BASE), run([elsewhere, OTHER]), steps_only=True)
    assert change is not None
    assert (change.action, change.what, change.more) == (2, "other arguments", 1)
    assert WRITE.look.kind is Kind.WRITE
    assert first_difference(run(BASE), now, steps_only=True) is None


def test_where_every_action_is_the_same_the_plan_is_looked_at() -> None:
    was = run(BASE, steps=["a" * 64, "b" * 64], tools_digest="t1", task={"name": "tidy"})
    other_step = run(
        BASE, digest="1" * 64, steps=["a" * 64, "c" * 64], tools_digest="t1", task={"name": "tidy"}
    )
    change = first_difference(was, other_step)
    assert change is not None
    assert (change.action, change.what, change.tool) == (3, "other step", "run_command")
    other_tools = run(
        BASE, digest="1" * 64, steps=["a" * 64, "b" * 64], tools_digest="t2", task={"name": "tidy"}
    )
    change = first_difference(was, other_tools)
    assert change is not None
    assert (change.what, change.about, change.before, change.after) == (
        "other tools_digest",
        "the plan itself",
        "t1",
        "t2",
    )


def test_long_words_are_cut() -> None:
    change = first_difference(run([WRITE]), run([act("write_file", path="a.md", content="z" * 9_000)]))
    assert change is not None
    assert len(change.after) < 500
