"""A pull request whose agent edits a file and then does everything beyond it that there is."""

from journey import FILES, Journey, call

from bot.demo.github import Repository
from bot.demo.model import Said

CONFIG = str(FILES[".github/dryrun-bot.yml"]) + (
    "policy:\n"
    "  tools:\n"
    "    comment_on_pr: allow\n"
    "    add_labels: allow\n"
    "    request_reviewers: allow\n"
    "    create_issue: ask\n"
    "    dispatch_workflow: ask\n"
)
WORKFLOW = "on:\n  workflow_dispatch:\n    inputs:\n      tag: {required: true}\njobs: {}\n"
EDIT = call("edit_file", path="README.md", old="teh", new="the")
REACHING = (
    call("add_labels", labels=["typo"], intent="It is one."),
    call("comment_on_pr", body="Thanks @mona, fixes #1!\n\n/apply"),
    call("request_reviewers", reviewers=["lee"]),
    call("create_issue", title="Look for more typos", body="There may be more.", labels=["typo"]),
    call("dispatch_workflow", workflow="release.yml", inputs={"tag": "v1"}),
)
PERMISSIONS = {
    "actions": "write",
    "checks": "write",
    "contents": "write",
    "issues": "write",
    "pull_requests": "write",
    "statuses": "write",
}


def prepared(journey: Journey, *calls: object, config: str = CONFIG) -> Journey:
    """`calls` are the agent's, all in one turn; without any: the edit, and all that reach out."""
    files = {".github/dryrun-bot.yml": config, ".github/workflows/release.yml": WORKFLOW}
    journey.github.push(journey.repository, "main", files, message="Configure", by="acme")
    journey.repository.labels["typo"] = "ededed"
    journey.model.script = (Said(calls=calls or (EDIT, *REACHING)), Said(text="Done."))  # type: ignore[arg-type]
    return journey


def token(journey: Journey) -> str:
    return journey.github.workflow_token(journey.repository, PERMISSIONS)


def effects(repository: Repository) -> dict[str, int]:
    """How often each thing was done."""
    issue = repository.issues[1]
    bodies = [comment.body for comment in repository.comments_on(1)]
    return {
        "add_labels": issue.labels.count("typo"),
        "comment_on_pr": sum("Thanks" in body and "dryrun-bot-step/1" in body for body in bodies),
        "request_reviewers": len(issue.pull.reviewers) if issue.pull else 0,
        "create_issue": sum(other.title == "Look for more typos" for other in repository.issues.values()),
        "dispatch_workflow": len(repository.dispatches),
    }


NOTHING = {
    "add_labels": 0,
    "comment_on_pr": 0,
    "request_reviewers": 0,
    "create_issue": 0,
    "dispatch_workflow": 0,
}
EVERYTHING = dict.fromkeys(NOTHING, 1)
