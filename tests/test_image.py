"""The image of the Dockerfile, built and run, by docker or by podman; `make image` runs this.

It needs a package index and takes minutes the first time, so it is left out of `make test`.
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from container_engine import Engine, container_engine
from journey import Journey

ROOT = Path(__file__).parent.parent
TAG = "localhost/dryrun-bot:test"
pytestmark = [pytest.mark.network, pytest.mark.timeout(1800)]


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with container_engine() as engine:
        began = time.monotonic()
        engine.build(ROOT, TAG)
        print(f"\nbuilt in {time.monotonic() - began:.0f} s on {engine.base}")
        yield engine


def test_the_image_is_the_base_and_little_more(engine: Engine) -> None:
    ours, base = engine.size_bytes(TAG), engine.size_bytes(engine.base)
    print(f"\nimage: {ours / 1e6:.0f} MB, of which the base {base / 1e6:.0f} MB")
    assert ours - base < 150e6


INSIDE = """
import glob, importlib.util, os, shutil, sys
import bot
site = os.path.dirname(os.path.dirname(bot.__file__))
sources = glob.glob(site + "/bot/**/*.py", recursive=True)
print(*map(int, (
    os.getuid() != 0,
    not os.access(site, os.W_OK),
    len(sources) > 100,
    all(os.path.exists(importlib.util.cache_from_source(source)) for source in sources),
    all(shutil.which(program) for program in ("git", "rg", "dryrun-bot")),
    not any(shutil.which(program) for program in ("uv", "strip", "curl", "ssh")),
)))
"""


def test_nobody_special_runs_compiled_code_that_they_cannot_change(engine: Engine) -> None:
    ran = engine("run", "--rm", "--network=none", "--entrypoint=python", TAG, "-I", "-c", INSIDE)
    assert ran.stdout.split() == ["1"] * 6


def test_nothing_of_the_source_folder_is_in_it_but_the_program(engine: Engine) -> None:
    listed = engine(
        "run", "--rm", "--network=none", "--entrypoint=ls", TAG, "-A", "/work", "/opt", "/src", check=False
    )
    assert "No such file" in listed.stderr
    assert [word for word in listed.stdout.split() if not word.endswith(":")] == ["dryrun-bot"]


def test_the_demo_runs_in_it_without_network(engine: Engine) -> None:
    told = engine("run", "--rm", "--network=none", TAG, "demo", "--out", "/tmp/demo")
    assert "Applied: 8 actions" in told.stdout


def test_a_mounted_repository_is_looked_at_and_commands_run_confined(
    engine: Engine, journey: Journey
) -> None:
    seen = journey.folder / "seen"
    seen.mkdir()
    journey.git("init", "--quiet", folder=seen)
    _open_to_all(seen)
    told = engine("run", "--rm", "--network=none", "--volume", f"{seen}:/work", TAG, "doctor", "--offline")
    for what in ("git", "Search", "Commands", "Repository"):
        assert f"ok       {what}" in told.stdout, told.stdout


def test_it_answers_a_pull_request_as_the_action_does(engine: Engine, journey: Journey) -> None:
    """And how long a person waits for the first request, from `docker run` on."""
    event = journey.github.pull_request_event(journey.repository, journey.issue, "opened")
    environ = journey.environment(event)
    journey.check_out(event, Path(environ["GITHUB_WORKSPACE"]))
    folder = Path(environ["RUNNER_TEMP"]).parent
    _open_to_all(folder)
    before = len(journey.github.log)
    given = [
        word for name, value in environ.items() if name != "PATH" for word in ("--env", f"{name}={value}")
    ]
    began = time.monotonic()
    running = subprocess.Popen(
        [
            *engine.command,
            "run",
            "--rm",
            "--network=host",
            "--volume",
            f"{folder}:{folder}",
            *given,
            TAG,
            "event",
        ],
        stdin=subprocess.DEVNULL,
    )
    while len(journey.github.log) == before and running.poll() is None:
        time.sleep(0.002)
    waited = time.monotonic() - began
    assert running.wait() == 0
    print(f"\nfrom docker run to the first request: {waited:.2f} s")
    assert journey.plan().steps[0].description == "edit_file → README.md"


CONTAINER_ACTION = f"""\
name: dryrun-bot in a container
inputs: {{github-token: {{}}}}
outputs: {{decision: {{}}, plan-digest: {{}}}}
runs:
  using: docker
  image: docker://{TAG}
  args: [event]
  env: {{GITHUB_TOKEN: "${{{{ inputs.github-token }}}}"}}
"""
WORKFLOW = """\
on: pull_request
jobs:
  plan:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v6
      - uses: ./in-a-container
        id: bot
        with: {github-token: "${{ secrets.GITHUB_TOKEN }}"}
      - run: echo "it was ${{ steps.bot.outputs.decision }}, ${{ steps.bot.outputs.plan-digest }}"
"""


def test_a_workflow_runs_it_as_a_container_action(engine: Engine, journey: Journey, tmp_path: Path) -> None:
    event = journey.github.pull_request_event(journey.repository, journey.issue, "opened")
    event.write(tmp_path / "event.json")
    checkout = tmp_path / "checkout"
    for name, text in {
        ".github/workflows/bot.yml": WORKFLOW,
        "in-a-container/action.yml": CONTAINER_ACTION,
    }.items():
        (checkout / name).parent.mkdir(parents=True, exist_ok=True)
        (checkout / name).write_text(text)
    journey.git("init", "--quiet", folder=checkout)
    given = {
        "GITHUB_API_URL": journey.github.url,
        "GITHUB_GRAPHQL_URL": f"{journey.github.url}/graphql",
        "GITHUB_SERVER_URL": journey.github.url,
        "GITHUB_REPOSITORY": "acme/widgets",
        "OPENAI_BASE_URL": journey.model.base_url,
        "RUNNER_TEMP": "/tmp",
    }
    act = str(Path(sys.executable).with_name("act"))
    token = f"GITHUB_TOKEN={journey.github.workflow_token(journey.repository)}"
    ran = subprocess.run(
        [act, "pull_request", "--eventpath", str(tmp_path / "event.json"), "--actor=mona", "--secret", token]
        + [
            f"--platform=ubuntu-latest={engine.base}",
            "--pull=false",
            "--network=host",
            "--container-daemon-socket=-",
        ]
        + [word for name, value in given.items() for word in ("--env", f"{name}={value}")],
        cwd=checkout,
        env={**os.environ, "DOCKER_HOST": engine.host, "XDG_CACHE_HOME": str(tmp_path / "cache")},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout[-4000:] + ran.stderr[-1000:]
    assert f"it was planned, {journey.plan().digest}" in ran.stdout


def _open_to_all(folder: Path) -> None:
    """The image's user is another than the one who runs this."""
    for one in (folder, *folder.rglob("*")):
        one.chmod(one.stat().st_mode | (0o777 if one.is_dir() else 0o666))
