"""Every command that a gate must not simply allow, run in the cage all the same: none leaves a trace."""

import hashlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from ordinary_user import NOBODY, WHO, being, cage_for_all

from bot.outside.sandbox import Bounds, LandlockShell
from bot.workspace.folder import Folder
from bot.workspace.private_folder import private_folder

pytestmark = pytest.mark.skipif(
    LandlockShell().why_not() is not None, reason="this machine can't confine commands; see test_confine.py"
)
CASES = yaml.safe_load((Path(__file__).parent.parent / "cases/commands.yaml").read_text("utf-8"))["cases"]
COMMANDS = {str(case["id"]): str(case["command"]) for case in CASES}
PAYLOAD = b"#!/bin/sh\ntouch pwned ../pwned $HOME/pwned /tmp/pwned-of-a-case\nkill -9 -1 $PPID\n"


def _state(*folders: Path) -> dict[str, object]:
    found: dict[str, object] = {}
    for folder in folders:
        for path in (folder, *sorted(folder.rglob("*"))):
            at = path.lstat()
            content = hashlib.sha256(path.read_bytes()).hexdigest() if stat.S_ISREG(at.st_mode) else ""
            found[str(path)] = (at.st_mode, at.st_uid, at.st_mtime_ns, content)
    return found


@pytest.fixture(scope="module")
def outside() -> Iterator[Path]:
    """Beside the copies: a folder that everybody may change."""
    with private_folder(base=Path("/tmp")) as folder:
        folder.chmod(0o755)
        (folder / "files").mkdir()
        (folder / "files/kept").write_text("kept")
        for path in (folder / "files", folder / "files/kept"):
            path.chmod(0o777)
            if os.geteuid() == 0:
                os.chown(path, NOBODY, NOBODY)
        cage_for_all(folder)
        yield folder


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_no_command_leaves_a_trace_outside_its_copy(outside: Path, who: str, command: str) -> None:
    watched = [Path(name) for name in ("/etc/cron.d", "/usr/local/bin") if Path(name).exists()]
    before = _state(outside / "files"), [sorted(name.iterdir()) for name in watched]
    shell = cage_for_all(outside, bounds=Bounds(memory_bytes=1 << 30, written_bytes=256 << 20, processes=100))
    with being(who), shell.folder() as folder:
        for name in ("payload", "evil", "x", "a.sh", "Makefile", "package.json"):
            Folder(folder).write(name, PAYLOAD, executable=True)
        if "\0" in command:
            # No command line can hold one, and the tool says so before.
            with pytest.raises(ValueError, match="null byte"):
                shell.run(command, folder=folder, timeout_s=5)
        else:
            shell.run(command, folder=folder, timeout_s=5)
    assert (_state(outside / "files"), [sorted(name.iterdir()) for name in watched]) == before
    assert not Path("/tmp/pwned-of-a-case").exists()
    assert not folder.exists()
    assert not list(Path("/tmp").glob("pwned*"))
