"""Records and transcripts on disk: whole or not at all, and never with a secret."""

import json
import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from plans import plan, step

from bot.errors import BadUsage
from bot.outside.archive import FolderArchive, check_asked, write_asked, write_whole
from bot.plan import read_plan


def test_a_plan_is_kept_under_its_digest_and_can_be_read_back(tmp_path: Path) -> None:
    made = plan(step(1))
    file = FolderArchive(folder=tmp_path / "not/there/yet").keep(made)
    assert file.name == f"plan-{made.digest}.json"
    assert read_plan(file.read_bytes()) == made


def test_keeping_a_plan_again_changes_nothing(tmp_path: Path) -> None:
    archive = FolderArchive(folder=tmp_path)
    first = archive.keep(plan(step(1)))
    content = first.read_bytes()
    assert archive.keep(plan(step(1))) == first
    assert first.read_bytes() == content
    assert [file.name for file in tmp_path.iterdir()] == [first.name]


def test_a_patch_is_kept_beside_its_plan(tmp_path: Path) -> None:
    made = plan(step(1))
    file = FolderArchive(folder=tmp_path).keep_patch(made, "--- a/ä\n")
    assert file.name == f"plan-{made.digest}.patch"
    assert file.read_bytes() == "--- a/ä\n".encode()


def test_each_run_has_a_transcript_of_its_own(tmp_path: Path) -> None:
    archive = FolderArchive(folder=tmp_path)
    archive.transcript("7-1", task="one").note("turn")
    archive.transcript("7-2", task="two")
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        "transcript-7-1.jsonl",
        "transcript-7-2.jsonl",
    ]


def test_a_transcript_holds_no_secret(tmp_path: Path) -> None:
    archive = FolderArchive(folder=tmp_path, redact=lambda text: text.replace("s3cret", "***"))
    transcript = archive.transcript("1", task="s3cret")
    transcript.note("turn", text="a s3cret\nword")
    assert "s3cret" not in transcript.file.read_text()
    assert json.loads(transcript.file.read_text().splitlines()[1])["text"] == "a ***\nword"


def test_a_file_that_can_not_be_written_whole_leaves_the_old_one(tmp_path: Path) -> None:
    file = tmp_path / "plan.json"
    file.write_bytes(b"old")
    with pytest.raises(TypeError):
        write_whole(file, "not bytes")  # type: ignore[arg-type]
    assert file.read_bytes() == b"old"
    assert [each.name for each in tmp_path.iterdir()] == ["plan.json"]


def test_a_file_takes_the_place_of_a_link_and_does_not_write_through_it(tmp_path: Path) -> None:
    target = tmp_path / "outside.txt"
    target.write_bytes(b"precious")
    link = tmp_path / "plan.json"
    link.symlink_to(target)
    write_whole(link, b"new")
    assert target.read_bytes() == b"precious"
    assert not link.is_symlink()
    assert link.read_bytes() == b"new"


def test_a_file_can_be_read_by_the_step_that_uploads_it(tmp_path: Path) -> None:
    """A container action runs as root, and what comes after it does not."""
    write_whole(tmp_path / "plan.json", b"x")
    assert (tmp_path / "plan.json").stat().st_mode & 0o777 == 0o644


def test_a_file_that_somebody_asked_for_and_can_not_be_written_is_told(tmp_path: Path) -> None:
    write_asked(tmp_path / "new" / "report.html", b"x")
    assert (tmp_path / "new" / "report.html").read_bytes() == b"x"
    for file in (tmp_path / "new", tmp_path / "new" / "report.html" / "other.html"):
        with pytest.raises(BadUsage, match="can't be written") as bad:
            write_asked(file, b"x")
        assert str(file) in bad.value.what
    assert [file.name for file in (tmp_path / "new").iterdir()] == ["report.html"]


def _socket(file: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(file))


# A link to a device is what /dev/stdout is. A device itself no test may endanger: a fault would replace it.
ODD: dict[str, Callable[[Path], object]] = {
    "a link to a file": lambda file: file.symlink_to("precious"),
    "a link to nothing": lambda file: file.symlink_to("nowhere"),
    "a link to a device": lambda file: file.symlink_to("/dev/null"),
    "a pipe": os.mkfifo,
    "a socket": _socket,
}


@pytest.mark.parametrize("made", ODD.values(), ids=ODD)
def test_what_a_person_names_and_is_no_plain_file_is_neither_replaced_nor_followed(
    made: Callable[[Path], object], tmp_path: Path
) -> None:
    (tmp_path / "precious").write_bytes(b"precious")
    file = tmp_path / "named"
    made(file)
    before = file.lstat()
    for write in (check_asked, lambda file: write_asked(file, b"x")):
        with pytest.raises(BadUsage, match="left as it is"):
            write(file)
    assert file.lstat() == before
    assert (tmp_path / "precious").read_bytes() == b"precious"
    assert sorted(one.name for one in tmp_path.iterdir()) == ["named", "precious"]
