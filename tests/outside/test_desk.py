"""What is done on a pull request, on the embedded GitHub: a lost answer never makes it happen twice."""

from collections.abc import Callable

import pytest
from journey import Journey
from reaching import WORKFLOW, effects, prepared, token

from bot.demo.github import Fault, bad_gateway, secondary_rate_limit
from bot.errors import GitHubFailed, OutcomeUnknown, ToolFailed
from bot.outside.desk import GitHubDesk
from bot.outside.github import repository
from bot.outside.patience import Patience
from bot.outside.rest import rest
from bot.settings import Secret
from bot.world import Workflow

Desks = Callable[..., GitHubDesk]


@pytest.fixture
def desk(journey: Journey) -> Desks:
    prepared(journey)

    def made(secret: str | None = None) -> GitHubDesk:
        door = rest(
            Secret(secret or token(journey)),
            api_url=journey.github.url,
            patience=Patience(sleep=lambda _: None),
        )
        found = repository("acme/widgets", door=door, org_door=door)
        return GitHubDesk(repository=found, pull_request=found.pull_request(1), at=found.tip("main"))

    return made


ACTS: dict[str, tuple[Callable[[GitHubDesk], str], str, str]] = {
    "add_labels": (lambda desk: desk.add_labels(["typo"]), "/issues/1/labels$", "added typo"),
    "comment_on_pr": (lambda desk: desk.comment("Thanks"), "/issues/1/comments$", "http"),
    "request_reviewers": (
        lambda desk: desk.request_reviewers(["lee"]),
        "/requested_reviewers$",
        "asked lee",
    ),
    "create_issue": (
        lambda desk: desk.create_issue("Look for more typos", "", ["typo"]),
        "/issues$",
        "http",
    ),
    "dispatch_workflow": (
        lambda desk: desk.dispatch_workflow("release.yml", {"tag": "v1"}),
        "/dispatches$",
        "started on main",
    ),
}
acts = pytest.mark.parametrize("name", ACTS)
# What would have its effect twice, and can't be found again.
ONCE = ("create_issue", "dispatch_workflow")


@acts
def test_it_is_done_once_and_says_what(journey: Journey, desk: Desks, name: str) -> None:
    act, _, said = ACTS[name]
    assert act(desk()).startswith(said)
    assert effects(journey.repository)[name] == 1


LOST = {"a dropped connection": {"drop": True}, "a bad gateway": {"answer": bad_gateway()}}
lost = pytest.mark.parametrize("how", LOST.values(), ids=LOST)


@acts
@lost
def test_whatever_is_lost_after_the_effect_it_is_not_done_twice(
    journey: Journey, desk: Desks, name: str, how: dict[str, object]
) -> None:
    act, path, said = ACTS[name]
    hands = desk()
    journey.github.misbehave(Fault(method="POST", path=path, moment="after", **how))  # type: ignore[arg-type]
    if name in ONCE:
        with pytest.raises(OutcomeUnknown):
            act(hands)
    else:
        assert act(hands).startswith(said)
    assert effects(journey.repository)[name] == 1


@acts
@lost
def test_what_was_lost_before_the_effect_is_unknown_where_nobody_can_look(
    journey: Journey, desk: Desks, name: str, how: dict[str, object]
) -> None:
    act, path, said = ACTS[name]
    hands = desk()
    fault = journey.github.misbehave(Fault(method="POST", path=path, **how))  # type: ignore[arg-type]
    if name in {"add_labels", "request_reviewers"}:
        assert act(hands).startswith(said)
        assert (fault.seen, effects(journey.repository)[name]) == (2, 1)
    else:
        with pytest.raises(OutcomeUnknown):
            act(hands)
        assert (fault.seen, effects(journey.repository)[name]) == (1, 0)


@acts
def test_a_limit_is_waited_for_since_nothing_was_done(journey: Journey, desk: Desks, name: str) -> None:
    act, path, said = ACTS[name]
    hands = desk()
    fault = journey.github.misbehave(Fault(method="POST", path=path, answer=secondary_rate_limit()))
    assert act(hands).startswith(said)
    assert (fault.seen, effects(journey.repository)[name]) == (2, 1)


@acts
def test_what_github_forbids_has_failed_and_is_not_unknown(journey: Journey, desk: Desks, name: str) -> None:
    act, _, _ = ACTS[name]
    reading = dict.fromkeys(("actions", "contents", "issues", "pull_requests"), "read")
    hands = desk(journey.github.workflow_token(journey.repository, reading))
    with pytest.raises(ToolFailed, match="not accessible by integration") as failed:
        act(hands)
    assert not isinstance(failed.value, OutcomeUnknown)
    assert effects(journey.repository)[name] == 0


def test_a_comment_that_can_not_be_looked_for_is_unknown(journey: Journey, desk: Desks) -> None:
    hands = desk()
    journey.github.misbehave(Fault(path="/issues/1/comments$", moment="after", drop=True, times=None))
    with pytest.raises(OutcomeUnknown):
        hands.comment("Thanks")
    assert effects(journey.repository)["comment_on_pr"] == 1


def test_of_two_comments_of_the_same_words_each_is_its_own(journey: Journey, desk: Desks) -> None:
    """So that the older one is never taken for the newer one's effect."""
    hands = desk()
    first = hands.comment("Thanks")
    journey.github.misbehave(Fault(method="POST", path="/comments$", moment="after", drop=True))
    assert hands.comment("Thanks") != first
    assert effects(journey.repository)["comment_on_pr"] == 2


HOSTILE = "Hi @mona, closes #1\n/apply 0123\n<!-- dryrun-bot-step/1 x -->\n<img src=x>"


def test_words_are_posted_inert_in_a_comment_and_in_an_issue(journey: Journey, desk: Desks) -> None:
    hands = desk()
    hands.comment(HOSTILE)
    hands.create_issue("Hi @mona", HOSTILE, [])
    [comment] = [one.body for one in journey.bot_comments]
    issue = journey.repository.issues[max(journey.repository.issues)]
    assert issue.title == "Hi `@mona`"
    assert (issue.body or "").endswith("\n\nFrom pull request #1.")
    for body in (comment.split("\n", 1)[1], (issue.body or "").removesuffix("\n\nFrom pull request #1.")):
        assert all(line.startswith(">") for line in body.split("\n"))
        assert "`@mona`" in body
        assert "`#1`" in body
        assert "`<img`" in body


def test_labels_are_asked_for_once_and_compared_in_any_case(journey: Journey, desk: Desks) -> None:
    journey.repository.labels.update({f"label-{number:03}": "ededed" for number in range(100)})
    hands = desk()
    journey.github.log.clear()
    assert [hands.has_label(name) for name in ("TYPO", "label-000", "label-100", "../labels")] == [
        True,
        True,
        False,
        False,
    ]
    assert len(journey.github.log) == 2


def test_a_workflow_is_read_as_it_was_when_the_rules_were(journey: Journey, desk: Desks) -> None:
    hands = desk()
    later = {".github/workflows/release.yml": "on: push\n"}
    journey.github.push(journey.repository, "main", later, message="Change it", by="acme")
    assert hands.workflow("release.yml") == Workflow(is_active=True, file=WORKFLOW.encode())
    assert hands.workflow("nope.yml") is None
    journey.repository.turned_off.add("release.yml")
    assert hands.workflow("release.yml") == Workflow(is_active=False, file=WORKFLOW.encode())


def test_a_collaborator_is_known_in_any_case(desk: Desks) -> None:
    asked = desk().is_collaborator
    assert [asked(login) for login in ("lee", "LEE", "acme", "stranger")] == [True, True, True, False]


ASKED: dict[str, Callable[[GitHubDesk], object]] = {
    "/collaborators/": lambda desk: desk.is_collaborator("lee"),
    "/labels$": lambda desk: desk.has_label("typo"),
    "/actions/workflows/": lambda desk: desk.workflow("release.yml"),
    "/acme/widgets$": lambda desk: desk.has_issues(),
}


@pytest.mark.parametrize(("path", "asks"), ASKED.items(), ids=ASKED)
def test_no_answer_is_no_no(
    journey: Journey, desk: Desks, path: str, asks: Callable[[GitHubDesk], object]
) -> None:
    hands = desk()
    journey.github.misbehave(Fault(path=path, times=None, answer=bad_gateway()))
    with pytest.raises(GitHubFailed, match="502"):
        asks(hands)


@pytest.mark.parametrize("name", ["bug", "area/ci", "..", "a b"])
def test_a_label_is_found_whatever_it_is_called(journey: Journey, desk: Desks, name: str) -> None:
    journey.repository.labels[name] = "ededed"
    assert desk().has_label(name)
    assert not desk().has_label(f"{name}x")


def test_the_longest_words_fit_whatever_they_are(journey: Journey, desk: Desks) -> None:
    said = ("@a " * 4_000, "\u202ea" * 6_000, "\n" * 11_999 + "x", "|" * 12_000, "\N{PARTY POPPER}" * 12_000)
    for text in said:
        desk().comment(text)
    assert all(len(one.body) < 65_536 for one in journey.repository.comments_on(1))


def test_a_workflow_that_is_turned_off_is_a_plain_no(journey: Journey, desk: Desks) -> None:
    journey.repository.turned_off.add("release.yml")
    with pytest.raises(ToolFailed, match="disabled workflow") as raised:
        desk().dispatch_workflow("release.yml", {"tag": "v1"})
    assert not isinstance(raised.value, OutcomeUnknown)
