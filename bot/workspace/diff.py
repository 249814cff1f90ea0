"""Change -> unified diff text as git writes it: the same bytes give the same text, and git can apply it."""

from typing import Final

from bot.workspace import Change, Entry


def file_diff(change: Change) -> str:
    """Text with git's headers. What isn't UTF-8 text is only named: a diff can't show it."""
    old, new = _quoted(f"a/{change.path}"), _quoted(f"b/{change.path}")
    lines = [f"diff --git {old} {new}", *_header(change.before, change.after)]
    before, after = change.content_before or b"", change.content_after or b""
    if before != after:
        if _is_text(before) and _is_text(after):
            lines += [f"--- {_named(old) if change.before else '/dev/null'}"]
            lines += [f"+++ {_named(new) if change.after else '/dev/null'}"]
            return "\n".join(lines) + "\n" + _hunks(before, after)
        sides = old if change.before else "/dev/null", new if change.after else "/dev/null"
        lines += [f"Binary files {sides[0]} and {sides[1]} differ"]
    return "\n".join(lines) + "\n"


def _header(before: Entry | None, after: Entry | None) -> list[str]:
    if before is None and after is not None:
        return [f"new file mode {after.mode}", f"index {_NONE}..{after.blob}"]
    if before is not None and after is None:
        return [f"deleted file mode {before.mode}", f"index {before.blob}..{_NONE}"]
    if before is None or after is None:
        return []
    modes = [f"old mode {before.mode}", f"new mode {after.mode}"] if before.mode is not after.mode else []
    if before.blob == after.blob:
        return modes
    suffix = "" if modes else f" {after.mode}"
    return [*modes, f"index {before.blob}..{after.blob}{suffix}"]


def _hunks(before: bytes, after: bytes) -> str:
    """From the first @@ on, by libgit2: difflib takes quadratic time on large files."""
    import pygit2

    # Both are kept in names while the patch lives: libgit2 points into them.
    patch = pygit2.Patch.create_from(before, after, context_lines=3, interhunk_lines=0)
    text = patch.data.decode("utf-8")
    return text[text.index("\n@@ ") + 1 :]


def _is_text(content: bytes) -> bool:
    if b"\0" in content:
        return False
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _named(path: str) -> str:
    # git ends a name that has spaces with a tab: old readers of diffs take a space for the name's end
    return f"{path}\t" if " " in path else path


def _quoted(path: str) -> str:
    """As git's core.quotePath=false does it: only what would break the line is escaped."""
    if not any(char in _ESCAPED or not char >= " " or char == "\x7f" or _is_lone(char) for char in path):
        return path
    spelled = (_spelled(char) for char in path)
    return f'"{"".join(spelled)}"'


def _spelled(char: str) -> str:
    if char in _ESCAPED:
        return _ESCAPED[char]
    if char >= " " and char != "\x7f" and not _is_lone(char):
        return char
    return "".join(f"\\{byte:03o}" for byte in char.encode("utf-8", "surrogateescape"))


def _is_lone(char: str) -> bool:
    return "\ud800" <= char <= "\udfff"


_NONE: Final = "0" * 40
_ESCAPED: Final = {
    '"': '\\"',
    "\\": "\\\\",
    "\a": "\\a",
    "\b": "\\b",
    "\t": "\\t",
    "\n": "\\n",
    "\v": "\\v",
    "\f": "\\f",
    "\r": "\\r",
}
