"""Plans for tests: small ones that are whole, with anything in them changed at will."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

from fakes import NOON

from bot.action import Kind
from bot.cost import Usage
from bot.plan import Draft, Effect, Plan, Step, TaskName, seal
from bot.verdict import Outcome, Verdict
from bot.workspace import Mode

ALLOW = Verdict(
    outcome=Outcome.ALLOW, rule="default-write", reason="No rule speaks against it.", source="default"
)
ASK = Verdict(outcome=Outcome.ASK, rule="default-delete", reason="It deletes.", source="default")
DENY = Verdict(outcome=Outcome.DENY, rule="path-deny", reason="It is protected.", source="default")


def effect(path: str, *, before: str | None, after: str | None, mode: Mode = Mode.FILE) -> Effect:
    return Effect(
        path=path,
        mode_before=Mode.FILE if before else None,
        mode_after=mode if after else None,
        blob_before=before and before * 40,
        blob_after=after and after * 40,
        content=None,
        diff="",
    )


def step(number: int, *effects: Effect, **changes: Any) -> Step:
    fields: dict[str, Any] = {
        "number": number,
        "id": "dry-0123456789ab",
        "tool": "write_file",
        "kind": Kind.WRITE,
        "arguments": {"path": "a.txt"},
        "intent": None,
        "description": "write_file → a.txt",
        "verdict": ALLOW,
        "effects": effects,
    }
    return Step(**(fields | changes))


def draft(*steps: Step, **changes: Any) -> Draft:
    fields: dict[str, Any] = {
        "repository": "acme/widgets",
        "head_repository": "acme/widgets",
        "pull_request": 7,
        "head_sha": "a" * 40,
        "base_sha": "b" * 40,
        "policy_sha": "c" * 40,
        "policy_digest": "d" * 64,
        "tools_digest": "e" * 64,
        "task": TaskName(name="tidy", prompt_digest="f" * 64),
        "model": "m",
        "bot_version": "0.1.0",
        "created_at": NOON,
        "expires_at": NOON + timedelta(hours=72),
        "summary": "Done.",
        "steps": steps,
        "usage": Usage(calls=1),
        "cost": Decimal("0.000120"),
        "stopped_by": None,
    }
    return Draft(**(fields | changes))


def plan(*steps: Step, **changes: Any) -> Plan:
    return seal(draft(*steps, **changes))
