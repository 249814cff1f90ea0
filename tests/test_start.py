"""A start loads what its command needs, and nothing is made before it is used."""

import json
import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from threading import Barrier
from typing import ClassVar

import pytest
from plans import effect, plan, step
from pydantic import ValidationError
from real_git import committed
from recorded import POLICY, record

from bot.demo.loopback import Loopback
from bot.gate.policy import Section

ROOT = Path(__file__).parent.parent

_EVERY_MODULE = """
import sys
from importlib import import_module
from pkgutil import walk_packages
import bot
for module in walk_packages(bot.__path__, "bot."):
    if module.name != "bot.__main__":
        import_module(module.name)

from pydantic import BaseModel
def below(model):
    for one in model.__subclasses__():
        yield one
        yield from below(one)
ours = [model for model in below(BaseModel) if model.__module__.startswith("bot.")]
# A generic one is made where it is named, whatever its heirs say.
named = [model for model in ours if not model.__pydantic_generic_metadata__["origin"]]
print(len(named), *(f"{model.__module__}.{model.__name__}" for model in named if model.__pydantic_complete__))

records = {
    one
    for module in list(sys.modules.values()) if module.__name__.startswith("bot.")
    for one in vars(module).values()
    if isinstance(one, type) and one.__module__.startswith("bot.") and "__dataclass_fields__" in vars(one)
}
# Nobody has asked yet; the standard library compiles a comparison for each class.
compiled = {one for one in records if one.__eq__.__code__.co_filename == "<string>"}
print(len(records), *(f"{one.__module__}.{one.__name__}" for one in compiled))
"""


def test_no_import_builds_a_validator_or_compiles_the_functions_of_a_dataclass() -> None:
    program = [sys.executable, "-c", _EVERY_MODULE]
    ran = subprocess.run(program, cwd=ROOT, capture_output=True, text=True, check=True)
    (models, *built), (records, *compiled) = map(str.split, ran.stdout.splitlines())
    assert int(models) > 100
    assert not built
    assert int(records) > 250
    # A stamp is shown and not kept, which is for the standard library; the others are of bot.dataclass.
    assert {one.rpartition(".")[0] for one in compiled} == {"bot.authority"}


@pytest.mark.parametrize("turn", range(20))
def test_threads_that_use_a_model_first_are_all_held_to_it(turn: int) -> None:
    """`turn` is of no account: each makes a model that nobody has used."""
    threads = 8
    together = Barrier(threads)

    class Fresh(Section):
        number: int
        words: tuple[str, ...] = ()

    def outcome(_: int) -> str:
        together.wait()
        try:
            Fresh.model_validate({"number": turn, "strange": True})
        except ValidationError as error:
            return str([one["type"] for one in error.errors()])
        return "let through"

    with ThreadPoolExecutor(threads) as pool:
        assert set(pool.map(outcome, range(threads))) == {"['extra_forbidden']"}


_LOADED = """
import atexit, gc, sys
from bot.__main__ import main
usual, seldom = gc.get_threshold(), []
gc.callbacks.append(lambda *_: seldom.append(1) if gc.get_threshold() != usual else None)
# What is asked for first is done last.
atexit.register(lambda: print(len(gc.get_objects()), gc.get_freeze_count(), len(seldom), file=sys.stderr))
code = main()
print(code, *sys.modules, file=sys.stderr)
"""


def _loaded(*arguments: str, folder: Path) -> set[str]:
    """The modules that a command has loaded when it is done. It never looks through them for circles."""
    environ = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
    program = [sys.executable, "-c", _LOADED, *arguments]
    ran = subprocess.run(program, env=environ, cwd=folder, capture_output=True, text=True, check=True)
    told, kept = ran.stderr.splitlines()[-2:]
    code, *modules = told.split()
    assert code == "0", ran.stderr
    looked_at, left, collections = map(int, kept.split())
    assert looked_at < 1_000
    assert left > 30_000
    assert not collections
    return set(modules)


def test_an_explanation_loads_nothing_of_github_of_models_or_of_runs(tmp_path: Path) -> None:
    loaded = _loaded("policy", "explain", "read_file", '{"path": "a"}', folder=tmp_path)
    assert {"bot.gate", "bot.tools", "pydantic"} <= loaded
    foreign = {
        "jinja2",
        "rich",
        "yaml",
        "pathspec",
        "html",
        "openai",
        "github",
        "requests",
        "asyncio",
        "difflib",
    }
    ours = {"authority", "agent", "command", "cost", "dispatcher", "event", "foreign.held", "noted", "plan"}
    ours |= {
        "chaos",
        "config.config_error",
        "config.example",
        "pull_request",
        "render",
        "transcript",
        "world",
    }
    assert loaded.isdisjoint(foreign | {f"bot.{name}" for name in ours})


def test_to_render_a_plan_loads_the_record_and_the_layout_alone(tmp_path: Path) -> None:
    file = tmp_path / "plan.json"
    file.write_bytes(plan(step(1, effect("a.txt", before="1", after="2"))).to_bytes())
    loaded = _loaded("render", str(file), folder=tmp_path)
    assert {"bot.plan", "bot.render.plan", "jinja2", "pydantic"} <= loaded
    foreign = {"rich", "yaml", "pathspec", "openai", "github", "requests", "asyncio", "difflib"}
    ours = {
        "agent",
        "authority",
        "command",
        "config",
        "dispatcher",
        "foreign",
        "gate",
        "outside",
        "own_machine",
    }
    ours |= {"flows", "local_run", "shell", "terminal", "tools", "transcript", "world"}
    assert loaded.isdisjoint(foreign | {f"bot.{name}" for name in ours})


def test_a_replay_of_policies_loads_the_gate_and_the_record_alone(tmp_path: Path) -> None:
    record(tmp_path / "runs", 1)
    (tmp_path / "policy.yml").write_bytes(POLICY)
    loaded = _loaded("replay", "--policy", "policy.yml", "runs", folder=tmp_path)
    assert {"bot.gate", "bot.replay.own_run", "bot.render.impact_text", "pydantic"} <= loaded
    foreign = {
        "jinja2",
        "rich",
        "html",
        "openai",
        "github",
        "requests",
        "asyncio",
        "difflib",
        "multiprocessing",
    }
    ours = {"agent", "authority", "command", "dispatcher", "event", "foreign", "plan", "planning", "proposal"}
    ours |= {"pull_request", "replay.again", "replay.importers", "render.layout", "simulator", "tools"}
    assert loaded.isdisjoint(foreign | {f"bot.{name}" for name in ours})


_WATCHED = """
import os, sys, threading, time
from pathlib import Path

def watch():
    # Not before it is wholly there.
    while "openai" not in sys.modules or sys.modules["openai"].__spec__._initializing:
        time.sleep(0.005)
    Path(os.environ["LOADED"]).touch()

threading.Thread(target=watch, daemon=True).start()
"""
_VISIT = f"""{_WATCHED}
from bot.cli.event import respond
respond(os.environ)
print("openai" in sys.modules)
"""


class _Waiting(BaseHTTPRequestHandler):
    """A GitHub that lets nobody in, and says so when the file `until` is there, or after a minute."""

    until: Path | None = None
    asked: ClassVar[list[bool]] = []

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("content-length", "0")))
        self.do_GET()

    def do_GET(self) -> None:
        end = time.monotonic() + 60
        while self.until is not None and not self.until.exists() and time.monotonic() < end:
            time.sleep(0.005)
        self.asked.append(self.until is not None and self.until.exists())
        self.send_response(401)
        self.send_header("content-length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_: object) -> None:
        pass


def _visit(body: str, folder: Path, *, waits: bool) -> tuple[list[bool], bool]:
    """Of a comment: whether the client was there when each request was answered, and at the end."""
    event, loaded = folder / "event.json", folder / "loaded"
    account = {"login": "lee", "id": 1, "type": "User"}
    fields = {
        "action": "created",
        "issue": {"number": 1, "pull_request": {}},
        "comment": {"id": 1, "node_id": "IC_1", "body": body, "user": account},
        "repository": {"full_name": "acme/widgets", "default_branch": "main"},
        "sender": account,
    }
    event.write_text(json.dumps(fields))
    handler = type("Handler", (_Waiting,), {"until": loaded if waits else None, "asked": []})
    server = Loopback(handler)
    server.start()
    environ = {
        "PATH": os.environ["PATH"],
        "GITHUB_ACTOR": "lee",
        "GITHUB_API_URL": server.url,
        "GITHUB_REPOSITORY": "acme/widgets",
        "GITHUB_EVENT_NAME": "issue_comment",
        "GITHUB_EVENT_PATH": str(event),
        "GITHUB_WORKSPACE": str(folder),
        "GITHUB_TOKEN": "none",
        "RUNNER_TEMP": str(folder),
        "LOADED": str(loaded),
    }
    try:
        program = [sys.executable, "-c", _VISIT]
        ran = subprocess.run(program, env=environ, cwd=ROOT, capture_output=True, text=True, check=True)
    finally:
        server.stop()
    assert "Traceback" not in ran.stderr
    return handler.asked, ran.stdout.splitlines()[-1] == "True"  # type: ignore[attr-defined]


@pytest.mark.parametrize("body", ["/plan", "/plan tidy", "/dryrun plan", "/acme plan", "/replay"])
def test_the_models_client_is_loaded_while_github_is_first_waited_for(tmp_path: Path, body: str) -> None:
    """GitHub's first answer waits for it: a visit that loaded it later would never hear that answer."""
    asked, _ = _visit(body, tmp_path, waits=True)
    assert asked
    assert all(asked)


@pytest.mark.parametrize("body", ["/apply 2539a611263d", "/undo", "/discard", "/help", "/aply", "Thank you"])
def test_what_asks_no_model_loads_no_client_of_one(tmp_path: Path, body: str) -> None:
    asked, is_loaded = _visit(body, tmp_path, waits=False)
    assert bool(asked) is body.startswith("/")
    assert not is_loaded


_RUN = f"""{_WATCHED}
from bot.cli.parser import parse
from bot.errors import BadUsage
arguments = parse(sys.argv[1:])
try:
    print(arguments.run(arguments))
except BadUsage as error:
    print(error)
print("openai" in sys.modules)
"""
# It has nothing of our environment; and it ends, should what it waits for never come.
_SLOW_GIT = """#!/bin/sh
case "$*" in *ls-files*)
    for _ in $(seq 600); do [ -e {loaded} ] && break; sleep 0.1; done
    [ -e {loaded} ] && echo there >> {answered} || echo missing >> {answered}
esac
exec {git} "$@"
"""


def _run(folder: Path, *options: str, waits: bool) -> tuple[str, bool]:
    """Of a task without a key: what was said first, and whether the client is there at the end."""
    repository = folder / "repository"
    committed(repository, {"a.txt": b"one\n"})
    programs, git = folder / "programs", shutil.which("git")
    programs.mkdir()
    if waits:
        script = _SLOW_GIT.format(loaded=folder / "loaded", answered=folder / "answered", git=git)
        (programs / "git").write_text(script)
        (programs / "git").chmod(0o755)
    environ = {
        "PATH": f"{programs}:{os.environ['PATH']}",
        "HOME": str(folder),
        "LOADED": str(folder / "loaded"),
    }
    program = [sys.executable, "-c", _RUN, "run", "Tidy.", *options, "--repo", str(repository)]
    ran = subprocess.run(program, env=environ, cwd=ROOT, capture_output=True, text=True, check=True)
    said = ran.stdout.splitlines()
    return said[0], said[-1] == "True"


@pytest.mark.parametrize("options", [(), ("--dry-run",)], ids=" ".join)
def test_the_models_client_is_loaded_while_git_lists_the_files(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    """git waits for it: a run that loaded it later would never see the list."""
    said, _ = _run(tmp_path, *options, waits=True)
    assert said.startswith("There is no key for the model")
    assert set((tmp_path / "answered").read_text().split()) == {"there"}


def test_an_estimate_loads_no_client_of_a_model(tmp_path: Path) -> None:
    _, is_loaded = _run(tmp_path, "--dry-run", "--estimate", waits=False)
    assert not is_loaded
