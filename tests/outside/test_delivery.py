"""Objects over git's own protocol, to a real server: there once and whole, or nothing has changed."""

import pytest
from journey import Journey

from bot.demo.github import Fault, bad_gateway, error
from bot.demo.github.call import Answer
from bot.outside.delivery import Delivery
from bot.outside.pack import Object
from bot.outside.patience import Patience
from bot.settings import Secret

REF = "refs/dryrun-bot/test"


def delivery(journey: Journey, *, token: str | None = None) -> Delivery:
    return Delivery(
        url=f"{journey.github.url}/acme/widgets.git",
        token=Secret(token or journey.github.workflow_token(journey.repository)),
        patience=Patience(sleep=lambda _: None),
    )


def commit(journey: Journey, content: bytes = b"new\n") -> list[Object]:
    """The tip of the objects is first."""
    blob = Object(kind="blob", content=content)
    tree = Object(kind="tree", content=b"100644 a.txt\0" + bytes.fromhex(blob.sha))
    nobody = "nobody <> 0 +0000"
    text = f"tree {tree.sha}\nparent {journey.head}\nauthor {nobody}\ncommitter {nobody}\n\nm\n"
    return [Object(kind="commit", content=text.encode()), tree, blob]


def bring(journey: Journey, objects: list[Object], **how: str) -> bool:
    return delivery(journey, **how).bring(objects, ref=REF, tip=objects[0].sha)


def test_the_objects_are_there_in_two_requests_and_no_branch_has_moved(journey: Journey) -> None:
    head, objects = journey.head, commit(journey)
    journey.github.log.clear()
    assert bring(journey, objects)
    assert len(journey.github.log) == 2
    assert journey.repository.bare.ref(REF) == objects[0].sha
    assert journey.repository.bare.git("cat-file", "blob", f"{REF}:a.txt") == b"new\n"
    assert journey.head == head


def test_what_is_there_already_is_not_sent_again(journey: Journey) -> None:
    objects = commit(journey)
    assert bring(journey, objects)
    journey.github.log.clear()
    assert bring(journey, objects)
    assert [exchange.method for exchange in journey.github.log] == ["GET"]


def test_a_ref_that_is_elsewhere_moves(journey: Journey) -> None:
    assert bring(journey, commit(journey))
    objects = commit(journey, b"other\n")
    assert bring(journey, objects)
    assert journey.repository.bare.ref(REF) == objects[0].sha


LOST = {
    "the listing": {"path": "info/refs", "moment": "after", "drop": True},
    "the answer": {"path": "git-receive-pack", "moment": "after", "drop": True},
    "the objects": {"path": "git-receive-pack", "moment": "before", "drop": True},
    "a 502 in its place": {"path": "git-receive-pack", "moment": "after", "answer": bad_gateway()},
}


@pytest.mark.parametrize("fault", LOST.values(), ids=LOST)
def test_what_was_lost_is_tried_again_and_done_once(journey: Journey, fault: dict[str, object]) -> None:
    objects = commit(journey)
    struck = journey.github.misbehave(Fault(**fault))
    assert bring(journey, objects)
    assert struck.has_struck
    assert journey.repository.bare.ref(REF) == objects[0].sha


def test_patience_ends(journey: Journey) -> None:
    journey.github.misbehave(Fault(path="git-receive-pack", moment="before", drop=True, times=None))
    assert not bring(journey, commit(journey))
    assert journey.repository.bare.ref(REF) is None


REFUSED = {
    "no permission": error(403, "no"),
    "an address elsewhere": error(301, "Moved", {"Location": "http://127.0.0.1:9/"}),
}


@pytest.mark.parametrize("answer", REFUSED.values(), ids=REFUSED)
def test_what_is_refused_is_not_tried_again(journey: Journey, answer: object) -> None:
    journey.github.misbehave(Fault(path="info/refs", times=None, answer=answer))
    journey.github.log.clear()
    assert not bring(journey, commit(journey))
    assert len(journey.github.log) == 1


def test_a_token_that_may_only_read_brings_nothing(journey: Journey) -> None:
    token = journey.github.workflow_token(journey.repository, {"contents": "read"})
    assert not bring(journey, commit(journey), token=token)


def test_objects_that_do_not_hold_together_are_refused(journey: Journey) -> None:
    """The server looks for itself whether all is there that the commit leads to."""
    assert not bring(journey, commit(journey)[:2])
    assert journey.repository.bare.ref(REF) is None


NONSENSE = [b"", b"zzzz", b"0010short", b"001e# service=git-upload-pack\n0000"]


@pytest.mark.parametrize("body", NONSENSE)
def test_a_server_that_speaks_otherwise_is_none(journey: Journey, body: bytes) -> None:
    journey.github.misbehave(Fault(path="info/refs", times=None, answer=Answer(body=body)))
    assert not bring(journey, commit(journey))
