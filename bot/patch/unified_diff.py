"""Unified diff text, git's or a plain one -> what it does to each file.

Counts in hunk headers are believed only if they lead to the end of the hunk: models get them wrong. Links,
submodules, binary patches and copies are refused; paths are as written, and nothing is opened here.
"""

import re
from dataclasses import field
from typing import Final

from bot.dataclass import dataclass
from bot.errors import ToolFailed
from bot.patch.file_edit import FileEdit
from bot.patch.hunk import Hunk, Sign
from bot.patch.patch_path import header_path, same_paths

_HUNK: Final = re.compile(r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@")
_SIGNS: Final[dict[str, Sign]] = {" ": " ", "-": "-", "+": "+"}
_EXECUTABLE: Final = {"100644": False, "100755": True}
_MODE_LINES: Final = ("old mode ", "new mode ", "new file mode ", "deleted file mode ")


def read_unified(patch: str) -> tuple[FileEdit, ...]:
    """Raises ToolFailed with the line of the patch that can't be read."""
    lines = patch.split("\n")
    if not lines[-1]:
        del lines[-1]
    edits: list[FileEdit] = []
    at = 0
    while at < len(lines):
        if _begins_file(lines, at):
            edit, at = _file(lines, at)
            edits.append(edit)
        elif not edits and not lines[at].startswith("@@ "):
            # What a mail or a model says before the first file
            at += 1
        elif _is_filling(lines, at):
            break
        else:
            raise ToolFailed(f"line {at + 1} of the patch belongs to no hunk: {lines[at][:60]!r}")
    if not edits:
        raise ToolFailed("the patch is empty: it has no line that begins with `diff --git` or `---`")
    return tuple(edits)


@dataclass(slots=True, kw_only=True)
class _Header:
    said_at: int
    old: str | None = None
    new: str | None = None
    is_new: bool = False
    is_deleted: bool = False
    is_moved: bool = False
    executable: bool | None = None
    has_names: bool = False
    from_git: tuple[str, str] | None = field(default=None)


def _file(lines: list[str], at: int) -> tuple[FileEdit, int]:
    header = _Header(said_at=at + 1)
    if lines[at].startswith("diff --git "):
        header.from_git = same_paths(lines[at].rstrip("\r")[len("diff --git ") :])
        at += 1
        while at < len(lines) and _extended(header, lines[at].rstrip("\r"), at + 1):
            at += 1
    if lines[at : at + 1] and lines[at].startswith("--- ") and lines[at + 1 : at + 2]:
        _names(header, lines[at].rstrip("\r"), lines[at + 1].rstrip("\r"), at + 1)
        at += 2
    old, new = _sides(header)
    hunks: list[Hunk] = []
    while at < len(lines) and lines[at].startswith("@@"):
        hunk, at = _hunk(lines, at)
        hunks.append(hunk)
    if header.has_names and not hunks:
        raise ToolFailed(f"line {at + 1} of the patch should begin a hunk with @@")
    if not hunks and old == new and header.executable is None:
        raise ToolFailed(f"line {header.said_at} of the patch names a file and changes nothing in it")
    return FileEdit(old=old, new=new, hunks=tuple(hunks), executable=header.executable), at


def _extended(header: _Header, line: str, number: int) -> bool:
    """Take in one of git's extended header lines; False for the first line that is none."""
    if line.startswith(("GIT binary patch", "Binary files ")):
        raise ToolFailed(f"line {number} of the patch is of a binary file; only text can be patched")
    if line.startswith(("copy from ", "copy to ")):
        raise ToolFailed(f"line {number} of the patch copies a file; write the new file instead")
    for prefix in _MODE_LINES:
        if line.startswith(prefix):
            mode = _mode(line[len(prefix) :].strip(), number)
            header.is_new = header.is_new or prefix == "new file mode "
            header.is_deleted = header.is_deleted or prefix == "deleted file mode "
            if prefix.startswith("new"):
                header.executable = mode
            return True
    if line.startswith("rename from "):
        header.old, header.is_moved = header_path(line[len("rename from ") :], number), True
        return True
    if line.startswith("rename to "):
        header.new, header.is_moved = header_path(line[len("rename to ") :], number), True
        return True
    if line.startswith("index "):
        if mode_word := line.split(" ")[2:]:
            _mode(mode_word[0], number)
        return True
    return line.startswith(("similarity index ", "dissimilarity index "))


def _mode(word: str, number: int) -> bool:
    if word not in _EXECUTABLE:
        what = {"120000": "a symbolic link", "160000": "a submodule"}.get(word, f"mode {word[:10]!r}")
        raise ToolFailed(f"line {number} of the patch is about {what}; only plain files can be patched")
    return _EXECUTABLE[word]


def _names(header: _Header, minus: str, plus: str, number: int) -> None:
    if not plus.startswith("+++ "):
        raise ToolFailed(f"line {number + 1} of the patch should begin with +++, after the --- line")
    old = header_path(minus[4:], number, is_dated=True)
    new = header_path(plus[4:], number + 1, is_dated=True)
    is_prefixed = all(
        path == "/dev/null" or path.startswith(prefix) for path, prefix in ((old, "a/"), (new, "b/"))
    )
    before = None if old == "/dev/null" else old[2:] if is_prefixed else old
    after = None if new == "/dev/null" else new[2:] if is_prefixed else new
    header.is_new = header.is_new or before is None
    header.is_deleted = header.is_deleted or after is None
    for said, known in ((before, header.old), (after, header.new)):
        if header.is_moved and said != known:
            raise ToolFailed(f"line {number} of the patch names other paths than its rename lines")
    header.old, header.new, header.has_names = before, after, True


def _sides(header: _Header) -> tuple[str | None, str | None]:
    """The path before and after; every header line that names one has to agree."""
    said_at = header.said_at
    if not header.has_names and not header.is_moved:
        if header.from_git is None:
            raise ToolFailed(f"line {said_at} of the patch names no file; add --- and +++ lines")
        header.old, header.new = header.from_git
    elif header.from_git is not None:
        for said, known in zip(header.from_git, (header.old, header.new), strict=True):
            if known is not None and said != known:
                raise ToolFailed(f"line {said_at} of the patch names {said}, and a line below it {known}")
    if header.is_new and header.is_deleted:
        raise ToolFailed(f"line {said_at} of the patch: a file can't be both new and deleted")
    old = None if header.is_new else header.old
    new = None if header.is_deleted else header.new
    if old is not None and new is not None and (old != new) is not header.is_moved:
        raise ToolFailed(f"line {said_at} of the patch: to move a file, name both paths in rename lines")
    if old is None and new is None:
        raise ToolFailed(f"line {said_at} of the patch names no file")
    return old, new


def _hunk(lines: list[str], at: int) -> tuple[Hunk, int]:
    said = _HUNK.match(lines[at])
    if said is None and lines[at].strip() not in {"@@", "@@ @@", "@@ ... @@"}:
        raise ToolFailed(f"line {at + 1} of the patch is not a hunk header like @@ -1,3 +1,4 @@")
    body = at + 1
    stop = None
    start = None
    if said is not None:
        start = max(0, int(said[1]) - 1)
        stop = _counted(lines, body, int(said[2] or 1), int(said[4] or 1))
    if stop is None:
        stop = _recounted(lines, body)
    rows: list[tuple[Sign, str]] = []
    bare: set[Sign] = set()
    for number in range(body, stop):
        if lines[number].startswith("\\"):
            if not rows or "No newline" not in lines[number]:
                raise ToolFailed(f"line {number + 1} of the patch can't be read: {lines[number][:60]!r}")
            bare.add(rows[-1][0])
            continue
        row = lines[number] if lines[number].strip("\r") else " " + lines[number]
        if row[0] not in _SIGNS:
            raise ToolFailed(f"line {number + 1} of the patch must begin with a space, + or -: {row[:60]!r}")
        rows.append((_SIGNS[row[0]], row[1:]))
    if all(sign == " " for sign, _ in rows):
        raise ToolFailed(f"the hunk at line {at + 1} of the patch has no line to add or remove")
    told = bool(bare)
    return Hunk(
        lines=tuple(rows),
        said_at=at + 1,
        start=start,
        old_is_bare=bool(bare & {" ", "-"}) if told else None,
        new_is_bare=bool(bare & {" ", "+"}) if told else None,
    ), stop


def _counted(lines: list[str], at: int, old: int, new: int) -> int | None:
    """Where the hunk ends by its counts, or None if the patch doesn't go on sensibly there."""
    while at < len(lines) and (old > 0 or new > 0 or lines[at].startswith("\\")):
        sign = lines[at][:1].strip("\r") or " "
        old -= sign in {" ", "-"}
        new -= sign in {" ", "+"}
        at += 1
    is_right = old == new == 0 and (
        at == len(lines) or lines[at].startswith("@@") or _begins_file(lines, at) or _is_filling(lines, at)
    )
    return at if is_right else None


def _recounted(lines: list[str], at: int) -> int:
    start = at
    while at < len(lines) and not lines[at].startswith("@@") and not _begins_file(lines, at):
        if _is_filling(lines, at):
            break
        at += 1
    while at > start and not lines[at - 1].strip("\r"):
        at -= 1
    return at


def _begins_file(lines: list[str], at: int) -> bool:
    if lines[at].startswith("diff --git "):
        return True
    # A removed line can look like `--- name`: what makes it a header are the two lines after it
    following = [*lines[at + 1 : at + 3], "", ""]
    return (
        lines[at].startswith("--- ")
        and following[0].startswith("+++ ")
        and (following[1].startswith("@@") or not following[1].strip())
    )


def _is_filling(lines: list[str], at: int) -> bool:
    """Whether nothing but looks is left: empty lines, the end of a code block, a mail's signature."""
    rest = [line.strip() for line in lines[at:]]
    words = [line for line in rest if line]
    return not words or words in (["```"], ["--"]) or (words[0] == "--" and len(words) == 2)
