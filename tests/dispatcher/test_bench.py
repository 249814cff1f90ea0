"""The copy on which live steps run, and the overlay that has to be the same."""

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from fakes import NoShell
from real_git import Executable, Link, committed, lay

from bot.dispatcher.bench import Bench
from bot.errors import CheckoutFailed, NoSandbox, ToolFailed
from bot.outside.checkout import materialise
from bot.outside.search import Ripgrep
from bot.outside.work_tree import WorkTree
from bot.workspace import Mode
from bot.workspace.disk import Disk
from bot.workspace.overlay import Overlay
from bot.workspace.snapshot import Part, Snapshot
from bot.world import Ran

FILES = {
    "a.txt": b"alpha\n",
    "docs/b.md": b"beta\n",
    "run.sh": Executable(b"#!/bin/sh\n"),
    "link": Link("a.txt"),
    ".env": b"SECRET=1\n",
}


class Here:
    def __init__(self, folder: Path) -> None:
        committed(folder / "repo", FILES)
        self.tree = Snapshot(WorkTree(folder / "repo"))
        self.copy = folder / "copy"
        materialise(self.tree, self.copy)
        (self.copy / ".env").unlink()
        self.disk = Disk(self.copy, self.tree, Ripgrep(), listing=self._listed)
        self.bench = Bench(
            disk=self.disk,
            tree=self.tree,
            is_hidden=lambda path: path == ".env",
            shell=NoShell(),
            materialise=materialise,
            laid=set(self.tree.entries),
        )
        self.overlay = Overlay(self.tree, Ripgrep())

    def _listed(self) -> list[str]:
        return [path for path in self.found() if not path.endswith(".pyc")]

    def found(self) -> list[str]:
        return sorted(
            str(one.relative_to(self.copy))
            for one in self.copy.rglob("*")
            if one.is_symlink() or not one.is_dir()
        )

    def is_same(self) -> bool:
        state = self.disk.state().entries
        wanted = {path: self.overlay.entry(path) for path in self.overlay.paths() if path != ".env"}
        return {path: entry for path, entry in state.items() if not path.endswith(".pyc")} == wanted


@pytest.fixture
def here(tmp_path: Path) -> Here:
    return Here(tmp_path)


DONE: dict[str, tuple[Callable[[Path], object], dict[str, bytes | None]]] = {
    "nothing": (lambda _: None, {}),
    "an edit": (lambda copy: (copy / "a.txt").write_text("A"), {"a.txt": b"A"}),
    "a new file": (lambda copy: lay(copy, {"new/c.txt": b"c"}), {"new/c.txt": b"c"}),
    "a deletion": (lambda copy: (copy / "docs/b.md").unlink(), {"docs/b.md": None}),
    "a mode": (lambda copy: (copy / "a.txt").chmod(0o755), {"a.txt": b"alpha\n"}),
    "an ignored file": (lambda copy: (copy / "x.pyc").write_text("x"), {}),
    "a file in a file's place": (
        lambda copy: ((copy / "a.txt").unlink(), lay(copy, {"a.txt/inner": b"i"})),
        {"a.txt": None, "a.txt/inner": b"i"},
    ),
    "a secret": (lambda copy: (copy / ".env").write_text("SECRET=2"), {}),
}


@pytest.mark.parametrize(("do", "changed"), DONE.values(), ids=DONE)
def test_what_was_done_on_the_bench_is_taken_over(
    here: Here, do: Callable[[Path], object], changed: dict[str, bytes | None]
) -> None:
    do(here.copy)
    assert here.bench.take_over(here.overlay) == ()
    assert {change.path: change.content_after for change in here.overlay.changes()} == changed
    assert here.is_same() or ".env" in here.found()


ODD: dict[str, tuple[Callable[[Path], object], tuple[str, ...]]] = {
    "a new link": (lambda copy: (copy / "new").symlink_to("/etc/passwd"), ("new",)),
    "a link in a file's place": (
        lambda copy: ((copy / "a.txt").unlink(), (copy / "a.txt").symlink_to("run.sh")),
        ("a.txt",),
    ),
    "no link": (lambda copy: (copy / "link").unlink(), ("link",)),
    "a link in a folder's place": (
        lambda copy: (
            (copy / "docs/b.md").unlink(),
            (copy / "docs").rmdir(),
            (copy / "docs").symlink_to("/"),
        ),
        ("docs",),
    ),
}


@pytest.mark.parametrize(("do", "left_out"), ODD.values(), ids=ODD)
def test_what_no_plan_can_hold_is_named_and_put_back(
    here: Here, do: Callable[[Path], object], left_out: tuple[str, ...]
) -> None:
    do(here.copy)
    assert here.bench.take_over(here.overlay) == left_out
    assert (here.copy / "link").readlink() == Path("a.txt")
    assert here.overlay.entry("link") is not None
    assert here.is_same()


@pytest.mark.parametrize(("do", "_"), DONE.values(), ids=DONE)
def test_whatever_was_done_can_be_put_back(here: Here, do: Callable[[Path], object], _: object) -> None:
    here.overlay.write("a.txt", b"planned\n")
    (here.copy / "a.txt").write_bytes(b"planned\n")
    do(here.copy)
    here.bench.put_back(here.overlay)
    assert here.is_same() or ".env" in here.found()
    assert (here.copy / "a.txt").read_bytes() == b"planned\n"
    entry = here.overlay.entry("run.sh")
    assert entry is not None
    assert entry.mode is Mode.EXECUTABLE
    assert os.access(here.copy / "run.sh", os.X_OK)


def test_what_can_not_be_put_back_ends_the_run(here: Here) -> None:
    (here.copy / "a.txt").unlink()
    lay(here.copy, {"a.txt/x.pyc": b"ignored, so it stays"})
    with pytest.raises(CheckoutFailed, match="can't be undone"):
        here.bench.put_back(here.overlay)


def test_only_what_is_needed_is_copied_until_a_command_runs(tmp_path: Path) -> None:
    committed(tmp_path / "repo", FILES)
    tree = Part(Snapshot(WorkTree(tmp_path / "repo")), (path for path in FILES if path != ".env"))
    copy = tmp_path / "copy"
    copy.mkdir()
    found: list[list[str]] = []

    class Looking:
        def run(self, command: str, *, folder: Path, timeout_s: float) -> Ran:
            found.append(names())
            return Ran(exit_code=0, output=command)

    def names() -> list[str]:
        return sorted(
            str(one.relative_to(copy)) for one in copy.rglob("*") if one.is_symlink() or one.is_file()
        )

    overlay = Overlay(tree, Ripgrep())
    bench = Bench(
        disk=Disk(copy, tree, Ripgrep(), listing=names),
        tree=tree,
        is_hidden=lambda _: False,
        shell=Looking(),
        materialise=materialise,
    )
    bench.lay(["a.txt", "not/there"])
    assert names() == ["a.txt"]
    (copy / "a.txt").unlink()
    overlay.delete("a.txt")
    bench.put_back(overlay)
    assert names() == []
    assert bench.run("ls", folder=copy, timeout_s=1).output == "ls"
    # What a step took away before does not come back.
    assert found == [["docs/b.md", "link", "run.sh"]]
    assert bench.take_over(overlay) == ()
    assert [change.path for change in overlay.changes()] == ["a.txt"]


def test_where_nothing_can_be_confined_the_model_is_told(here: Here) -> None:
    class Nowhere:
        def run(self, command: str, *, folder: Path, timeout_s: float) -> Ran:
            raise NoSandbox("Commands can't be confined here", next_step="use another machine")

    with pytest.raises(ToolFailed, match="can't be confined here, so no command is run"):
        replace(here.bench, shell=Nowhere()).run("ls", folder=here.copy, timeout_s=1)
