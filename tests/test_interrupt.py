"""Interrupts that a library takes for something else, in programs of their own."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BEGIN = """
import os, signal, sys, time
from pathlib import Path
from bot import interrupt

interrupt.note()

def press(number=signal.SIGINT):
    os.kill(os.getpid(), number)

class Slow:
    def __set_name__(self, owner, name):
        press()
"""
PROGRAMS = {
    "what Python makes a RuntimeError of": """
with interrupt.heeded():
    type("Owner", (), {"slow": Slow()})
""",
    "what pydantic makes a failure of": """
from pydantic import BaseModel, ConfigDict, ValidationError, field_validator

class Model(BaseModel):
    word: str

    @field_validator("word")
    @classmethod
    def slow(cls, word):
        try:
            press()
        except KeyboardInterrupt:
            raise ValueError("it was interrupted")
        return word

with interrupt.heeded():
    Model(word="x")
""",
    "what nobody hears of, before the next thing begins": """
class Gone:
    def __del__(self):
        press()

Gone()
print("ignored")
interrupt.heed()
""",
    "what nobody hears of, before files are written": """
from bot.outside.journal import Journal
from bot.workspace import Change, Entry, Mode, blob_sha

try:
    press()
except KeyboardInterrupt:
    pass
new = Entry(mode=Mode.FILE, blob=blob_sha(b"new"))
change = Change(path="a.txt", before=None, after=new, content_before=None, content_after=b"new")
try:
    Journal(Path("private"), Path(".")).commit([change])
finally:
    assert not Path("a.txt").exists()
""",
}


def ran(program: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", BEGIN + program],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_an_interrupt_that_got_lost_still_ends_the_program(program: str, tmp_path: Path) -> None:
    seen = ran(
        f"import signal\ntry:\n{_indented(program)}\nexcept KeyboardInterrupt:\n    sys.exit(42)", tmp_path
    )
    assert seen.returncode == 42, seen.stderr


def test_what_fails_without_one_fails_as_it_did(tmp_path: Path) -> None:
    seen = ran("with interrupt.heeded():\n    raise LookupError('lost')", tmp_path)
    assert seen.stderr.endswith("LookupError: lost\n")
    assert ran("interrupt.heed()", tmp_path).returncode == 0


def test_where_interrupts_are_ignored_they_still_are(tmp_path: Path) -> None:
    ignoring = """
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
interrupt.note()
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    press(number)
interrupt.no_more()
press(signal.SIGHUP)
interrupt.heed()
"""
    assert ran(ignoring, tmp_path).returncode == 0


def test_a_second_one_at_once_leaves_nothing_half_taken_back_and_a_later_one_ends_even_that(
    tmp_path: Path,
) -> None:
    program = """
try:
    try:
        press()
    finally:
        press(signal.SIGTERM)
        print("taken back", flush=True)
        time.sleep(0.6)
        press(signal.SIGTERM)
        print("and more")
except KeyboardInterrupt:
    print(interrupt.exit_code(), interrupt.told())
"""
    assert ran(program, tmp_path).stdout == "taken back\n130 Interrupted.\n"


def test_once_all_is_taken_back_another_one_ends_it_as_it_ends_any_program(tmp_path: Path) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        program = f"interrupt.no_more()\npress({number.value})\nprint('still here')"
        seen = ran(program, tmp_path)
        assert (seen.returncode, seen.stdout, seen.stderr) == (-number, "", "")


def _indented(program: str) -> str:
    return "".join(f"    {line}" for line in program.splitlines(keepends=True))
