"""A commit's tracked files with their raw bytes: from the local object store, or else over the API.

The work tree is never believed: smudged, dirty and untracked files don't exist here. A file in it serves for
searches only once its bytes were hashed and found to be the commit's.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache, cached_property
from itertools import repeat
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Final, Protocol, Self, TypeAlias

from bot.errors import CheckoutFailed, ToolFailed
from bot.outside.git import Git
from bot.outside.held import MANY, Held, held_in
from bot.sentence import Sentence
from bot.workspace import Entry, Mode, Place, Stretch, Tree, blob_sha, contents, modes_of
from bot.workspace.filling import filling
from bot.workspace.folder import Folder
from bot.workspace.scratch import Scratch

_MOST_ASKED_FOR: Final = 200
_SHA: Final = re.compile(r"[0-9a-f]{40}")
_FEW: Final = 3
# In one request; one of them may be long.
_MOST_TEXTS: Final = 40


class Remote(Protocol):
    """The part of GitHub that has a commit's files. `texts` may have only some of what it is asked for."""

    def tree(self, commit: str) -> Mapping[str, Entry]: ...
    def blob(self, sha: str) -> bytes: ...
    def texts(self, shas: Sequence[str]) -> Mapping[str, bytes]: ...


Blobs: TypeAlias = Callable[[str], bytes | None]
Bring: TypeAlias = Callable[[str], Blobs]


class CommitTree:
    """`folder` is a checkout, of whatever commit and in whatever state; None where there is none.

    `bring` fetches all of a commit at once and gives its blobs by name; without it they come one by one.
    """

    def __init__(
        self, commit: str, *, folder: Path | None, remote: Remote | None, bring: Bring | None = None
    ) -> None:
        if _SHA.fullmatch(commit) is None:
            raise CheckoutFailed(
                "%(commit)s is not a full commit name",
                commit=repr(commit),
                next_step="give all 40 hex digits",
            )
        self.commit: Final = commit
        self._folder: Final = None if folder is None else Folder(folder)
        self._git: Final = None if folder is None else Git(folder)
        self._objects: Final = None if self._git is None else self._git.objects()
        self._remote: Final = remote
        self._bring: Final = bring
        self._brought: Blobs | None = None
        self._fetched: Final[dict[str, bytes]] = {}
        self._asked_together: Final[set[str]] = set()
        self._asked_alone = 0
        self._scratch: Final = Scratch()
        # What was looked at and isn't in memory, and what of it is the commit's where it lies.
        self._looked_at: Final[set[str]] = set()
        self._in_folder: Final[set[str]] = set()
        self._held: Final[list[Held]] = []
        self._may_hold = True

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._held.clear()
        self._may_hold = False
        if self._objects is not None:
            self._objects.close()

    @cached_property
    def entries(self) -> Mapping[str, Entry]:
        listed = None
        if self._git is not None:
            listed = self._git.says("ls-tree", "-r", "-z", "--full-tree", self.commit)
        if listed is not None:
            return MappingProxyType(_parsed(listed))
        if self._remote is None:
            raise self._missing(Sentence("commit %(commit)s", commit=self.commit))
        return MappingProxyType(dict(sorted(self._remote.tree(self.commit).items())))

    def read(self, path: str) -> bytes:
        """The bytes of a file, or the target of a link."""
        entry = self.entries.get(path)
        if entry is None or entry.mode is Mode.SUBMODULE:
            raise ToolFailed(f"there is no file {path}")
        content = self._local(entry.blob)
        return self._from_afar(path, entry.blob) if content is None else content

    def read_all(self, paths: Sequence[str]) -> Iterator[bytes]:
        """The same of many files, quickly where the objects are here."""
        blobs = [self.entries[path].blob for path in paths]
        there = self._objects.blobs(blobs) if self._objects is not None else repeat(None)
        for number, (path, blob, content) in enumerate(zip(paths, blobs, there, strict=False)):
            if content is not None and blob_sha(content) == blob:
                yield content
                continue
            if blob not in self._fetched and blob not in self._asked_together:
                self._fetch_ahead(blobs[number:])
            yield self._from_afar(path, blob)

    def _fetch_ahead(self, blobs: Sequence[str]) -> None:
        """The first of these is not here: ask for it together with the others that aren't."""
        if self._brought is not None or self._remote is None:
            return
        absent = [blob for blob in self._absent(blobs) if blob not in self._fetched]
        self._asked_together.update(absent)
        if 1 < len(absent) <= _MOST_TEXTS:
            self._fetched.update(self._remote.texts(absent))
        elif len(absent) > _MOST_TEXTS and self._bring is not None:
            self._brought = self._bring(self.commit)

    def _absent(self, blobs: Sequence[str]) -> Sequence[str]:
        distinct = dict.fromkeys(blobs)
        if self._git is None:
            return list(distinct)
        asked = "".join(f"{blob}\n" for blob in distinct).encode()
        told = self._git.says("cat-file", "--batch-check", given=asked) or b""
        there = {line.split()[0].decode() for line in told.splitlines() if b" blob " in line}
        return [blob for blob in distinct if blob not in there]

    def lay_out(self, paths: Sequence[str]) -> Sequence[Place | Stretch]:
        asked = left = frozenset(paths)
        for held in self._held:
            left -= held.paths
        if unknown := left - self._looked_at:
            self._look_at(self._in_order(paths, unknown))
            left &= self._looked_at
        places: list[Place | Stretch] = []
        for held in self._held:
            places += held.parts(asked)
        files = [path for path in self._in_order(paths, left) if self.entries[path].is_regular]
        if rest := [path for path in files if path not in self._in_folder]:
            self._put_aside(rest)
            places.append(self._scratch.place(rest))
        there = {path: path for path in files if path in self._in_folder}
        if there and self._folder is not None:
            places.append(Place(folder=str(self._folder.root), names=there))
        return places

    def _in_order(self, paths: Sequence[str], some: AbstractSet[str]) -> Sequence[str]:
        """Of the paths these, if the commit has them; in their order those of a folder follow each other."""
        if not some:
            return ()
        if len(some) < len(paths):
            paths = [path for path in paths if path in some]
        entries = self.entries
        return [path for path in paths if path in entries]

    def _look_at(self, paths: Sequence[str]) -> None:
        """Whether the checkout has the commit's bytes, and of many files into memory."""
        if len(paths) >= MANY and (held := self._hold(paths)):
            self._held.append(held)
            self._in_folder.update(held.elsewhere)
            self._looked_at.update([path for path in paths if path not in held.paths])
            return
        self._looked_at.update(paths)
        if self._folder is not None:
            found = self._folder.blobs(paths)
            self._in_folder.update(path for path, blob in found.items() if blob == self.entries[path].blob)

    def _hold(self, paths: Sequence[str]) -> Held | None:
        """What the checkout has of these and the commit too."""
        if self._folder is None or not self._may_hold:
            return None
        held = held_in(self._folder.root, paths, commit=self.entries, beside=self._held)
        # Too much of it is too much the next time as well.
        self._may_hold = held is not None
        return held

    def obstacle(self, path: str) -> str | None:  # noqa: ARG002 - the question is every tree's
        """Nothing: what the commit doesn't have isn't there."""
        return None

    def _put_aside(self, paths: Sequence[str]) -> None:
        """Lay out what the checkout has not, or has otherwise."""
        asked = 0
        for path in paths:
            blob = self.entries[path].blob
            if self._scratch.has(path, blob):
                continue
            content = self._local(blob)
            asked += content is None and self._bring is None
            if asked > _MOST_ASKED_FOR:
                # One request each; the server would end the whole run after some thousands
                raise ToolFailed(
                    f"more than {_MOST_ASKED_FOR} of these files are not here; search fewer files"
                )
            self._scratch.put(path, blob, self._from_afar(path, blob) if content is None else content)

    def _local(self, blob: str) -> bytes | None:
        content = None if self._objects is None else self._objects.blob(blob)
        return None if content is None or blob_sha(content) != blob else content

    def _missing(self, what: Sentence) -> CheckoutFailed:
        return CheckoutFailed(
            "%(what)s is not in this repository",
            what=what,
            commit=self.commit,
            next_step="run git fetch origin %(commit)s",
        )

    def _from_afar(self, path: str, blob: str) -> bytes:
        """One request for each of the first few that are asked for alone, then one for all that are left."""
        if blob in self._fetched:
            return self._fetched[blob]
        if self._brought is None and self._bring is not None and self._asked_alone >= _FEW:
            self._brought = self._bring(self.commit)
        content = None if self._brought is None else self._brought(blob)
        if content is None:
            content = self._asked_for(path)
            self._asked_alone += 1
        self._fetched[blob] = self._proven(path, blob, content)
        return content

    def _asked_for(self, path: str) -> bytes:
        if self._remote is None:
            raise self._missing(Sentence("the content of %(path)s", path=path))
        return self._remote.blob(self.entries[path].blob)

    def _proven(self, path: str, blob: str, content: bytes) -> bytes:
        if blob_sha(content) != blob:
            raise CheckoutFailed(
                "GitHub sent other bytes for %(path)s than its object name %(blob)s stands for",
                path=path,
                blob=blob,
                next_step="run the job again; if it stays so, report it",
            )
        return content


def materialise(tree: Tree, folder: Path) -> None:
    """Write the tree's files into a new or empty folder: exact bytes and modes, links as links."""
    folder.mkdir(parents=True, exist_ok=True)
    modes = modes_of(tree.entries)(tuple(tree.entries))
    files = [path for path, mode in modes.items() if mode is not Mode.SUBMODULE]
    try:
        with filling(folder) as made:
            for path in modes.keys() - set(files):
                made.folder.make_folder(path)
            for path, content in zip(files, contents(tree, files), strict=True):
                if modes[path] is Mode.LINK:
                    made.folder.link(path, content)
                else:
                    made.write(path, content, executable=modes[path] is Mode.EXECUTABLE)
    except ToolFailed as failed:
        raise CheckoutFailed(
            "The commit's files can't be laid out: %(failed)s",
            failed=failed,
            next_step="check that the disk has room, and the commit no names that this system can't hold",
        ) from failed


def _parsed(listed: bytes) -> dict[str, Entry]:
    """`ls-tree -z`: mode, type and name of the object, a tab, the path."""
    entries: dict[str, Entry] = {}
    for row in listed.decode("utf-8", "surrogateescape").split("\0")[:-1]:
        head, _, path = row.partition("\t")
        mode, _, name = head.split(" ")
        entries[path] = Entry(mode=_mode(mode), blob=name)
    return {path: entries[path] for path in sorted(entries)}


@cache
def _mode(spelled: str) -> Mode:
    # Old repositories have files with modes such as 100664, which git reads like this too
    if spelled.startswith("100"):
        return Mode.EXECUTABLE if int(spelled, 8) & 0o100 else Mode.FILE
    return Mode(spelled)
