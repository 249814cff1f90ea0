"""What lies between two commits: changed files with their patches; and how two branches merge."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.dataclass import dataclass
from bot.demo.github.bare import NO_SHA, Bare, GitFailed, Leaf

_STATUS = {"A": "added", "D": "removed", "M": "modified", "T": "changed", "R": "renamed", "C": "copied"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedFile:
    """As GitHub lists it: `patch` without file headers, None for bytes that are not text."""

    path: str
    previous_path: str | None
    status: str
    blob: str
    additions: int
    deletions: int
    patch: str | None


def changed_files(bare: Bare, *, before: str, after: str) -> list[ChangedFile]:
    """Between two commits or trees, renames found, in git's order (by path)."""
    counts = dict(_counts(bare, before, after))
    return [
        ChangedFile(
            path=path,
            previous_path=previous,
            status=_STATUS.get(letter, "changed"),
            blob=blob,
            additions=counts[path][0],
            deletions=counts[path][1],
            patch=patch,
        )
        for (letter, blob, previous, path), patch in zip(
            _names(bare, before, after), _patches(bare, before, after), strict=True
        )
    ]


def unified_diff(bare: Bare, *, before: str, after: str) -> str:
    """The whole difference as `git diff` prints it."""
    return bare.known("diff-tree", "-p", "-r", "-M", "--no-ext-diff", before, after).decode(
        "utf-8", "replace"
    )


def _names(bare: Bare, before: str, after: str) -> Iterator[tuple[str, str, str | None, str]]:
    words = iter(_words(bare.known("diff-tree", "-r", "-M", "--raw", "--no-abbrev", "-z", before, after)))
    for head in words:
        _, _, blob_before, blob_after, letter = head.split(" ")
        first = next(words)
        previous, path = (first, next(words)) if letter[0] in "RC" else (None, first)
        yield letter[0], blob_before if blob_after == NO_SHA else blob_after, previous, path


def _counts(bare: Bare, before: str, after: str) -> Iterator[tuple[str, tuple[int, int]]]:
    words = iter(_words(bare.known("diff-tree", "-r", "-M", "--numstat", "-z", before, after)))
    for head in words:
        added, removed, path = head.split("\t", 2)
        if not path:  # a rename: the two names follow as words of their own
            next(words)
            path = next(words)
        yield path, (0 if added == "-" else int(added), 0 if removed == "-" else int(removed))


def _words(output: bytes) -> list[str]:
    return output.decode("utf-8", "surrogateescape").split("\0")[:-1]


def _patches(bare: Bare, before: str, after: str) -> Iterator[str | None]:
    """In the order of `_names`. A line of a file has a sign before it, so none looks like a head.

    A file that became a link is told in two patches, and as one here: what was deleted, and what was made.
    """
    _, *patches = re.split(
        r"^diff --git ", unified_diff(bare, before=before, after=after), flags=re.MULTILINE
    )
    last: tuple[str, list[str]] = ("", [])
    for patch in patches:
        head, found, hunks = patch.partition("\n@@ ")
        names = head.partition("\n")[0]
        if last[1] and names != last[0]:
            yield _joined(last[1])
        hunk = ("@@ " + hunks).removesuffix("\n") if found else ""
        last = (names, [*last[1], hunk] if names == last[0] else [hunk])
    if last[1]:
        yield _joined(last[1])


def _joined(hunks: Sequence[str]) -> str | None:
    return "\n".join(filter(None, hunks)) or None


def merged_tree(bare: Bare, *, base: str, ours: str, theirs: str) -> str | None:
    """The tree of a three-way merge of commits; None where a person has to decide."""
    sides = [_files(bare, commit) for commit in (base, ours, theirs)]
    changes: list[Leaf] = []
    for path in sorted(set().union(*sides)):
        was, mine, other = (side.get(path) for side in sides)
        if other in (was, mine):
            continue
        if mine != was:
            merged = _merged_file(bare, was, mine, other)
            if merged is None:
                return None
            other = merged
        changes.append(other or Leaf(path=path, mode="100644", sha=NO_SHA))
    try:
        return bare.make_tree(ours, changes)
    except GitFailed:
        return None


def _files(bare: Bare, commit: str) -> dict[str, Leaf]:
    tree = bare.known("rev-parse", "--verify", f"{commit}^{{tree}}").decode().strip()
    return {leaf.path: leaf for leaf in bare.walk(tree) if leaf.kind != "tree"}


def _merged_file(bare: Bare, was: Leaf | None, mine: Leaf | None, other: Leaf | None) -> Leaf | None:
    if was is None or mine is None or other is None or mine.mode != other.mode:
        return None
    with TemporaryDirectory(dir=bare.folder) as folder:
        names = []
        for name, leaf in (("mine", mine), ("was", was), ("other", other)):
            found = bare.object(leaf.sha)
            if found is None:
                return None
            Path(folder, name).write_bytes(found.content)
            names.append(str(Path(folder, name)))
        try:
            content = bare.git("merge-file", "-p", *names)
        except GitFailed:
            return None
    return Leaf(path=mine.path, mode=mine.mode, sha=bare.write("blob", content))
