"""(A workflow's text) -> whether its events and rights are what the bot needs, with the next step."""

from collections.abc import Iterator, Mapping
from typing import Final

from bot.config.yaml_tree import Value, read_yaml
from bot.dataclass import dataclass
from bot.errors import BadConfig

# What a step of the action says in `uses`, before the version.
_ACTION: Final = "dryrun-bot/dryrun-bot@"
_READ: Final = {"contents": "read", "pull-requests": "read"}
_ANSWER: Final = {"pull-requests": "write", "checks": "write"}
# Phase -> what its job may do at least; see examples/ for more, which some plans need.
_RIGHTS: Final[Mapping[str, Mapping[str, str]]] = {
    "plan": _READ,
    "report": {"contents": "read", **_ANSWER},
    "perform": _READ,
    "commit": {"contents": "write", **_ANSWER},
    "all": {"contents": "write", **_ANSWER},
}
_PHASES: Final = ("plan", "report", "perform", "commit")


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """`next_step` is None where all is well. Without what `is_needed`, nothing works here."""

    what: str
    found: str
    next_step: str | None = None
    is_needed: bool = True


def workflow_checkup(text: bytes, *, file: str) -> Iterator[Check]:
    """One check of the events, one of the rights, and one of the jobs where some are missing."""
    try:
        workflow = _mapping(read_yaml(text, file=file).value)
    except BadConfig as error:
        yield Check(what="Workflow", found=error.what, next_step=error.next_step, is_needed=False)
        return
    yield _events(workflow.get("on"))
    jobs = {name: phase for name, job in _mapping(workflow.get("jobs")).items() if (phase := _phase(job))}
    yield _rights(workflow, jobs)
    missing = [phase for phase in _PHASES if phase not in jobs.values()]
    if jobs and missing and "all" not in jobs.values():
        yield Check(
            what="Jobs",
            found=f"there is none for {', '.join(missing)}",
            next_step="take them from what dryrun-bot init writes, or one job with the phase `all`",
            is_needed=False,
        )


def _events(on: Value) -> Check:
    what = "Events"
    named = [on] if isinstance(on, str) else [str(one) for one in on] if isinstance(on, list | dict) else []
    if "issue_comment" not in named:
        found = "no comment starts it: /plan and /apply do nothing"
        step = "add issue_comment: {types: [created]} below `on`"
    elif "pull_request" in named:
        found = "on pull_request, a pull request's own branch says what this workflow does"
        step = "use pull_request_target instead; it is always the default branch's own"
    elif "pull_request_target" not in named:
        found = "no pull request starts it, only comments"
        step = "add pull_request_target, if tasks name events in `on`"
    else:
        return Check(what=what, found="pull_request_target, issue_comment")
    return Check(what=what, found=found, next_step=step, is_needed=False)


def _rights(workflow: Mapping[str, Value], jobs: Mapping[str, str]) -> Check:
    what = "Rights"
    if not jobs:
        return Check(
            what=what,
            found="no job has a step that uses the action",
            next_step="take the jobs that dryrun-bot init writes",
            is_needed=False,
        )
    for name, phase in jobs.items():
        job = _mapping(_mapping(workflow.get("jobs")).get(name))
        given = job.get("permissions", workflow.get("permissions"))
        missing = [
            f"{right}: {level}" for right, level in _RIGHTS[phase].items() if not _has(given, right, level)
        ]
        if missing:
            return Check(
                what=what,
                found=f"the job {name} lacks {', '.join(missing)}",
                next_step=f"add it below `permissions` of {name}",
                is_needed=False,
            )
    return Check(what=what, found=", ".join(f"{name}: enough" for name in jobs))


def _has(given: Value, right: str, level: str) -> bool:
    if isinstance(given, str):
        return given == "write-all" or (given == "read-all" and level == "read")
    return _mapping(given).get(right) in {level, "write"}


def _phase(job: Value) -> str | None:
    """Of the first step that uses the action; None where there is none."""
    steps = _mapping(job).get("steps")
    for step in map(_mapping, steps if isinstance(steps, list) else ()):
        if str(step.get("uses")).startswith(_ACTION):
            phase = str(_mapping(step.get("with")).get("phase", "all"))
            return phase if phase in _RIGHTS else "all"
    return None


def _mapping(value: Value) -> Mapping[str, Value]:
    return value if isinstance(value, dict) else {}
