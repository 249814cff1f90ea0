"""A tree's new objects are brought to GitHub together, and it is the very tree that git would make."""

from dataclasses import replace

import pytest
from journey import FILES, Journey
from real_git import git

from bot.demo.github import File
from bot.outside.delivery import Delivery
from bot.outside.patience import Patience
from bot.outside.staging import Staged, stage
from bot.settings import Secret
from bot.workspace import Change, Entry, Mode, blob_sha

OLD = {"README.md": "# Sample\n\nteh first line\n", "src/app.py": "def main():\n    return 1\n"}


def files_of(journey: Journey, commit: str) -> dict[str, Entry]:
    listed = git(journey.repository.bare.folder, "ls-tree", "-r", "-z", commit).decode()
    rows = [row.split("\t", 1) for row in listed.split("\0") if row]
    return {path: Entry(mode=Mode(head[:6]), blob=head.split()[2]) for head, path in rows}


def changed(before: dict[str, Entry], path: str, content: bytes | None, mode: Mode = Mode.FILE) -> Change:
    after = None if content is None else Entry(mode=mode, blob=blob_sha(content))
    return Change(path=path, before=before.get(path), after=after, content_before=None, content_after=content)


def staged(journey: Journey, changes: list[Change], before: dict[str, Entry]) -> Staged | None:
    delivery = Delivery(
        url=f"{journey.github.url}/acme/widgets.git",
        token=Secret(journey.github.workflow_token(journey.repository)),
        patience=Patience(sleep=lambda _: None),
    )
    tree = git(journey.repository.bare.folder, "rev-parse", "topic^{tree}").decode().strip()
    return stage(delivery, changes, before=before, base_tree=tree, parent=journey.head)


def test_the_tree_is_the_one_that_git_makes_of_the_same_changes(journey: Journey) -> None:
    before = files_of(journey, "topic")
    changes = [
        changed(before, "README.md", b"# Sample\n"),
        changed(before, "new/deep/a.bin", b"\xff\0"),
        changed(before, "new/run.sh", b"#!/bin/sh\n", Mode.EXECUTABLE),
        changed(before, "new/link", b"../README.md", Mode.LINK),
        changed(before, "src/app.py", None),
        changed(before, "bin/run.sh", b"#!/bin/sh\necho hi\n"),
    ]
    made = staged(journey, changes, before)
    assert made is not None
    assert journey.repository.bare.ref(made.ref) == made.commit
    files = {
        "README.md": "# Sample\n",
        "new/deep/a.bin": File(content=b"\xff\0"),
        "new/run.sh": File(content=b"#!/bin/sh\n", mode="100755"),
        "new/link": File(content=b"../README.md", mode="120000"),
        "src/app.py": None,
        "bin/run.sh": File(content=b"#!/bin/sh\necho hi\n"),
    }
    journey.github.push(journey.repository, "topic", files, message="The same", by="mona")
    bare = journey.repository.bare.folder
    assert git(bare, "rev-parse", "topic^{tree}").decode().strip() == made.tree
    assert git(bare, "rev-parse", f"{made.ref}^{{tree}}").decode().strip() == made.tree


def test_it_is_made_alike_every_time(journey: Journey) -> None:
    before = files_of(journey, "topic")
    changes = [changed(before, "a.txt", b"a\n")]
    first = staged(journey, changes, before)
    assert first == staged(journey, changes, before)


def test_files_that_are_not_those_of_the_commit_are_staged_in_no_way(journey: Journey) -> None:
    """Such as where old modes were read as those that are written now."""
    before = files_of(journey, "topic")
    other = before | {"bin/run.sh": replace(before["bin/run.sh"], mode=Mode.FILE)}
    journey.github.log.clear()
    assert staged(journey, [changed(other, "a.txt", b"a\n")], other) is None
    assert journey.github.log == []


@pytest.mark.parametrize("path", sorted(FILES))
def test_a_file_that_goes_leaves_no_empty_folder(journey: Journey, path: str) -> None:
    before = files_of(journey, "topic")
    made = staged(journey, [changed(before, path, None)], before)
    assert made is not None
    assert files_of(journey, made.commit) == {name: it for name, it in before.items() if name != path}


def test_a_file_takes_a_folder_s_place(journey: Journey) -> None:
    before = files_of(journey, "topic")
    made = staged(journey, [changed(before, "bin", b"x\n"), changed(before, "bin/run.sh", None)], before)
    assert made is not None
    assert "bin/run.sh" not in files_of(journey, made.commit)
    assert git(journey.repository.bare.folder, "cat-file", "blob", f"{made.commit}:bin") == b"x\n"
