"""Reading, writing, editing and deleting one file: what the model is told, and the bytes afterwards."""

from collections.abc import Iterator

import pytest
from real_git import Executable, Files, Link, committed

from bot.errors import ToolFailed
from bot.gate.facts import How, Touch
from bot.outside.checkout import CommitTree
from bot.outside.search import Ripgrep
from bot.tools.files import (
    DELETE_FILE,
    EDIT_FILE,
    READ_FILE,
    WRITE_FILE,
    DeleteFile,
    EditFile,
    ReadFile,
    WriteFile,
)
from bot.tools.tool import Stage
from bot.workspace import Mode
from bot.workspace.overlay import Overlay

FILES: Files = {
    "a.txt": b"one\ntwo\nthree\n",
    "bare.txt": b"one\ntwo",
    "crlf.txt": b"one\r\ntwo\r\n",
    "mark.txt": b"\xef\xbb\xbfone\ntwo\n",
    "mixed.txt": b"one\r\ntwo\nthree\n",
    "twice.txt": b"same\n    same\n",
    "aaa.txt": b"aaa\n",
    "empty.txt": b"",
    "latin.txt": b"caf\xe9\n",
    "binary.bin": b"\0\1",
    "run.sh": Executable(b"#!/bin/sh\n"),
    "link": Link("a.txt"),
    "docs/index.md": b"# Index\n",
    ".env": b"TOKEN=1\n",
    "long.txt": b"".join(b"line %d of many\n" % number for number in range(10_000)),
    "wide.txt": b"x" * 100_000 + b"\nend\n",
}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CommitTree]:
    folder = tmp_path_factory.mktemp("repository")
    with CommitTree(committed(folder, FILES), folder=folder, remote=None) as made:
        yield made


@pytest.fixture
def stage(tree: CommitTree) -> Stage:
    return Stage(workspace=Overlay(tree, Ripgrep()), is_hidden=lambda path: path == ".env")


def read(stage: Stage, path: str, **more: int) -> str:
    return READ_FILE.execute(ReadFile(path=path, **more), stage)


READ = {
    "a file": ("a.txt", {}, "[a.txt: lines 1 to 3 of 3]\none\ntwo\nthree"),
    "some lines": ("a.txt", {"start_line": 2, "end_line": 2}, "[a.txt: lines 2 to 2 of 3]\ntwo"),
    "more lines than there are": (
        "a.txt",
        {"start_line": 3, "end_line": 99},
        "[a.txt: lines 3 to 3 of 3]\nthree",
    ),
    "some characters of a line": (
        "a.txt",
        {"start_line": 3, "start_column": 3},
        "[a.txt: lines 3 to 3 of 3]\nree",
    ),
    "an empty file": ("empty.txt", {}, "[empty.txt is empty]"),
    "no newline at the end": (
        "bare.txt",
        {},
        "[bare.txt: lines 1 to 2 of 2; it has no newline at the end]\none\ntwo",
    ),
    "CRLF": (
        "crlf.txt",
        {},
        "[crlf.txt: lines 1 to 2 of 2; it has CRLF line ends, which edits keep]\none\ntwo",
    ),
    "a byte order mark": (
        "mark.txt",
        {},
        "[mark.txt: lines 1 to 2 of 2; it has a byte order mark, which edits keep]\none\ntwo",
    ),
    "bytes that are not UTF-8": (
        "latin.txt",
        {},
        (
            "[latin.txt: lines 1 to 1 of 1; it has bytes that are not UTF-8, shown as \\xNN; it "
            "can't be edited]\n"
            "caf\\xe9"
        ),
    ),
    "a path that goes round": ("docs/.././a.txt", {"end_line": 1}, "[a.txt: lines 1 to 1 of 3]\none"),
}


@pytest.mark.parametrize(("path", "more", "expected"), READ.values(), ids=READ)
def test_a_file_is_read(stage: Stage, path: str, more: dict[str, int], expected: str) -> None:
    assert read(stage, path, **more) == expected


def followed(stage: Stage, path: str) -> str:
    """A long file read to its end, by doing each time what the answer says."""
    parts = []
    more: dict[str, int] = {}
    while True:
        body = read(stage, path, **more).split("\n", 1)[1]
        assert len(body) < 41_000
        text, cut, said = body.rpartition("\n[cut ")
        if not cut:
            return "".join([*parts, body])
        words = said.replace("]", "").replace(",", "").split()
        more = {
            name: int(words[words.index(name) + 1])
            for name in ("start_line", "start_column")
            if name in words
        }
        parts.append(text if "start_column" in more else text + "\n")


@pytest.mark.parametrize("path", ["long.txt", "wide.txt"])
def test_a_long_file_is_cut_and_the_answer_says_exactly_how_to_go_on(stage: Stage, path: str) -> None:
    assert followed(stage, path) + "\n" == FILES[path].decode()


UNREADABLE = {
    "a missing file": ("no.txt", "there is no file no.txt"),
    "a folder": ("docs", "docs is a folder"),
    "a link": ("link", "link is a symbolic link"),
    "a secret": (".env", ".env is secret"),
    "a secret by another spelling": ("docs/../.env", ".env is secret"),
    "a binary file": ("binary.bin", "a binary file of 2 bytes"),
    "a path outside": ("../a.txt", "leads outside"),
    "an absolute path": ("/etc/passwd", "is absolute"),
}


@pytest.mark.parametrize(("path", "reason"), UNREADABLE.values(), ids=UNREADABLE)
def test_what_cannot_be_read_is_refused_with_the_reason(stage: Stage, path: str, reason: str) -> None:
    with pytest.raises(ToolFailed, match=reason):
        read(stage, path)


def test_lines_beyond_the_end_are_refused(stage: Stage) -> None:
    with pytest.raises(ToolFailed, match="has 3 lines; start_line 4 is beyond"):
        read(stage, "a.txt", start_line=4)


WRITTEN = {
    "a new file": ("new/n.txt", "a\nb", b"a\nb", Mode.FILE),
    "an empty file": ("new.txt", "", b"", Mode.FILE),
    "exactly what was given": ("new.txt", "a\r\nb\n\n", b"a\r\nb\n\n", Mode.FILE),
    "over another": ("a.txt", "1\n", b"1\n", Mode.FILE),
    "the executable bit stays": ("run.sh", "#!/bin/bash\n", b"#!/bin/bash\n", Mode.EXECUTABLE),
    "CRLF stays": ("crlf.txt", "1\n2\n", b"1\r\n2\r\n", Mode.FILE),
    "CRLF that is given": ("crlf.txt", "1\r\n2\n", b"1\r\n2\n", Mode.FILE),
    "the byte order mark stays": ("mark.txt", "1\n", b"\xef\xbb\xbf1\n", Mode.FILE),
    "a byte order mark that is given": ("mark.txt", "\ufeff1\n", b"\xef\xbb\xbf1\n", Mode.FILE),
    "over what is no text": ("binary.bin", "1\n", b"1\n", Mode.FILE),
}


@pytest.mark.parametrize(("path", "content", "bytes_", "mode"), WRITTEN.values(), ids=WRITTEN)
def test_a_file_is_written(stage: Stage, path: str, content: str, bytes_: bytes, mode: Mode) -> None:
    WRITE_FILE.execute(WriteFile(path=path, content=content), stage)
    assert stage.workspace.read(path) == bytes_
    entry = stage.workspace.entry(path)
    assert entry is not None
    assert entry.mode is mode


EDITED = {
    "a word": ("a.txt", "two", "2", b"one\n2\nthree\n"),
    "over lines": ("a.txt", "one\ntwo\n", "", b"three\n"),
    "CRLF, which the model did not see": ("crlf.txt", "one\ntwo", "1\n2\n3", b"1\r\n2\r\n3\r\n"),
    "more lines into CRLF": ("crlf.txt", "two", "2\n3", b"one\r\n2\r\n3\r\n"),
    "below a byte order mark": ("mark.txt", "one", "1", b"\xef\xbb\xbf1\ntwo\n"),
    "no newline at the end": ("bare.txt", "two", "2", b"one\n2"),
    "mixed ends, exactly": ("mixed.txt", "two\nthree", "2\n3", b"one\r\n2\n3\n"),
    "the last of two by what is before it": ("twice.txt", "    same", "    other", b"same\n    other\n"),
    "everything": ("a.txt", "one\ntwo\nthree\n", "", b""),
}


@pytest.mark.parametrize(("path", "old", "new", "after"), EDITED.values(), ids=EDITED)
def test_a_file_is_edited(stage: Stage, path: str, old: str, new: str, after: bytes) -> None:
    EDIT_FILE.execute(EditFile(path=path, old=old, new=new), stage)
    assert stage.workspace.read(path) == after


UNEDITED = {
    "twice": ("twice.txt", "same", "x", r"is in twice\.txt 2 times \(lines 1, 2\)"),
    "overlapping itself": ("aaa.txt", "aa", "x", "2 times"),
    "nowhere": ("a.txt", "four", "x", "0 matches"),
    "nowhere but for white space": (
        "twice.txt",
        "\tsame\n",
        "x",
        "0 matches.*like line 1, 2, so compare white space",
    ),
    "nothing": ("a.txt", "", "x", "`old` is empty"),
    "no change": ("a.txt", "one", "one", "nothing would change"),
    "no change but for line ends": ("crlf.txt", "one\n", "one\r\n", "nothing would change"),
    "not UTF-8": ("latin.txt", "caf", "x", r"not UTF-8 text \(byte 4 of 5\)"),
    "a link": ("link", "one", "x", "symbolic link"),
    "a secret": (".env", "TOKEN", "x", "secret"),
    "a missing file": ("no.txt", "a", "b", "there is no file"),
}


@pytest.mark.parametrize(("path", "old", "new", "reason"), UNEDITED.values(), ids=UNEDITED)
def test_an_edit_without_exactly_one_place_is_refused(
    stage: Stage, path: str, old: str, new: str, reason: str
) -> None:
    with pytest.raises(ToolFailed, match=reason):
        EDIT_FILE.execute(EditFile(path=path, old=old, new=new), stage)
    assert isinstance(stage.workspace, Overlay)
    assert stage.workspace.changes() == ()


def test_a_file_is_deleted(stage: Stage) -> None:
    assert DELETE_FILE.execute(DeleteFile(path="docs/index.md"), stage) == "deleted docs/index.md"
    assert stage.workspace.entry("docs/index.md") is None


@pytest.mark.parametrize("path", ["no.txt", "docs", "link", "link/x", "../x", ""])
def test_what_is_no_file_is_not_deleted(stage: Stage, path: str) -> None:
    with pytest.raises(ToolFailed):
        DELETE_FILE.execute(DeleteFile(path=path), stage)


def test_every_path_is_known_as_it_was_written() -> None:
    assert READ_FILE.touches(ReadFile(path="./x")) == (Touch(path="./x", how=How.READ),)
    assert WRITE_FILE.touches(WriteFile(path="x", content="")) == (Touch(path="x", how=How.WRITE),)
    assert EDIT_FILE.touches(EditFile(path="x", old="", new="")) == (Touch(path="x", how=How.WRITE),)
    assert DELETE_FILE.touches(DeleteFile(path="x")) == (Touch(path="x", how=How.DELETE),)


@pytest.mark.parametrize("tool", [WRITE_FILE, EDIT_FILE, DELETE_FILE], ids=lambda tool: tool.name)
def test_rehearsing_and_performing_are_one_piece_of_code(tool) -> None:
    assert tool.simulate is tool.execute
