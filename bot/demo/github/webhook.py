"""What a workflow is told when something happens: webhook payloads, and the run's environment."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bot.dataclass import dataclass
from bot.demo.github.call import Urls
from bot.demo.github.routes.pulls import details
from bot.demo.github.shapes import account_shape, comment_shape, issue_shape, repository_shape
from bot.demo.github.state import Account, Comment, Issue, Repository


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """`name` as in GITHUB_EVENT_NAME; `ref` and `sha` as a workflow gets them for it."""

    name: str
    payload: Mapping[str, Any]
    repository: Repository
    actor: Account
    ref: str
    sha: str

    def write(self, file: Path) -> Path:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(self.payload, indent=1), encoding="utf-8")
        return file


def pull_request_event(
    repository: Repository,
    issue: Issue,
    urls: Urls,
    *,
    action: str,
    actor: Account,
    before: str | None = None,
) -> Event:
    """opened, synchronize (then `before` is the head until now), reopened, closed, ready_for_review ..."""
    pull = issue.pull
    if pull is None:
        raise ValueError(f"#{issue.number} is an issue, not a pull request")
    told = details(repository, issue, pull, urls)
    for side, where in (("head", pull.head_repository), ("base", repository)):
        told[side]["repo"] = _webhook_repository(where, urls) if where else None
    payload: dict[str, Any] = {
        "action": action,
        "number": issue.number,
        "pull_request": told,
        **_everywhere(repository, urls, actor),
    }
    if action == "synchronize":
        payload |= {"before": before or pull.base_sha, "after": pull.head_sha}
    sha = pull.merge_commit_sha or pull.head_sha
    ref = f"refs/pull/{issue.number}/merge"
    return Event(name="pull_request", payload=payload, repository=repository, actor=actor, ref=ref, sha=sha)


def comment_event(
    repository: Repository,
    comment: Comment,
    urls: Urls,
    *,
    action: str = "created",
    actor: Account | None = None,
) -> Event:
    """created, edited or deleted. The workflow runs on the default branch, whatever the comment is on."""
    issue, by = repository.issues[comment.number], actor or comment.author
    told = issue_shape(repository, issue, urls)
    # The only field that the REST API has and the payload has not.
    del told["closed_by"]
    payload: dict[str, Any] = {
        "action": action,
        "issue": told,
        "comment": comment_shape(repository, comment, urls),
        **_everywhere(repository, urls, by),
    }
    if action == "edited":
        payload["changes"] = {"body": {"from": comment.body}}
    return _on_default_branch(repository, "issue_comment", payload, by)


def dispatch_event(repository: Repository, urls: Urls, *, inputs: Mapping[str, str], actor: Account) -> Event:
    payload = {
        "inputs": dict(inputs),
        "ref": f"refs/heads/{repository.default_branch}",
        "workflow": ".github/workflows/dryrun-bot.yml",
        **_everywhere(repository, urls, actor),
    }
    return _on_default_branch(repository, "workflow_dispatch", payload, actor)


def _on_default_branch(
    repository: Repository, name: str, payload: Mapping[str, Any], actor: Account
) -> Event:
    return Event(
        name=name,
        payload=payload,
        repository=repository,
        actor=actor,
        ref=f"refs/heads/{repository.default_branch}",
        sha=repository.branch(repository.default_branch) or "",
    )


def _everywhere(repository: Repository, urls: Urls, actor: Account) -> dict[str, Any]:
    return {"repository": _webhook_repository(repository, urls), "sender": account_shape(actor, urls)}


def _webhook_repository(repository: Repository, urls: Urls) -> dict[str, Any]:
    return repository_shape(repository, urls) | {"custom_properties": {}}


def workflow_environment(
    event: Event,
    urls: Urls,
    *,
    folder: Path,
    run_id: int,
    attempt: int = 1,
    triggering: Account | None = None,
) -> dict[str, str]:
    """What GitHub sets for the step of a workflow; all files are below `folder`."""
    repository = event.repository
    pull = event.payload.get("pull_request")
    return {
        **{name: str(file) for name, file in _files(event, folder).items()},
        "CI": "true",
        "GITHUB_ACTIONS": "true",
        "GITHUB_ACTOR": event.actor.login,
        "GITHUB_ACTOR_ID": str(event.actor.id),
        "GITHUB_API_URL": urls.api,
        "GITHUB_BASE_REF": pull["base"]["ref"] if pull else "",
        "GITHUB_EVENT_NAME": event.name,
        "GITHUB_GRAPHQL_URL": f"{urls.html}/graphql",
        "GITHUB_HEAD_REF": pull["head"]["ref"] if pull else "",
        "GITHUB_JOB": "dryrun-bot",
        "GITHUB_REF": event.ref,
        "GITHUB_REF_NAME": event.ref.split("/", 2)[2],
        "GITHUB_REPOSITORY": repository.full_name,
        "GITHUB_REPOSITORY_ID": str(repository.id),
        "GITHUB_REPOSITORY_OWNER": repository.owner.login,
        "GITHUB_REPOSITORY_OWNER_ID": str(repository.owner.id),
        "GITHUB_RUN_ATTEMPT": str(attempt),
        "GITHUB_RUN_ID": str(run_id),
        "GITHUB_RUN_NUMBER": "1",
        "GITHUB_SERVER_URL": urls.html,
        "GITHUB_SHA": event.sha,
        "GITHUB_TRIGGERING_ACTOR": (triggering or event.actor).login,
        "GITHUB_WORKFLOW": "dryrun-bot",
        "RUNNER_OS": "Linux",
    }


def _files(event: Event, folder: Path) -> dict[str, Path]:
    """By the variable that names each; the runner has made them all."""
    written = {
        "GITHUB_OUTPUT": folder / "output",
        "GITHUB_STEP_SUMMARY": folder / "summary.md",
        "GITHUB_ENV": folder / "env",
        "GITHUB_STATE": folder / "state",
        "GITHUB_PATH": folder / "path",
    }
    folders = {"GITHUB_WORKSPACE": folder / "workspace", "RUNNER_TEMP": folder / "temp"}
    for file in written.values():
        file.write_bytes(b"")
    for made in folders.values():
        made.mkdir(exist_ok=True)
    return {"GITHUB_EVENT_PATH": event.write(folder / "event.json"), **written, **folders}
