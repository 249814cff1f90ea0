"""A bare git repository, asked and changed through git's own plumbing.

No work tree, no hook, no configuration of this machine.

Names of refs are checked before git sees them, so none can be an option or a revision expression.
"""

import hashlib
import os
import re
import subprocess
import threading
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from tempfile import NamedTemporaryFile, TemporaryDirectory

from bot.dataclass import dataclass

NO_SHA = "0" * 40

# A push over HTTP is decided by the server's own tokens; git's default is to refuse every one. GitHub hands
# out any commit of a pull request by its name.
_CONFIG = """\
[http]
\treceivepack = true
[gc]
\tauto = 0
[uploadpack]
\tallowAnySHA1InWant = true
"""
_SHA = re.compile(r"[0-9a-f]{40}")
_REF = re.compile(r"refs/(?!.*(\.\.|//|@\{|/\.|\.lock(/|$)))[^\x00-\x20\x7f~^:?*\[\\]+(?<![./])")


class GitFailed(Exception):
    """git's own words on what it could not do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Object:
    sha: str
    kind: str
    content: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaf:
    """One entry of a tree."""

    path: str
    mode: str
    sha: str

    @property
    def kind(self) -> str:
        return {"040000": "tree", "160000": "commit"}.get(self.mode, "blob")


@dataclass(frozen=True, slots=True, kw_only=True)
class RefUpdate:
    """`before` None: whatever is there; all zeros: must not exist. `after` all zeros: delete."""

    ref: str
    before: str | None
    after: str


def is_ref(name: str) -> bool:
    """Whether git would take this as a full ref name."""
    return _REF.fullmatch(name) is not None


def is_sha(name: str) -> bool:
    return _SHA.fullmatch(name) is not None


def git_environment(home: Path) -> dict[str, str]:
    """Nothing of this machine's git configuration, and nobody to ask for a password."""
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(home),
        "LC_ALL": "C",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_REPLACE_OBJECTS": "1",
    }


@dataclass(slots=True)
class Bare:
    """Reads go through one `git cat-file --batch` that lives as long as this object: close it."""

    folder: Path
    _reader: "subprocess.Popen[bytes] | None" = field(default=None, init=False)
    _is_closed: bool = field(default=False, init=False)
    _lock: threading.RLock = field(default_factory=threading.RLock, init=False)
    _known: dict[tuple[str, ...], bytes] = field(default_factory=dict, init=False)

    def make(self) -> "Bare":
        self.folder.mkdir(parents=True)
        # No template: samples of hooks are most of a new repository's files.
        self.git("init", "--quiet", "--bare", "--template=", "--initial-branch=main", ".")
        with (self.folder / "config").open("a", encoding="ascii") as config:
            config.write(_CONFIG)
        return self

    def close(self) -> None:
        """For good: whoever still holds this object may not start another reader that nobody ends."""
        with self._lock:
            self._is_closed = True
            if self._reader is not None:
                self._reader.kill()
                self._reader.communicate()
                self._reader = None

    def git(self, *arguments: str, stdin: bytes = b"", also: Mapping[str, str] | None = None) -> bytes:
        """What it prints. Raises GitFailed with what it complains of."""
        return self._ran(*arguments, stdin=stdin, also=also).stdout

    def known(self, *arguments: str) -> bytes:
        """As `git`, of objects by their 40-digit names alone: what it says of them stands, so it's kept."""
        if arguments not in self._known:
            self._known[arguments] = self.git(*arguments)
        return self._known[arguments]

    def _ran(
        self, *arguments: str, stdin: bytes, also: Mapping[str, str] | None
    ) -> "subprocess.CompletedProcess[bytes]":
        ran = subprocess.run(
            ["git", *arguments],
            cwd=self.folder,
            env=git_environment(self.folder) | dict(also or {}),
            input=stdin,
            capture_output=True,
            check=False,
        )
        if ran.returncode != 0:
            said = ran.stderr.decode("utf-8", "replace").strip()
            raise GitFailed(f"git {arguments[0]} ended with {ran.returncode}: {said}")
        return ran

    def object(self, name: str) -> Object | None:
        """By 40-digit name or full ref name; None where there is none."""
        if not (is_sha(name) or is_ref(name)):
            return None
        with self._lock:
            if self._is_closed:
                raise GitFailed(f"{self.folder} was closed")
            reader = self._reader = self._reader or self._open_reader()
            assert reader.stdin is not None  # noqa: S101 - opened with pipes below
            assert reader.stdout is not None  # noqa: S101
            reader.stdin.write(name.encode() + b"\n")
            reader.stdin.flush()
            head = reader.stdout.readline().decode("utf-8", "surrogateescape").split()
            if len(head) != 3:
                return None
            content = reader.stdout.read(int(head[2]))
            reader.stdout.read(1)
        return Object(sha=head[0], kind=head[1], content=content)

    def _open_reader(self) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            ["git", "cat-file", "--batch"],
            cwd=self.folder,
            env=git_environment(self.folder),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def ref(self, name: str) -> str | None:
        found = self.object(name) if is_ref(name) else None
        return found.sha if found else None

    def refs(self, prefix: str) -> dict[str, str]:
        lines = self.git("for-each-ref", "--format=%(objectname) %(refname)", prefix).decode().splitlines()
        return {ref: sha for sha, ref in (line.split(" ", 1) for line in lines)}

    def write(self, kind: str, content: bytes) -> str:
        """A loose object, as `git hash-object -w` makes it, without the cost of a process for each."""
        whole = f"{kind} {len(content)}\0".encode() + content
        sha = hashlib.sha1(whole, usedforsecurity=False).hexdigest()
        file = self.folder / "objects" / sha[:2] / sha[2:]
        if not file.exists():
            file.parent.mkdir(exist_ok=True)
            with NamedTemporaryFile(dir=file.parent, prefix="tmp_obj_", delete=False) as scratch:
                scratch.write(zlib.compress(whole, 1))
            Path(scratch.name).rename(file)
        return sha

    def update(self, updates: Iterable[RefUpdate]) -> bool:
        """All of them or none, under git's own locks; False when one was not at `before`."""
        lines = ["start"]
        for one in updates:
            if not is_ref(one.ref):
                return False
            before = "" if one.before is None else f" {one.before}"
            lines.append(f"update {one.ref} {one.after}{before}")
        try:
            self.git("update-ref", "--stdin", stdin="\n".join([*lines, "prepare", "commit", ""]).encode())
        except GitFailed:
            return False
        return True

    def leaves(self, tree: str) -> list[Leaf]:
        """One level of a tree."""
        found = self.object(tree)
        if found is None or found.kind != "tree":
            raise GitFailed(f"{tree} is not a tree")
        leaves, rest = [], found.content
        while rest:
            head, _, tail = rest.partition(b"\0")
            mode, _, name = head.partition(b" ")
            path = name.decode("utf-8", "surrogateescape")
            leaves.append(Leaf(path=path, mode=mode.decode().zfill(6), sha=tail[:20].hex()))
            rest = tail[20:]
        return leaves

    def walk(self, tree: str, *, prefix: str = "") -> Iterable[Leaf]:
        """Every entry below a tree, folders before what is in them, with the path from the top."""
        for leaf in self.leaves(tree):
            yield Leaf(path=prefix + leaf.path, mode=leaf.mode, sha=leaf.sha)
            if leaf.kind == "tree":
                yield from self.walk(leaf.sha, prefix=f"{prefix}{leaf.path}/")

    def leaf(self, tree: str, path: str) -> Leaf | None:
        folder, _, rest = path.partition("/")
        found = next((leaf for leaf in self.leaves(tree) if leaf.path == folder), None)
        if found is None or not rest:
            return found
        return self.leaf(found.sha, rest) if found.kind == "tree" else None

    def make_tree(self, base: str | None, changes: Sequence[Leaf]) -> str:
        """A tree like `base` with these paths set, or removed where the sha is zeros.

        Raises GitFailed for paths that git would not check out, such as `.git/config`.
        """
        with TemporaryDirectory(dir=self.folder) as scratch:
            also = {"GIT_INDEX_FILE": str(Path(scratch, "index"))}
            if base:
                self.git("read-tree", base, also=also)
            lines = [
                f"{'0' if leaf.sha == NO_SHA else leaf.mode} {leaf.sha}\t{leaf.path}" for leaf in changes
            ]
            stdin = "".join(f"{line}\0" for line in lines).encode("utf-8", "surrogateescape")
            said = self._ran("update-index", "-z", "--index-info", stdin=stdin, also=also).stderr
            # A path it does not like is left out with a word on stderr, and it calls that a success.
            if said:
                raise GitFailed(said.decode("utf-8", "replace").strip())
            return self.git("write-tree", also=also).decode().strip()

    def is_ancestor(self, older: str, newer: str) -> bool:
        return older == newer or self.merge_base(older, newer) == older

    def merge_base(self, one: str, other: str) -> str | None:
        try:
            return self.known("merge-base", one, other).decode().strip()
        except GitFailed:
            return None

    def fetch(self, other: "Bare", *, sha: str, ref: str) -> None:
        """Take a commit and all below it from another repository, and let `ref` point at it."""
        self.git("fetch", "--quiet", "--no-tags", str(other.folder), f"+{sha}:{ref}")
