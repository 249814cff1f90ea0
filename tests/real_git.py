"""A real git repository in a folder, for whatever needs one."""

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Link:
    target: str


@dataclass(frozen=True)
class Executable:
    content: bytes


Files = Mapping[str, "bytes | Link | Executable"]

ENVIRONMENT = {
    "PATH": os.environ["PATH"],
    "HOME": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "a",
    "GIT_AUTHOR_EMAIL": "a@example.com",
    "GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z",
    "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@example.com",
    "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z",
}


def git(folder: Path, *arguments: str, stdin: bytes | None = None) -> bytes:
    done = subprocess.run(
        ["git", "-C", str(folder), *arguments], env=ENVIRONMENT, input=stdin, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


def lay(folder: Path, files: Files) -> None:
    for path, file in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(file, Link):
            place.symlink_to(file.target)
        else:
            place.write_bytes(file.content if isinstance(file, Executable) else file)
            place.chmod(0o755 if isinstance(file, Executable) else 0o644)


def committed(folder: Path, files: Files) -> str:
    """Make a repository with one commit of exactly these files; the answer is the commit's name."""
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "-q", "-b", "main")
    lay(folder, files)
    return commit_all(folder)


def commit_all(folder: Path) -> str:
    git(folder, "add", "-A", "-f")
    git(folder, "commit", "-q", "--allow-empty", "-m", "all")
    return git(folder, "rev-parse", "HEAD").decode().strip()
