"""A run in a terminal -> its report: JSON for scripts, Markdown, or a page.

The fields are those of the architect command line's reports, and more: what that leaves out is here.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from bot.cost import Usage
from bot.dataclass import dataclass
from bot.local_run.run_record import Finished
from bot.plan import Step
from bot.plan.hunks import first_hunk, lines_changed
from bot.transcript.timeline import Called
from bot.workspace.diff import file_diff

if TYPE_CHECKING:
    from bot.render.layout import Rendered
    from bot.workspace import Change

SCHEMA: Final = "dryrun-bot/report/1"


class Format(StrEnum):
    JSON = "json"
    MARKDOWN = "markdown"
    HTML = "html"


@dataclass(frozen=True, slots=True, kw_only=True)
class FileModified:
    """`action` is created, modified or deleted."""

    path: str
    action: str
    lines_added: int
    lines_removed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """`task` is what the person typed; `mode` is None in a dry run."""

    task: str
    finished: Finished
    mode: str | None
    duration_s: float
    calls: Sequence[Called]
    turns: Sequence[Usage]

    @property
    def is_dry_run(self) -> bool:
        return self.mode is None

    @property
    def status(self) -> str:
        """`failed` where the run was stopped before anything came of it."""
        record = self.finished.record
        if record.stopped_by is None:
            return "success"
        return "partial" if any(step.is_performed for step in record.steps) else "failed"

    @property
    def files_modified(self) -> tuple[FileModified, ...]:
        """In a dry run, what the planned actions would do to each file."""
        return tuple(map(_file_modified, self.finished.changes))

    @property
    def errors(self) -> tuple[str, ...]:
        record = self.finished.record
        stopped = () if record.stopped_by is None else (record.stopped_by,)
        return (*stopped, *(f"{step.description}: {step.error}" for step in record.steps if step.error))

    @property
    def git_diff(self) -> str | None:
        return "".join(map(file_diff, self.finished.changes)) or None

    def to_json(self) -> str:
        record = self.finished.record
        told = {
            "schema": SCHEMA,
            "dry_run": self.is_dry_run,
            "mode": self.mode,
            "task": self.task,
            "task_name": record.task.name,
            "repository": record.repository,
            "head_sha": record.head_sha,
            "model": record.model,
            "status": self.status,
            "stop_reason": record.stopped_by,
            "duration_seconds": round(self.duration_s, 1),
            "steps": record.usage.calls,
            "total_cost": None if record.total_cost is None else float(record.total_cost),
            "usage": asdict(record.usage),
            "advisor": None if record.advisor is None else record.advisor.model_dump(mode="json"),
            "summary": record.summary,
            "actions": [_action(step) for step in record.steps],
            "files_modified": [asdict(file) for file in self.files_modified],
            "findings": list(record.findings),
            "errors": list(self.errors),
            "git_diff": self.git_diff,
            "timeline": [asdict(call) for call in self.calls],
            "plan_digest": record.digest if self.is_dry_run else None,
        }
        return json.dumps(told, ensure_ascii=False, indent=2) + "\n"

    def laid_out(self, language: str) -> "Rendered":
        """Checked as a comment is, though it is longer."""
        from bot.render.layout import lay_out
        from bot.render.plan_view import plan_view
        from bot.render.steps import view

        facts = {
            "report": self,
            "plan": plan_view(self.finished.record),
            "steps": [view(step) for step in self.finished.record.steps],
            "usage": self.finished.record.usage,
            "cost": self.finished.record.total_cost,
            "done": sum(step.is_performed for step in self.finished.record.steps),
        }
        return lay_out("report.md.j2", facts, language=language, bare="report_bare.md.j2", most=_MOST_UNITS)

    def to_html(self, language: str) -> str:
        from bot.render.html import page

        return page(self.finished.record, turns=self.turns, language=language, is_live=not self.is_dry_run)

    def spelled(self, how: Format, *, language: str) -> str:
        match how:
            case Format.JSON:
                return self.to_json()
            case Format.MARKDOWN:
                return self.laid_out(language).body
            case Format.HTML:
                return self.to_html(language)


def _action(step: Step) -> dict[str, object]:
    """Every argument, whole."""
    return {
        "number": step.number,
        "id": step.id,
        "tool": step.tool,
        "description": step.description,
        "arguments": step.arguments,
        "intent": step.intent,
        "outcome": step.verdict.outcome.value,
        "rule": step.verdict.rule,
        "reason": step.verdict.reason,
        "error": step.error,
    }


def _file_modified(change: "Change") -> FileModified:
    diff = file_diff(change)
    added, removed = lines_changed(diff, at=first_hunk(diff))
    action = "created" if change.before is None else "deleted" if change.after is None else "modified"
    return FileModified(path=change.path, action=action, lines_added=added, lines_removed=removed)


_MOST_UNITS: Final = 2_000_000
