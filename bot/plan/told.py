"""What the model is told of an action that was not carried out, and how a verdict is noted."""

import json
from collections.abc import Sequence

from bot.action import Json
from bot.dataclass import dataclass
from bot.plan import Step
from bot.verdict import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """`text` is what the model is told; `step` is None for an action that only reads.

    `missed` says how a performed step differed from its rehearsal, and is None when it did not;
    `has_strayed`: a command did to files what the plan doesn't say, and `difference` is a diff of it;
    `is_unknown`: whether it took effect, nobody can tell.
    `is_malformed`: the call could not even be understood. `is_simulated`: it was rehearsed, and no more.
    """

    text: str
    verdict: Verdict
    step: Step | None
    missed: str | None = None
    has_strayed: bool = False
    difference: str = ""
    is_unknown: bool = False
    is_malformed: bool = False
    is_simulated: bool = False


def denied(action: str, verdict: Verdict) -> str:
    """`action` is its id, here and below."""
    return _told(denied=True, id=action, rule=verdict.rule, reason=verdict.reason)


def failed(action: str, error: str, *, was_tried: bool = False) -> str:
    """`was_tried`: it was run for real, on a copy, where nothing of it is left."""
    facts: dict[str, Json] = {"rehearsed": True} if was_tried else {}
    return _told(failed=True, **facts, id=action, error=error)


def rehearsed(action: str, would: str, result: str | None, unsteady: Sequence[str]) -> str:
    """A command that was run for real, on a copy: what it said is true, and its changes are planned."""
    facts: dict[str, Json] = {"came_out_otherwise_a_second_time": list(unsteady)} if unsteady else {}
    return _told(rehearsed=True, id=action, would=would, result=result, **facts)


def simulated(action: str, would: str, result: str | None) -> str:
    return _told(simulated=True, id=action, would=would, result=result)


def spelled(verdict: Verdict) -> dict[str, Json]:
    return {"outcome": verdict.outcome.value, "rule": verdict.rule, "reason": verdict.reason}


def _told(**facts: Json) -> str:
    return json.dumps(facts, ensure_ascii=False)
