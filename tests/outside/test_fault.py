import pytest
import requests
import urllib3
from github import BadCredentialsException, GithubException, RateLimitExceededException

from bot.outside.fault import Fault, Kind, broken_requests, fault_of, graphql_fault

NOW = 1000.0


def said(status: int, message: object = "", **headers: str) -> GithubException:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return GithubException(status, {"message": message}, named)


CASES = {
    "a wrong token": (BadCredentialsException(401, {"message": "Bad credentials"}, {}), Kind.TOKEN, 0),
    "no permission": (said(403, "Resource not accessible by integration"), Kind.FORBIDDEN, 0),
    "a locked conversation": (
        said(403, "Unable to create comment because issue is locked."),
        Kind.FORBIDDEN,
        0,
    ),
    "nothing there": (said(404, "Not Found"), Kind.MISSING, 0),
    "something gone": (said(410, "Artifact has expired"), Kind.MISSING, 0),
    "an invalid request": (said(422, "Validation Failed"), Kind.REFUSED, 0),
    "a conflict": (said(409, "Git Repository is empty."), Kind.REFUSED, 0),
    "GitHub's trouble": (said(500), Kind.SERVER, 0),
    "a bad gateway in HTML": (GithubException(502, {"data": "<html>"}, {}), Kind.SERVER, 0),
    "a bad gateway in a list": (GithubException(502, [1], {}), Kind.SERVER, 0),
    "a 503 that says when": (said(503, Retry_After="7"), Kind.SERVER, 7),
    "a timeout at GitHub": (said(408), Kind.SERVER, 0),
    "a secondary limit with a time": (
        said(403, "You have exceeded a secondary rate limit", Retry_After="30"),
        Kind.LIMITED,
        30,
    ),
    "a secondary limit without a time": (
        said(403, "You have exceeded a secondary rate limit"),
        Kind.LIMITED,
        60,
    ),
    "a secondary limit with a strange time": (said(403, "x", retry_after="soon"), Kind.LIMITED, 60),
    "a limit as 429": (said(429, Retry_After="5"), Kind.LIMITED, 5),
    "a bare 429": (said(429), Kind.LIMITED, 60),
    "a primary limit": (
        RateLimitExceededException(
            403,
            {"message": "API rate limit exceeded"},
            {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "1090"},
        ),
        Kind.LIMITED,
        91,
    ),
    "a primary limit that just ended": (
        said(403, x_ratelimit_remaining="0", x_ratelimit_reset="900"),
        Kind.LIMITED,
        1,
    ),
    "a primary limit without a time": (said(403, x_ratelimit_remaining="0"), Kind.LIMITED, 60),
    "a lost connection": (requests.ConnectionError("reset by peer"), Kind.SERVER, 0),
    "a slow answer": (requests.ReadTimeout("30 s"), Kind.SERVER, 0),
    "half an answer": (requests.exceptions.ChunkedEncodingError("half"), Kind.SERVER, 0),
    "an address that is none": (urllib3.exceptions.LocationParseError("x"), Kind.SERVER, 0),
    "an answer that is no JSON": (ValueError("Expecting value"), Kind.SERVER, 0),
    "another host": (AssertionError("evil.example"), Kind.SERVER, 0),
    "an answer without a field": (KeyError("location"), Kind.SERVER, 0),
    "headers of None": (GithubException(500, None, None), Kind.SERVER, 0),
}


@pytest.mark.parametrize(("error", "kind", "wait_s"), CASES.values(), ids=CASES)
def test_whatever_a_request_raises_becomes_a_fault_of_one_kind(error, kind, wait_s) -> None:
    assert isinstance(error, broken_requests())
    fault = fault_of(error, now=NOW)
    assert (fault.kind, fault.wait_s) == (kind, wait_s)


GRAPHQL = {
    "a limit": ([{"type": "RATE_LIMITED", "message": "API rate limit exceeded"}], Kind.LIMITED),
    "no permission": ([{"type": "FORBIDDEN", "message": "Resource not accessible"}], Kind.FORBIDDEN),
    "a token without the scope": ([{"type": "INSUFFICIENT_SCOPES", "message": "x"}], Kind.FORBIDDEN),
    "nothing there": ([{"type": "NOT_FOUND", "message": "Could not resolve"}], Kind.MISSING),
    "GitHub's trouble": (
        [{"message": "Something went wrong while executing your query on 2026-05-04"}],
        Kind.SERVER,
    ),
    "a refused update": ([{"type": "UNPROCESSABLE", "message": "Reference cannot be updated"}], Kind.REFUSED),
    "a query that GitHub doesn't know": ([{"message": "Field 'x' doesn't exist"}], Kind.REFUSED),
    "errors that are none": ("oops", Kind.REFUSED),
    "an error that is a word": (["oops"], Kind.REFUSED),
}


@pytest.mark.parametrize(("errors", "kind"), GRAPHQL.values(), ids=GRAPHQL)
def test_graphqls_errors_are_told_apart_as_well(errors, kind) -> None:
    fault = graphql_fault(errors)
    assert (fault.kind, fault.status) == (kind, 200)


def test_a_message_is_one_short_line_with_what_was_wrong_in_detail() -> None:
    details = [{"message": "tree.sha is not a blob"}, "odd", {"code": "x"}]
    data = {"message": "Validation\nFailed", "errors": details}
    fault = fault_of(GithubException(422, data, {}), now=NOW)
    assert str(fault) == "status 422: Validation Failed; tree.sha is not a blob"
    long = fault_of(said(500, "a" * 10_000), now=NOW)
    assert len(str(long)) < 400


def test_no_answer_says_so() -> None:
    assert str(Fault(kind=Kind.SERVER, status=None, message="reset")) == "no answer: reset"
    assert str(Fault(kind=Kind.SERVER, status=502, message="")) == "status 502"
