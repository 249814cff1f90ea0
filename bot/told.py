"""What the model is told of an action that was not carried out, and how a verdict is noted."""

import json

from bot.action import Json
from bot.gate import Verdict


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
