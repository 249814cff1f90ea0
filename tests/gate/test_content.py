import pytest

from bot.gate.content import NOTHING, Content, content_of
from bot.workspace import Change, Entry, Mode


def change(before: bytes | None, after: bytes | None, mode: Mode = Mode.FILE, path: str = "a") -> Change:
    entry = Entry(mode=mode, blob="0" * 40)
    return Change(
        path=path,
        before=None if before is None else entry,
        after=None if after is None else entry,
        content_before=before,
        content_after=after,
    )


LINES = {
    "a new file": (None, b"a\nb\n", 2, 0),
    "no line feed at its end": (None, b"a\nb", 2, 0),
    "an empty file": (None, b"", 0, 0),
    "an empty line": (None, b"\n", 1, 0),
    "a deleted file": (b"a\nb\n", None, 0, 2),
    "a changed line": (b"a\nb\n", b"a\nc\n", 1, 1),
    "a moved line": (b"a\nb\n", b"b\na\n", 0, 0),
    "a line once more": (b"a\n", b"a\na\n", 1, 0),
    "other line ends": (b"a\nb\n", b"a\r\nb\r\n", 2, 2),
    "a form feed ends no line": (None, b"a\x0cb\n", 1, 0),
}


@pytest.mark.parametrize(("before", "after", "added", "removed"), LINES.values(), ids=LINES)
def test_lines_are_counted(before: bytes | None, after: bytes | None, added: int, removed: int) -> None:
    content = content_of([change(before, after)])
    assert (content.added_lines, content.removed_lines) == (added, removed)


def test_several_changes_are_one_content() -> None:
    content = content_of([change(None, b"a\n"), change(b"x\ny\n", b"x" * 9), change(b"\xff", None)])
    assert content == Content(added_lines=2, removed_lines=3, largest_bytes=9)


def test_no_change_is_nothing() -> None:
    assert content_of([]) is NOTHING


BINARY = {b"\xff": True, b"a\0": True, "é".encode(): False, b"": False, None: False}


@pytest.mark.parametrize(("after", "is_binary"), BINARY.items(), ids=range(len(BINARY)))
def test_what_is_not_text_is_told(after: bytes | None, *, is_binary: bool) -> None:
    assert content_of([change(b"a", after)]).binary == (("a",) if is_binary else ())


def test_links_and_submodules_are_odd_only_when_they_are_made() -> None:
    for mode in (Mode.LINK, Mode.SUBMODULE):
        assert content_of([change(None, b"x", mode)]).odd == ("a",)
        assert content_of([change(b"x", None, mode)]).odd == ()
    assert content_of([change(None, b"x", Mode.EXECUTABLE)]).odd == ()


def test_what_becomes_a_program_is_told() -> None:
    plain, program = Entry(mode=Mode.FILE, blob="0" * 40), Entry(mode=Mode.EXECUTABLE, blob="0" * 40)
    befores = {None: ("a",), plain: ("a",), program: ()}
    for before, expected in befores.items():
        made = Change(path="a", before=before, after=program, content_before=b"", content_after=b"")
        assert content_of([made]).executable == expected
    unmade = Change(path="a", before=program, after=plain, content_before=b"", content_after=b"")
    assert content_of([unmade]).executable == ()
    assert content_of([change(b"x", None)]).executable == ()


HIDDEN = {
    "a\u202eb": ("U+202E",),
    "a\u200bb\u200b\u2066": ("U+200B", "U+2066"),
    "a\r\nb": (),
    "a\rb": ("U+000D",),
    "a mark has no base on a new line\n\u0301": ("U+0301",),
    "tab\tis fine": (),
    "größe 👩‍💻": (),
}


@pytest.mark.parametrize(("text", "hidden"), HIDDEN.items(), ids=range(len(HIDDEN)))
def test_what_nobody_sees_in_added_lines_is_told(text: str, hidden: tuple[str, ...]) -> None:
    assert content_of([change(None, text.encode())]).hidden == hidden
    assert content_of([change(text.encode(), text.encode() + b"\nx")]).hidden == ()


MARK = "\ufeff"
# Before, after, and what is told of.
KEPT = {
    "a byte order mark stays before a changed line": (f"{MARK}a\nb\n", f"{MARK}c\nb\n", ()),
    "it stays, and its line moves": (f"{MARK}a\nb\n", f"{MARK}b\na\n", ()),
    "it comes": ("a\n", f"{MARK}a\n", ("U+FEFF",)),
    "it comes with the file": (None, f"{MARK}a\n", ("U+FEFF",)),
    "it goes": (f"{MARK}a\n", "a\n", ()),
    "another comes beside it": (f"{MARK}a\n", f"{MARK}{MARK}a\n", ("U+FEFF",)),
    "it leaves its place": (f"{MARK}a\nb\n", f"a\n{MARK}b\n", ("U+FEFF",)),
    "it stays away from the start": (f"a\n{MARK}b\n", f"a\n{MARK}c\n", ("U+FEFF",)),
    "something else comes behind it": (f"{MARK}a\n", f"{MARK}\u202ea\n", ("U+202E",)),
    "another hidden character stays at the start": ("\u202ea\n", "\u202ec\n", ("U+202E",)),
    "another hidden character stays in a changed line": ("a\u202eb\n", "c\u202eb\n", ("U+202E",)),
    "a carriage return stays in a changed line": ("# a\rb\n", "# a\rc\n", ("U+000D",)),
}


@pytest.mark.parametrize(("before", "after", "hidden"), KEPT.values(), ids=KEPT)
def test_of_what_was_hidden_before_only_a_mark_that_stays_at_the_start_is_not_told(
    before: str | None, after: str, hidden: tuple[str, ...]
) -> None:
    was = None if before is None else before.encode()
    assert content_of([change(was, after.encode())]).hidden == hidden


def test_secrets_in_added_lines_are_named() -> None:
    key = b"-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\n"
    assert content_of([change(None, key)]).secrets != ()
    assert content_of([change(key, key + b"x\n")]).secrets == ()
    assert content_of([change(key, None)]).secrets == ()
    assert content_of([change(None, b"x\nAKIAIOSFODNN7EXAMPLE\ny\n")]).secrets == ("AWS Access Key",)
    assert content_of([change(None, b"x\nsk-" + b"a1" * 20 + b"\n")]).secrets == ("OpenAI Token",)
