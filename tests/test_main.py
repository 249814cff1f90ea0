"""The front door, as a shell meets it: exit codes, what goes to which stream, and no secret in any of it."""

import os
import platform
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from child import child
from journey import CONFIG, Journey, outputs_in
from real_git import committed

from bot import __version__
from bot.demo.model import Raw, Said, ScriptedModel

ROOT = Path(__file__).parent.parent


def _bot(*arguments: str, env: dict[str, str] | None = None) -> "subprocess.CompletedProcess[str]":
    """As an installed command would be run: with nothing of the test's own environment but the PATH."""
    return subprocess.run(
        [sys.executable, "-m", "bot", *arguments],
        env={"PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1"} | (env or {}),
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        timeout=60,
    )


USAGE = {
    "help": (["--help"], 0),
    "a version": (["--version"], 0),
    "no command": ([], 2),
    "an unknown one": (["aply"], 2),
    "an event without an environment": (["event"], 2),
}


@pytest.mark.parametrize(("arguments", "code"), USAGE.values(), ids=USAGE)
def test_the_exit_code_tells_usage_from_work(arguments: list[str], code: int) -> None:
    ran = _bot(*arguments)
    assert ran.returncode == code
    assert (ran.stdout == "") is (code != 0)
    assert "Traceback" not in ran.stderr


def test_a_missing_variable_is_named_with_the_next_step() -> None:
    ran = _bot("event")
    assert ran.stderr == (
        "The environment variable GITHUB_ACTOR is missing\n"
        "  Next: run this as a GitHub Action, or set GITHUB_ACTOR\n"
    )


def _event(journey: Journey, body: str, *, by: str = "lee", **more: str) -> tuple[int, str]:
    """A run of the real command: its exit code, and its reason code."""
    event = journey.commented(body, by=by)
    environ = journey.environment(event) | more
    journey.check_out(event, Path(environ["GITHUB_WORKSPACE"]))
    ran = _bot("event", env=environ)
    assert ran.stdout == ""
    return ran.returncode, outputs_in(Path(environ["GITHUB_OUTPUT"]))["reason-code"]


def _misconfigured(journey: Journey) -> None:
    files = {".github/dryrun-bot.yml": CONFIG + "x: 1\n"}
    journey.github.push(journey.repository, "main", files, message="x", by="acme")


# Each is a test of its own: six starts on a busy machine take longer than one test may.
ENDS: dict[str, tuple[Callable[[Journey], None], str, str, tuple[int, str]]] = {
    "words for somebody else": (Journey.plan_it, "Nice.", "lee", (0, "not-for-us")),
    "somebody who may not": (Journey.plan_it, "/plan", "stranger", (0, "not-permitted")),
    "a plan": (Journey.plan_it, "/plan tidy", "lee", (0, "planned")),
    "a digest of no plan": (Journey.plan_it, "/apply 000000000000", "lee", (3, "no-plan")),
    "an apply": (Journey.plan_it, "/apply", "lee", (0, "applied")),
    "a mistake in the configuration": (_misconfigured, "/plan", "lee", (2, "bad-config")),
}


@pytest.mark.parametrize(("prepare", "body", "by", "ended"), ENDS.values(), ids=ENDS)
def test_each_way_to_end_has_its_exit_code(
    journey: Journey, prepare: Callable[[Journey], None], body: str, by: str, ended: tuple[int, str]
) -> None:
    prepare(journey)
    assert _event(journey, body, by=by) == ended


def test_a_model_that_fails_ends_with_1(journey: Journey) -> None:
    key = "sk-proj-" + "Zm9vYmFyYmF6cXV4" * 2
    more = {"OPENAI_BASE_URL": f"{journey.github.url}/v1", "OPENAI_API_KEY": key}
    assert _event(journey, "/plan tidy", **more) == (1, "model-failed")
    assert key not in journey.bot_comments[-1].body


SECRETS = {"GITHUB_TOKEN": "ghs_correcthorsebattery", "OPENAI_API_KEY": "sk-correcthorsebattery"}


def test_a_fault_of_our_own_is_a_traceback_that_holds_no_secret_and_no_command(tmp_path: Path) -> None:
    """The name of a folder is hostile, and the token is a part of it."""
    evil = tmp_path / f"::error::{SECRETS['GITHUB_TOKEN']}"
    evil.mkdir()
    (evil / "dryrun-bot").write_text("in the way")
    env = SECRETS | {
        "GITHUB_ACTOR": "lee",
        "GITHUB_REPOSITORY": "acme/widgets",
        "GITHUB_EVENT_NAME": "push",
        "GITHUB_EVENT_PATH": str(tmp_path / "event.json"),
        "GITHUB_WORKSPACE": str(tmp_path),
        "RUNNER_TEMP": str(evil),
        "GITHUB_OUTPUT": str(evil),
    }
    (tmp_path / "event.json").write_text("{}")
    ran = _bot("event", env=env)
    assert ran.returncode == 1
    assert "This is a fault in dryrun-bot, please report it" in ran.stderr
    _, block, rest = ran.stderr.split("----- dryrun-bot report -----\n")
    assert block.startswith(f"dryrun-bot {__version__}, Python {platform.python_version()}, ")
    assert "Traceback" in block
    assert rest == ""
    assert "IsADirectoryError" in ran.stderr
    for secret in SECRETS.values():
        assert secret not in ran.stderr
    assert "::error::" not in ran.stderr


FULL = {
    "a disk that is full, as a limit on a file's size tells it": ("state", 400, 1, "File too large"),
    "a place where nothing can be made": ("/proc/nobody", 10**9, 2, "/proc/nobody/dryrun-bot"),
}


@pytest.mark.parametrize(("state", "most_bytes", "code", "said"), FULL.values(), ids=FULL)
def test_a_disk_that_takes_nothing_is_no_fault_of_ours(
    state: str, most_bytes: int, code: int, said: str, tmp_path: Path
) -> None:
    committed(tmp_path, {"a.txt": b"a\n"})
    limit = f"import resource as r, sys; r.setrlimit(r.RLIMIT_FSIZE, ({most_bytes}, {most_bytes})); "
    with ScriptedModel([Said(text="done")]) as model:
        ran = subprocess.run(
            [sys.executable, "-c", f"{limit}from bot.__main__ import main; sys.exit(main())", "run", "x"],
            env={
                "PATH": os.environ["PATH"],
                "PYTHONPATH": str(ROOT),
                "PYTHONDONTWRITEBYTECODE": "1",
                "OPENAI_API_KEY": "k" * 20,
                "OPENAI_BASE_URL": model.base_url,
                "XDG_STATE_HOME": str(tmp_path / ".git" / state),
            },
            capture_output=True,
            text=True,
            check=False,
            cwd=tmp_path,
            timeout=60,
        )
    assert (ran.returncode, "Traceback" in ran.stderr) == (code, False)
    assert said in ran.stderr
    assert "  Next: " in ran.stderr


def test_outputs_that_a_full_disk_does_not_take_are_told_with_their_file(tmp_path: Path) -> None:
    (tmp_path / "event.json").write_text('{"action": "deleted"}')
    names = {"GITHUB_EVENT_NAME": "issue_comment", "GITHUB_EVENT_PATH": str(tmp_path / "event.json")}
    ran = _bot("event", env=names | {"GITHUB_OUTPUT": "/dev/full"})
    assert ran.returncode == 1
    assert ran.stderr.endswith(
        "/dev/full can't be used: No space left on device\n"
        "  Next: check the permissions and the disk, and start again\n"
    )


STREAMS = {
    "output closed": ("policy schema >&-", 0),
    "errors closed": ("policy schema 2>&-", 0),
    "input closed": ("policy schema <&-", 0),
    "all closed": ("policy schema <&- >&- 2>&-", 0),
    "output on a full disk": ("policy schema >/dev/full", 1),
    "help on a full disk": ("--help >/dev/full", 1),
    "errors on a full disk": ("event 2>/dev/full", 2),
    "usage on a full disk": ("aply 2>/dev/full", 2),
    "both on a full disk": ("policy schema >/dev/full 2>&1", 1),
}


@pytest.mark.parametrize(("words", "code"), STREAMS.values(), ids=STREAMS)
def test_a_stream_that_is_closed_or_full_is_no_fault_of_ours(words: str, code: int) -> None:
    ran = subprocess.run(
        ["bash", "-c", f'"$0" -m bot {words}', sys.executable],
        env={"PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        timeout=60,
    )
    assert ran.returncode == code
    assert "Traceback" not in ran.stderr
    assert "Exception ignored" not in ran.stderr


def test_interrupted_it_says_so_and_ends_with_130(journey: Journey) -> None:
    journey.model.faults = [Raw(delay_s=60)]
    event = journey.commented("/plan tidy")
    environ = journey.environment(event) | {"PATH": os.environ["PATH"]}
    journey.check_out(event, Path(environ["GITHUB_WORKSPACE"]))
    with child(
        [sys.executable, "-m", "bot", "event"], env=environ, cwd=ROOT, stderr=subprocess.PIPE, text=True
    ) as running:
        while not journey.model.asked:
            assert running.poll() is None
            time.sleep(0.02)
        # As GitHub cancels a job, but sooner one after the other.
        running.send_signal(signal.SIGINT)
        running.send_signal(signal.SIGTERM)
        _, said = running.communicate(timeout=30)
        assert running.returncode == 130
        assert said == "Interrupted.\n"
        assert journey.bot_comments == []


ENDED = {
    signal.SIGINT: (130, "Interrupted.\n"),
    signal.SIGTERM: (143, "Interrupted by SIGTERM.\n"),
    signal.SIGHUP: (129, "Interrupted by SIGHUP.\n"),
}


@contextmanager
def _heard(number: signal.Signals) -> Iterator[None]:
    """Else what nohup has started would start programs that ignore it, too."""
    before = signal.signal(number, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(number, before)


@pytest.mark.parametrize(("number", "end"), ENDED.items(), ids=[number.name for number in ENDED])
def test_each_signal_that_ends_it_is_told_and_has_its_exit_code(
    number: signal.Signals, end: tuple[int, str]
) -> None:
    with ExitStack() as stack:
        with _heard(number):
            running = stack.enter_context(
                child(
                    [sys.executable, "-m", "bot", "policy", "explain", "-"],
                    env={"PATH": os.environ["PATH"]},
                    cwd=ROOT,
                    text=True,
                    **dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE),
                )
            )
        running.stdin.write('{"tool": "read_file", "arguments": {"path": "a"}}\n')
        running.stdin.flush()
        assert '"allow"' in running.stdout.readline()
        running.send_signal(number)
        _, said = running.communicate(timeout=30)
        assert (running.returncode, said) == end


def test_a_reader_that_has_seen_enough_is_no_fault() -> None:
    """As with `dryrun-bot policy schema | head -1`."""
    reads, writes = os.pipe()
    os.close(reads)
    ran = subprocess.run(
        [sys.executable, "-m", "bot", "policy", "schema"],
        stdout=writes,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        cwd=ROOT,
    )
    os.close(writes)
    assert (ran.returncode, ran.stderr) == (0, "")


_SPY = """
from pathlib import Path
Path(__file__).with_name("seen").touch()
class Plugin:
    def new_schema_validator(self, *args, **kwargs):
        return None, None, None
plugin = Plugin()
"""


def test_no_package_that_happens_to_be_installed_looks_on_at_what_is_validated(tmp_path: Path) -> None:
    (tmp_path / "spy.py").write_text(_SPY)
    installed = tmp_path / "spy-1.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: spy\nVersion: 1\n")
    (installed / "entry_points.txt").write_text("[pydantic]\nspy = spy:plugin\n")
    environ = {"PATH": os.environ["PATH"], "PYTHONPATH": str(tmp_path)}
    ran = _bot("policy", "explain", "read_file", '{"path": "a"}', env=environ)
    assert ran.stdout.startswith("allow: ")
    assert not (tmp_path / "seen").exists()
    elsewhere = "from pydantic import BaseModel\nclass Model(BaseModel):\n    number: int\n"
    subprocess.run([sys.executable, "-c", elsewhere], env=environ, check=True)
    assert (tmp_path / "seen").exists()
