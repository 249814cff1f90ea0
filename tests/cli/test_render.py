"""`dryrun-bot render`: a saved plan as Markdown or as a page."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from child import child
from keyboard import ROOT
from render.samples import mixed
from standby import bot

SHOWN = {
    "Markdown": ((), "### Action plan (dry-run): "),
    "a page": (("--html",), "<!doctype html>"),
    "Spanish": (("--language", "es"), "### Plan de acciones (dry-run): "),
}


def rendered(*words: str) -> subprocess.CompletedProcess[str]:
    return bot("render", *words, cwd=ROOT, env={"PATH": os.environ["PATH"]})


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "plan.json"
    file.write_bytes(mixed().to_bytes())
    return file


@pytest.mark.parametrize(("words", "start"), SHOWN.values(), ids=SHOWN)
def test_a_plan_is_shown(file: Path, words: tuple[str, ...], start: str) -> None:
    ran = rendered(str(file), *words)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith(start)
    assert "docs/guide.md" in ran.stdout


WRONG = {"nothing": (None, 2), "no record": ("{}", 1), "no text": ("\udcff", 1)}


@pytest.mark.parametrize(("content", "code"), WRONG.values(), ids=WRONG)
def test_what_is_no_plan_is_said(tmp_path: Path, content: str | None, code: int) -> None:
    file = tmp_path / "plan.json"
    if content is not None:
        file.write_bytes(content.encode("utf-8", "surrogateescape"))
    ran = rendered(str(file))
    assert (ran.returncode, ran.stdout) == (code, "")
    assert "Next:" in ran.stderr
    assert "Traceback" not in ran.stderr


def test_a_reader_that_has_seen_enough_is_no_fault(file: Path) -> None:
    with child(
        [sys.executable, "-m", "bot", "render", str(file), "--html"],
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as shown:
        assert shown.stdout is not None
        shown.stdout.close()
        assert shown.stderr is not None
        with shown.stderr:
            assert b"Traceback" not in shown.stderr.read()
        assert shown.wait() == 0
