"""An embedded GitHub for each test; then all that was said is held against GitHub's description."""

import json
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from github_description.description import problems_in

from bot.demo.github import File, GitHub, Issue, Repository

FILES = {
    "README.md": "# Pocket\n",
    "docs/a.md": "teh cat\n",
    "docs/dos.txt": File(content=b"one\r\ntwo\r\n"),
    "bin.dat": File(content=b"\x00\xff\x00"),
    "run.sh": File(content=b"#!/bin/sh\n", mode="100755"),
    "link": File(content=b"README.md", mode="120000"),
}


@dataclass(frozen=True)
class Reply:
    status: int
    body: Any
    headers: Mapping[str, str]


@pytest.fixture
def clock() -> Callable[[], datetime]:
    """A second later each time it is asked."""
    ticks = iter(range(1_000_000))
    return lambda: datetime(2026, 5, 4, 12, tzinfo=UTC) + timedelta(seconds=next(ticks))


@pytest.fixture
def github(tmp_path: Path, clock: Callable[[], datetime]) -> Iterator[GitHub]:
    with GitHub(tmp_path / "github", now=clock) as github:
        yield github
    assert problems_in(github.log) == []


@pytest.fixture
def repository(github: GitHub) -> Repository:
    """acme/pocket: maja may write, tom may read like everybody."""
    repository = github.repository("acme/pocket", FILES)
    github.allow(repository, "maja", "write")
    github.account("tom")
    return repository


@pytest.fixture
def pull(github: GitHub, repository: Repository) -> Issue:
    """#1, from the branch `feature`, by acme."""
    github.push(repository, "feature", {"docs/a.md": "teh cat\nteh dog\n"}, message="Add a dog", by="acme")
    return github.open_pull(repository, "feature", by="acme", title="A dog", body="Woof.")


@pytest.fixture
def ask(github: GitHub, repository: Repository) -> Callable[..., Reply]:
    """`ask("POST", "/repos/...", {...}, by="maja")` over HTTP; without `by` with the workflow's token."""
    workflow = github.workflow_token(repository)

    def asked(
        method: str,
        path: str,
        body: Any = None,
        *,
        by: str | None = None,
        token: str | None = workflow,
        accept: str = "application/vnd.github+json",
    ) -> Reply:
        token = github.token(by) if by else token
        headers = {"Accept": accept, "Content-Type": "application/json"}
        headers |= {"Authorization": f"Bearer {token}"} if token else {}
        raw = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(github.url + path, data=raw, method=method, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=20) as response:
                return _reply(response.status, response.read(), response.headers)
        except urllib.error.HTTPError as error:
            with error:
                return _reply(error.code, error.read(), error.headers)

    return asked


def _reply(status: int, raw: bytes, headers: Any) -> Reply:
    is_json = headers.get("Content-Type", "").startswith("application/json")
    return Reply(status=status, body=json.loads(raw) if is_json and raw else raw, headers=dict(headers))
