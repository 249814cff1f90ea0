"""The door against a GitHub that remembers: real HTTP, a real bare repository, faults at every request.

All that is said is held against GitHub's own published description as well.
"""

import io
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from github_description.description import problems_in

from bot.demo.github import WORKFLOW_PERMISSIONS, Fault, File, GitHub, Issue, Repository, bad_gateway, error
from bot.demo.github import secondary_rate_limit as secondary
from bot.demo.github.call import Answer
from bot.errors import CannotPush, CommentForbidden
from bot.outside.github import GitHubRepository, connect
from bot.outside.patience import Patience
from bot.permission import Permission
from bot.settings import read_settings
from bot.workspace import Change, Entry, Mode, blob_sha
from bot.world import Folded, Reacted, Reworded

FILES = {
    "README.md": "# Widgets\n",
    "docs/dos.txt": File(content=b"one\r\ntwo\r\n"),
    "bin.dat": File(content=b"\x00\xff\x00"),
    "run.sh": File(content=b"#!/bin/sh\n", mode="100755"),
    "link": File(content=b"README.md", mode="120000"),
    ".github/dryrun-bot.yml": "version: 1\n",
}
BRANCH = "topic#1/%2e+\u00e9&x=y"
ANSWER = "<!-- dryrun-bot: answers=99 -->\nApplied."


@dataclass(frozen=True, kw_only=True)
class Stage:
    github: GitHub
    repository: Repository
    issue: Issue
    folder: Path

    def door(
        self, *, permissions: Mapping[str, str] = WORKFLOW_PERMISSIONS, token: str | None = None
    ) -> GitHubRepository:
        event = self.github.pull_request_event(self.repository, self.issue, "opened")
        self.folder.mkdir(exist_ok=True)
        environ = self.github.environment(event, self.folder)
        environ["GITHUB_TOKEN"] = token or self.github.workflow_token(self.repository, permissions)
        return connect(read_settings(environ), patience=Patience(sleep=lambda _: None))

    @property
    def head(self) -> str:
        return self.repository.branch(BRANCH) or ""

    def push(self, message: str = "A feature") -> str:
        changes = {f"{message}.py": "x = 1\n"}
        return self.github.push(self.repository, BRANCH, changes, message=message, by="maya")


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    with GitHub(tmp_path / "github") as github:
        repository = github.repository("acme/widgets", FILES)
        github.allow(repository, "maya", "maintain")
        github.push(repository, BRANCH, {"feature.py": "x = 1\n"}, message="Start", by="maya")
        issue = github.open_pull(repository, BRANCH, by="maya", title="A feature")
        yield Stage(github=github, repository=repository, issue=issue, folder=tmp_path / "run")
        # Faults that a test ordered are not GitHub's description's business.
        assert problems_in([said for said in github.log if said.status not in {None, 403, 502}]) == []


def planned(door: GitHubRepository, commit: str) -> tuple[list[Change], dict[str, Entry]]:
    return planned_on(door.tree(commit))


def planned_on(before: Mapping[str, Entry]) -> tuple[list[Change], dict[str, Entry]]:
    """An edit of Windows lines, a new executable, bytes, a mode, a deletion; and what is there then."""
    wanted: dict[str, tuple[bytes, Mode] | None] = {
        "docs/dos.txt": (b"one\r\n2\r\n", Mode.FILE),
        "new/tool.sh": (b"#!/bin/sh\necho \xc3\xa9\n", Mode.EXECUTABLE),
        "bin.dat": (b"\xff\x00\xfe", Mode.FILE),
        "run.sh": (b"#!/bin/sh\n", Mode.FILE),
        "README.md": None,
    }
    changes = [
        Change(
            path=path,
            before=before.get(path),
            after=None if new is None else Entry(mode=new[1], blob=blob_sha(new[0])),
            content_before=None,
            content_after=None if new is None else new[0],
        )
        for path, new in wanted.items()
    ]
    after = {change.path: change.after for change in changes if change.after is not None}
    kept = {path: entry for path, entry in before.items() if path not in wanted}
    return changes, kept | after


def test_the_exact_bytes_and_modes_and_nothing_else_are_pushed(stage: Stage) -> None:
    door, before = stage.door(), stage.head
    changes, expected = planned(door, before)
    tree = door.make_tree(base_commit=before, before=door.tree(before), changes=changes)
    assert dict(door.tree(tree)) == expected
    commit = door.make_commit(tree=tree, parent=before, message=f"Tidy\n\nDryrun-Plan: {'a' * 64}")
    assert door.move_branch(BRANCH, before=before, after=commit.sha)
    assert stage.head == commit.sha
    assert dict(door.tree(stage.head)) == expected
    assert door.blob(expected["docs/dos.txt"].blob) == b"one\r\n2\r\n"
    assert commit.verified
    assert [found.sha for found in door.commits(BRANCH, most=2)] == [commit.sha, before]
    assert door.commit(commit.sha).trailers("Dryrun-Plan") == ("a" * 64,)


def test_what_is_asked_of_people_and_files_is_answered(stage: Stage) -> None:
    door = stage.door()
    pull_request = door.pull_request(stage.issue.number)
    assert (pull_request.head.name, pull_request.head.sha) == (BRANCH, stage.head)
    assert door.tip(BRANCH) == stage.head
    tips = door.tips(["main", BRANCH], path=".github/dryrun-bot.yml")
    assert (tips[BRANCH].sha, tips["main"].file) == (stage.head, b"version: 1\n")
    assert door.me().id == stage.github.actions.id
    assert door.standing("maya").permission is Permission.MAINTAIN
    assert door.standing("maya").account.is_person
    assert not door.standing("mallory").permission.reaches(Permission.TRIAGE)
    assert door.file(".github/dryrun-bot.yml", at=door.tip("main")) == b"version: 1\n"
    assert door.file("link", at=door.tip("main")) is None
    assert door.file("README.md/x", at=door.tip("main")) is None
    assert list(door.changed_paths(stage.issue.number)) == ["feature.py"]
    assert door.default_branch() == "main"


def test_members_of_a_team_are_told_from_others(stage: Stage) -> None:
    stage.github.team("acme", "releasers", ["maya"])
    door = stage.door(token=stage.github.token("acme"))
    assert door.standing("maya", teams=["releasers", "acme/others"]).teams == {"releasers"}


def test_a_conversation_is_held(stage: Stage) -> None:
    door, number = stage.door(), stage.issue.number
    asked = stage.github.comment(stage.repository, number, by="maya", body="/plan")
    said = door.comment(number, "The plan.")
    assert said.author.id == door.me().id
    assert door.editor(said) is None
    stage.github.edit_comment(stage.repository, stage.repository.comments[said.id], by="acme", body="Mine.")
    editor = door.editor(said)
    assert editor is not None
    assert editor.id == stage.github.account("acme").id
    door.edit_comment(said.id, "The plan again.")
    editor = door.editor(said)
    assert editor is not None
    assert editor.id == door.me().id
    eyes = Reacted(comment=asked.node_id, reaction="eyes")
    gone = Folded(comment="IC_gone")
    assert list(door.be_courteous([eyes, gone, eyes, Folded(comment=said.node_id)])) == [
        True,
        False,
        True,
        True,
    ]
    assert stage.repository.comments[said.id].minimized == "OUTDATED"
    assert door.be_courteous([Reworded(comment=said.node_id, body="The plan, marked.")]) == [True]
    assert stage.repository.comments[said.id].body == "The plan, marked."
    assert door.check(
        stage.head, "action_required", title="1 step asks", summary="", url="https://x.example/"
    )
    assert [comment.body for comment in door.comments(number)] == ["/plan", "The plan, marked."]


def test_comments_are_found_on_the_third_page(stage: Stage) -> None:
    for number in range(230):
        stage.github.comment(stage.repository, stage.issue.number, by="maya", body=str(number))
    bodies = [comment.body for comment in stage.door().comments(stage.issue.number)]
    assert bodies == [str(number) for number in range(230)]


def test_an_artifact_is_fetched_through_its_redirect(stage: Stage) -> None:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as made:
        made.writestr("plan.json", "{}")
    stage.github.upload_artifact(stage.repository, "dryrun-plan-abc", archive.getvalue())
    assert list(stage.door().artifacts("dryrun-plan-abc")) == [b"{}"]
    assert list(stage.door().artifacts("dryrun-plan-def")) == []


def test_a_token_that_may_only_read_is_told_apart(stage: Stage) -> None:
    door = stage.door(permissions=dict.fromkeys(WORKFLOW_PERMISSIONS, "read"))
    with pytest.raises(CommentForbidden):
        door.comment(stage.issue.number, "The plan.")
    said = stage.github.comment(stage.repository, stage.issue.number, by="maya", body="/plan")
    assert door.be_courteous([Folded(comment=said.node_id)]) == [False]
    assert not door.check(stage.head, "success", title="", summary="", url="https://x.example/")
    writer, before = stage.door(), stage.head
    tree = writer.make_tree(
        base_commit=before, before=writer.tree(before), changes=planned(writer, before)[0]
    )
    commit = writer.make_commit(tree=tree, parent=before, message="m")
    with pytest.raises(CannotPush):
        door.move_branch(BRANCH, before=before, after=commit.sha)
    assert stage.head == before


def publish(door: GitHubRepository, before: str, number: int) -> bool:
    """What an apply asks of GitHub, from the first request to the last."""
    door.pull_request(number)
    files = door.tree(before)
    changes, expected = planned_on(files)
    tree = door.make_tree(base_commit=before, before=files, changes=changes)
    assert dict(door.tree(tree)) == expected
    commit = door.make_commit(tree=tree, parent=before, message="Tidy")
    moved = door.move_branch(BRANCH, before=before, after=commit.sha)
    if moved:
        door.comment(number, ANSWER)
    return moved


def answers(stage: Stage) -> list[str]:
    return [comment.body for comment in stage.repository.comments.values() if comment.body == ANSWER]


def history(stage: Stage) -> list[str]:
    """The branch's commits, newest first."""
    return stage.repository.bare.git("rev-list", "--first-parent", f"refs/heads/{BRANCH}").decode().split()


# Counted by the test below; a request more would go unfaulted, a request fewer would be no fault.
REQUESTS = 9


def test_an_apply_asks_as_few_times_as_it_can(stage: Stage) -> None:
    door, before = stage.door(), stage.head
    stage.github.log.clear()
    assert publish(door, before, stage.issue.number)
    assert len(stage.github.log) == REQUESTS


FAULTS = {
    "a bad gateway before": {"answer": bad_gateway(), "moment": "before"},
    "a bad gateway after": {"answer": bad_gateway(), "moment": "after"},
    "a connection lost before": {"drop": True, "moment": "before"},
    "a connection lost after": {"drop": True, "moment": "after"},
    "three bad gateways after": {"answer": bad_gateway(), "moment": "after", "times": 3},
    "a secondary limit": {"answer": secondary(retry_after_s=30), "moment": "before"},
}


@pytest.mark.slow
@pytest.mark.parametrize("nth", range(1, REQUESTS + 1))
@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_a_fault_at_any_request_still_gives_one_commit_and_one_answer(fault, nth, stage: Stage) -> None:
    door, before = stage.door(), stage.head
    stage.github.misbehave(Fault(nth=nth, **fault))
    assert publish(door, before, stage.issue.number)
    stage.github.behave()
    assert answers(stage) == [ANSWER]
    assert history(stage)[1:] == [before, stage.repository.branch("main")]
    assert dict(stage.door().tree(stage.head)) == planned(stage.door(), before)[1]


@pytest.mark.slow
@pytest.mark.parametrize("nth", range(1, REQUESTS + 1))
def test_a_push_between_any_two_requests_survives(nth, stage: Stage) -> None:
    door, before = stage.door(), stage.head
    pushed: list[str] = []
    stage.github.misbehave(Fault(nth=nth, do=lambda: pushed.append(stage.push())))
    moved = publish(door, before, stage.issue.number)
    stage.github.behave()
    assert pushed
    assert pushed[0] in history(stage)
    assert len(answers(stage)) == moved
    if not moved:
        assert stage.head == pushed[0]


@pytest.mark.slow
@pytest.mark.parametrize("nth", range(1, REQUESTS + 1))
def test_a_branch_forced_back_between_any_two_requests_stays_back(nth, stage: Stage) -> None:
    """REST's update without force would fast-forward it, and bring back what was just removed."""
    before = stage.push("a secret that has to go")
    ancestor = history(stage)[1]
    door = stage.door()
    stage.github.misbehave(Fault(nth=nth, do=lambda: stage.github.move(stage.repository, BRANCH, ancestor)))
    moved = publish(door, before, stage.issue.number)
    stage.github.behave()
    assert stage.head == ancestor
    assert moved is (nth == REQUESTS)


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_push_while_the_answer_was_lost_is_told_from_a_lost_race(moment, stage: Stage) -> None:
    """The connection drops at the update, and somebody pushes before the door can look."""
    door, before = stage.door(), stage.head
    stage.github.misbehave(Fault(path="graphql", moment=moment, drop=True, do=stage.push))
    moved = publish(door, before, stage.issue.number)
    stage.github.behave()
    assert moved is (moment == "after")
    assert history(stage)[-2:] == [before, stage.repository.branch("main")]
    assert len(history(stage)) == (4 if moved else 3)


def test_two_applies_at_once_give_one_commit(stage: Stage) -> None:
    first, second, before = stage.door(), stage.door(), stage.head
    made = []
    for door in (first, second):
        tree = door.make_tree(base_commit=before, before=door.tree(before), changes=planned(door, before)[0])
        made.append(door.make_commit(tree=tree, parent=before, message=f"By {len(made)}"))
    assert first.move_branch(BRANCH, before=before, after=made[0].sha)
    assert not second.move_branch(BRANCH, before=before, after=made[1].sha)
    assert stage.head == made[0].sha


def test_a_deleted_branch_is_not_made_anew(stage: Stage) -> None:
    door, before = stage.door(), stage.head
    tree = door.make_tree(base_commit=before, before=door.tree(before), changes=planned(door, before)[0])
    commit = door.make_commit(tree=tree, parent=before, message="m")
    stage.github.move(stage.repository, BRANCH, None)
    assert not door.move_branch(BRANCH, before=before, after=commit.sha)
    assert stage.repository.branch(BRANCH) is None


def test_a_forks_branch_is_pushed_to_through_the_forks_own_door(stage: Stage) -> None:
    github = stage.github
    fork = github.fork(stage.repository, "noor")
    before = github.push(fork, "fix", {"fix.py": "y = 1\n"}, message="Fix", by="noor")
    door = stage.door(token=github.token("noor")).other("noor/widgets")
    tree = door.make_tree(base_commit=before, before=door.tree(before), changes=planned(door, before)[0])
    commit = door.make_commit(tree=tree, parent=before, message="m")
    assert door.move_branch("fix", before=before, after=commit.sha)
    assert fork.branch("fix") == commit.sha


MANY = 320


def many(door: GitHubRepository, commit: str) -> list[Change]:
    """More files than GitHub stores in two trees."""
    contents = {f"many/{number}.txt": f"{number}\n".encode() for number in range(MANY)}
    return [
        Change(
            path=path,
            before=None,
            after=Entry(mode=Mode.FILE, blob=blob_sha(content)),
            content_before=None,
            content_after=content,
        )
        for path, content in contents.items()
    ]


def publish_many(door: GitHubRepository, before: str) -> bool:
    files = door.tree(before)
    tree = door.make_tree(base_commit=before, changes=many(door, before), before=files)
    commit = door.make_commit(tree=tree, parent=before, message="Many")
    return door.move_branch(BRANCH, before=before, after=commit.sha)


def refs_of_our_own(stage: Stage) -> list[str]:
    return list(stage.repository.bare.refs("refs/dryrun-bot"))


def test_many_files_are_two_requests_of_gits_own_and_three_more(stage: Stage) -> None:
    door, before = stage.door(), stage.head
    door.pull_request(stage.issue.number)
    stage.github.log.clear()
    assert publish_many(door, before)
    assert [said.path.removeprefix("/repos/acme/widgets") for said in stage.github.log] == [
        f"/git/trees/{before}",
        f"/git/commits/{before}",
        "/acme/widgets.git/info/refs",
        "/acme/widgets.git/git-receive-pack",
        "/git/commits",
        "/graphql",
    ]
    assert refs_of_our_own(stage) == []
    found = door.commit(stage.head)
    assert (found.parents, found.message) == ((before,), "Many")
    assert len(door.tree(stage.head)) == len(door.tree(before)) + MANY


PUSH = "receive-pack|info/refs"
NO_PUSH = {
    "git's protocol is out of reach": {"path": PUSH, "moment": "before", "drop": True},
    "pushing is refused": {"path": PUSH, "answer": error(403, "no")},
    "a rule refuses refs of our own": {"path": "git-receive-pack", "answer": Answer(body=b"0000")},
}


@pytest.mark.parametrize("fault", NO_PUSH.values(), ids=NO_PUSH)
def test_where_files_can_not_be_brought_together_they_are_stored_in_parts(fault, stage: Stage) -> None:
    door, before = stage.door(), stage.head
    stage.github.misbehave(Fault(times=None, **fault))
    assert publish_many(door, before)
    assert sum(said.path.endswith("/git/trees") for said in stage.github.log) == 3
    assert len(door.tree(stage.head)) == len(door.tree(before)) + MANY


def test_where_the_two_refs_do_not_move_together_the_branch_moves_alone(stage: Stage) -> None:
    door, before = stage.door(), stage.head
    refused = {"data": {"updateRefs": None}, "errors": [{"type": "UNPROCESSABLE", "message": "no"}]}
    door.pull_request(stage.issue.number)
    stage.github.misbehave(Fault(path="graphql", answer=Answer(body=refused)))
    assert publish_many(door, before)
    assert stage.head != before
    assert refs_of_our_own(stage) == []


def test_a_branch_that_was_pushed_to_meanwhile_stays_and_nothing_of_ours_is_left(stage: Stage) -> None:
    door, before = stage.door(), stage.head

    def push() -> None:
        stage.github.push(stage.repository, BRANCH, {"more.md": "More.\n"}, message="More", by="maya")

    stage.github.misbehave(Fault(path="/git/commits$", method="POST", moment="after", do=push))
    assert not publish_many(door, before)
    assert refs_of_our_own(stage) == []
    assert stage.repository.bare.git("log", "-1", "--format=%s", BRANCH) == b"More\n"


def test_a_commit_that_can_not_be_made_leaves_nothing_of_ours(stage: Stage) -> None:
    stage.github.misbehave(Fault(path="/git/commits$", method="POST", answer=error(403, "no")))
    with pytest.raises(CannotPush):
        publish_many(stage.door(), stage.head)
    assert refs_of_our_own(stage) == []


@pytest.mark.parametrize("nth", range(1, 8))
@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_many_files_are_one_commit_whatever_is_lost(fault, nth, stage: Stage) -> None:
    door, before = stage.door(), stage.head
    stage.github.misbehave(Fault(nth=nth, **fault))
    assert publish_many(door, before)
    log = stage.repository.bare.git("log", "--format=%s", f"{before}..{BRANCH}").decode().split()
    assert log == ["Many"]
    assert refs_of_our_own(stage) == []


def test_of_two_that_bring_the_same_files_one_commits(stage: Stage) -> None:
    """Neither takes from the other what it still needs."""
    one, other, before = stage.door(), stage.door(), stage.head
    made = []
    for door in (one, other):
        changes, files = many(door, before), door.tree(before)
        tree = door.make_tree(base_commit=before, changes=changes, before=files)
        made.append(door.make_commit(tree=tree, parent=before, message="Many"))
    assert one.move_branch(BRANCH, before=before, after=made[0].sha)
    assert not other.move_branch(BRANCH, before=before, after=made[1].sha) or made[0].sha == made[1].sha
    assert stage.head == made[0].sha
    assert refs_of_our_own(stage) == []
