"""(What an agent did, where) -> the sealed record of a run in a terminal: a plan, or what was carried out."""

from collections.abc import Sequence
from datetime import timedelta

from bot import __version__
from bot.agent import Ended
from bot.chaos import Chaos
from bot.dataclass import dataclass
from bot.errors import SecretInPlan
from bot.local_run.home import Home
from bot.plan import Draft, Plan, TaskName, seal
from bot.simulator import Advised
from bot.tools import tools_digest
from bot.workspace import Change


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """`record` is of what was planned, or was carried out; `changes` are what comes of it, path by path."""

    record: Plan
    changes: tuple[Change, ...]


def sealed(
    ended: Ended,
    advised: Advised,
    *,
    home: Home,
    task: TaskName,
    model: str,
    findings: Sequence[str],
    chaos: Chaos | None = None,
) -> Plan:
    """Raises SecretInPlan rather than keep one of this run's own secrets. `chaos` is what made calls fail."""
    now = home.clock.now()
    plan = seal(
        Draft(
            repository=home.repository,
            head_repository=home.repository,
            pull_request=None,
            head_sha=home.head_sha,
            base_sha=home.head_sha,
            policy_sha=None,
            policy_digest=home.config.policy_digest,
            tools_digest=tools_digest(home.tools),
            task=task,
            model=model,
            bot_version=__version__,
            created_at=now,
            expires_at=now + timedelta(hours=home.config.apply.expires_hours),
            summary=home.redact(ended.summary),
            chaos=None if chaos is None else str(chaos),
            steps=advised.steps,
            usage=ended.usage,
            cost=ended.cost,
            advisor=advised.advisor,
            stopped_by=ended.stopped_by,
            findings=(*home.findings, *findings, *ended.findings, *advised.findings),
        )
    )
    if home.redact.knows(plan.to_bytes().decode("utf-8")):
        raise SecretInPlan(
            "The record of the run would hold a secret of yours, so it was thrown away",
            next_step="find out how a secret came into the repository's files, and replace it",
        )
    return plan
