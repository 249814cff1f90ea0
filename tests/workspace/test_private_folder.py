"""Whatever was made in it, the folder is gone in the end, and nothing that a link names."""

import os
import subprocess
from pathlib import Path

import pytest

from bot.workspace.private_folder import private_folder, remove

MESSES = {
    "files and folders": "mkdir -p a/b c; touch a/b/f c/g .h",
    "what nobody may look into": "mkdir -p a/b; touch a/b/f; chmod 0 a/b a",
    "what nobody may change": "mkdir a; touch a/f; chmod 500 a",
    "names that look like options": "mkdir -- -rf '*'; touch -- -rf/-f",
    "a pipe": "mkfifo p",
}


@pytest.mark.parametrize("command", MESSES.values(), ids=MESSES)
def test_it_is_gone_with_all_that_is_in_it(command: str) -> None:
    with private_folder() as folder:
        subprocess.run(["/bin/bash", "-c", command], cwd=folder, check=True)
    assert not folder.exists()


def test_no_depth_is_too_much(tmp_path: Path) -> None:
    with private_folder(base=tmp_path) as folder:
        here = os.open(folder, os.O_RDONLY)
        for _ in range(3_000):
            os.mkdir("deep", dir_fd=here)
            below = os.open("deep", os.O_RDONLY, dir_fd=here)
            os.close(here)
            here = below
        os.close(os.open("file", os.O_CREAT | os.O_WRONLY, dir_fd=here))
        os.close(here)
    assert not folder.exists()


def test_what_a_link_names_stays(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "file").write_text("x")
    made = tmp_path / "made"
    made.mkdir()
    (made / "link").symlink_to(kept)
    (made / "file").symlink_to(kept / "file")
    remove(made)
    assert (kept / "file").read_text() == "x"


def test_it_is_private() -> None:
    with private_folder() as folder:
        assert folder.stat().st_mode & 0o777 == 0o700
