"""A copy follows an overlay, and tells exactly what else was done to it."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from fakes import MemoryTree

from bot.errors import ToolFailed
from bot.outside.checkout import materialise
from bot.outside.search import Ripgrep
from bot.workspace import Mode
from bot.workspace.copied import CopiedTree
from bot.workspace.overlay import Overlay
from bot.workspace.private_folder import private_folder

FILES: dict[str, str | bytes | tuple[Mode, bytes]] = {
    ".gitignore": "*.log\n",
    "a.txt": "a\n",
    "link": (Mode.LINK, b"a.txt"),
    "run.sh": (Mode.EXECUTABLE, b"#!/bin/sh\n"),
    "src/app.py": "x = 1\n",
    "src/deep/er.py": "y = 1\n",
}


@pytest.fixture
def folder() -> Iterator[Path]:
    with private_folder() as made:
        yield made


@pytest.fixture
def overlay() -> Overlay:
    return Overlay(MemoryTree(FILES), Ripgrep())


@pytest.fixture
def copy(folder: Path) -> CopiedTree:
    return CopiedTree(folder, MemoryTree(FILES), materialise=materialise)


def _sh(folder: Path, command: str) -> None:
    subprocess.run(["/bin/bash", "-c", command], cwd=folder, check=True)


DONE = {
    "nothing": ("true", ""),
    "the same bytes again": ("printf 'a\\n' > a.txt", ""),
    "a new time": ("touch -d 2001-01-01 a.txt", ""),
    "other bytes of the same length, and the old time": (
        "cp -p a.txt $0.then; printf 'b\\n' > a.txt; touch -r $0.then a.txt; rm $0.then",
        "a.txt",
    ),
    "a new file": ("mkdir -p n/m; echo > n/m/f", "n/m/f"),
    "what git ignores": ("echo > x.log", ""),
    "a tracked file that is ignored now": (
        "echo '*.py' >> .gitignore; echo > src/app.py",
        ".gitignore src/app.py",
    ),
    "a file away": ("rm src/app.py", "src/app.py"),
    "a folder away": ("rm -r src", "src/app.py src/deep/er.py"),
    "a file in a folder's place": ("rm -r src; echo > src", "src src/app.py src/deep/er.py"),
    "a folder in a file's place": ("rm a.txt; mkdir a.txt; echo > a.txt/f", "a.txt a.txt/f"),
    "an empty folder in a file's place": ("rm a.txt; mkdir a.txt", "a.txt"),
    "a mode": ("chmod +x a.txt; chmod -x run.sh", "a.txt run.sh"),
    "a mode that git doesn't know": ("chmod 600 a.txt", ""),
    "another link": ("ln -sfn src link", "link"),
    "a link's end": ("rm link; cp a.txt link", "link"),
    "a second name": ("ln a.txt b.txt", "b.txt"),
    "a swap": ("mv a.txt t; mv run.sh a.txt; mv t run.sh", "a.txt run.sh"),
    "a folder moved": ("mv src lib", "lib/app.py lib/deep/er.py src/app.py src/deep/er.py"),
    "a folder that nobody may enter": ("echo > src/new; chmod 0 src", "src/new"),
}


@pytest.mark.parametrize(("command", "paths"), DONE.values(), ids=DONE)
def test_exactly_what_was_done_is_told_and_undone(
    folder: Path, overlay: Overlay, copy: CopiedTree, command: str, paths: str
) -> None:
    copy.follow(overlay)
    _sh(folder, command)
    assert [one.path for one in copy.changed(overlay)] == paths.split()
    copy.restore(overlay)
    assert copy.changed(overlay) == ()
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir()}
    assert found == FILES.keys()
    for path, content in FILES.items():
        raw = content[1] if isinstance(content, tuple) else str(content).encode()
        place = folder / path
        assert (str(place.readlink()).encode() if place.is_symlink() else place.read_bytes()) == raw
    assert os.access(folder / "run.sh", os.X_OK)
    assert (folder / "a.txt").stat().st_nlink == 1


def test_it_follows_edits_and_their_end(folder: Path, overlay: Overlay, copy: CopiedTree) -> None:
    before = overlay.savepoint()
    copy.follow(overlay)
    overlay.write("a.txt", b"b\n")
    overlay.delete("src/app.py")
    overlay.write("new/file", b"n\n", executable=True)
    copy.follow(overlay)
    assert (folder / "a.txt").read_text() == "b\n"
    assert not (folder / "src/app.py").exists()
    assert os.access(folder / "new/file", os.X_OK)
    assert copy.changed(overlay) == ()
    overlay.rollback(before)
    copy.follow(overlay)
    assert (folder / "a.txt").read_text() == "a\n"
    assert (folder / "src/app.py").read_text() == "x = 1\n"
    assert not (folder / "new").exists()


def test_what_git_ignores_stays_until_the_command_that_made_it_is_undone(
    folder: Path, overlay: Overlay, copy: CopiedTree
) -> None:
    copy.follow(overlay)
    _sh(folder, "echo > kept.log")
    copy.changed(overlay)
    copy.follow(overlay)
    assert (folder / "kept.log").exists()
    _sh(folder, "echo > gone.log")
    copy.changed(overlay)
    copy.restore(overlay)
    assert not (folder / "gone.log").exists()


TOO_MUCH = {
    "too large": ("truncate -s 70M big", "no plan can hold"),
    "too many": ("mkdir m; cd m; touch $(seq 2001)", "the most is 2000"),
}


@pytest.mark.parametrize(("command", "said"), TOO_MUCH.values(), ids=TOO_MUCH)
def test_more_than_a_plan_can_hold_is_said_and_undone(
    folder: Path, overlay: Overlay, copy: CopiedTree, command: str, said: str
) -> None:
    copy.follow(overlay)
    _sh(folder, command)
    with pytest.raises(ToolFailed, match=said):
        copy.changed(overlay)
    copy.restore(overlay)
    assert sorted(one.name for one in folder.iterdir()) == [".gitignore", "a.txt", "link", "run.sh", "src"]
