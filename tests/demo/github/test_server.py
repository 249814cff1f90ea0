import base64
import socket
from collections.abc import Callable
from typing import Any

import pytest

from bot.demo.github import GitHub, Issue, Repository


@pytest.mark.parametrize("prefix", ["", "/api/v3"])
def test_addresses_in_an_answer_are_this_server_s_own_with_the_prefix_it_was_asked_by(
    github: GitHub, pull: Issue, ask: Callable[..., Any], prefix: str
) -> None:
    body = ask("GET", f"{prefix}/repos/acme/pocket/pulls/1").body
    assert body["url"] == f"{github.url}{prefix}/repos/acme/pocket/pulls/1"
    assert body["html_url"] == f"{github.url}/acme/pocket/pull/1"
    assert github.log[-1].path == "/repos/acme/pocket/pulls/1"


def test_graphql_is_where_enterprise_servers_have_it_too(ask: Callable[..., Any]) -> None:
    for path in ("/graphql", "/api/graphql"):
        assert ask("POST", path, {"query": "{ viewer { login } }"}).status == 200


def test_a_wrong_token_is_refused_even_for_what_is_public(pull: Issue, ask: Callable[..., Any]) -> None:
    reply = ask("GET", "/repos/acme/pocket/pulls/1", token="ghp_wrong")
    assert (reply.status, reply.body["message"]) == (401, "Bad credentials")


def test_what_is_not_there_is_github_s_404(github: GitHub, ask: Callable[..., Any]) -> None:
    reply = ask("GET", "/no/such/thing")
    assert (reply.status, reply.body["message"]) == (404, "Not Found")
    github.log.clear()


def test_every_request_is_written_down_with_who_asked_and_what_came_of_it(
    github: GitHub, pull: Issue, ask: Callable[..., Any]
) -> None:
    ask("POST", "/repos/acme/pocket/issues/1/comments", {"body": "hi"}, by="maja")
    ask("GET", "/repos/acme/pocket/issues/1/comments?per_page=1", token=None)
    first, second = github.log
    assert (first.number, first.login, first.body, first.status) == (1, "maja", {"body": "hi"}, 201)
    assert first.answer["body"] == "hi"
    assert second.line == "GET /repos/acme/pocket/issues/1/comments?per_page=1 -> 200"
    assert (second.number, second.login) == (2, None)


def test_every_answer_says_what_is_left_of_the_rate(ask: Callable[..., Any]) -> None:
    headers = ask("GET", "/repos/acme/pocket").headers
    assert int(headers["x-ratelimit-remaining"]) > 0
    assert int(headers["x-ratelimit-reset"]) > 0


def test_git_s_basic_credentials_carry_a_token_too(
    github: GitHub, repository: Repository, ask: Callable[..., Any]
) -> None:
    import urllib.request

    secret = base64.b64encode(f"x-access-token:{github.token('maja')}".encode()).decode()
    request = urllib.request.Request(f"{github.url}/user", headers={"Authorization": f"Basic {secret}"})
    with urllib.request.urlopen(request, timeout=20) as response:
        assert b'"maja"' in response.read()


def test_one_connection_serves_many_requests_and_a_chunked_body(
    github: GitHub, repository: Repository
) -> None:
    host, _, port = github.url.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=10) as connection:
        stream = connection.makefile("rwb")
        for _ in range(2):
            stream.write(
                b"POST /graphql HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n"
                b"Content-Type: application/json\r\n\r\n"
                b'5\r\n{"que\r\n4;x=y\r\nry":\r\n4\r\n "{"\r\n1\r\n}\r\n0\r\n\r\n'
            )
            stream.flush()
            assert stream.readline() == b"HTTP/1.1 401 Unauthorized\r\n"
            length = 0
            while (line := stream.readline()) != b"\r\n":
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            assert b"Requires authentication" in stream.read(length)
        stream.close()
    github.log.clear()
