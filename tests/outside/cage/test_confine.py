"""What can't be confined isn't run: every step that fails is reported, and bash never starts."""

import marshal
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bot.outside.cage import confine
from bot.outside.sandbox import LandlockShell

CAN = LandlockShell().why_not() is None


def reported(limits: dict[str, object], folder: Path) -> str:
    """Start the program itself, and give what it reports; the command would leave a file behind."""
    reads, writes = os.pipe()
    whole = {
        "bash": "/bin/bash",
        "readable": ["/usr", "/bin", "/lib", "/lib64"],
        "writable": [str(folder)],
        "environment": {},
        "most": {},
        "filters": [b"", b""],
        "required": True,
        "user": None,
        "answered": None,
        "report": writes,
    } | limits
    program = (
        f"import marshal, sys; sys.path.append({str(Path(confine.__file__).parent)!r}); import confine; "
        "confine.become(marshal.loads(bytes.fromhex(sys.argv[1])), sys.argv[2])"
    )
    process = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program, marshal.dumps(whole).hex(), "echo ran > ran"],
        cwd=folder,
        pass_fds=(writes,),
        capture_output=True,
        check=False,
    )
    os.close(writes)
    with os.fdopen(reads) as report:
        said = report.read()
    assert process.returncode == 126
    assert not (folder / "ran").exists()
    return said


FAILURES = {
    "no shell": ({"bash": "/nowhere/bash", "filters": None}, ""),
    "no such limit": ({"most": {"WISHES": 3}}, "WISHES"),
    "no folder": ({"writable": ["/nowhere/at/all"]}, "/nowhere/at/all"),
    "an empty filter": ({}, "the kernel refused a step of the confinement"),
    "a filter that is none": ({"filters": [bytes(8)] * 2}, "the kernel refused a step of the confinement"),
}


@pytest.mark.skipif(not CAN, reason="without Landlock every case fails at its first step")
@pytest.mark.parametrize(("limits", "said"), FAILURES.values(), ids=FAILURES)
def test_a_step_that_fails_is_reported_and_nothing_is_run(
    tmp_path: Path, limits: dict[str, object], said: str
) -> None:
    report = reported(limits, tmp_path)
    assert report
    assert said in report


# A filter that answers Landlock's calls with ENOSYS stands for an old kernel.
OLD_KERNEL = (
    "import ctypes, errno, os, struct, sys\n"
    "libc = ctypes.CDLL(None)\n"
    "code = b''.join(struct.pack('=HBBI', *line) for line in [(0x20, 0, 0, 0), (0x15, 0, 1, 444),"
    " (6, 0, 0, 0x50000 | errno.ENOSYS), (6, 0, 0, 0x7FFF0000)])\n"
    "buffer = ctypes.create_string_buffer(code, len(code))\n"
    "libc.prctl(38, 1, 0, 0, 0)\n"
    "assert libc.prctl(22, 2, struct.pack('@HP', 4, ctypes.addressof(buffer)), 0, 0) == 0\n"
    "from bot.outside.sandbox import LandlockShell\n"
)


def _on_an_old_kernel(program: str) -> str:
    said = subprocess.run(
        [sys.executable, "-c", OLD_KERNEL + program], capture_output=True, check=True, text=True
    )
    return said.stdout


def test_a_machine_without_landlock_is_told_apart() -> None:
    said = _on_an_old_kernel("print(LandlockShell().why_not())\n")
    assert "the kernel's Landlock has version -1; version 4 is needed" in said


def test_where_no_sandbox_is_required_the_rest_still_holds_and_what_is_missing_is_said() -> None:
    said = _on_an_old_kernel(
        "shell = LandlockShell(required=False)\n"
        "with shell.folder() as folder:\n"
        "    ran = shell.run('echo done; env; echo x > /dev/tcp/127.0.0.1/1', folder=folder, timeout_s=20)\n"
        "print(ran.exit_code, ran.unconfined, ran.output)\n"
    )
    assert said.startswith("1 the kernel's Landlock has version -1; version 4 is needed done\n")
    assert "PYTHONHASHSEED=0" in said
    assert "Operation not permitted" in said
