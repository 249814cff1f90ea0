"""All changes or none: whatever the writer meets, and at whatever moment it is killed."""

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import pytest
from child import child

from bot.errors import CheckoutFailed
from bot.outside.journal import Journal, TakenBack
from bot.workspace import Change, Entry, Mode, blob_sha

ROOT = Path(__file__).parent.parent.parent
FILES = {"a.txt": b"alpha\n", "b/c.txt": b"gamma\n", "run.sh": b"#!/bin/sh\n", "gone/only.txt": b"x"}


def change(path: str, before: bytes | None, after: bytes | None, *, executable: bool = False) -> Change:
    mode = Mode.EXECUTABLE if executable else Mode.FILE
    return Change(
        path=path,
        before=None if before is None else Entry(mode=mode, blob=blob_sha(before)),
        after=None if after is None else Entry(mode=mode, blob=blob_sha(after)),
        content_before=before,
        content_after=after,
    )


CHANGES = (
    change("a.txt", b"alpha\n", b"ALPHA\n"),
    change("b/c.txt", b"gamma\n", None),
    change("empty/new.txt", None, b"new"),
    change("gone/only.txt", b"x", None),
    change("made/deep/er.txt", None, b"deep"),
    change("run.sh", b"#!/bin/sh\n", b"#!/bin/bash\n", executable=True),
)
AFTER = {
    "a.txt": b"ALPHA\n",
    "empty/new.txt": b"new",
    "made/deep/er.txt": b"deep",
    "run.sh": b"#!/bin/bash\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "tree"
    for path, content in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(content)
    (root / "run.sh").chmod(0o750)
    (root / "a.txt").chmod(0o640)
    (root / "empty").mkdir()
    return root


@pytest.fixture
def journal(root: Path, tmp_path: Path) -> Journal:
    return Journal(tmp_path / "private", root)


def files(root: Path) -> Mapping[str, bytes]:
    return {str(one.relative_to(root)): one.read_bytes() for one in root.rglob("*") if one.is_file()}


def everything(root: Path) -> Mapping[str, object]:
    """With folders and permissions, which git doesn't know but people see."""
    return {
        str(one.relative_to(root)): (oct(one.lstat().st_mode), one.read_bytes() if one.is_file() else None)
        for one in root.rglob("*")
    }


def test_all_changes_are_written_and_nothing_stays_behind(
    journal: Journal, root: Path, tmp_path: Path
) -> None:
    journal.commit(CHANGES)
    assert files(root) == AFTER
    assert not journal.is_open
    assert journal.has_written
    assert (root / "run.sh").stat().st_mode & 0o777 == 0o750
    assert [one.name for one in (tmp_path / "private").iterdir()] == ["lock"]


def test_no_changes_are_no_work(journal: Journal, root: Path) -> None:
    before = everything(root)
    journal.commit(())
    assert everything(root) == before


MEANWHILE = {
    "edited": lambda root: (root / "a.txt").write_text("mine"),
    "deleted": lambda root: (root / "a.txt").unlink(),
    "made": lambda root: (root / "empty/new.txt").write_text("mine"),
    "made a link": lambda root: (root / "empty/new.txt").symlink_to("/etc/passwd"),
    "made executable": lambda root: (root / "a.txt").chmod(0o755),
    "made a link of the folder": lambda root: (
        (root / "empty").rmdir(),
        (root / "empty").symlink_to(root / "b"),
    ),
}


@pytest.mark.parametrize("meddle", MEANWHILE.values(), ids=MEANWHILE)
def test_what_somebody_changed_meanwhile_stops_it_before_the_first_byte(
    journal: Journal, root: Path, meddle: object
) -> None:
    meddle(root)  # type: ignore[operator]
    before = everything(root)
    with pytest.raises(CheckoutFailed):
        journal.commit(CHANGES)
    assert everything(root) == before
    assert not journal.has_written
    assert not journal.is_open


def test_a_change_that_can_not_be_written_takes_all_others_back(journal: Journal, root: Path) -> None:
    before = everything(root)
    impossible = change("run.sh/inside", None, b"x")
    with pytest.raises(CheckoutFailed, match="not all could be"):
        journal.commit((*CHANGES[:-1], impossible))
    assert everything(root) == before


def test_a_file_may_take_the_place_of_a_folder_and_back(journal: Journal, root: Path) -> None:
    journal.commit((change("b", None, b"file"), change("b/c.txt", b"gamma\n", None)))
    assert (root / "b").read_bytes() == b"file"
    journal.commit((change("b", b"file", None), change("b/c.txt", None, b"gamma\n")))
    assert files(root) == FILES


def _half_done(root: Path, private: Path, done: int) -> Journal:
    """As a kill leaves it after so many changes."""
    order = sorted(CHANGES, key=lambda one: one.after is not None)
    journal = Journal(private, root)
    note = _note(journal)
    for one in order[:done]:
        journal._make(one)
    (private / "journal.json").write_text(note)
    return journal


def _note(journal: Journal) -> str:
    from bot.outside.journal import _Note

    return _Note(rows=tuple(journal._row(one) for one in CHANGES)).model_dump_json(by_alias=True)


@pytest.mark.parametrize("done", range(len(CHANGES) + 1))
def test_a_half_that_was_done_is_taken_back_exactly(root: Path, tmp_path: Path, done: int) -> None:
    before = everything(root)
    private = tmp_path / "private"
    private.mkdir()
    journal = _half_done(root, private, done)
    (root / ".dryrun-0123456789abcdef").write_text("unfinished")
    taken_back = journal.take_back()
    assert taken_back == TakenBack(restored=tuple(one.path for one in CHANGES), left=())
    assert everything(root) == before
    assert journal.take_back() is None


def test_what_somebody_changed_after_the_kill_is_left_alone_and_named(root: Path, tmp_path: Path) -> None:
    private = tmp_path / "private"
    private.mkdir()
    journal = _half_done(root, private, len(CHANGES))
    (root / "a.txt").write_text("mine")
    (root / "made/deep/er.txt").write_text("mine too")
    taken_back = journal.take_back()
    assert taken_back is not None
    assert taken_back.left == ("a.txt", "made/deep/er.txt")
    assert (root / "a.txt").read_text() == "mine"
    assert (root / "made/deep/er.txt").read_text() == "mine too"
    assert (root / "b/c.txt").read_bytes() == b"gamma\n"


def test_the_next_commit_takes_a_half_back_first(root: Path, tmp_path: Path) -> None:
    private = tmp_path / "private"
    private.mkdir()
    journal = _half_done(root, private, 3)
    journal.commit(CHANGES)
    assert files(root) == AFTER


NOTES = ["", "{", "[]", '{"schema": "dryrun-bot/journal/2", "rows": []}', '{"rows": [{"path": "61"}]}']


@pytest.mark.parametrize("note", NOTES)
def test_a_note_that_can_not_be_read_is_said_and_nothing_is_touched(
    journal: Journal, root: Path, tmp_path: Path, note: str
) -> None:
    (tmp_path / "private").mkdir()
    (tmp_path / "private/journal.json").write_text(note)
    before = everything(root)
    with pytest.raises(CheckoutFailed, match="can't be read"):
        journal.take_back()
    assert everything(root) == before


def test_a_note_leads_nowhere_outside(root: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_text("mine")
    (tmp_path / "private").mkdir()
    row = {
        "path": os.fsencode("../outside").hex(),
        "before": None,
        "after": {"mode": "100644", "blob": blob_sha(b"mine")},
        "content": "",
        "permissions": None,
        "folders": [],
    }
    (tmp_path / "private/journal.json").write_text(json.dumps({"rows": [row]}))
    with pytest.raises(Exception, match="outside"):
        Journal(tmp_path / "private", root).take_back()
    assert outside.read_text() == "mine"


def test_two_at_once_are_one_and_an_error(journal: Journal, root: Path, tmp_path: Path) -> None:
    before = everything(root)
    with journal._locked(), pytest.raises(CheckoutFailed, match="Another run"):
        Journal(tmp_path / "private", root).commit(CHANGES)
    assert everything(root) == before


_WRITER = """
import importlib.util, os, sys
from pathlib import Path
sys.path.insert(0, {tests!r})
spec = importlib.util.spec_from_file_location("test_journal", {here!r})
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
changes = [module.change(f"many/{{n}}.txt", None if n % 2 else b"old", b"new") for n in range(200)]
for line in sys.stdin:
    root, private = map(Path, line.split())
    if (writer := os.fork()) == 0:
        try:
            module.Journal(private, root).commit(changes)
        except KeyboardInterrupt:
            os._exit(130)
        os._exit(0)
    print(writer, flush=True)
    sys.stdin.readline()
    os.waitpid(writer, 0)
    print("gone", flush=True)
"""


def _many(root: Path) -> None:
    (root / "many").mkdir(parents=True)
    for number in range(0, 200, 2):
        (root / f"many/{number}.txt").write_bytes(b"old")


@pytest.mark.slow
@pytest.mark.timeout(400)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_at_whatever_moment_a_writer_is_ended_the_tree_is_as_it_was_or_finished(
    tmp_path: Path, number: signal.Signals
) -> None:
    """A real process, ended at twelve moments; after SIGKILL, once the next one has looked."""
    code = _WRITER.format(tests=str(ROOT / "tests"), here=__file__)
    command = [sys.executable, "-c", code]
    seen = set()
    with child(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as writers:
        assert writers.stdin is not None
        assert writers.stdout is not None
        for attempt in range(12):
            root, private = tmp_path / f"{attempt}", tmp_path / f"private-{attempt}"
            _many(root)
            before = files(root)
            finished = {f"many/{n}.txt": b"new" for n in range(200)}
            print(root, private, file=writers.stdin, flush=True)
            writer = int(writers.stdout.readline())
            if attempt > 2:
                # From its note on: how soon that is there is the machine's affair.
                while not (private / "journal.json").exists() and not _is_over(writer):
                    time.sleep(0.0002)
            time.sleep(attempt * 0.004)
            os.kill(writer, number)
            print("waited for", file=writers.stdin, flush=True)
            assert writers.stdout.readline() == "gone\n"
            if number is not signal.SIGKILL:
                assert not Journal(private, root).is_open
            half_done = Journal(private, root).take_back() is not None
            now = files(root)
            assert now in (before, finished)
            assert not (half_done and now == finished)
            seen.add(half_done or now == finished)
    assert True in seen


def _is_over(process: int) -> bool:
    """Whether it has ended; whoever started it has not waited for it yet."""
    descriptor = os.pidfd_open(process)
    try:
        return bool(select.select([descriptor], [], [], 0)[0])
    finally:
        os.close(descriptor)
