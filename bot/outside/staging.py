"""(files before, changes) -> the tree they make, on GitHub, under a ref of the bot's own that goes again.

For changes that the Git Data API would need many requests for. See docs/decisions/many-files-by-one-push.md.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from bot.action import Json
from bot.dataclass import dataclass
from bot.outside.delivery import Delivery
from bot.outside.pack import Object
from bot.workspace import Change, Entry, tree_objects

_NO_SHA: Final = "0" * 40
_FOLDER: Final = "refs/dryrun-bot"


@dataclass(frozen=True, slots=True, kw_only=True)
class Staged:
    """`commit` is there to hold the tree alone; it bears no time, so that it is made alike every time."""

    tree: str
    commit: str

    @property
    def ref(self) -> str:
        return f"{_FOLDER}/{self.tree}"

    @property
    def removal(self) -> Mapping[str, Json]:
        """One of the updates that GitHub's `updateRefs` takes."""
        return {"name": self.ref, "beforeOid": self.commit, "afterOid": _NO_SHA, "force": True}


def stage(
    delivery: Delivery,
    changes: Sequence[Change],
    *,
    before: Mapping[str, Entry],
    base_tree: str,
    parent: str,
) -> Staged | None:
    """`before` is every file of `base_tree`, `parent` a commit that has it. None where it can't be done."""
    there = tree_objects(before)
    if next(reversed(there)) != base_tree:
        # Very old versions of git wrote modes that nobody writes any more: such trees are not made alike.
        return None
    after = {**before, **{change.path: change.after for change in changes}}
    made = tree_objects({path: entry for path, entry in after.items() if entry is not None})
    tree = next(reversed(made))
    commit = Object(kind="commit", content=_commit(tree, parent))
    staged = Staged(tree=tree, commit=commit.sha)
    blobs = [
        Object(kind="blob", content=change.content_after)
        for change in changes
        if change.content_after is not None
    ]
    trees = [Object(kind="tree", content=body) for name, body in made.items() if name not in there]
    is_there = delivery.bring([commit, *trees, *blobs], ref=staged.ref, tip=staged.commit)
    return staged if is_there else None


def _commit(tree: str, parent: str) -> bytes:
    nobody = "dryrun-bot <> 0 +0000"
    return (
        f"tree {tree}\nparent {parent}\nauthor {nobody}\ncommitter {nobody}\n\n"
        "The files of a commit that dryrun-bot is about to make. Nobody needs this one.\n"
    ).encode()
