"""Text in memory is searched as the files themselves are: the same lines, whatever is in them."""

import os
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from real_git import committed, lay

from bot.errors import ToolFailed
from bot.outside import held_reader
from bot.outside.checkout import CommitTree
from bot.outside.held import Held, held_in
from bot.outside.search import Ripgrep
from bot.workspace import Entry, Match, Mode, Place, blob_sha
from bot.workspace.overlay import Overlay

FILES: Mapping[str, bytes] = {
    "a": b"one\ntwo\n",
    "a b\n": b"one",
    "cr": b"one\r\ntwo\r\n",
    "half a line end": b"one\r",
    "deep/er/e": b"",
    "deep/f": b"\n\none\n\n",
    "bom": b"\xef\xbb\xbfone\n",
    "wide": "one\ntwo\n".encode("utf-16"),
    "latin": b"caf\xe9 one\n\xff\xfe\n",
    "zero": b"one\n\0one\n",
    "zero below": b"one\n" * 300 + b"\0",
    "é": "ünder one\n".encode(),
    "\udcff": b"one\n",
    "many": b"one\n" * 500,
    "long": b"y" * 3000 + b"one" + b"y" * 3000 + b"\n",
}
PATTERNS = (
    *("one", "^", "$", "^$", "^one$", r"\bone\b", r"\Bne", r"\Aone", r"one\z", r"e\s*$", r"(?i)ONE"),
    *(
        r"[^o]",
        ".",
        r"(?s).+",
        r"\s",
        r"(?-m)e$",
        r"(?i-mu:E$)",
        r"x*",
        r"(?-u)\xff",
        r"caf.",
        r"ü",
        r"(?m)^t",
        r"\w+$",
    ),
)


def held(folder: Path, files: Mapping[str, bytes], most_bytes: int | None = 1 << 20) -> Held | None:
    return held_in(folder, sorted(files), commit=entries(files), most_bytes=most_bytes)


def entries(files: Mapping[str, bytes]) -> Mapping[str, Entry]:
    return {path: Entry(mode=Mode.FILE, blob=blob_sha(content)) for path, content in files.items()}


def plainly(folder: Path, paths: Sequence[str], pattern: str, most: int = 999, **how: bool) -> list[Match]:
    place = Place(folder=str(folder), names={path: path for path in paths})
    return list(Ripgrep().search([place], pattern, most=most, **_how(how)))


def in_memory(
    folder: Path, found: Held, paths: Sequence[str], pattern: str, most: int = 999, **how: bool
) -> list[Match]:
    parts = found.parts(found.paths.intersection(paths))
    elsewhere = Place(folder=str(folder), names={path: path for path in paths if path in found.elsewhere})
    return list(Ripgrep().search([*parts, elsewhere], pattern, most=most, **_how(how)))


def _how(how: Mapping[str, bool]) -> dict[str, bool]:
    return {"fixed": False, "ignore_case": False, **how}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("files")
    lay(made, FILES)
    return made


@pytest.fixture(scope="module")
def text(folder: Path) -> Held:
    found = held(folder, FILES)
    assert found is not None
    return found


def test_what_reads_otherwise_among_others_is_left_where_it_lies(text: Held) -> None:
    assert text.elsewhere == {"bom", "wide", "zero", "zero below", "half a line end"}
    assert text.paths | text.elsewhere == FILES.keys()


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("most", [3, 201, 9999])
def test_memory_and_files_give_the_same_lines(folder: Path, text: Held, pattern: str, most: int) -> None:
    everything = sorted(FILES)
    assert in_memory(folder, text, everything, pattern, most) == plainly(folder, everything, pattern, most)


@pytest.mark.parametrize("fixed", [True, False])
@pytest.mark.parametrize("ignore_case", [True, False])
def test_memory_and_files_are_asked_in_the_same_way(
    folder: Path, text: Held, *, fixed: bool, ignore_case: bool
) -> None:
    how = {"fixed": fixed, "ignore_case": ignore_case}
    for pattern in ("ONE", "o.e", "Ü"):
        expected = plainly(folder, sorted(FILES), pattern, **how)
        assert in_memory(folder, text, sorted(FILES), pattern, **how) == expected


LINES = st.lists(
    st.sampled_from([b"one", b"two one", b"", b"\r", b"\xff", "é".encode(), b"one\r", b"\0", b"\xef\xbb\xbf"])
)
CONTENTS = st.builds(lambda lines, end: b"\n".join(lines) + end, LINES, st.sampled_from([b"", b"\n"]))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    files=st.dictionaries(st.sampled_from(["a", "b", "b/c", "d e", "é", "z/y/x"]), CONTENTS, min_size=1),
    pattern=st.sampled_from(PATTERNS),
    most=st.integers(1, 8),
    left_out=st.sets(st.sampled_from(["a", "d e", "z/y/x"])),
)
def test_any_part_of_any_files_is_searched_as_the_files_are(
    tmp_path_factory: pytest.TempPathFactory,
    files: dict[str, bytes],
    pattern: str,
    most: int,
    left_out: set[str],
) -> None:
    if "b" in files:
        files.pop("b/c", None)
    folder = tmp_path_factory.mktemp("any")
    lay(folder, files)
    found = held(folder, files)
    assert found is not None
    asked = sorted(files.keys() - left_out)
    assert in_memory(folder, found, asked, pattern, most) == plainly(folder, asked, pattern, most)


def test_a_few_files_left_out_are_not_found_in_what_is_scanned(tmp_path: Path) -> None:
    """So few that nothing is copied: what they hold is passed over."""
    files = {f"{number:03}": b"one\n" for number in range(800)}
    lay(tmp_path, files)
    found = held(tmp_path, files)
    assert found is not None
    asked = sorted(files.keys() - {"000", "017", "799"})
    parts = found.parts(frozenset(asked))
    assert [part.memory for part in parts] == [stretch.memory for stretch in found.stretches]
    assert [match.path for match in in_memory(tmp_path, found, asked, "one")] == asked


def test_what_is_not_the_commits_is_not_held(tmp_path: Path) -> None:
    files = {"same": b"one\n", "other": b"one\n", "gone": b"one\n", "link": b"one\n", "below/link": b"one\n"}
    lay(tmp_path, {"same": b"one\n", "other": b"one!\n", "away/link": b"one\n"})
    (tmp_path / "link").symlink_to("same")
    (tmp_path / "below").symlink_to("away")
    os.mkfifo(tmp_path / "pipe")
    found = held(tmp_path, {**files, "pipe": b"one\n"})
    assert found is not None
    assert found.paths == {"same"}
    assert found.elsewhere == frozenset()
    # A file that holds what the commit's link says is none of the commit's files.
    links = {"same": Entry(mode=Mode.LINK, blob=blob_sha(b"one\n"))}
    as_link = held_in(tmp_path, ["same"], commit=links, most_bytes=1 << 20)
    assert as_link is not None
    assert not as_link.paths | as_link.elsewhere


def test_too_much_is_not_held(tmp_path: Path) -> None:
    files = {str(number): b"x" * 1000 for number in range(8)}
    lay(tmp_path, files)
    assert held(tmp_path, files, most_bytes=4000) is None
    assert held(tmp_path, files, most_bytes=20_000) is not None


def test_what_is_held_already_counts(tmp_path: Path) -> None:
    files = {str(number): b"x" * 999 + b"\n" for number in range(8)}
    lay(tmp_path, files)
    commit = entries(files)
    first = held_in(tmp_path, list(files), commit=commit, most_bytes=20_000)
    assert first is not None
    assert first.bytes == 8000
    beside = [first, first]
    assert held_in(tmp_path, list(files), commit=commit, beside=beside, most_bytes=20_000) is None


def test_what_is_long_is_proven_and_stays_where_it_is(tmp_path: Path) -> None:
    sizes = [(1 << 16) - 1, 1 << 16, (1 << 16) + 1, 3 << 20, held_reader.MOST_OF_A_FILE]
    files = {str(size): b"x" * size for size in (*sizes, held_reader.MOST_OF_A_FILE + 1)}
    lay(tmp_path, files)
    found = held(tmp_path, {**files, "no such": b"x"}, most_bytes=64 << 20)
    assert found is not None
    assert found.paths == {str(size) for size in sizes}
    assert found.elsewhere == {str(held_reader.MOST_OF_A_FILE + 1)}
    asked = sorted(found.paths)
    assert in_memory(tmp_path, found, asked, "x$") == plainly(tmp_path, asked, "x$")
    lay(tmp_path, {path: content[:-1] + b"y" for path, content in files.items()})
    other = held(tmp_path, files, most_bytes=64 << 20)
    assert other is not None
    assert not other.paths | other.elsewhere


def _moved(file: Path) -> None:
    """Away, and another of the same size and times in its place."""
    times = file.stat()
    file.rename(file.with_name("away"))
    file.write_bytes(b"two\n")
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))


def _edited(file: Path) -> None:
    """In place, and its times put back."""
    times = file.stat()
    with file.open("r+b") as stream:
        stream.write(b"two\n")
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))


def _folder_moved(file: Path) -> None:
    file.parent.rename(file.parent.with_name("other"))
    file.parent.symlink_to("other")


CHANGES: Mapping[str, Callable[[Path], object]] = {
    "nothing": lambda _: None,
    "a look at it": Path.read_bytes,
    "edited": _edited,
    "another one": _moved,
    "gone": Path.unlink,
    "executable": lambda file: file.chmod(0o755),
    "a link": lambda file: (file.unlink(), file.symlink_to("x")),
    "behind a link": _folder_moved,
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_what_has_changed_since_it_was_read_is_told(tmp_path: Path, change: Callable[[Path], object]) -> None:
    files = {"a/x": b"one\n", "b/y": b"one\n", "b/zero": b"\0one", "c": b"one\n"}
    lay(tmp_path, files)
    late = time.time_ns() + 10**9
    found = held_in(tmp_path, sorted(files), settled_ns=late, most_bytes=1 << 20)
    assert found is not None
    assert found.paths == {"a/x", "b/y", "c"}
    assert found.elsewhere == {"b/zero"}
    assert found.changed() == frozenset()
    time.sleep(0.02)  # the clock of a file system ticks no more often than this
    change(tmp_path / "b/y")
    inside = {"b/y", "b/zero"} if change is _folder_moved else {"b/y"}
    expected = frozenset() if change in [CHANGES["nothing"], CHANGES["a look at it"]] else inside
    assert found.changed() == found.changed() == expected


def test_a_reader_that_is_gone_is_no_proof(tmp_path: Path) -> None:
    lay(tmp_path, {"a": b"one\n", "b": b"\0"})
    found = held_in(tmp_path, ["a", "b"], settled_ns=time.time_ns() + 10**9, most_bytes=1 << 20)
    assert found is not None
    for reader in found.readers:
        reader.process.kill()
    assert found.changed() == {"a", "b"}


def test_what_is_not_at_rest_is_not_read(tmp_path: Path) -> None:
    lay(tmp_path, {"a": b"one\n"})
    found = held_in(tmp_path, ["a"], settled_ns=time.time_ns() - 60 * 10**9, most_bytes=1 << 20)
    assert found is not None
    assert not found.paths | found.elsewhere


def test_later_searches_of_a_large_commit_open_no_file(tmp_path: Path) -> None:
    """Whatever became of the files since makes no difference: the bytes are the commit's."""
    files = {f"part{number % 7}/{number:05}": b"a needle\n" for number in range(4200)}
    commit = committed(tmp_path, files)
    with CommitTree(commit, folder=tmp_path, remote=None) as tree:
        overlay = Overlay(tree, Ripgrep())
        overlay.write("part3/00003", b"a planned needle\n")
        overlay.delete("part4/00004")

        def search() -> Sequence[Match]:
            return overlay.search("needle$", fixed=False, ignore_case=False, paths=overlay.paths(), most=9999)

        first = search()
        for path in files:
            (tmp_path / path).unlink()
        assert search() == first
        assert [match.path for match in first] == sorted(files.keys() - {"part4/00004"})
        assert {match.text for match in first} == {"a needle", "a planned needle"}


def test_a_pattern_that_cannot_be_used_is_refused_with_the_reason(text: Held) -> None:
    for pattern in ("(", r"\r", "(?=a)"):
        with pytest.raises(ToolFailed, match="not a usable pattern: "):
            Ripgrep().search(text.stretches, pattern, fixed=False, ignore_case=False, most=9)
