"""GitHub by npm `emulate`, which was not written here, behind a shim for what it has not.

Everything that is done to the repository is done over emulate's own API; objects have git's real names.
"""

import json
import queue
import subprocess
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from bot.demo.loopback import Loopback

REPOSITORY = "maint/widgets"
TOKENS = {"maint": "tok_maint", "stranger": "tok_stranger", "dryrun-bot": "tok_bot"}
SEED = "tokens:\n" + "".join(
    f"  {token}: {{login: {login}, scopes: [repo, user, workflow]}}\n" for login, token in TOKENS.items()
)
SEED += "github:\n  users:\n" + "".join(
    f"    - {{login: {login}, name: {login}, email: {login}@example.com}}\n" for login in TOKENS
)
SEED += "  repos:\n    - {owner: maint, name: widgets, description: demo, auto_init: true}\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def fields(self) -> Any:
        return json.loads(self.body)


@dataclass(slots=True, kw_only=True)
class GitHub:
    """`url` is the shim's, `peer` emulate's own; `events` are the webhooks that it has sent."""

    url: str
    peer: str
    events: "queue.Queue[tuple[str, dict[str, Any]]]"
    log: list[str] = field(default_factory=list)

    def ask(
        self, method: str, path: str, body: object = None, *, login: str = "maint", status: int = 200
    ) -> Any:
        answer = request(
            self.peer + path,
            method,
            None if body is None else json.dumps(body).encode(),
            {"Authorization": f"token {TOKENS[login]}", "Content-Type": "application/json"},
        )
        assert answer.status == status, f"{method} {path}: {answer.status} {answer.body[:500]!r}"
        return answer.fields if answer.body else None

    def repo(self, method: str, path: str, body: object = None, **how: Any) -> Any:
        return self.ask(method, f"/repos/{REPOSITORY}{path}", body, **how)

    def tip(self, branch: str) -> str:
        return str(self.repo("GET", f"/git/ref/heads/{quote(branch)}")["object"]["sha"])

    def push(
        self, branch: str, files: Mapping[str, str], *, message: str, new_from: str | None = None
    ) -> str:
        """One commit with these files, by maint."""
        before = self.tip(new_from or branch)
        base = self.repo("GET", f"/git/commits/{before}")["tree"]["sha"]
        entries = [
            {"path": path, "mode": "100644", "type": "blob", "content": text} for path, text in files.items()
        ]
        tree = self.repo("POST", "/git/trees", {"base_tree": base, "tree": entries}, status=201)["sha"]
        made = {"message": message, "tree": tree, "parents": [before]}
        commit = str(self.repo("POST", "/git/commits", made, status=201)["sha"])
        if new_from is None:
            self.repo("PATCH", f"/git/refs/heads/{quote(branch)}", {"sha": commit})
        else:
            self.repo("POST", "/git/refs", {"ref": f"refs/heads/{branch}", "sha": commit}, status=201)
        return commit

    def files(self, branch: str) -> dict[str, bytes]:
        """Every file, with its bytes."""
        import base64

        tree = self.repo("GET", f"/git/trees/{self.tip(branch)}?recursive=1")["tree"]
        blobs = {entry["path"]: entry["sha"] for entry in tree if entry["type"] == "blob"}
        return {
            path: base64.b64decode(self.repo("GET", f"/git/blobs/{sha}")["content"])
            for path, sha in blobs.items()
        }

    def comments(self, number: int) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.repo("GET", f"/issues/{number}/comments?per_page=100")
        return found

    def event(self, name: str, action: str, *, body: str | None = None) -> dict[str, Any]:
        """The next webhook of this kind: a GitHub event's payload as emulate sends it."""
        while True:
            found, payload = self.events.get(timeout=30)
            if (found, payload.get("action")) == (name, action) and (
                body is None or payload["comment"]["body"] == body
            ):
                return payload


def request(url: str, method: str, body: bytes | None, headers: Mapping[str, str]) -> Answer:
    asked = urllib.request.Request(url, data=body, method=method, headers=dict(headers))
    try:
        with urllib.request.build_opener(_NoRedirect).open(asked, timeout=30) as answer:
            return Answer(status=answer.status, headers=dict(answer.headers), body=answer.read())
    except urllib.error.HTTPError as error:
        with error:
            return Answer(status=error.code, headers=dict(error.headers), body=error.read())


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        return None


@contextmanager
def running(node: Path, modules: Path, folder: Path) -> Iterator[GitHub]:
    """emulate on a free port, the shim before it, and somebody who listens to its webhooks."""
    events: queue.Queue[tuple[str, dict[str, Any]]] = queue.Queue()
    (folder / "emulate.yaml").write_text(SEED)
    listener = Loopback(_listener(events))
    shim_type = type("BoundShim", (Shim,), {})
    shim = Loopback(shim_type)
    port = _free_port()
    github = GitHub(url=shim.url, peer=f"http://127.0.0.1:{port}", events=events)
    shim_type.github = github
    command = [str(node), str(modules / "emulate/dist/index.js"), "start", "--service", "github"]
    command += ["--port", str(port), "--seed", str(folder / "emulate.yaml"), "--base-url", shim.url]
    with (folder / "emulate.log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, cwd=folder)
    try:
        listener.start()
        shim.start()
        wait_for(f"{github.peer}/zen", folder / "emulate.log")
        hook = {"url": f"{listener.url}/hook", "content_type": "json", "secret": "s3"}
        events_asked_for = ["issue_comment", "pull_request"]
        made = {"name": "web", "active": True, "events": events_asked_for, "config": hook}
        github.repo("POST", "/hooks", made, status=201)
        github.repo("PUT", "/collaborators/dryrun-bot", {"permission": "push"}, status=201)
        yield github
    finally:
        process.terminate()
        process.wait()
        shim.stop()
        listener.stop()


def wait_for(url: str, log: Path) -> None:
    for _ in range(300):
        try:
            urllib.request.urlopen(url, timeout=1).close()
        except urllib.error.HTTPError:
            return
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise AssertionError(f"{url} does not answer: {log.read_text()[-2000:]}")


def _free_port() -> int:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as one:
        return int(one.getsockname()[1])


def _listener(events: "queue.Queue[tuple[str, dict[str, Any]]]") -> type[BaseHTTPRequestHandler]:
    class Listener(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            payload = json.loads(self.rfile.read(int(self.headers["content-length"])))
            events.put((str(self.headers["X-GitHub-Event"]), payload))
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    return Listener


class Shim(BaseHTTPRequestHandler):
    """Hands everything on to emulate but for the gaps, each of which has a method of its own."""

    protocol_version = "HTTP/1.1"
    github: GitHub
    lock = threading.Lock()

    def handle_one(self) -> None:
        length = int(self.headers.get("content-length") or 0)
        self.body = self.rfile.read(length) if length else None
        path = urlsplit(self.path).path
        self.github.log.append(f"{self.command} {path}")
        parts = [unquote(part) for part in path.strip("/").split("/")]
        match self.command, parts:
            case "POST", ["graphql"]:
                answer = self.graphql()
            case "GET", ["repos", _, _, "collaborators", login, "permission"]:
                answer = self.permission(login)
            case "GET", ["repos", _, _, "pulls", number, "files"]:
                answer = self.changed_files(number)
            case _:
                answer = self.hand_on(self.command, self.path, self.body)
        self.send_response(answer.status)
        for name in ("Content-Type", "Link", "Location"):
            if name in answer.headers:
                self.send_header(name, answer.headers[name])
        self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        self.wfile.write(answer.body)

    do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = handle_one  # noqa: N815 - names of the standard library

    def hand_on(self, method: str, path: str, body: bytes | None = None) -> Answer:
        headers = {"Authorization": self.headers.get("Authorization", ""), "Accept": "application/json"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        return request(self.github.peer + path, method, body, headers)

    def permission(self, login: str) -> Answer:
        """emulate says 404 of who is no collaborator, and `push` where GitHub says `write`."""
        answer = self.hand_on("GET", self.path)
        if answer.status == 404:
            user = self.hand_on("GET", f"/users/{quote(login)}")
            return _json({"permission": "read", "role_name": "read", "user": user.fields})
        spelled = {"push": "write", "maintain": "write", "pull": "read", "triage": "read"}
        permission = answer.fields["permission"]
        return _json(answer.fields | {"permission": spelled.get(permission, permission)})

    def changed_files(self, number: str) -> Answer:
        """emulate invents names."""
        pull = self.hand_on("GET", f"/repos/{REPOSITORY}/pulls/{number}").fields
        before, after = (self.entries(pull[side]["sha"]) for side in ("base", "head"))
        changed = sorted(path for path in {*before, *after} if before.get(path) != after.get(path))
        return _json([{"filename": path, "status": "modified", "sha": after.get(path)} for path in changed])

    def entries(self, commit: str) -> dict[str, str]:
        tree = self.hand_on("GET", f"/repos/{REPOSITORY}/git/trees/{commit}?recursive=1").fields["tree"]
        return {entry["path"]: entry["sha"] for entry in tree if entry["type"] == "blob"}

    def graphql(self) -> Answer:
        """emulate has none: the few questions that the bot asks, over emulate's REST."""
        asked = json.loads(self.body or b"")
        query, variables = asked["query"].split(), asked["variables"]
        match query[1].partition("(")[0]:
            case "Viewer":
                data: dict[str, Any] = {"viewer": self.viewer()}
            case "Tips":
                data = {"viewer": self.viewer(), "repository": self.tips(variables)}
            case "Opening":
                data = {"viewer": self.viewer(), "repository": self.opening(variables)}
            case "CommentEditor":
                data = {"node": {"editor": None}}
            case "Mutations":
                data = {alias: self.courtesy(sent) for alias, sent in variables.items()}
            case "UpdateRefs":
                return self.update_refs(variables["input"]["refUpdates"])
            case other:
                return _json({"errors": [{"type": "NOT_IMPLEMENTED", "message": other}]})
        return _json({"data": data})

    def courtesy(self, sent: Mapping[str, str]) -> dict[str, Any]:
        """emulate has neither folds nor reactions, so only other words are kept."""
        if "body" in sent:
            said = self.hand_on("GET", f"/repos/{REPOSITORY}/issues/1/comments?per_page=100").fields
            number = next(one["id"] for one in said if one["node_id"] == sent["id"])
            body = json.dumps({"body": sent["body"]}).encode()
            assert self.hand_on("PATCH", f"/repos/{REPOSITORY}/issues/comments/{number}", body).status == 200
        return {"clientMutationId": None}

    def viewer(self) -> dict[str, Any]:
        user = self.hand_on("GET", "/user").fields
        return {"login": user["login"], "databaseId": user["id"]}

    def tips(self, variables: Mapping[str, str]) -> dict[str, Any]:
        names = {alias: name for alias, name in variables.items() if alias not in {"owner", "name", "path"}}
        return {alias: self.tip(name, variables["path"]) for alias, name in names.items()}

    def opening(self, variables: Mapping[str, Any]) -> dict[str, Any]:
        number, path = variables["number"], variables["path"]
        pull = self.hand_on("GET", f"/repos/{REPOSITORY}/pulls/{number}").fields
        said = self.hand_on("GET", f"/repos/{REPOSITORY}/issues/{number}/comments?per_page=100").fields
        head, base = pull["head"], pull["base"]
        side = {"id": base["repo"]["node_id"], "nameWithOwner": base["repo"]["full_name"]}
        found = {
            **{name: pull[name] for name in ("number", "title")},
            "body": pull["body"] or "",
            "url": pull["html_url"],
            "state": "MERGED" if pull.get("merged") else pull["state"].upper(),
            "isDraft": bool(pull.get("draft")),
            "maintainerCanModify": bool(pull.get("maintainer_can_modify")),
            "author": _actor(pull["user"]),
            "headRefName": head["ref"],
            "headRefOid": head["sha"],
            "headRepository": side,
            "headRef": None,
            "baseRefName": base["ref"],
            "baseRefOid": base["sha"],
            "baseRef": self.tip(f"refs/heads/{base['ref']}", path),
            "comments": {"nodes": [_comment(one) for one in said], "pageInfo": {"hasNextPage": False}},
        }
        return {**side, "default": self.default(path), "pullRequest": found}

    def default(self, path: str) -> dict[str, Any] | None:
        name = self.hand_on("GET", f"/repos/{REPOSITORY}").fields["default_branch"]
        found = self.tip(f"refs/heads/{name}", path)
        return found and {"name": name, **found}

    def tip(self, ref: str, path: str) -> dict[str, Any] | None:
        import base64

        found = self.hand_on("GET", f"/repos/{REPOSITORY}/git/ref/{quote(ref.removeprefix('refs/'))}")
        if found.status != 200:
            return None
        commit = found.fields["object"]["sha"]
        file = None
        if (blob := self.entries(commit).get(path)) is not None:
            content = self.hand_on("GET", f"/repos/{REPOSITORY}/git/blobs/{blob}").fields["content"]
            text = base64.b64decode(content).decode()
            file = {"mode": 0o100644, "object": {"oid": blob, "text": text}}
        return {"target": {"oid": commit, "file": file}}

    def update_refs(self, updates: list[dict[str, str]]) -> Answer:
        """Compare-and-swap, one at a time, which REST has not."""
        with Shim.lock:
            for update in updates:
                ref = quote(update["name"].removeprefix("refs/"))
                found = self.hand_on("GET", f"/repos/{REPOSITORY}/git/ref/{ref}").fields
                if found["object"]["sha"] != update["beforeOid"]:
                    return _json({"errors": [{"type": "UNPROCESSABLE", "message": "it has moved"}]})
                body = json.dumps({"sha": update["afterOid"], "force": False}).encode()
                moved = self.hand_on("PATCH", f"/repos/{REPOSITORY}/git/refs/{ref}", body)
                if moved.status != 200:
                    return _json({"errors": [{"type": "FORBIDDEN", "message": moved.body.decode()}]})
        return _json({"data": {"updateRefs": {"clientMutationId": None}}})

    def log_message(self, *_: object) -> None:
        pass


def _actor(user: Mapping[str, Any]) -> dict[str, Any]:
    kind = user.get("type", "User")
    return {"__typename": kind, "login": user["login"].removesuffix("[bot]"), "databaseId": user["id"]}


def _comment(said: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "id": said["node_id"],
        "fullDatabaseId": str(said["id"]),
        "body": said["body"],
        "url": said["html_url"],
        "createdAt": said["created_at"],
        "updatedAt": said["updated_at"],
        "author": _actor(said["user"]),
        "editor": None,
    }


def _json(value: object, *, status: int = 200) -> Answer:
    return Answer(
        status=status, headers={"Content-Type": "application/json"}, body=json.dumps(value).encode()
    )
