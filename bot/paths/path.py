"""A path as somebody wrote it -> its normal form, the spellings that rules are matched on, and its faults.

Pure text: no file is looked at, and links are for `facts`. Rules never see what a model wrote, only `keys`.
"""

import re
import unicodedata
from functools import lru_cache
from typing import Final

from bot.dataclass import dataclass
from bot.words.hidden import Hidden, scan

# A tab or line feed is plain to see in a text, and not in a path.
_CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f]")
_DRIVE: Final = re.compile(r"[A-Za-z]:")
# Most paths are as plain as this, and then all the answers below are known: see the test that compares them.
_PLAIN: Final = re.compile(r"(?:\.?\w(?:[\w.+-]*[\w+-])?/)*\.?\w(?:[\w.+-]*[\w+-])?", re.ASCII)
_MOST_PLAIN: Final = 200
_MOST_BYTES: Final = 1024
_MOST_NAME_BYTES: Final = 255


@dataclass(frozen=True, slots=True, kw_only=True)
class RepoPath:
    """`normal` is relative, with `/`, without `.` or `..`; "" is the repository's root.

    `keys` are the folded spellings under which rules look it up: the strictest of their answers counts.
    `fault` is the shape rule it breaks, as the end of a sentence that begins with the path; then `normal`
    must not be used to open anything. `is_outside`: it is absolute, climbs out, or is somebody's home.
    """

    written: str
    normal: str
    keys: tuple[str, ...]
    fault: str | None
    is_outside: bool = False


def hidden_characters(text: str) -> tuple[str, ...]:
    """What in `text` a reader can't see, or takes for something else: as U+XXXX, each once, in order."""
    if text.isascii():
        found = _CONTROLS.findall(text)
    else:
        runs = [part.text for part in scan(text) if isinstance(part, Hidden)]
        found = [*_CONTROLS.findall(text), *"".join(runs)]
    return tuple(dict.fromkeys(f"U+{ord(character):04X}" for character in found))


@lru_cache(maxsize=65536)
def path_of(written: str) -> RepoPath:
    """Total: any text has an answer, if only one with a fault."""
    if len(written) <= _MOST_PLAIN and _PLAIN.fullmatch(written):
        return RepoPath(written=written, normal=written, keys=(written.lower(),), fault=None)
    normal, outside = _walked(written)
    fault = _fault(written, normal=normal, outside=outside)
    lower = normal.casefold()
    folded, folded_fault = _folded(lower, plain=written.isascii())
    keys = (lower,) if folded == lower else (lower, folded)
    return RepoPath(
        written=written,
        normal=normal,
        keys=keys,
        fault=fault or folded_fault,
        is_outside=outside
        or bool(folded_fault)
        or written.startswith(("/", "~"))
        or bool(_DRIVE.match(written)),
    )


def fold(text: str) -> str:
    """Case and compatibility forms folded (NFKC), as some file systems do and readers' eyes too."""
    if text.isascii():
        return text.lower()
    # Folding can make new compositions and composing new cases, so until it stands still.
    for _ in range(8):
        folded = unicodedata.normalize("NFKC", text.casefold())
        if folded == text:
            break
        text = folded
    return text


def _walked(written: str) -> tuple[str, bool]:
    """Without `.`, `..` and doubled `/`; and whether it climbed out of the repository."""
    if "//" not in written and "." not in written:
        return written.strip("/"), False
    names: list[str] = []
    outside = False
    for name in written.split("/"):
        if name == "..":
            outside = outside or not names
            del names[-1:]
        elif name not in {"", "."}:
            names.append(name)
    return "/".join(names), outside


def _fault(written: str, *, normal: str, outside: bool) -> str | None:
    """The order is that of what a person should hear first."""
    if hidden := hidden_characters(written):
        return f"has invisible or control characters ({', '.join(hidden[:4])})"
    if root := _root(written):
        return root
    if "\\" in written:
        return "has a backslash; folders are separated by /"
    if outside:
        return "leads outside the repository"
    if written.startswith("~"):
        return "begins with ~, which a shell reads as a home folder"
    if normal.startswith(("-", "~")):
        return "begins with a dash or ~, which a command could read as something else"
    if len(written) > _MOST_NAME_BYTES // 4 and _is_long(written):
        return "is too long for a file system"
    return None


def _root(written: str) -> str | None:
    """What it starts from, where that is not the repository."""
    if written.startswith("/"):
        return "is absolute, and only paths inside the repository can be touched"
    if _DRIVE.match(written):
        return "begins with a letter and a colon, which Windows takes for a disk"
    return None


def _is_long(written: str) -> bool:
    names = written.encode("utf-8", "replace").split(b"/")
    return sum(map(len, names)) + len(names) > _MOST_BYTES or max(map(len, names)) > _MOST_NAME_BYTES


def _folded(lower: str, *, plain: bool) -> tuple[str, str | None]:
    """The loosest spelling that some file system takes for the same file, and the fault that it may have.

    Windows drops dots and spaces at the end of a name and all from a colon on; git calls `git~1` by its name.
    """
    text = lower if plain else fold(lower)
    if plain and not _ODD.search(text):
        return text, None
    # One dot leader, fraction slash and their like fold into what a path is made of.
    text, outside = _walked(text.replace("\\", "/"))
    names = [_GIT_SHORT.get(name, name) for name in map(_as_windows_reads_it, text.split("/"))]
    folded = "/".join(name for name in names if name)
    fault = "leads outside the repository, once its letters are folded" if outside else None
    return folded, fault


def _as_windows_reads_it(name: str) -> str:
    return name.split(":", 1)[0].rstrip(". ")


_ODD: Final = re.compile(r"[:\\~]|[. ](?:/|\Z)")
_GIT_SHORT: Final = {"git~1": ".git", "gitmod~1": ".gitmodules", "gitatt~1": ".gitattributes"}
