import json
from urllib.parse import unquote, urlsplit

import pytest
import requests
import responses
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import GitHubFailed, Reason
from bot.outside.answers import ObjectAnswer
from bot.outside.fault import Fault, Kind
from bot.outside.rest import Request, path_of, rest
from bot.settings import Secret

API = "https://api.github.com:443"
SHA = "a" * 40
READ = Request(what="read the widget", permission="contents: read", path="/widget")
POST = Request(what="make a widget", permission="contents: write", verb="POST", path="/widget", body={"a": 1})


def test_an_answer_is_asked_for_once_and_read_in_its_shape(api, door, naps) -> None:
    api.get(f"{API}/widget", json={"sha": SHA, "more": "ignored"})
    assert door.ask(READ, ObjectAnswer) == ObjectAnswer(sha=SHA)
    assert naps.taken == []
    sent = api.calls[0].request.headers
    assert sent["Authorization"] == "token ghs_correcthorse"
    assert sent["User-Agent"].startswith("dryrun-bot/")


NEXT_STEPS = {
    401: ("GITHUB_TOKEN", Reason.GITHUB_FAILED),
    403: ("`contents: read` under `permissions:`", Reason.GITHUB_FAILED),
    404: ("still exists", Reason.GITHUB_FAILED),
    422: ("GitHub's message", Reason.GITHUB_FAILED),
    500: ("githubstatus.com", Reason.GITHUB_FAILED),
}


@pytest.mark.parametrize("status", NEXT_STEPS)
def test_a_failure_says_what_was_asked_what_came_back_and_what_to_do(status, api, door) -> None:
    for _ in range(4 if status == 500 else 1):
        api.get(f"{API}/widget", json={"message": "No such thing"}, status=status)
    with pytest.raises(GitHubFailed) as caught:
        door.ask(READ, ObjectAnswer)
    step, reason = NEXT_STEPS[status]
    assert caught.value.what == f"GitHub could not read the widget (status {status}: No such thing)"
    assert step in caught.value.next_step
    assert caught.value.reason is reason


def test_the_token_is_in_no_message(api, door) -> None:
    for _ in range(4):
        api.get(f"{API}/widget", body=requests.ConnectionError("token ghs_x refused"))
    with pytest.raises(GitHubFailed) as caught:
        door.ask(READ, ObjectAnswer)
    assert "correcthorse" not in caught.value.what + caught.value.next_step


PASSING = {
    "a bad gateway": responses.Response("GET", f"{API}/widget", status=502, body="<html>Unicorn!</html>"),
    "a lost connection": responses.Response("GET", f"{API}/widget", body=requests.ConnectionError("reset")),
    "a slow answer": responses.Response("GET", f"{API}/widget", body=requests.ReadTimeout("30 s")),
    "half an answer": responses.Response("GET", f"{API}/widget", body='{"sha": "aaaa'),
    "an answer of another shape": responses.Response("GET", f"{API}/widget", json={"sha": 7}),
    "an empty answer": responses.Response("GET", f"{API}/widget", body=""),
    "a list": responses.Response("GET", f"{API}/widget", json=[]),
    "a page of HTML": responses.Response("GET", f"{API}/widget", body="<html>"),
    "an error that is a list": responses.Response("GET", f"{API}/widget", status=500, json=["x"]),
    "an error whose message is a number": responses.Response(
        "GET", f"{API}/widget", status=500, json={"message": 7}
    ),
    "another host": responses.Response(
        "GET", f"{API}/widget", status=301, headers={"Location": "https://evil.example/widget"}
    ),
}


@pytest.mark.parametrize("answer", PASSING.values(), ids=PASSING)
def test_what_may_pass_is_asked_again(answer, api, door, naps) -> None:
    api.add(answer)
    api.get(f"{API}/widget", json={"sha": SHA})
    assert door.ask(READ, ObjectAnswer).sha == SHA
    assert naps.taken == [1]


def test_it_is_asked_four_times_and_no_more(api, door, naps) -> None:
    for _ in range(4):
        api.get(f"{API}/widget", status=503)
    with pytest.raises(GitHubFailed, match="503"):
        door.ask(READ, ObjectAnswer)
    assert naps.taken == [1, 2, 4]


LIMITS = {
    "a secondary limit": (403, {"Retry-After": "30"}, "You have exceeded a secondary rate limit.", 30),
    "a secondary limit as 429": (429, {"Retry-After": "9"}, "Too many requests", 9),
    "a secondary limit without a time": (403, {}, "You have exceeded a secondary rate limit.", 60),
    "a primary limit": (
        403,
        {"x-ratelimit-remaining": "0", "x-ratelimit-limit": "1000", "x-ratelimit-reset": "1800000050"},
        "API rate limit exceeded for installation ID 1.",
        51,
    ),
}


@pytest.mark.parametrize(("status", "headers", "message", "wait_s"), LIMITS.values(), ids=LIMITS)
@pytest.mark.parametrize("request_", [READ, POST], ids=["GET", "POST"])
def test_a_limit_is_waited_for_as_long_as_github_says(
    request_, status, headers, message, wait_s, api, door, naps
) -> None:
    api.add(request_.verb, f"{API}/widget", status=status, headers=headers, json={"message": message})
    api.add(request_.verb, f"{API}/widget", json={"sha": SHA})
    assert door.ask(request_, ObjectAnswer).sha == SHA
    assert naps.taken == [wait_s]


def test_a_limit_that_ends_too_late_is_not_waited_for(api, door, naps) -> None:
    api.get(f"{API}/widget", status=403, headers={"Retry-After": "3600"}, json={"message": "rate limit"})
    with pytest.raises(GitHubFailed) as caught:
        door.ask(READ, ObjectAnswer)
    assert naps.taken == []
    assert "3600 seconds" in caught.value.next_step


def test_limits_are_waited_for_up_to_the_cap_altogether(api, door, naps) -> None:
    for _ in range(6):
        api.get(f"{API}/widget", status=429, headers={"Retry-After": "60"}, json={"message": ""})
    with pytest.raises(GitHubFailed):
        door.ask(READ, ObjectAnswer)
    assert naps.taken == [60] * 5


def test_a_lost_answer_to_a_post_is_looked_for_before_another_try(api, door) -> None:
    api.post(f"{API}/widget", status=502)
    looks: list[int] = []

    def look() -> str:
        looks.append(len(api.calls))
        return "it is there"

    assert door.settle(POST, ObjectAnswer, look=look) == "it is there"
    assert looks == [1]
    assert len(api.calls) == 1


def test_a_post_that_had_no_effect_is_sent_again_after_the_look(api, door) -> None:
    api.post(f"{API}/widget", body=requests.ConnectionError("reset"))
    api.post(f"{API}/widget", json={"sha": SHA})
    assert door.settle(POST, ObjectAnswer, look=lambda: None) == ObjectAnswer(sha=SHA)


def test_the_last_try_is_followed_by_a_look_too(api, door) -> None:
    for _ in range(4):
        api.post(f"{API}/widget", status=500)
    looks = iter([None, None, None, "it is there"])
    assert door.settle(POST, ObjectAnswer, look=lambda: next(looks)) == "it is there"


@pytest.mark.parametrize("status", [401, 403, 404, 422])
def test_a_plain_no_is_not_looked_into(status, api, door) -> None:
    api.post(f"{API}/widget", status=status, json={"message": "no"})

    def look() -> None:
        raise AssertionError("nothing can have happened")

    fault = door.settle(POST, ObjectAnswer, look=look)
    assert isinstance(fault, Fault)
    assert fault.status == status


def test_what_was_only_just_made_may_be_missing_for_a_moment(api, door, naps) -> None:
    api.get(f"{API}/widget", status=404, json={"message": "Not Found"})
    api.get(f"{API}/widget", json={"sha": SHA})
    new = Request(what="read it", permission="contents: read", path="/widget", is_new=True)
    assert door.ask(new, ObjectAnswer).sha == SHA
    assert naps.taken == [1]


def things(*numbers: int) -> list[dict[str, str]]:
    return [{"sha": f"{number:040x}"} for number in numbers]


def test_every_page_is_fetched(api, door) -> None:
    api.get(f"{API}/widget?page=1&per_page=100", json=things(*range(100)))
    api.get(f"{API}/widget?page=2&per_page=100", json=things(*range(100, 200)))
    api.get(f"{API}/widget?page=3&per_page=100", json=things(200))
    assert [int(item.sha, 16) for item in door.pages(READ, ObjectAnswer)] == list(range(201))


def test_no_page_is_fetched_that_nobody_takes(api, door) -> None:
    api.get(f"{API}/widget?page=1&per_page=100", json=things(*range(100)))
    pages = door.pages(READ, ObjectAnswer)
    assert int(next(pages).sha, 16) == 0
    assert len(api.calls) == 1


@pytest.mark.parametrize("most", [1, 3])
def test_a_short_listing_is_one_small_page(most, api, door) -> None:
    api.get(f"{API}/widget?page=1&per_page={most}", json=things(*range(most)))
    assert len(list(door.pages(READ, ObjectAnswer, most=most))) == most


def test_a_long_listing_ends_where_it_was_told_to(api, door) -> None:
    api.get(f"{API}/widget?page=1&per_page=100", json=things(*range(100)))
    api.get(f"{API}/widget?page=2&per_page=100", json=things(*range(100, 200)))
    assert len(list(door.pages(READ, ObjectAnswer, most=120))) == 120


def test_a_fault_on_a_later_page_is_asked_for_again_alone(api, door) -> None:
    api.get(f"{API}/widget?page=1&per_page=100", json=things(*range(100)))
    api.get(f"{API}/widget?page=2&per_page=100", status=502)
    api.get(f"{API}/widget?page=2&per_page=100", json=things(100))
    assert len(list(door.pages(READ, ObjectAnswer))) == 101


def test_a_redirect_is_told_and_not_followed(api, door) -> None:
    api.get(f"{API}/widget", status=302, headers={"Location": "https://storage.example/x?sig=1"})
    assert door.redirect(READ) == "https://storage.example/x?sig=1"


def test_an_answer_instead_of_a_redirect_is_a_fault(api, door) -> None:
    for _ in range(4):
        api.get(f"{API}/widget", json={})
    fault = door.redirect(READ)
    assert isinstance(fault, Fault)
    assert fault.kind is Kind.SERVER


def test_graphql_goes_to_its_own_address_with_its_variables(api, door) -> None:
    api.post(f"{API}/graphql", json={"data": {"sha": SHA}})
    request = door.graphql("ask", "query Q { sha }", {"id": "x\u2028"}, permission="contents: read")
    assert door.ask(request, ObjectAnswer).sha == SHA
    assert json.loads(api.calls[0].request.body) == {
        "query": "query Q { sha }",
        "variables": {"id": "x\u2028"},
    }


GRAPHQL_FAULTS = {
    "a refusal": ({"data": None, "errors": [{"type": "UNPROCESSABLE", "message": "no"}]}, Kind.REFUSED, 1),
    "no permission": ({"errors": [{"type": "FORBIDDEN", "message": "no"}]}, Kind.FORBIDDEN, 1),
    "no data": ({}, Kind.SERVER, 4),
    "a list": ([], Kind.SERVER, 4),
    "data of another shape": ({"data": {"sha": None}}, Kind.SERVER, 4),
}


@pytest.mark.parametrize(("answer", "kind", "tries"), GRAPHQL_FAULTS.values(), ids=GRAPHQL_FAULTS)
def test_graphqls_faults_come_with_status_200(answer, kind, tries, api, door) -> None:
    for _ in range(tries):
        api.post(f"{API}/graphql", json=answer)
    request = door.graphql("ask", "query Q { sha }", {}, permission="contents: read")
    fault = door.settle(request, ObjectAnswer)
    assert isinstance(fault, Fault)
    assert fault.kind is kind


PATHS = {
    "plain": (("repos", "acme/widgets"), "/repos/acme/widgets"),
    "a number": (("pulls", 7), "/pulls/7"),
    "a branch of parts": (("heads", "a/b"), "/heads/a/b"),
    "a branch with a hash and a question mark": (("heads", "a#b?c"), "/heads/a%23b%3Fc"),
    "a branch with per cent": (("heads", "a%2e%2e"), "/heads/a%252e%252e"),
    "a branch with spaces and letters": (("heads", "\u00e9 \u4e2d"), "/heads/%C3%A9%20%E4%B8%AD"),
    "a branch like an option": (("heads", "--upload-pack=x"), "/heads/--upload-pack%3Dx"),
    "a bot's login": (("users", "helpful[bot]"), "/users/helpful%5Bbot%5D"),
    "a login with an ampersand": (("users", "a&b=c;d"), "/users/a%26b%3Dc%3Bd"),
    "a line end": (("users", "a\r\nHost: x"), "/users/a%0D%0AHost%3A%20x"),
    "a backslash": (("users", "a\\b"), "/users/a%5Cb"),
    "a lone surrogate": (("users", "a\ud800"), "/users/a%3F"),
    "three dots": (("heads", "..."), "/heads/..."),
}


@pytest.mark.parametrize(("segments", "expected"), PATHS.values(), ids=PATHS)
def test_every_part_of_a_path_is_quoted(segments, expected) -> None:
    assert path_of(*segments) == expected


@pytest.mark.parametrize("name", ["", ".", "..", "a/../b", "../..", "a//b", "/a", "a/", "./a"])
def test_a_path_that_a_client_would_resolve_is_refused(name: str) -> None:
    with pytest.raises(GitHubFailed, match="can't be asked"):
        path_of("heads", name)


@given(st.lists(st.text(min_size=1, max_size=20), min_size=1, max_size=4))
def test_a_path_stays_in_its_folder_whatever_it_is_made_of(segments: list[str]) -> None:
    try:
        path = path_of("repos", *segments)
    except GitHubFailed:
        return
    prepared = requests.Request("GET", f"https://api.github.com:443{path}").prepare().url
    split = urlsplit(prepared or "")
    assert (split.scheme, split.netloc, split.query, split.fragment) == (
        "https",
        "api.github.com:443",
        "",
        "",
    )
    assert split.path.startswith("/repos/")
    parts = "/".join(segments).encode("utf-8", "replace").decode().split("/")
    assert [unquote(part) for part in split.path.split("/")[2:]] == parts


@pytest.mark.parametrize("token", ["", "ghs_a b", "ghs_a\nb", "ghs_\u00e9", "ghs_a\x00b"])
def test_a_token_that_no_header_can_carry_is_refused_and_not_told(token: str) -> None:
    with pytest.raises(GitHubFailed, match="The token for GitHub is empty, or holds") as failed:
        rest(Secret(token), api_url="https://api.github.com")
    assert "ghs_" not in str(failed.value)
    assert "set it again" in failed.value.next_step
