"""ripgrep finds the same lines whichever way it is asked, and only in the files it was named."""

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from real_git import lay

from bot.errors import BotError, ToolFailed
from bot.outside.held import Memory, Stretch
from bot.outside.search import Ripgrep
from bot.workspace import Place


def found(
    places: list[Place], pattern: str, *, fixed: bool = True, ignore_case: bool = False, most: int = 99
) -> list[tuple[str, int, str]]:
    matches = Ripgrep().search(places, pattern, fixed=fixed, ignore_case=ignore_case, most=most)
    return [(match.path, match.line, match.text) for match in matches]


def place(folder: Path, files: Mapping[str, bytes]) -> Place:
    lay(folder, files)
    return Place(folder=str(folder), names={name: name for name in files})


def test_only_the_named_files_are_searched(tmp_path: Path) -> None:
    made = place(tmp_path, {"a": b"x\n", "sub/b": b"x\n"})
    lay(tmp_path, {"c": b"x\n", ".ignore": b"a\n", ".gitignore": b"a\n", "sub/.rgignore": b"b\n"})
    assert found([made], "x") == [("a", 1, "x"), ("sub/b", 1, "x")]


def test_an_answer_has_the_paths_that_the_names_stand_for(tmp_path: Path) -> None:
    lay(tmp_path, {"1": b"x\n", "2": b"x\n"})
    made = Place(folder=str(tmp_path), names={"1": "z/-rf", "2": "a b\n"})
    assert found([made], "x") == [("a b\n", 1, "x"), ("z/-rf", 1, "x")]


@pytest.mark.parametrize("name", ["-", "--help", "-e", "a b", "é", "a\nb", "*", "[x]", "\udcff"])
def test_no_name_is_taken_for_anything_else(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"x\n")
    assert found([Place(folder=str(tmp_path), names={name: name})], "x") == [(name, 1, "x")]


LINES = {
    "CRLF": (b"one\r\ntwo\r\n", r"^two$", [(2, "two")]),
    "no newline at the end": (b"one\ntwo", r"^two$", [(2, "two")]),
    "a byte order mark": (b"\xef\xbb\xbfone\n", r"^one$", [(1, "one")]),
    "bytes that are not UTF-8": (b"caf\xe9 one\n", r"one$", [(1, "caf\\xe9 one")]),
    "zero bytes": (b"one\0\none\n", "one", []),
    "zero bytes far below": (b"one\n" * 50_000 + b"\0one\n", "two|\x01", []),
    "an empty file": (b"", "one", []),
    "every line": (b"a\n\nb\n", "^", [(1, "a"), (2, ""), (3, "b")]),
}


@pytest.mark.parametrize(("content", "pattern", "lines"), LINES.values(), ids=LINES)
def test_lines_are_what_a_person_sees(
    tmp_path: Path, content: bytes, pattern: str, lines: list[tuple[int, str]]
) -> None:
    made = place(tmp_path, {"a": content})
    assert [(line, text) for _, line, text in found([made], pattern, fixed=False)] == lines


def test_a_very_long_line_is_cut_around_the_match(tmp_path: Path) -> None:
    wide = {"a": b"y" * 5000 + b"needle" + b"y" * 5000 + b"\n", "b": "é".encode() * 3000 + b"needle"}
    made = place(tmp_path, wide)
    texts = [text for _, _, text in found([made], "needle")]
    assert [len(text) < 500 and "needle" in text for text in texts] == [True, True]
    assert texts[0].startswith("... y")
    assert texts[0].endswith("y ...")


def test_the_first_of_all_matches_are_given_in_order(tmp_path: Path) -> None:
    files = {f"{number:05}": b"x\nx\n" for number in range(3000)}
    made = place(tmp_path, files)
    everything = [(path, line, "x") for path in sorted(files) for line in (1, 2)]
    for most in (1, 3, 201, 4001, 9999):
        assert found([made], "x", most=most) == everything[:most]


def test_several_places_are_one_list(tmp_path: Path) -> None:
    one = place(tmp_path / "1", {"a": b"x\n", "c": b"x\n"})
    two = place(tmp_path / "2", {"b": b"x\n", "d": b"x\n"})
    assert [path for path, _, _ in found([one, two], "x")] == ["a", "b", "c", "d"]
    assert [path for path, _, _ in found([one, two], "x", most=2)] == ["a", "b"]


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Place:
    """More files than are opened one by one, with others between them that nobody named."""
    folder = tmp_path_factory.mktemp("large")
    contents = {number: b"rare\n" if number % 1000 == 999 else b"x\n" for number in range(11_500)}
    made = place(folder, {f"part{number % 7}/{number:05}": content for number, content in contents.items()})
    others = {"part1/.gitignore": b"*\n", "part1/other": b"rare\n", "other/one": b"rare\n"}
    lay(folder, others | {"part2/zero": b"rare\0\n"})
    (folder / "part3" / "link").symlink_to(folder / "other" / "one")
    return Place(folder=made.folder, names={**made.names, "part2/zero": "part2/zero"})


def test_walking_through_many_files_finds_the_same_as_naming_them(large: Place) -> None:
    by_walking = found([large], "rare")
    names = sorted(large.names)
    by_naming = []
    for start in range(0, len(names), 5000):
        part = Place(folder=large.folder, names={name: name for name in names[start : start + 5000]})
        by_naming += found([part], "rare")
    assert by_walking == sorted(by_naming)
    assert len(by_walking) == 11


def test_the_first_of_very_many_are_the_same_by_walking(large: Place) -> None:
    everything = sorted(path for path in large.names if path != "part2/zero" and int(path[-5:]) % 1000 != 999)
    assert [path for path, _, _ in found([large], "x", most=9999)] == everything[:9999]


def test_what_cannot_be_read_beside_the_files_does_not_matter(large: Place) -> None:
    secret = Path(large.folder) / "part4" / "gone"
    secret.symlink_to(secret)
    (Path(large.folder) / "part4" / "pipe.fifo").symlink_to("/nowhere")
    assert len(found([large], "rare")) == 11


BAD = {
    "a group left open": "(",
    "look-around": "(?=a)",
    "a back-reference": r"(a)\1",
    "too large": "((a{1000}){1000}){1000}",
    "a line feed": r"a\nb",
}


@pytest.mark.parametrize("pattern", BAD.values(), ids=BAD)
def test_a_pattern_that_cannot_be_used_is_refused_with_the_reason(tmp_path: Path, pattern: str) -> None:
    for places in ([], [place(tmp_path, {"a": b"x\n"})]):
        with pytest.raises(ToolFailed, match="not a usable pattern: "):
            found(places, pattern, fixed=False)


def test_a_pattern_that_would_take_others_for_ever_takes_no_time(tmp_path: Path) -> None:
    made = place(tmp_path, {"a": b"a" * 100_000 + b"!\n"})
    assert found([made], "(a+)+$", fixed=False) == []


SILENT = {
    "nothing, of files": ("", False),
    "half a line, of files": ("{", False),
    "nothing, of what is in memory": ("", True),
}


@pytest.mark.parametrize(("said", "is_held"), SILENT.values(), ids=SILENT)
def test_a_search_that_goes_on_in_silence_is_given_up(tmp_path: Path, said: str, *, is_held: bool) -> None:
    program = tmp_path / "rg"
    program.write_text(f"#!/bin/sh\nprintf '%s' '{said}'\nexec sleep 60\n")
    program.chmod(0o755)
    files = place(tmp_path, {"a": b"x\n"})
    held = Stretch(memory=Memory(), folder=files.folder, paths=["a"], starts=[0], sizes=[2])
    hasty = Ripgrep(program, timeout_s=0.1)
    with pytest.raises(ToolFailed, match=r"took more than 0\.1 seconds"):
        hasty.search([held if is_held else files], "x", fixed=True, ignore_case=False, most=1)


def test_a_file_that_went_away_is_said(tmp_path: Path) -> None:
    made = place(tmp_path, {"a": b"x\n"})
    (tmp_path / "a").unlink()
    with pytest.raises(ToolFailed, match="could not be read"):
        found([made], "x")


def test_no_configuration_has_a_say(tmp_path: Path) -> None:
    lay(tmp_path, {"ripgreprc": b"--invert-match\n", "files/a": b"x\n"})
    program = (
        "from bot.outside.search import Ripgrep; from bot.workspace import Place; import sys;"
        "made = Place(folder=sys.argv[1], names={'a': 'a'});"
        "print(len(Ripgrep().search([made], 'x', fixed=True, ignore_case=False, most=9)))"
    )
    said = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "files")],
        env={"RIPGREP_CONFIG_PATH": str(tmp_path / "ripgreprc")},
        capture_output=True,
        check=True,
    )
    assert said.stdout == b"1\n"


def test_a_missing_program_is_said_at_once(tmp_path: Path) -> None:
    with pytest.raises(BotError, match="ripgrep is not installed"):
        Ripgrep(tmp_path / "rg")
