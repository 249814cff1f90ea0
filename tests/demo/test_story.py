"""The demo tells the truth, twice, and leaves a page."""

import os
import subprocess
import sys
from pathlib import Path

import pytest


def _tell(out: Path, folder: Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-I", "-m", "bot", "demo", "--out", str(out)],
        cwd=folder,
        env={"PATH": os.environ["PATH"], "TMPDIR": str(folder), "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


@pytest.mark.slow
def test_the_demo_tells_the_whole_story_and_a_second_time(tmp_path: Path) -> None:
    out = tmp_path / "out"
    for _ in range(2):
        told = _tell(out, tmp_path)
        assert told.returncode == 0, told.stdout + told.stderr
        for part in (
            "Action plan (dry-run): 9 planned actions",
            "Digest: ",
            "/apply ",
            "Applied: 8 actions",
            "+receive a tea that is never bitter.",
            "Rehearsed in the sandbox, on a copy: exit code 0",
            "formatted src/teatime/brew.py",
            "-def announce_cold(brew: Brew) -> str:  \t\n",
            "3 passed",
            "What step 9 said",
            "Dryrun-Plan: ",
            "Approved-by: @maja",
            "stale-head",
            "scripted-model",
            (out / "pull-request.html").resolve().as_uri(),
        ):
            assert part in told.stdout
    page = (out / "pull-request.html").read_text("utf-8")
    assert "Action plan (dry-run)" in page
    assert "scripted-model" in page


@pytest.mark.slow
def test_the_demo_needs_neither_token_nor_key_nor_network(tmp_path: Path) -> None:
    """In a network namespace of its own there is nothing but loopback."""
    script = f'ip link set lo up && exec "{sys.executable}" -I -m bot demo --out out'
    isolated = ["unshare", "--net", "--map-root-user", "sh", "-c", script]
    if subprocess.run(["unshare", "--net", "--map-root-user", "true"], check=False).returncode != 0:
        pytest.skip("this machine lets nobody make a network namespace")
    told = subprocess.run(
        isolated,
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "TMPDIR": str(tmp_path), "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 0, told.stdout + told.stderr
