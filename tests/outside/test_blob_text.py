"""Texts of many blobs in one request; what is not proven to be what was asked for is simply not there."""

import json

import pytest

from bot.outside.blob_text import texts
from bot.workspace import blob_sha

GRAPHQL = "https://api.github.com:443/graphql"
ONE, TWO = blob_sha("caf\u00e9\r\n".encode()), blob_sha(b"two\n")


def test_all_are_one_request(api, door) -> None:
    told = {"b0": {"text": "caf\u00e9\r\n"}, "b1": {"text": "two\n"}}
    api.post(GRAPHQL, json={"data": {"repository": told}})
    assert texts(door, "acme/widgets", [ONE, TWO]) == {ONE: "caf\u00e9\r\n".encode(), TWO: b"two\n"}
    sent = json.loads(api.calls[0].request.body)
    assert sent["variables"] == {"owner": "acme", "name": "widgets", "b0": ONE, "b1": TWO}


NOT_HAD = {
    "no text": {"b0": {"text": None}},
    "nothing of that name": {"b0": None},
    "something else than a blob": {"b0": {}},
    "not told of": {},
    "cut short": {"b0": {"text": "caf"}},
    "other text": {"b0": {"text": "evil"}},
    "no repository": None,
}


@pytest.mark.parametrize("told", NOT_HAD.values(), ids=NOT_HAD)
def test_what_could_not_be_had_is_not_in_it(told, api, door) -> None:
    api.post(GRAPHQL, json={"data": {"repository": told}})
    assert texts(door, "acme/widgets", [ONE]) == {}


def test_a_failure_is_that_nothing_could_be_had(api, door) -> None:
    api.post(GRAPHQL, json={"errors": [{"type": "FORBIDDEN", "message": "no"}]})
    assert texts(door, "acme/widgets", [ONE]) == {}
