"""The demo tells the truth, twice, and leaves a page."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ISOLATION = ("unshare", "--net", "--map-root-user")


@pytest.fixture(scope="module")
def can_isolate() -> bool:
    return subprocess.run([*ISOLATION, "true"], check=False).returncode == 0


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("story") / "out"


@pytest.fixture(scope="module")
def told(out: Path, *, can_isolate: bool) -> list["subprocess.CompletedProcess[str]"]:
    """Twice into one folder, and the second time where there is nothing but loopback, if that can be had."""
    demo = [sys.executable, "-I", "-m", "bot", "demo", "--out", str(out)]
    alone = [*ISOLATION, "sh", "-c", 'ip link set lo up && exec "$@"', "sh", *demo]
    return [
        subprocess.run(
            command,
            cwd=out.parent,
            env={"PATH": os.environ["PATH"], "TMPDIR": str(out.parent), "PYTHONIOENCODING": "utf-8"},
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        for command in (demo, alone if can_isolate else demo)
    ]


@pytest.mark.slow
def test_the_demo_tells_the_whole_story_and_a_second_time(
    told: list["subprocess.CompletedProcess[str]"], out: Path
) -> None:
    for once in told:
        assert once.returncode == 0, once.stdout + once.stderr
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
            assert part in once.stdout
    page = (out / "pull-request.html").read_text("utf-8")
    assert "Action plan (dry-run)" in page
    assert "scripted-model" in page


@pytest.mark.slow
def test_the_demo_needs_neither_token_nor_key_nor_network(
    told: list["subprocess.CompletedProcess[str]"], *, can_isolate: bool
) -> None:
    """In a network namespace of its own there is nothing but loopback."""
    if not can_isolate:
        pytest.skip("this machine lets nobody make a network namespace")
    assert told[1].returncode == 0, told[1].stdout + told[1].stderr
