"""Workflows of the default branch: looked at, and started by hand."""

import hashlib
from typing import Any

import yaml

from bot.demo.github.call import Answer, Call, Refused, Route
from bot.demo.github.git_shapes import commit_of
from bot.demo.github.state import Dispatch, node_id

_FOLDER = ".github/workflows"


def get_workflow(call: Call) -> Answer:
    file, repository = call.parts["workflow"], call.repository
    _text(call, repository.default_branch)
    path = f"{_FOLDER}/{file}"
    number = int.from_bytes(hashlib.sha256(path.encode()).digest()[:4])
    made = repository.created_at.isoformat().replace("+00:00", "Z")
    page = call.urls.page(repository)
    return Answer(
        body={
            "id": number,
            "node_id": node_id("W", number),
            "name": file,
            "path": path,
            "state": "disabled_manually" if file in repository.turned_off else "active",
            "created_at": made,
            "updated_at": made,
            "url": f"{call.urls.repository(repository)}/actions/workflows/{number}",
            "html_url": f"{page}/blob/{repository.default_branch}/{path}",
            "badge_url": f"{page}/workflows/{file}/badge.svg",
        }
    )


def dispatch(call: Call) -> Answer:
    file, ref, inputs = call.parts["workflow"], call.field("ref", needed=True), call.field("inputs", dict)
    known = _inputs_of(_text(call, ref))
    if file in call.repository.turned_off:
        raise Refused(403, "Cannot trigger a 'workflow_dispatch' on a disabled workflow")
    if unknown := [name for name in inputs or {} if name not in known]:
        raise Refused(422, f"Unexpected inputs provided: {unknown}")
    for name, about in known.items():
        is_needed = about.get("required") in {"true", "True", "TRUE"} and "default" not in about
        if is_needed and not (inputs or {}).get(name):
            raise Refused(422, f"Required input '{name}' not provided")
    call.repository.dispatches.append(
        Dispatch(workflow=file, ref=ref, inputs=dict(inputs or {}), actor=call.account)
    )
    return Answer(status=204)


def _inputs_of(text: bytes) -> dict[str, dict[str, Any]]:
    """Of its `workflow_dispatch`, by name; Refused where there is none to be found, whatever the file is."""
    try:
        workflow = yaml.load(text, Loader=yaml.BaseLoader)  # noqa: S506 - makes nothing but text
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
        raise Refused(422, "failed to parse workflow") from error
    on = _mapping(workflow).get("on")
    triggers = [on] if isinstance(on, str) else on
    if not isinstance(triggers, list | dict) or "workflow_dispatch" not in triggers:
        raise Refused(422, "Workflow does not have 'workflow_dispatch' trigger")
    inputs = _mapping(_mapping(_mapping(on).get("workflow_dispatch")).get("inputs"))
    return {name: _mapping(about) for name, about in inputs.items()}


def _mapping(value: object) -> dict[str, Any]:
    """An empty key is text to this loader, and means that nothing is there."""
    return value if isinstance(value, dict) else {}


def _text(call: Call, branch: str) -> bytes:
    repository = call.repository
    tip = repository.branch(branch)
    if tip is None:
        raise Refused(422, f"No ref found for: {branch}")
    leaf = repository.bare.leaf(commit_of(repository, tip).tree, f"{_FOLDER}/{call.parts['workflow']}")
    found = repository.bare.object(leaf.sha) if leaf else None
    if found is None:
        raise Refused(404, "Not Found")
    return found.content


_AT = "/repos/{owner}/{repo}/actions/workflows/{workflow}"

ROUTES = (
    Route("GET", _AT, get_workflow, needs=("actions:read",)),
    Route("POST", f"{_AT}/dispatches", dispatch, needs=("actions:write",), role="write"),
)
