"""What most tests of commands run on says and ends as a start of `python -m bot` does."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from keyboard import Keyboard
from standby import ROOT, bot

from bot.demo.model import Raw, Said, ScriptedModel

TOLD = {
    "a version": (("--version",), ""),
    "no command": ((), ""),
    "a page of help": (("apply", "--help"), ""),
    "an answer on stdout": (("policy", "schema"), ""),
    "questions on stdin": (("policy", "explain", "-"), '{"tool": "read_file", "arguments": {"path": "a"}}\n'),
    "a file that is not there": (("apply", "nowhere.json"), ""),
    "a refusal": (("run", "x", "--dry-run"), ""),
    "a language": (("render", "nowhere.json", "--language", "es"), ""),
    "runs of others": (("replay", "runs", "--processes", "2"), ""),
}


@pytest.mark.parametrize(("words", "stdin"), TOLD.values(), ids=TOLD)
def test_it_says_what_a_start_says(tmp_path: Path, words: tuple[str, ...], stdin: str) -> None:
    (tmp_path / "runs").mkdir()
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONPATH": str(ROOT), "LANG": "C.UTF-8"}
    start = [sys.executable, "-m", "bot", *words]
    real = subprocess.run(
        start, cwd=tmp_path, env=env, input=stdin, capture_output=True, text=True, check=False
    )
    seen = bot(*words, cwd=tmp_path, env=env, stdin=stdin)
    assert (seen.returncode, seen.stdout, seen.stderr) == (real.returncode, real.stdout, real.stderr)


def test_each_has_an_environment_a_folder_and_streams_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "f.yml").write_text("policy: {tools: {x: ask}}\n")
    first = bot("policy", "check", "f.yml", cwd=tmp_path, env={"PATH": "/usr/bin", "LANG": "es_ES.UTF-8"})
    again = bot("policy", "check", "f.yml", cwd=Path("/"), env={"PATH": "/usr/bin"})
    assert "f.yml:1" in first.stdout
    assert (again.returncode, again.stdout) == (2, "")
    assert "f.yml can't be read" in again.stderr


def test_one_that_is_ended_early_tells_what_ended_it(tmp_path: Path) -> None:
    with ScriptedModel((Said(text="Done."),)) as model:
        model.faults = [Raw(delay_s=60)] * 2
        keyboard = Keyboard(folder=tmp_path, model=model)
        ends = {}
        for number in (signal.SIGINT, signal.SIGKILL):
            asked = len(model.asked)
            with keyboard.begins("run", "x", "--dry-run") as running:
                while len(model.asked) == asked:
                    assert running.poll() is None
                    time.sleep(0.01)
                running.send_signal(number)
                ends[number] = running.wait()
    assert ends == {signal.SIGINT: 130, signal.SIGKILL: -signal.SIGKILL}
