"""What the model is told of an action that was not carried out, and how a verdict is noted."""

import json
from dataclasses import dataclass

from bot.action import Json
from bot.gate import Verdict
from bot.plan import Step


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """`text` is what the model is told; `step` is None for an action that only reads.

    `missed` says how a performed step differed from its rehearsal, and is None when it did not;
    `is_unknown`: whether it took effect, nobody can tell.
    `is_malformed`: the call could not even be understood. `is_simulated`: it was rehearsed, and no more.
    """

    text: str
    verdict: Verdict
    step: Step | None
    missed: str | None = None
    is_unknown: bool = False
    is_malformed: bool = False
    is_simulated: bool = False


def denied(action: str, verdict: Verdict) -> str:
    """`action` is its id, here and below."""
    return _told(denied=True, id=action, rule=verdict.rule, reason=verdict.reason)


def failed(action: str, error: str) -> str:
    return _told(failed=True, id=action, error=error)


def simulated(action: str, would: str, result: str | None) -> str:
    return _told(simulated=True, id=action, would=would, result=result)


def spelled(verdict: Verdict) -> dict[str, Json]:
    return {"outcome": verdict.outcome.value, "rule": verdict.rule, "reason": verdict.reason}


def _told(**facts: Json) -> str:
    return json.dumps(facts, ensure_ascii=False)
