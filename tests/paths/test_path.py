import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.paths.path import fold, hidden_characters, path_of

NORMAL = {
    "a/b": "a/b",
    "./a//b/": "a/b",
    "a/./b/../c": "a/c",
    "a/..": "",
    "": "",
    ".": "",
    "...": "...",
    "a/...": "a/...",
    ".a": ".a",
    "a..": "a..",
}


@pytest.mark.parametrize(("written", "normal"), NORMAL.items())
def test_a_path_has_one_normal_form(written: str, normal: str) -> None:
    path = path_of(written)
    assert (path.normal, path.fault, path.written) == (normal, None, written)


FAULTS = {
    "/a": "is absolute",
    "C:/a": "begins with a letter and a colon",
    "c:a": "begins with a letter and a colon",
    "../a": "leads outside",
    "a/../../b": "leads outside",
    "..": "leads outside",
    "a\\b": "has a backslash",
    "~/a": "begins with ~",
    "~a": "begins with ~",
    "./~a": "begins with a dash or ~",
    "-a": "begins with a dash",
    "./-a": "begins with a dash",
    "x/../-a": "begins with a dash",
    "a\0": "has invisible or control characters (U+0000)",
    "a\tb": "has invisible or control characters (U+0009)",
    "a\x7f": "has invisible or control characters (U+007F)",
    "a\u200bb": "has invisible or control characters (U+200B)",
    "a\ud800": "has invisible or control characters (U+D800)",
    "\uff0e\uff0e/a": "leads outside the repository, once its letters are folded",
    "a" * 256: "is too long",
    "é" * 128: "is too long",
    "a/" * 512 + "a": "is too long",
}


@pytest.mark.parametrize(("written", "fault"), FAULTS.items(), ids=range(len(FAULTS)))
def test_a_fault_is_named(written: str, fault: str) -> None:
    assert (path_of(written).fault or "").startswith(fault)


@pytest.mark.parametrize(
    "written", ["a-", "a/-b", "a~", "a/~b", "ab:c", "a" * 255, "a/" * 510 + "abc", "a b", "é"]
)
def test_odd_is_not_wrong(written: str) -> None:
    assert path_of(written).fault is None


OUTSIDE = {
    "/a": True,
    "C:a": True,
    "../a": True,
    "~": True,
    "~a/b": True,
    "\u2025/a": True,
    "a": False,
    "-a": False,
}


@pytest.mark.parametrize(("written", "is_outside"), OUTSIDE.items())
def test_it_is_known_whether_a_path_leads_away(written: str, *, is_outside: bool) -> None:
    assert path_of(written).is_outside is is_outside


KEYS = {
    "A/B": ("a/b",),
    "a.": ("a.", "a"),
    "a /b. .": ("a /b. .", "a/b"),
    "a:b/c::$D": ("a:b/c::$d", "a/c"),
    "git~1/x": ("git~1/x", ".git/x"),
    "\uff21": ("\uff41", "a"),
    "ﬀ": ("ff",),
    "Straße": ("strasse",),
    "cafe\u0301": ("cafe\u0301", "café"),
    "a~1": ("a~1",),
    "../a": ("a",),
}


@pytest.mark.parametrize(("written", "keys"), KEYS.items())
def test_rules_are_asked_about_every_spelling(written: str, keys: tuple[str, ...]) -> None:
    assert path_of(written).keys == keys


TEXT = st.text(
    st.sampled_from([*"aA./~-: \\", "\uff0e", "\u0301", "ß", "İ", "\u017f", "\u212a"]) | st.characters(),
    max_size=15,
)


@given(TEXT)
def test_normalising_twice_changes_nothing(written: str) -> None:
    once = path_of(written)
    if once.fault is None:
        again = path_of(once.normal)
        assert (again.normal, again.keys, again.fault) == (once.normal, once.keys, None)


@given(TEXT)
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(TEXT)
def test_a_normal_path_has_nothing_left_to_normalise(written: str) -> None:
    path = path_of(written)
    assert not {".", "..", ""} & set(path.normal.split("/")) or path.normal == ""


@given(TEXT)
def test_case_and_composition_are_no_disguise(written: str) -> None:
    last = path_of(written).keys[-1]
    for spelled in (written.upper(), written.casefold(), unicodedata.normalize("NFD", written)):
        if fold(spelled) == fold(written):
            assert path_of(spelled).keys[-1] == last


@given(st.text(st.sampled_from("aZ0_.-+/"), max_size=12))
def test_the_short_cut_for_plain_paths_answers_as_the_long_way_does(written: str) -> None:
    quick, slow = path_of(written), path_of(f"./{written}")
    if not written.startswith("/"):
        assert (quick.normal, quick.keys) == (slow.normal, slow.keys)
        assert (quick.fault is None) == (slow.fault is None)


def test_hidden_characters_are_listed_once_in_order() -> None:
    assert hidden_characters("a\u200b\u202eb\u200b\x00") == ("U+0000", "U+200B", "U+202E")
    assert hidden_characters("größe 日本 👩‍💻") == ()
