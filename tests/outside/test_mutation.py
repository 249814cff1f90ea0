"""Several changes in one request: each has its own end, and only what may pass is tried again."""

import json

import pytest

from bot.outside.fault import Fault, Kind
from bot.outside.mutation import Mutation, mutate
from bot.sentence import Sentence

GRAPHQL = "https://api.github.com:443/graphql"
DONE = {"clientMutationId": None}
THREE = [
    Mutation(field="updateIssueComment", input={"id": "IC_1", "body": "x"}),
    Mutation(field="minimizeComment", input={"subjectId": "IC_1", "classifier": "OUTDATED"}),
    Mutation(field="addReaction", input={"subjectId": "IC_2", "content": "ROCKET"}),
]


def error(alias: str, kind: str, message: str = "no"):
    return {"type": kind, "path": [alias], "message": message}


def ends(door, mutations=THREE):
    faults = mutate(door, mutations, what=Sentence("tidy up"), permission="issues: write")
    return [fault.kind if isinstance(fault, Fault) else None for fault in faults]


def test_all_are_one_document_in_their_order(api, door) -> None:
    api.post(GRAPHQL, json={"data": {"m0": DONE, "m1": DONE, "m2": DONE}})
    assert ends(door) == [None, None, None]
    sent = json.loads(api.calls[0].request.body)
    assert sent["variables"] == {f"m{number}": one.input for number, one in enumerate(THREE)}
    declared, *fields = sent["query"].strip().splitlines()
    types = "$m0: UpdateIssueCommentInput!, $m1: MinimizeCommentInput!, $m2: AddReactionInput!"
    assert declared == f"mutation Mutations({types}) {{"
    assert [line.split("(")[0].strip() for line in fields[:-1]] == [
        "m0: updateIssueComment",
        "m1: minimizeComment",
        "m2: addReaction",
    ]


def test_of_none_nothing_is_asked(api, door) -> None:
    assert ends(door, []) == []


def test_one_that_is_refused_is_not_tried_again_and_the_others_are_done(api, door) -> None:
    api.post(
        GRAPHQL,
        json={"data": {"m0": DONE, "m1": None, "m2": DONE}, "errors": [error("m1", "FORBIDDEN")]},
    )
    assert ends(door) == [None, Kind.FORBIDDEN, None]


def test_only_those_are_tried_again_that_may_pass(api, door, naps) -> None:
    wrong = "Something went wrong while executing your query on 2026-01-01."
    errors = [error("m0", "RATE_LIMITED"), error("m1", "NOT_FOUND"), error("m2", "", wrong)]
    api.post(GRAPHQL, json={"data": {"m0": None, "m1": None, "m2": None}, "errors": errors})
    api.post(GRAPHQL, json={"data": {"m0": DONE, "m2": None}, "errors": [error("m2", "", wrong)]})
    api.post(GRAPHQL, json={"data": {"m2": DONE}})
    assert ends(door) == [None, Kind.MISSING, None]
    assert [sorted(json.loads(call.request.body)["variables"]) for call in api.calls] == [
        ["m0", "m1", "m2"],
        ["m0", "m2"],
        ["m2"],
    ]
    assert naps.taken == [60.0, 2.0]


def test_patience_with_one_ends(api, door) -> None:
    wrong = error("m0", "", "Something went wrong while executing your query")
    for _ in range(4):
        api.post(GRAPHQL, json={"data": {"m0": None}, "errors": [wrong]})
    assert ends(door, THREE[:1]) == [Kind.SERVER]


WHOLE = {
    "an error of the document": ({"errors": [{"message": "Field 'x' doesn't exist"}]}, Kind.REFUSED, 1),
    "an error beside data, of no field": (
        {"data": {"m0": DONE, "m1": None, "m2": None}, "errors": [{"message": "no"}]},
        Kind.REFUSED,
        1,
    ),
    "no data": ({}, Kind.SERVER, 4),
    "something else": ({"data": [1]}, Kind.SERVER, 4),
}


@pytest.mark.parametrize(("answer", "kind", "tries"), WHOLE.values(), ids=WHOLE)
def test_what_is_wrong_with_the_request_is_wrong_with_each(answer, kind, tries, api, door) -> None:
    for _ in range(tries):
        api.post(GRAPHQL, json=answer)
    assert ends(door) == [kind, kind, kind]


def test_null_without_a_word_counts_as_not_done(api, door) -> None:
    api.post(GRAPHQL, json={"data": {"m0": None}})
    assert ends(door, THREE[:1]) == [Kind.REFUSED]
