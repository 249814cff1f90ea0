"""Check runs and commit statuses. Only an app's token may make a check run, as on GitHub."""

from datetime import datetime
from typing import Any

from bot.demo.github.call import Answer, Call, Refused, Route
from bot.demo.github.git_shapes import check_shape, status_shape
from bot.demo.github.routes.repositories import commit_named
from bot.demo.github.shapes import repository_shape
from bot.demo.github.state import Check, Status

_MOST_LETTERS, _MOST_DESCRIPTION = 65_535, 140
_STATUSES = ("queued", "in_progress", "completed")
_CONCLUSIONS = (
    *("action_required", "cancelled", "failure", "neutral", "success", "skipped", "timed_out"),
    None,
)
_STATES = ("error", "failure", "pending", "success")


def create_check(call: Call) -> Answer:
    name, sha = call.field("name", needed=True), call.field("head_sha", needed=True)
    if call.account.type != "Bot":
        raise Refused(403, "You must authenticate via a GitHub App.")
    found = call.repository.bare.object(sha)
    if found is None or found.kind != "commit":
        raise Refused(422, f"No commit found for SHA: {sha}")
    check = Check(
        id=call.state.new_id(),
        name=name,
        head_sha=sha,
        status="queued",
        conclusion=None,
        external_id=call.field("external_id") or "",
        details_url=call.field("details_url"),
        output=dict.fromkeys(("title", "summary", "text")),
        started_at=call.state.now(),
        completed_at=None,
    )
    _change(call, check)
    call.repository.checks[check.id] = check
    return Answer(status=201, body=check_shape(call.repository, check, call.urls))


def update_check(call: Call) -> Answer:
    check = call.repository.checks.get(call.number("check"))
    if check is None:
        raise Refused(404, "Not Found")
    if call.account.type != "Bot":
        raise Refused(403, "You must authenticate via a GitHub App.")
    _change(call, check)
    return Answer(body=check_shape(call.repository, check, call.urls))


def _change(call: Call, check: Check) -> None:
    status, conclusion = call.field("status") or check.status, call.field("conclusion")
    output = call.field("output", dict)
    if status not in _STATUSES or conclusion not in _CONCLUSIONS:
        raise Refused(422, 'Invalid request.\n\nNo subschema in "anyOf" matched.')
    if status == "completed" and conclusion is None and check.conclusion is None:
        raise Refused(422, 'Invalid request.\n\n"conclusion" wasn\'t supplied.')
    if output is not None:
        check.output = _output(output)
    check.conclusion = conclusion or check.conclusion
    check.status = "completed" if conclusion else status
    check.name = call.field("name") or check.name
    if check.status == "completed":
        at = call.field("completed_at")
        check.completed_at = datetime.fromisoformat(at) if at else call.state.now()


def _output(output: dict[str, Any]) -> dict[str, str | None]:
    for name in ("title", "summary"):
        if not isinstance(output.get(name), str):
            raise Refused(422, f'Invalid request.\n\n"{name}" wasn\'t supplied.')
    if any(len(str(output.get(name) or "")) > _MOST_LETTERS for name in ("summary", "text")):
        raise Refused(422, f"Only {_MOST_LETTERS} characters are allowed; output was longer.")
    return {name: output.get(name) for name in ("title", "summary", "text")}


def list_checks(call: Call) -> Answer:
    sha, name = commit_named(call.repository, call.parts["ref"]), call.query.get("check_name")
    found = [
        check_shape(call.repository, check, call.urls)
        for check in call.repository.checks.values()
        if check.head_sha == sha and name in (None, check.name)
    ]
    return call.paged(found, key="check_runs")


def create_status(call: Call) -> Answer:
    sha, state = call.parts["sha"], call.field("state", needed=True)
    description = call.field("description")
    found = call.repository.bare.object(sha)
    if found is None or found.kind != "commit":
        raise Refused(422, f"No commit found for SHA: {sha}")
    if state not in _STATES:
        raise Refused(422, "Validation Failed", [{"resource": "Status", "code": "custom", "field": "state"}])
    if len(description or "") > _MOST_DESCRIPTION:
        message = f"description is too long (maximum is {_MOST_DESCRIPTION} characters)"
        error = {"resource": "Status", "code": "custom", "field": "description", "message": message}
        raise Refused(422, "Validation Failed", [error])
    status = Status(
        id=call.state.new_id(),
        sha=sha,
        state=state,
        context=call.field("context") or "default",
        description=description,
        target_url=call.field("target_url"),
        creator=call.account,
        at=call.state.now(),
    )
    call.repository.statuses.append(status)
    return Answer(status=201, body=status_shape(call.repository, status, call.urls))


def _statuses(call: Call) -> list[Status]:
    sha = commit_named(call.repository, call.parts["ref"])
    return [status for status in reversed(call.repository.statuses) if status.sha == sha]


def list_statuses(call: Call) -> Answer:
    return call.paged([status_shape(call.repository, status, call.urls) for status in _statuses(call)])


def combined_status(call: Call) -> Answer:
    latest: dict[str, Status] = {}
    for status in _statuses(call):
        latest.setdefault(status.context, status)
    states = {status.state for status in latest.values()}
    worst = "failure" if states & {"failure", "error"} else "pending"
    sha, url = commit_named(call.repository, call.parts["ref"]), call.urls.repository(call.repository)
    return Answer(
        body={
            "state": "success" if states == {"success"} else worst,
            "statuses": [_simple(call, status) for status in latest.values()],
            "sha": sha,
            "total_count": len(latest),
            "repository": repository_shape(call.repository, call.urls),
            "commit_url": f"{url}/commits/{sha}",
            "url": f"{url}/commits/{sha}/status",
        }
    )


def _simple(call: Call, status: Status) -> dict[str, Any]:
    shape = status_shape(call.repository, status, call.urls)
    return {name: value for name, value in shape.items() if name != "creator"}


_AT = "/repos/{owner}/{repo}"
_CHECKS, _STATUS = ("checks:write",), ("statuses:write",)

ROUTES = (
    Route("POST", f"{_AT}/check-runs", create_check, needs=_CHECKS, role="write"),
    Route("PATCH", f"{_AT}/check-runs/{{check}}", update_check, needs=_CHECKS, role="write"),
    Route("GET", f"{_AT}/commits/{{ref+}}/check-runs", list_checks, needs=("checks:read",)),
    Route("POST", f"{_AT}/statuses/{{sha}}", create_status, needs=_STATUS, role="write"),
    Route("GET", f"{_AT}/commits/{{ref+}}/statuses", list_statuses, needs=("statuses:read",)),
    Route("GET", f"{_AT}/commits/{{ref+}}/status", combined_status, needs=("statuses:read",)),
)
