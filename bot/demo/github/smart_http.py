"""Clone, fetch and push over HTTP, by git's own `http-backend`; who may is decided here."""

import re

from bot.demo.github.call import Answer, Call, Refused, Route, grants
from bot.demo.github.push import follow
from bot.demo.github.state import Repository

_SERVICES = ("git-upload-pack", "git-receive-pack")


def info_refs(call: Call) -> Answer:
    service = call.query.get("service", "")
    return _served(call, "info/refs", service)


def exchange_pack(call: Call) -> Answer:
    return _served(call, call.parts["service"], call.parts["service"])


def _served(call: Call, path: str, service: str) -> Answer:
    name = call.parts["name"].removesuffix(".git")
    repository = call.state.repository(f"{call.parts['org']}/{name}")
    if service not in _SERVICES:
        raise Refused(404, "Not Found")
    if repository is None or not _may(call, repository, service):
        # git asks a person, or its helper, only when it is asked like this.
        if call.token is None:
            return Answer(status=401, body=b"", headers={"WWW-Authenticate": 'Basic realm="GitHub"'})
        raise Refused(404 if repository is None else 403, "Write access to repository not granted.")
    said = _backend(call, repository, path)
    if service == "git-receive-pack" and path != "info/refs":
        repository.pushed_at = call.state.now()
        follow(call.state, repository)
    return said


def _may(call: Call, repository: Repository, service: str) -> bool:
    is_push, token = service == "git-receive-pack", call.token
    if token is None:
        return not is_push and not repository.private
    if token.permissions is None:
        return repository.reaches(token.account, "write" if is_push else "read")
    if not token.is_for(repository):
        return not is_push and not repository.private
    return grants(token.permissions, "contents:write" if is_push else "contents:read")


def _backend(call: Call, repository: Repository, path: str) -> Answer:
    asked = {
        "GIT_PROJECT_ROOT": str(repository.bare.folder),
        "GIT_HTTP_EXPORT_ALL": "1",
        "PATH_INFO": f"/{path}",
        "REQUEST_METHOD": call.method,
        "QUERY_STRING": f"service={call.query['service']}" if "service" in call.query else "",
        "CONTENT_TYPE": call.headers.get("content-type", ""),
        "CONTENT_LENGTH": str(len(call.raw)),
        "HTTP_CONTENT_ENCODING": call.headers.get("content-encoding", ""),
        "GIT_PROTOCOL": call.headers.get("git-protocol", ""),
        "REMOTE_USER": call.token.account.login if call.token else "",
        "REMOTE_ADDR": "127.0.0.1",
    }
    head, _, body = repository.bare.git("http-backend", stdin=call.raw, also=asked).partition(b"\r\n\r\n")
    headers = dict(line.split(": ", 1) for line in head.decode("latin-1").split("\r\n") if ": " in line)
    status = re.match(r"\d{3}", headers.pop("Status", "200"))
    return Answer(status=int(status[0]) if status else 500, body=body, headers=headers)


ROUTES = (
    Route("GET", "/{org}/{name}/info/refs", info_refs),
    Route("POST", "/{org}/{name}/{service}", exchange_pack),
)
