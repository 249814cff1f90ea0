"""Keys out of the environment: what /proc shows of a run, and that the run has them all the same."""

import json
import os
import socket
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from journey import Journey

from bot.errors import BadUsage
from bot.outside.keys import handed_over

KEYS = {
    "OPENAI_API_KEY": "sk-the-key-of-the-model",
    "INPUT_SIGNING_KEY": "the-key-that-signs",
    "INPUT_ORG_TOKEN": "ghp_the_token_of_the_organisation",
    "TICKETS_TOKEN": "what-a-server-is-handed",
}


@pytest.mark.skipif(sys.platform != "linux", reason="there is no /proc elsewhere")
def test_while_a_run_waits_for_its_model_proc_shows_no_key(journey: Journey) -> None:
    event = journey.commented("/plan tidy")
    environ = journey.environment(event) | KEYS | {"PATH": os.environ["PATH"]}
    journey.check_out(event, Path(environ["GITHUB_WORKSPACE"]))
    with socket.create_server(("127.0.0.1", 0)) as model:
        model.settimeout(60)
        environ["OPENAI_BASE_URL"] = f"http://127.0.0.1:{model.getsockname()[1]}/v1"
        run = subprocess.Popen([sys.executable, "-m", "bot", "event"], env=environ, stderr=subprocess.PIPE)
        try:
            connection, _ = model.accept()
            with connection:
                asked = connection.recv(65536)
                shown = b"".join(
                    (Path("/proc") / str(run.pid) / name).read_bytes() for name in ("environ", "cmdline")
                )
        finally:
            run.kill()
            run.communicate()
    assert f"Bearer {KEYS['OPENAI_API_KEY']}".encode() in asked
    assert b"event" in shown
    assert b"PATH=" in shown
    for key in (*KEYS.values(), environ["GITHUB_TOKEN"]):
        assert key.encode() not in shown
    assert b"GITHUB_" not in shown


def test_everything_arrives_whatever_its_length_and_letters() -> None:
    given = {
        "PATH": os.environ["PATH"],
        "LC_ALL": "C.UTF-8",
        "A": "é\n\udcff",
        "LONG": "x" * 120_000,
        "LONGER": "y" * 120_000,
    }
    shown = _handed_over(given)
    assert shown == given


def test_a_program_in_a_persons_own_packages_is_found_again(tmp_path: Path) -> None:
    """As `pip install --user` puts it there. It gets as far as to miss what the runner would have set."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    packages = tmp_path / ".local/lib" / version / "site-packages"
    packages.mkdir(parents=True)
    there = (Path(__file__).parent.parent.parent, sysconfig.get_path("purelib"))
    (packages / "own.pth").write_text("".join(f"{folder}\n" for folder in there))
    (tmp_path / "json.py").write_text("raise SystemExit('the folder that it runs in was on its path')")
    ran = subprocess.run(
        [getattr(sys, "_base_executable", sys.executable), "-P", "-m", "bot", "event"],
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.stderr.startswith("The environment variable GITHUB_ACTOR is missing\n")


def test_what_no_pipe_can_hold_is_refused() -> None:
    many = {f"V{number}": "x" * 100_000 for number in range(11)}
    with pytest.raises(subprocess.CalledProcessError) as failed:
        _handed_over({"PATH": os.environ["PATH"]} | many)
    assert "more than can be kept out of sight" in failed.value.stderr


def test_a_descriptor_that_somebody_else_named_holds_nothing(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("{not JSON")
    with pytest.raises(BadUsage, match="Nothing was handed over"):
        handed_over(os.open(file, os.O_RDONLY))


def _handed_over(environ: dict[str, str]) -> dict[str, str]:
    """What a program that began again finds."""
    ran = subprocess.run(
        [sys.executable, "-c", _BEGINS_AGAIN, _TELLS], env=environ, capture_output=True, text=True, check=True
    )
    found: dict[str, str] = json.loads(ran.stdout)
    return found


_BEGINS_AGAIN = """
import os, sys
from bot.outside.keys import begin_again
begin_again(os.environ, ["event"], program=("-I", "-c", sys.argv[1]))
"""
_TELLS = """
import json, sys
from bot.outside.keys import handed_over
assert sys.argv[1:3] == ["event", "--environment-from"], sys.argv
print(json.dumps(dict(handed_over(int(sys.argv[3])))))
"""
