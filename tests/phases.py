"""A workflow of four jobs over a Journey: each in a place of its own, with the rights that the example gives.

What lies between two jobs is the folder that one has left, as an artifact would carry it.
"""

import json
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from journey import Ended, Journey

from bot.demo.github import Event

ROOT = Path(__file__).parent.parent
WORKFLOW: dict[str, Any] = yaml.safe_load((ROOT / "examples/dryrun-bot.yml").read_text())


def permissions_of(phase: str) -> Mapping[str, str]:
    """Of the job that has this name in the example."""
    asked: dict[str, str] = WORKFLOW["jobs"][phase]["permissions"]
    return {name.replace("-", "_"): right for name, right in asked.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """How two jobs ended; `second` is None where the first said that there is nothing left to do."""

    run_id: str
    first: Ended
    second: Ended | None

    @property
    def answer(self) -> Ended:
        return self.second or self.first


def run(
    journey: Journey,
    event: Event,
    *phases: str,
    between: Callable[[Path], None] = lambda _: None,
    **how: object,
) -> Chain:
    """The jobs `phases`, one after the other. `between` may do to what the first left whatever it likes."""
    first = job(journey, event, phases[0], **how)
    if first.outputs.get("next-phase") == "none":
        return Chain(run_id=run_id(event), first=first, second=None)
    between(first.left)
    return Chain(
        run_id=run_id(event), first=first, second=job(journey, event, phases[1], left=first.left, **how)
    )


def job(journey: Journey, event: Event, phase: str, **how: Any) -> Ended:
    token = journey.github.workflow_token(journey.repository, permissions_of(phase))
    more = dict(how.pop("more", {}))
    if phase != "plan":
        # The key is given to that job alone.
        more |= {"OPENAI_API_KEY": "", "OPENAI_BASE_URL": ""}
    return journey.run(event, phase=phase, token=token, more=more, run_id=run_id(event), **how)


def run_id(event: Event) -> str:
    """All jobs of one workflow run have its number, whichever attempt it is."""
    return str(zlib.crc32(json.dumps(event.payload, default=str).encode()))


def planned(journey: Journey, event: Event, **how: Any) -> Chain:
    return run(journey, event, "plan", "report", **how)


def applied(journey: Journey, event: Event, **how: Any) -> Chain:
    return run(journey, event, "perform", "commit", **how)


def opened(journey: Journey, **how: Any) -> Chain:
    return planned(
        journey, journey.github.pull_request_event(journey.repository, journey.issue, "opened"), **how
    )
