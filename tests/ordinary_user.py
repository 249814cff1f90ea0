"""Being root or somebody for a while, and a cage that either can run: for what must hold for both."""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bot.outside import sandbox
from bot.outside.sandbox import Bounds, LandlockShell

NOBODY = 65_534
IS_ROOT = os.geteuid() == 0
WHO = [
    pytest.param(
        "root", marks=pytest.mark.skipif(not IS_ROOT, reason="only root can be root; `make cage` is")
    ),
    "an ordinary user",
]


@contextmanager
def being(who: str) -> Iterator[None]:
    """Whatever is started here is really theirs: with the exec the way back is gone for it, not for us."""
    if who == "root" or not IS_ROOT:
        yield
        return
    groups = os.getgroups()
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, 0)
    os.setresuid(NOBODY, NOBODY, 0)
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)
        os.setresgid(0, 0, 0)
        os.setgroups(groups)


def cage_for_all(folder: Path, *, bounds: Bounds | None = None) -> LandlockShell:
    """With the cage's programs where everybody can read them, and a Python that everybody may run."""
    programs = folder / "cage"
    if not programs.exists():
        shutil.copytree(Path(sandbox.__file__).with_name("cage"), programs)
        for one in (programs, *programs.rglob("*")):
            one.chmod(0o755)
    reachable = all(one.stat().st_mode & 0o001 for one in Path(sys.executable).resolve().parents)
    python = sys.executable if reachable or not IS_ROOT else shutil.which("python3", path="/usr/bin:/bin")
    assert python is not None, "install python3 for everybody"
    return LandlockShell(interpreter=python, programs=programs, bounds=bounds)
