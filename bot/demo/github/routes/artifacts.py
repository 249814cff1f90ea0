"""Workflow artifacts: listed by name, downloaded through a redirect as on GitHub."""

from bot.demo.github.call import Answer, Call, Refused, Route
from bot.demo.github.git_shapes import artifact_shape
from bot.demo.github.state import Artifact


def list_artifacts(call: Call) -> Answer:
    name = call.query.get("name")
    found = [
        artifact_shape(call.repository, artifact, call.urls)
        for artifact in sorted(call.repository.artifacts.values(), key=lambda one: one.id, reverse=True)
        if name in (None, artifact.name)
    ]
    return call.paged(found, key="artifacts")


def download(call: Call) -> Answer:
    artifact = _artifact(call)
    if call.parts["format"] != "zip":
        raise Refused(404, "Not Found")
    if artifact.expired:
        raise Refused(410, "Artifact has expired")
    where = f"{call.urls.api}/storage/{call.repository.full_name}/artifacts/{artifact.id}.zip"
    return Answer(status=302, headers={"Location": where})


def storage(call: Call) -> Answer:
    """Another host on GitHub, which knows a signed address and no token."""
    repository = call.state.repository(f"{call.parts['org']}/{call.parts['name']}")
    artifact = repository.artifacts.get(call.number("artifact")) if repository else None
    if artifact is None:
        raise Refused(404, "Not Found")
    return Answer(body=artifact.zip, headers={"Content-Type": "application/zip"})


def _artifact(call: Call) -> Artifact:
    found = call.repository.artifacts.get(call.number("artifact"))
    if found is None:
        raise Refused(404, "Not Found")
    return found


_AT = "/repos/{owner}/{repo}/actions"

ROUTES = (
    Route("GET", f"{_AT}/artifacts", list_artifacts, needs=("actions:read",)),
    Route("GET", f"{_AT}/artifacts/{{artifact}}/{{format}}", download, needs=("actions:read",)),
    Route("GET", "/storage/{org}/{name}/artifacts/{artifact}.zip", storage),
)
