"""A transcript in one line for people: which run, on what, how many actions and verdicts, how it ended."""

from collections import Counter
from dataclasses import field
from typing import Any, BinaryIO

from bot.dataclass import dataclass
from bot.transcript.recording import Recording


@dataclass(slots=True, kw_only=True)
class Outline:
    """`ended`: planned, applied, failed, killed, or done for a run without a plan. All words are others'."""

    run_id: str = ""
    name: str = ""
    began_at: str = ""
    model: str = ""
    actions: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    cost: str = ""
    ended: str = "done"

    def take(self, event: dict[str, Any]) -> None:
        match event:
            case {"event": "began"}:
                number = event.get("pull_request")
                where = f"{event.get('repository', '')}" + (f"#{number}" if number is not None else "")
                self.name = f"{where} {event.get('task') or ''}".strip()
                self.began_at = str(event.get("began_at", ""))
                self.ended = "applied" if event.get("applies") else "done"
            case {"event": "prompted", "model": str() as model}:
                self.model = model
            case {"event": "judged", "look": {"verdict": {"outcome": str() as outcome}}}:
                self.actions += 1
                self.outcomes[outcome] += 1
            case {"event": "planned"}:
                plan = event.get("plan")
                cost = plan.get("cost") if isinstance(plan, dict) else None
                self.cost = cost if isinstance(cost, str) else ""
                self.ended = "planned"
            case {"event": "failed"}:
                self.ended = "failed"
            case _:
                pass


def outline(stream: BinaryIO, *, file: str) -> Outline:
    """Raises BadTranscript with the line; a run that was killed is told as far as it came."""
    recording = Recording(stream, file=file, unfinished=True)
    found = Outline()
    for _, event in recording.events():
        found.take(event)
    found.run_id = recording.run_id
    if not recording.is_whole:
        found.ended = "killed"
    return found
