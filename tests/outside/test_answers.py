import pytest
from pydantic import ValidationError

from bot.outside.answers import (
    CommentAnswer,
    EditorAnswer,
    FolderAnswer,
    PullRequestAnswer,
    StandingAnswer,
    TreeEntryAnswer,
    UserAnswer,
)
from bot.permission import Permission
from bot.pull_request import Account

MAYA = {"login": "maya", "id": 7, "type": "User", "site_admin": False}
SHA = "a" * 40

LEVELS = {
    "an administrator": ("admin", "admin", Permission.ADMIN),
    "a maintainer": ("write", "maintain", Permission.MAINTAIN),
    "a writer": ("write", "write", Permission.WRITE),
    "a triager": ("read", "triage", Permission.TRIAGE),
    "a reader": ("read", "read", Permission.READ),
    "a stranger": ("none", "none", Permission.NONE),
    "a stranger with an empty role": ("none", "", Permission.NONE),
    "a custom role that writes": ("write", "release-captain", Permission.WRITE),
    "a custom role that reads and is called admin": ("read", "admin", Permission.READ),
    "a custom role that reads and is called maintain": ("read", "maintain", Permission.READ),
    "a custom role of nothing that is called write": ("none", "write", Permission.NONE),
    "an older server without roles": ("write", None, Permission.WRITE),
    "a permission of next year": ("owner", "owner", Permission.NONE),
    "a permission in capitals": ("ADMIN", "admin", Permission.NONE),
}


@pytest.mark.parametrize(("permission", "role", "expected"), LEVELS.values(), ids=LEVELS)
def test_a_roles_name_makes_a_permission_finer_and_never_greater(permission, role, expected) -> None:
    fields = {"permission": permission, "user": MAYA} | ({} if role is None else {"role_name": role})
    assert StandingAnswer.model_validate(fields).level() is expected


@pytest.mark.parametrize("kind", ["Bot", "Organization", "Mannequin", "user", ""])
def test_only_a_user_is_a_person(kind: str) -> None:
    assert UserAnswer.model_validate(MAYA).account().is_person
    assert not UserAnswer.model_validate(MAYA | {"type": kind}).account().is_person


SIDE = {"ref": "topic", "sha": SHA, "repo": {"full_name": "acme/widgets", "node_id": "R_1"}}
PULL = {
    "number": 12,
    "title": "T",
    "body": None,
    "user": None,
    "state": "closed",
    "draft": True,
    "merged": True,
    "head": SIDE | {"repo": None},
    "base": SIDE,
    "maintainer_can_modify": True,
    "html_url": "https://github.com/acme/widgets/pull/12",
}


def test_a_pull_request_without_body_author_and_head_repository_is_still_one() -> None:
    pull_request = PullRequestAnswer.model_validate(PULL).pull_request()
    assert pull_request.body == ""
    assert pull_request.author == Account(login="ghost", id=10137, is_person=False)
    assert pull_request.head.repository is None
    assert pull_request.base.repository == "acme/widgets"
    assert (pull_request.is_open, pull_request.is_draft, pull_request.is_merged) == (False, True, True)
    assert pull_request.is_from_fork


WRONG = {
    "a head that is no commit": PULL | {"head": SIDE | {"sha": "main"}},
    "a head with a line end": PULL | {"head": SIDE | {"sha": SHA + "\n"}},
    "a head in capitals": PULL | {"head": SIDE | {"sha": "A" * 40}},
    "no number": PULL | {"number": None},
    "no state": {name: value for name, value in PULL.items() if name != "state"},
}


@pytest.mark.parametrize("fields", WRONG.values(), ids=WRONG)
def test_an_answer_of_another_shape_is_none(fields) -> None:
    with pytest.raises(ValidationError):
        PullRequestAnswer.model_validate(fields)


def test_a_comment_by_nobody_is_the_ghosts() -> None:
    answer = CommentAnswer.model_validate(
        {"id": 1, "node_id": "IC_1", "user": None, "html_url": "", "body": None}
        | {"created_at": "2026-05-04T12:00:00Z", "updated_at": "2026-05-04T12:00:00Z"}
    )
    assert not answer.comment().author.is_person
    assert answer.comment().body == ""


def test_an_editor_is_known_by_number_whatever_its_login() -> None:
    editor = EditorAnswer.model_validate(
        {"__typename": "Bot", "login": "github-actions", "databaseId": 41898282}
    )
    assert editor.account().id == 41898282
    unknown = EditorAnswer.model_validate({"__typename": "Mannequin", "login": "x"})
    assert unknown.account() == Account(login="x", id=0, is_person=False)


FILE = {"name": "a.yml", "type": "file", "sha": SHA}
FOLDERS = {
    "a plain file": ([FILE], SHA),
    "a link": ([FILE | {"type": "symlink"}], None),
    "a folder": ([FILE | {"type": "dir"}], None),
    "a submodule": ([FILE | {"type": "submodule"}], None),
    "a file in another case": ([FILE | {"name": "A.yml"}], None),
    "nothing": ([], None),
    "a file instead of a folder": (FILE, None),
}


@pytest.mark.parametrize(("listing", "expected"), FOLDERS.values(), ids=FOLDERS)
def test_only_a_plain_file_in_a_folder_is_found(listing, expected) -> None:
    assert FolderAnswer.model_validate(listing).file("a.yml") == expected


@pytest.mark.parametrize("mode", ["100600", "100755x", "", "160001", None])
def test_a_mode_that_git_does_not_have_is_no_answer(mode) -> None:
    with pytest.raises(ValidationError):
        TreeEntryAnswer.model_validate({"path": "a", "mode": mode, "type": "blob", "sha": SHA})
