"""What the bot has said before, whether that was an answer, and how it says more, over real HTTP."""

from typing import cast

import pytest
from journey import Journey

from bot import marker
from bot.conversation import Conversation, Said, cleaned, listen
from bot.demo.github import Comment, Fault, error
from bot.errors import FAILURES, GitHubFailed
from bot.marker import Kind, Marker
from bot.outside.github import connect
from bot.outside.patience import Patience
from bot.pull_request import Account
from bot.pull_request import Comment as SaidComment
from bot.settings import read_settings
from bot.world import Reacted, Repository

BOT = "github-actions[bot]"
PLAN = "a" * 64


def _marker(kind: Kind, state: str, *, answers: int | None = 1, **more: str) -> Marker:
    fields = {"task": "", "digest": None} | more
    return Marker(kind=kind, answers=answers, state=state, version="0.1.0", **fields)  # type: ignore[arg-type]


def _body(kind: Kind, state: str, *, answers: int = 1, **more: str) -> str:
    return marker.write(_marker(kind, state, answers=answers, **more)) + "\nWords.\n"


def _repository(journey: Journey, permissions: dict[str, str] | None = None) -> Repository:
    event = journey.github.pull_request_event(journey.repository, journey.issue, "opened")
    folder = journey.folder / "conversation"
    folder.mkdir(exist_ok=True)
    token = journey.github.workflow_token(journey.repository, permissions or {"pull_requests": "write"})
    environ = journey.github.environment(event, folder) | {"GITHUB_TOKEN": token}
    return connect(read_settings(environ), patience=Patience(sleep=lambda _: None, tries=2))


def _comment(journey: Journey, body: str, *, by: str = BOT) -> Comment:
    return journey.github.comment(journey.repository, journey.issue.number, by=by, body=body)


def _listen(journey: Journey, permissions: dict[str, str] | None = None) -> Conversation:
    return listen(_repository(journey, permissions), journey.issue.number)


def test_only_what_the_bots_own_account_wrote_is_its_word(journey: Journey) -> None:
    _comment(journey, _body("plan", "open", digest=PLAN))
    _comment(journey, _body("plan", "open", digest="b" * 64), by="mona")
    _comment(journey, "no marker\n" + _body("plan", "open", digest="c" * 64))
    other = journey.github.account("helpful[bot]", type="Bot")
    _comment(journey, _body("plan", "open", digest="d" * 64), by=other.login)
    assert [said.marker.digest for said in _listen(journey).plans] == [PLAN]


def test_the_bots_words_are_found_on_every_page(journey: Journey) -> None:
    _comment(journey, _body("plan", "open", digest=PLAN))
    for number in range(120):
        _comment(journey, f"Talk {number}", by="mona")
    _comment(journey, _body("answer", "applied", answers=2))
    conversation = _listen(journey)
    assert [said.marker.kind for said in conversation.said] == ["plan", "answer"]
    assert conversation.is_answered(2)


ANSWERED = {
    "nothing said": ([], (), False),
    "an answer": ([_marker("answer", "applied")], (), True),
    "an answer to another": ([_marker("answer", "applied", answers=2)], (), False),
    "an answer to nobody": ([_marker("answer", "applied", answers=None)], (), False),
    "a refusal": ([_marker("answer", "stale-head")], (), True),
    "a fault": ([_marker("answer", "model-failed")], (), False),
    "a fault and then an answer": (
        [_marker("answer", "model-failed"), _marker("answer", "applied")],
        (),
        True,
    ),
    "a sign of life": ([_marker("progress", "working")], (), False),
    "a plan": ([_marker("plan", "open", task="a", digest=PLAN)], ("a",), True),
    "a plan that was put aside since": ([_marker("plan", "superseded", task="a", digest=PLAN)], ("a",), True),
    "a plan of another task": ([_marker("plan", "open", task="b", digest=PLAN)], ("a",), False),
    "one plan of two": ([_marker("plan", "open", task="a", digest=PLAN)], ("a", "b"), False),
    "both": (
        [_marker("plan", "open", task="a", digest=PLAN), _marker("plan", "open", task="b", digest="b" * 64)],
        ("a", "b"),
        True,
    ),
    "one plan of two, and a refusal": (
        [_marker("plan", "open", task="a", digest=PLAN), _marker("answer", "no-task")],
        ("a", "b"),
        True,
    ),
}


@pytest.mark.parametrize(("markers", "tasks", "is_answered"), ANSWERED.values(), ids=ANSWERED)
def test_an_occasion_is_answered(*, markers: list[Marker], tasks: tuple[str, ...], is_answered: bool) -> None:
    said = [Said(marker=each, comment=cast("SaidComment", None)) for each in markers]
    me = Account(login=BOT, id=1, is_person=False)
    conversation = Conversation(repository=cast("Repository", None), number=1, me=me, said=said)
    assert conversation.is_answered(1, tasks=tasks) is is_answered


@pytest.mark.parametrize("reason", sorted(FAILURES))
def test_an_answer_takes_the_place_of_an_earlier_fault_once(journey: Journey, reason: str) -> None:
    fault = _comment(journey, _body("answer", reason))
    conversation = _listen(journey)
    url = conversation.say(_body("plan", "open", task="a", digest=PLAN))
    assert url is not None
    assert url.endswith(str(fault.id))
    assert "kind=plan" in fault.body
    assert conversation.say(_body("plan", "open", task="b", digest="b" * 64)) != url
    assert len(journey.comments) == 2


def test_a_fault_on_another_occasion_stays(journey: Journey) -> None:
    fault = _comment(journey, _body("answer", "model-failed", answers=2))
    before = fault.body
    _listen(journey).say(_body("answer", "applied"))
    assert fault.body == before
    assert len(journey.comments) == 2


READ_ONLY = {"pull_requests": "read"}


def test_where_the_bot_may_not_comment_nothing_is_said(journey: Journey) -> None:
    assert _listen(journey, READ_ONLY).say(_body("answer", "applied")) is None
    assert journey.comments == []


def test_of_something_done_a_fault_of_github_is_no_fault(journey: Journey) -> None:
    conversation = _listen(journey)
    journey.github.misbehave(Fault(method="POST", path="/comments", times=None, answer=error(422, "No.")))
    with pytest.raises(GitHubFailed):
        conversation.say(_body("answer", "explained"))
    assert conversation.report(_body("answer", "applied")) is None


def test_a_plan_that_is_restated_looks_as_before(journey: Journey) -> None:
    posted = _comment(journey, _body("plan", "open", task="a", digest=PLAN))
    before = posted.body
    conversation = _listen(journey)
    conversation.restate(conversation.plans[0], "applied")
    assert posted.body == before.replace("state=open", "state=applied")
    assert posted.editor is not None
    assert posted.editor.login == BOT


def test_restating_what_is_so_already_asks_nothing(journey: Journey) -> None:
    _comment(journey, _body("plan", "applied", digest=PLAN))
    conversation = _listen(journey)
    journey.github.log.clear()
    conversation.restate(conversation.plans[0], "applied")
    assert journey.github.log == []


def test_an_older_plan_is_marked_and_folded(journey: Journey) -> None:
    posted = _comment(journey, _body("plan", "open", digest=PLAN))
    conversation = _listen(journey)
    journey.github.log.clear()
    conversation.put_aside(conversation.plans[0])
    assert journey.github.log == []
    conversation.be_courteous(Reacted(comment=posted.node_id, reaction="rocket"))
    assert len(journey.github.log) == 1
    assert "state=superseded" in posted.body
    assert posted.minimized == "OUTDATED"
    assert [reaction.content for reaction in posted.reactions] == ["rocket"]
    conversation.be_courteous()
    assert len(journey.github.log) == 1


def test_putting_aside_is_a_courtesy_that_may_fail(journey: Journey) -> None:
    posted = _comment(journey, _body("plan", "open", digest=PLAN))
    conversation = _listen(journey)
    journey.github.misbehave(Fault(method="PATCH", times=None, answer=error(422, "No.")))
    journey.github.misbehave(Fault(path="graphql", times=None, answer=error(403, "No.")))
    conversation.put_aside(conversation.plans[0])
    conversation.be_courteous()
    assert "state=open" in posted.body
    with pytest.raises(GitHubFailed):
        conversation.restate(conversation.plans[0], "discarded")


RECORD = marker.embed(b'{"a": "s3cret"}')
CLEANED = {
    "words": ("it is s3cret\n", "it is ***\n"),
    "words before a record": (f"it is s3cret\n{RECORD}\n", f"it is ***\n{RECORD}\n"),
    "what only looks like a record": (
        "x\n<!-- dryrun-bot-record/1 s3cret -->\n",
        "x\n<!-- dryrun-bot-record/1 *** -->\n",
    ),
    "a record that is not last": (f"{RECORD}\ns3cret\n", f"{RECORD}\n***\n"),
}


@pytest.mark.parametrize(("body", "told"), CLEANED.values(), ids=CLEANED)
def test_secrets_are_taken_out_of_what_is_said(body: str, told: str) -> None:
    assert cleaned(body, lambda text: text.replace("s3cret", "***")) == told


def test_of_some_kinds_there_is_one_comment_which_is_kept_up(journey: Journey) -> None:
    first = _listen(journey).keep_up(_body("impact", "replayed") + "First.\n")
    _comment(journey, _body("plan", "open", digest=PLAN))
    second = _listen(journey).keep_up(_body("impact", "replayed", answers=2) + "Second.\n")
    assert first == second
    impacts = [comment for comment in journey.comments if "kind=impact" in comment.body]
    assert [comment.body.splitlines()[-1] for comment in impacts] == ["Second."]
    assert _listen(journey, {"pull_requests": "read"}).keep_up(_body("impact", "replayed")) is None
    assert not _listen(journey).is_answered(2)
