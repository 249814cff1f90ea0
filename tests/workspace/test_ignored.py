"""What git would leave out, held against git itself."""

import os
import subprocess
from pathlib import Path

import pytest

from bot.workspace.folder import Folder
from bot.workspace.ignored import Ignored

FILES = {
    ".gitignore": "*.log\n!kept.log\n/build/\ndocs/*.tmp\n**/cache/\n# comment\n\n/only-here\n[\n",
    "docs/.gitignore": "!important.log\n/here.txt\n",
    "docs/deep/.gitignore": "*\n!.gitignore\n!shown.md\n",
    "build/.gitignore": "!rescued.txt\n",
}
PATHS = """a.log kept.log x/a.log x/kept.log build/x build/rescued.txt sub/build/x docs/a.tmp docs/d/a.tmp
docs/a.log docs/important.log docs/here.txt docs/sub/here.txt docs/deep/x docs/deep/shown.md
docs/deep/er/shown.md only-here sub/only-here cache/x a/b/cache/x cache README.md src/app.py
.env docs/deep/.gitignore""".split()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    return tmp_path


def _ignored_by_git(folder: Path, path: str) -> bool:
    environment = {"PATH": os.environ["PATH"], "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    asked = ["git", "check-ignore", "--quiet", "--no-index", path]
    return subprocess.run(asked, cwd=folder, check=False, env=environment).returncode == 0


@pytest.mark.parametrize("path", PATHS)
def test_a_path_is_ignored_as_git_ignores_it(folder: Path, path: str) -> None:
    assert Ignored(Folder(folder)).hits(path) is _ignored_by_git(folder, path)


def test_without_rules_nothing_is_ignored(tmp_path: Path) -> None:
    assert not Ignored(Folder(tmp_path)).hits("a/b.log")
