"""Who may, as tables: the people, the state of the pull request, and every attempt to get around them."""

import copy
import dataclasses
import inspect
import typing
from dataclasses import replace
from pathlib import Path

import pytest

from bot import authority
from bot.authority import (
    Circumstances,
    MayApply,
    MayAsk,
    MayDryRun,
    MayUndo,
    is_own_commit,
    may_apply,
    may_ask,
    may_dry_run,
    may_undo,
    on_own_machine,
)
from bot.command import Apply, Approval, Discard, Explain, Help, Malformed, Misspelt, Undo
from bot.config import ApplyRules
from bot.errors import Reason
from bot.event import CommentEvent, DispatchEvent, PullRequestEvent
from bot.permission import Permission
from bot.pull_request import Account, Branch, Commit, PullRequest, Standing
from bot.refusal import Refusal

MAYA = Account(login="maya", id=7, is_person=True)
NOOR = Account(login="noor", id=8, is_person=True)
ROBOT = Account(login="helpful[bot]", id=9, is_person=False)

PULL_REQUEST = PullRequest(
    number=12,
    title="T",
    body="",
    author=NOOR,
    is_open=True,
    is_draft=False,
    is_merged=False,
    head=Branch(repository="acme/widgets", name="topic", sha="a" * 40),
    base=Branch(repository="acme/widgets", name="main", sha="b" * 40),
    maintainer_can_modify=False,
    url="",
)
FORK = replace(PULL_REQUEST, head=replace(PULL_REQUEST.head, repository="noor/widgets"))
GONE = replace(PULL_REQUEST, head=replace(PULL_REQUEST.head, repository=None))
CLOSED = replace(PULL_REQUEST, is_open=False)
MERGED = replace(PULL_REQUEST, is_open=False, is_merged=True)
DRAFT = replace(PULL_REQUEST, is_draft=True)

COMMENT = CommentEvent(
    number=12,
    comment_id=99,
    node_id="IC_99",
    body="",
    author=MAYA,
    is_pull_request=True,
    repository="acme/widgets",
)
OPENED = PullRequestEvent(
    number=12,
    action="opened",
    sender=NOOR,
    head_sha="a" * 40,
    repository="acme/widgets",
)
DISPATCH = DispatchEvent(number=12, task=None, sender=MAYA, repository="acme/widgets")
APPLY = Apply(digest="0" * 12, approval=Approval(steps=frozenset({2})))


def people(**permissions: Permission | Standing):
    """Looks up by login; whoever is not named is a stranger who can read, as on a public repository."""
    accounts = {account.login: account for account in (MAYA, NOOR, ROBOT)}

    def standing_of(login: str) -> Standing:
        found = permissions.get(login, Permission.READ)
        if isinstance(found, Standing):
            return found
        account = accounts.get(login, Account(login=login, id=1000, is_person=True))
        return Standing(account=account, permission=found)

    return standing_of


def circumstances(
    *,
    pull_request: PullRequest | None = PULL_REQUEST,
    rules: ApplyRules | None = None,
    rerun_by: str | None = None,
    **permissions: Permission | Standing,
) -> Circumstances:
    return Circumstances(
        pull_request=pull_request,
        rules=rules or ApplyRules(),
        standing_of=people(**permissions),
        rerun_by=rerun_by,
    )


EVERY_WAY_TO_WRITE = {
    "/apply": lambda now: may_apply(COMMENT, APPLY, now),
    "/undo": lambda now: may_undo(COMMENT, Undo(), now),
    "/plan": lambda now: may_dry_run(COMMENT, now, own_commit=False),
    "/discard": lambda now: may_ask(COMMENT, Discard(), now),
}
every_way_to_write = pytest.mark.parametrize("ask", EVERY_WAY_TO_WRITE.values(), ids=EVERY_WAY_TO_WRITE)


def test_leave_to_apply_carries_who_and_what() -> None:
    leave = may_apply(COMMENT, APPLY, circumstances(maya=Permission.MAINTAIN))
    assert isinstance(leave, MayApply)
    assert (leave.login, leave.permission, leave.digest) == ("maya", Permission.MAINTAIN, "0" * 12)
    assert leave.approves(2)
    assert not leave.approves(1)


@every_way_to_write
@pytest.mark.parametrize("needed", [Permission.WRITE, Permission.MAINTAIN, Permission.ADMIN])
@pytest.mark.parametrize("permission", list(Permission))
def test_the_configured_permission_is_needed_and_is_enough(ask, needed, permission) -> None:
    answer = ask(circumstances(maya=permission, rules=ApplyRules(permission=needed)))
    if permission.reaches(needed):
        assert not isinstance(answer, Refusal)
    else:
        assert isinstance(answer, Refusal)
        assert (answer.reason, answer.silent) == (Reason.NOT_PERMITTED, True)


STRANGERS = {
    "a stranger": {},
    "somebody who may only read": {"maya": Permission.READ},
    "somebody who may only triage": {"maya": Permission.TRIAGE},
    "a bot with every permission": {"maya": Standing(account=ROBOT, permission=Permission.ADMIN)},
    "somebody else who took the login": {
        "maya": Standing(account=replace(MAYA, id=4711), permission=Permission.ADMIN)
    },
    "an account that GitHub no longer knows": {
        "maya": Standing(account=Account(login="maya", id=0, is_person=False), permission=Permission.NONE)
    },
    "a stranger who ran it again": {"maya": Permission.ADMIN, "rerun_by": "mallory"},
    "a reader who ran it again": {"maya": Permission.ADMIN, "rerun_by": "noor", "noor": Permission.READ},
    "a bot that ran it again": {
        "maya": Permission.ADMIN,
        "rerun_by": "helpful[bot]",
        "helpful[bot]": Permission.ADMIN,
    },
    "a stranger's comment that a maintainer ran again": {"rerun_by": "noor", "noor": Permission.ADMIN},
    "somebody in none of the teams": {
        "maya": Permission.ADMIN,
        "rules": ApplyRules(teams=("acme/releasers",)),
    },
    "somebody in another team": {
        "maya": Standing(account=MAYA, permission=Permission.ADMIN, teams=frozenset({"acme/interns"})),
        "rules": ApplyRules(teams=("acme/releasers",)),
    },
}


@every_way_to_write
@pytest.mark.parametrize("given", STRANGERS.values(), ids=STRANGERS)
@pytest.mark.parametrize("pull_request", [PULL_REQUEST, CLOSED, MERGED, GONE, DRAFT, FORK, None])
def test_whoever_may_not_is_refused_silently_whatever_the_pull_request_is(ask, given, pull_request) -> None:
    answer = ask(circumstances(pull_request=pull_request, **given))
    assert isinstance(answer, Refusal)
    assert answer.reason in {Reason.NOT_PERMITTED, Reason.NOT_A_PERSON}
    assert answer.silent


@every_way_to_write
def test_a_member_of_one_of_the_teams_with_the_permission_may(ask) -> None:
    member = Standing(account=MAYA, permission=Permission.WRITE, teams=frozenset({"acme/b"}))
    assert not isinstance(
        ask(circumstances(maya=member, rules=ApplyRules(teams=("acme/a", "acme/b")))), Refusal
    )
    reader = replace(member, permission=Permission.READ)
    assert isinstance(ask(circumstances(maya=reader, rules=ApplyRules(teams=("acme/a", "acme/b")))), Refusal)


def test_on_a_rerun_the_weaker_of_the_two_permissions_counts() -> None:
    leave = may_apply(
        COMMENT, APPLY, circumstances(maya=Permission.ADMIN, noor=Permission.WRITE, rerun_by="noor")
    )
    assert isinstance(leave, MayApply)
    assert (leave.login, leave.permission) == ("maya", Permission.WRITE)


STATES = {
    "closed": (CLOSED, Reason.PULL_REQUEST_CLOSED),
    "merged": (MERGED, Reason.PULL_REQUEST_MERGED),
    "from a repository that is gone": (GONE, Reason.HEAD_GONE),
    "an issue": (None, Reason.NOT_A_PULL_REQUEST),
}


@pytest.mark.parametrize("name", ["/apply", "/undo", "/plan"])
@pytest.mark.parametrize(("pull_request", "reason"), STATES.values(), ids=STATES)
def test_whoever_may_is_told_what_is_wrong_with_the_pull_request(name, pull_request, reason) -> None:
    answer = EVERY_WAY_TO_WRITE[name](circumstances(pull_request=pull_request, maya=Permission.WRITE))
    assert isinstance(answer, Refusal)
    assert (answer.reason, answer.silent) == (reason, False)
    assert answer.next_step


@every_way_to_write
@pytest.mark.parametrize("pull_request", [PULL_REQUEST, DRAFT, FORK], ids=["plain", "draft", "fork"])
def test_a_person_who_asks_is_served_on_drafts_and_forks_too(ask, pull_request) -> None:
    assert not isinstance(ask(circumstances(pull_request=pull_request, maya=Permission.WRITE)), Refusal)


@pytest.mark.parametrize("name", ["/apply", "/undo"])
def test_the_author_may_be_kept_from_applying(name: str) -> None:
    own = replace(PULL_REQUEST, author=MAYA)
    strict = ApplyRules(author_may_apply=False)
    answer = EVERY_WAY_TO_WRITE[name](circumstances(pull_request=own, maya=Permission.ADMIN, rules=strict))
    assert isinstance(answer, Refusal)
    assert (answer.reason, answer.silent) == (Reason.AUTHOR_MAY_NOT_APPLY, False)
    assert not isinstance(
        EVERY_WAY_TO_WRITE[name](circumstances(maya=Permission.ADMIN, rules=strict)), Refusal
    )
    assert not isinstance(
        EVERY_WAY_TO_WRITE[name](circumstances(pull_request=own, maya=Permission.ADMIN)), Refusal
    )


def test_an_author_under_a_new_login_is_still_the_author() -> None:
    own = replace(PULL_REQUEST, author=replace(MAYA, login="maya-before"))
    answer = may_apply(
        COMMENT,
        APPLY,
        circumstances(pull_request=own, maya=Permission.ADMIN, rules=ApplyRules(author_may_apply=False)),
    )
    assert isinstance(answer, Refusal)


BY_ITSELF = {
    "a fork": (FORK, False, Reason.FORK),
    "a repository that is gone": (GONE, False, Reason.FORK),
    "a draft": (DRAFT, False, Reason.PULL_REQUEST_DRAFT),
    "closed": (CLOSED, False, Reason.PULL_REQUEST_CLOSED),
    "merged": (MERGED, False, Reason.PULL_REQUEST_MERGED),
    "its own commit": (PULL_REQUEST, True, Reason.OWN_COMMIT),
}


@pytest.mark.parametrize(("pull_request", "own_commit", "reason"), BY_ITSELF.values(), ids=BY_ITSELF)
def test_nothing_is_planned_by_itself_and_nothing_said_for(pull_request, own_commit, reason) -> None:
    answer = may_dry_run(OPENED, circumstances(pull_request=pull_request), own_commit=own_commit)
    assert isinstance(answer, Refusal)
    assert (answer.reason, answer.silent) == (reason, True)


AUTHORS = {
    "somebody who may write": (NOOR, Permission.WRITE, True),
    "somebody who may do more": (NOOR, Permission.ADMIN, True),
    "somebody who may triage": (NOOR, Permission.TRIAGE, False),
    "somebody who may read": (NOOR, Permission.READ, False),
    "an app, which was given leave": (ROBOT, Permission.NONE, True),
    "somebody whose login is another's now": (replace(NOOR, id=1), Permission.WRITE, False),
}


@pytest.mark.parametrize(("author", "permission", "is_planned"), AUTHORS.values(), ids=AUTHORS)
def test_a_branch_of_this_repository_is_planned_by_itself_where_its_author_could_push_it(
    *, author: Account, permission: Permission, is_planned: bool
) -> None:
    """Whoever may read can open a pull request of a branch that is there."""
    now = circumstances(pull_request=replace(PULL_REQUEST, author=author), noor=permission)
    answer = may_dry_run(OPENED, now, own_commit=False)
    assert isinstance(answer, MayDryRun) is is_planned
    assert isinstance(answer, MayDryRun) or (answer.reason, answer.silent) == (Reason.NOT_PERMITTED, True)


def test_a_run_that_a_stranger_started_again_plans_nothing() -> None:
    now = circumstances(rerun_by="mallory", noor=Permission.WRITE)
    answer = may_dry_run(OPENED, now, own_commit=False)
    assert isinstance(answer, Refusal)
    assert answer.silent


def test_a_run_by_hand_needs_the_permission_too() -> None:
    assert isinstance(
        may_dry_run(DISPATCH, circumstances(maya=Permission.WRITE), own_commit=False), MayDryRun
    )
    assert isinstance(may_dry_run(DISPATCH, circumstances(maya=Permission.READ), own_commit=False), Refusal)


ASKING = {
    "/help": (Help(), Permission.READ),
    "/explain": (Explain(number=1), Permission.READ),
    "/discard": (Discard(), Permission.WRITE),
    "a slip": (Misspelt(word="aply", meant="apply"), Permission.WRITE),
    "a malformed command": (Malformed(command="apply", why="x"), Permission.WRITE),
}


@pytest.mark.parametrize(("command", "needed"), ASKING.values(), ids=ASKING)
@pytest.mark.parametrize("permission", list(Permission))
def test_words_need_reading_and_changes_need_the_configured_permission(command, needed, permission) -> None:
    answer = may_ask(COMMENT, command, circumstances(maya=permission))
    assert isinstance(answer, MayAsk) is permission.reaches(needed)
    assert isinstance(answer, MayAsk) or answer.silent


@pytest.mark.parametrize("command", [Help(), Explain(number=1)])
def test_a_reader_outside_the_teams_still_gets_help(command) -> None:
    now = circumstances(maya=Permission.READ, rules=ApplyRules(teams=("acme/releasers",)))
    assert isinstance(may_ask(COMMENT, command, now), MayAsk)


def test_help_on_an_issue_says_that_it_is_no_pull_request() -> None:
    answer = may_ask(COMMENT, Help(), circumstances(pull_request=None, maya=Permission.READ))
    assert isinstance(answer, Refusal)
    assert answer.reason is Reason.NOT_A_PULL_REQUEST


@pytest.mark.parametrize("pull_request", [CLOSED, MERGED, GONE])
def test_help_is_given_on_a_pull_request_that_is_over(pull_request) -> None:
    now = circumstances(pull_request=pull_request, maya=Permission.READ)
    assert isinstance(may_ask(COMMENT, Help(), now), MayAsk)


ME = Account(login="github-actions[bot]", id=41898282, is_person=False)
OURS = "Tidy\n\nDryrun-Plan: " + "a" * 64
OWN = {
    "ours": ("synchronize", ME, OURS, True),
    "ours, which takes a plan back": ("synchronize", ME, "Undo\n\nDryrun-Undo: " + "a" * 64, True),
    "a forged trailer": ("synchronize", MAYA, OURS, False),
    "our account without a trailer": ("synchronize", ME, "Tidy", False),
    "our commit, opened": ("opened", ME, OURS, False),
    "our commit, reopened by a person": ("reopened", MAYA, OURS, False),
}


@pytest.mark.parametrize(("action", "sender", "message", "expected"), OWN.values(), ids=OWN)
def test_only_the_bots_own_push_of_its_own_commit_is_passed_over(action, sender, message, expected) -> None:
    head = Commit(sha="a" * 40, tree="b" * 40, parents=(), message=message, url="", verified=True)
    assert is_own_commit(replace(OPENED, action=action, sender=sender), head=head, me=ME) is expected


LEAVES = {
    MayApply: {"login": "m", "permission": Permission.ADMIN, "digest": None, "approval": Approval()},
    MayUndo: {"login": "m", "permission": Permission.ADMIN},
    MayDryRun: {"login": "m"},
    MayAsk: {"login": "m"},
}


@pytest.mark.parametrize(("leave", "fields"), LEAVES.items(), ids=[leave.__name__ for leave in LEAVES])
def test_a_leave_can_not_be_made_elsewhere(leave, fields) -> None:
    for stamp in (None, True, object(), leave):
        with pytest.raises(TypeError):
            leave(**fields, stamp=stamp)
    with pytest.raises(TypeError):
        leave(**fields)


def test_a_leave_can_not_be_made_into_another() -> None:
    leave = on_own_machine("maya", digest="0" * 64, approval=Approval())
    with pytest.raises((TypeError, ValueError)):
        replace(leave, approval=Approval(everything=True))
    with pytest.raises(dataclasses.FrozenInstanceError):
        leave.approval = Approval(everything=True)
    assert copy.copy(leave) == leave


def test_only_authority_has_the_stamp() -> None:
    sources = [path for path in Path(authority.__file__).parent.rglob("*.py") if path.name != "authority.py"]
    assert len(sources) > 20
    assert not [path for path in sources if "_STAMP" in path.read_text() or "stamp=" in path.read_text()]


def test_no_question_can_be_asked_without_a_look_at_the_people() -> None:
    """Every function that gives a leave for GitHub takes the circumstances, which hold the look-up."""
    for name, function in inspect.getmembers(authority, inspect.isfunction):
        if name.startswith("may_"):
            assert (
                Circumstances
                in typing.get_type_hints(function, {**vars(authority), "ApplyRules": ApplyRules}).values()
            )
