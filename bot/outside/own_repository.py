"""The repository that a person stands in: its root, its commit, its name, its policy as committed."""

import os
import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Final

from bot.dataclass import dataclass
from bot.errors import CheckoutFailed
from bot.outside.git import Git
from bot.outside.work_tree import WorkTree

# What git itself writes for "no commit yet".
NO_COMMIT: Final = "0" * 40


@dataclass(frozen=True)
class OwnRepository:
    """`root` is the top of the work tree that `opened` was given a folder in.

    `home` is the person's HOME and XDG_CONFIG_HOME, where their own ignore rules are.
    """

    root: Path
    home: Mapping[str, str]

    @classmethod
    def opened(cls, folder: Path, *, home: Mapping[str, str]) -> "OwnRepository":
        """Raises CheckoutFailed where there is no work tree, or none whose objects have SHA-1 names."""
        if not folder.is_dir():
            raise CheckoutFailed(
                "%(folder)s is not a folder",
                folder=folder.absolute(),
                next_step="run git init, or name another with --repo",
            )
        said = Git(folder, home=home).says("rev-parse", "--show-toplevel", "--show-object-format")
        # A folder's name may have line feeds, the format has none.
        top, _, form = (said or b"").removesuffix(b"\n").rpartition(b"\n")
        if not top:
            raise _not_opened(
                folder.absolute(), Git(folder, home=home).complaint("rev-parse", "--show-toplevel")
            )
        if form == b"sha256":
            raise CheckoutFailed(
                "%(folder)s names its objects by SHA-256, and plans are bound to SHA-1 names, as on GitHub",
                folder=folder.absolute(),
                next_step="run git init, or name another with --repo",
            )
        return cls(root=Path(top.decode("utf-8", "surrogateescape")), home=home)

    @property
    def name(self) -> str:
        """owner/name as its remote has it, or else the folder's name."""
        said = self._git.says("config", "--get", "remote.origin.url") or b""
        address = said.decode("utf-8", "replace").strip().removesuffix("/").removesuffix(".git")
        found = re.search(r"[/:]([A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+)$", address)
        return found[1] if found else os.fsencode(self.root.name).decode("utf-8", "backslashreplace")

    @property
    def head_sha(self) -> str:
        said = self._git.says("rev-parse", "--verify", "-q", "HEAD^{commit}")
        return said.decode("ascii").strip() if said else NO_COMMIT

    @property
    def private_folder(self) -> Path:
        """In git's own folder, where no work tree shows it."""
        said = self._git.says("rev-parse", "--absolute-git-dir")
        if not said:
            raise CheckoutFailed(
                "git can't say where its folder for %(root)s is", root=self.root, next_step="run git status"
            )
        return Path(said.decode("utf-8", "surrogateescape").removesuffix("\n")) / "dryrun-bot"

    def committed(self, path: str) -> bytes | None:
        """A file as it is in the newest commit; None where there is none."""
        return self._git.says("cat-file", "blob", f"HEAD:{path}")

    def tree(self) -> WorkTree:
        return WorkTree(self.root, home=self.home)

    def counted_in(self, folder: Path) -> Sequence[str]:
        """What git would track if this folder were the work tree: by its ignore rules, and this index."""
        git, private = Git(folder, home=self.home), self.private_folder.parent
        said = git.says(
            f"--git-dir={private}", "--work-tree=.", "ls-files", "-co", "--exclude-standard", "-z"
        )
        if said is None:
            raise CheckoutFailed(
                "git can't list %(folder)s", folder=folder, next_step="run git status, and see what it says"
            )
        paths = {row.decode("utf-8", "surrogateescape") for row in said.split(b"\0") if row}
        # A repository inside this one is named with a slash at the end.
        return sorted(path for path in paths if not path.endswith("/") and os.path.lexists(folder / path))

    @cached_property
    def _git(self) -> Git:
        return Git(self.root, home=self.home)


def _not_opened(folder: Path, why: str) -> CheckoutFailed:
    if not why or "not a git repository" in why or "must be run in a work tree" in why:
        return CheckoutFailed(
            "%(folder)s is not in a git work tree",
            folder=folder,
            next_step="run git init, or name another with --repo",
        )
    return CheckoutFailed(
        "git can't open %(folder)s: %(why)s",
        folder=folder,
        why=why,
        next_step="run git status, and see what it says",
    )
