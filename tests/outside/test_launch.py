"""The launcher, run as the program that it is."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import bot.outside.launch

LAUNCH = bot.outside.launch.__file__
ONLY_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="these walls are Linux's")


def _launched(
    *command: str, kept: tuple[str, ...] = ("PATH",), **variables: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-I", "-S", LAUNCH, json.dumps(kept), *command],
        env={"PATH": os.environ["PATH"], **variables},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def _python(source: str) -> str:
    done = _launched(sys.executable, "-c", source)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_only_the_named_variables_are_handed_on() -> None:
    done = _launched("env", kept=("PATH", "KEPT"), KEPT="yes", DROPPED="no")
    assert set(done.stdout.split("\n")) - {""} == {f"PATH={os.environ['PATH']}", "KEPT=yes"}


def test_input_output_and_the_exit_code_are_the_programs_own() -> None:
    done = _launched("sh", "-c", "echo out; echo err >&2; exit 7")
    assert (done.stdout, done.stderr, done.returncode) == ("out\n", "err\n", 7)


def test_a_program_that_is_not_there_is_told(tmp_path: Path) -> None:
    done = _launched("no-such-program-anywhere")
    assert done.returncode == 126
    assert "no-such-program-anywhere: No such file or directory" in done.stderr


@ONLY_LINUX
def test_no_more_privileges_can_be_had() -> None:
    assert _python("print(open('/proc/self/status').read().split('NoNewPrivs:')[1].split()[0])") == "1"


@ONLY_LINUX
def test_it_can_not_trace_its_parent_even_as_root() -> None:
    source = (
        "import ctypes, os; libc = ctypes.CDLL(None, use_errno=True); "
        "print(libc.ptrace(0x4206, os.getppid(), 0, 0), ctypes.get_errno())"
    )
    assert _python(source) == "-1 1"


@ONLY_LINUX
def test_it_has_no_capability_to_look_into_others() -> None:
    held = int(_python("print(open('/proc/self/status').read().split('CapEff:')[1].split()[0])"), 16)
    assert not any(held >> capability & 1 for capability in (19, 21, 38, 39, 40))


@ONLY_LINUX
def test_it_may_still_work_with_files_and_programs(tmp_path: Path) -> None:
    file = tmp_path / "x"
    source = (
        "import subprocess, pathlib; "
        f"pathlib.Path({str(file)!r}).write_text('a'); print(subprocess.check_output(['cat', {str(file)!r}]))"
    )
    assert _python(source) == "b'a'"
