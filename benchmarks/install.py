"""How long from `uses:` to the first request to GitHub's API, and how much disk it takes, beside others.

    python benchmarks/install.py [--rounds 3] [--no-peers] [--json FILE]

The shell steps of action.yml are run as a runner runs them, in an environment of their own, against the
embedded GitHub: once with empty package caches (cold), then with full ones (warm; the best of the rounds).
Each command of the shell is a part, timed by bash's own trace. It fails above 12 s cold, 4 s warm, or 120 MB.

Peers are installed by the same uv, each into an empty folder of its own with an empty cache (1.5 GB of disk).
Sizes are of the files as they are installed, without the bytecode that a first run adds, and in brackets of
the blocks that they take on this disk, in MB (10^6 bytes). CPU seconds tell a busy machine from slow code.
"""

import argparse
import json
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from journey import FIX, Journey  # noqa: E402 - its folder was only just named

from bot.demo.github import GitHub  # noqa: E402
from bot.demo.model import ScriptedModel  # noqa: E402

MOST_SECONDS = {"cold": 12.0, "warm": 4.0}
MOST_MB = 120.0
PEERS = ("pr-agent", "openhands-ai", "architect-ai-cli")
UV = Path(sys.executable).with_name("uv")


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """Seconds; `parts` in the order in which they happened, `first_request` since the very beginning.

    `cpu` is what the cores worked for all of it, and for the rest of the run as well.
    """

    parts: Mapping[str, float]
    first_request: float
    cpu: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """Megabytes of 10^6 bytes."""

    files: float
    blocks: float


def main() -> int:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--rounds", type=int, default=3, help="how many warm starts (default: %(default)s)")
    options.add_argument("--no-peers", action="store_true", help="only this project's own")
    options.add_argument("--json", type=Path, help="a file for the figures")
    given = options.parse_args()
    figures: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(prefix="install-") as scratch:
        folder = Path(scratch)
        caches = {"UV_CACHE_DIR": str(folder / "uv-cache"), "PIP_CACHE_DIR": str(folder / "pip-cache")}
        action = _as_published(folder / "action")
        cold = start(action, folder / "cold", caches)
        warm = [start(action, folder / f"warm-{number}", caches) for number in range(given.rounds)]
        best = min(warm, key=lambda one: one.first_request)
        _print_start("cold", cold)
        _print_start("warm", best)
        spread = [one.first_request for one in warm]
        print(
            f"warm, {len(warm)} rounds: median {statistics.median(spread):.2f} s, worst {max(spread):.2f} s\n"
        )
        size = size_of(folder / "cold/temp/dryrun-bot-venv")
        print(f"{'installed':<20} {size.files:7.0f} MB  ({size.blocks:.0f})")
        figures |= {"cold": asdict(cold), "warm": asdict(best), "installed": asdict(size)}
        for peer in () if given.no_peers else PEERS:
            seconds, theirs = installed(peer, folder / peer)
            print(
                f"{peer:<20} {theirs.files:7.0f} MB  ({theirs.blocks:.0f})  {seconds:6.1f} s cold, uv alone"
            )
            figures[peer] = {"seconds": seconds, **asdict(theirs)}
            shutil.rmtree(folder / peer)
    if given.json:
        given.json.write_text(json.dumps(figures, indent=1))
    met = (
        cold.first_request <= MOST_SECONDS["cold"]
        and best.first_request <= MOST_SECONDS["warm"]
        and size.files <= MOST_MB
    )
    return 0 if met else 1


def _as_published(folder: Path) -> Path:
    """What `uses:` brings: the files that git tracks, and nothing else of this folder."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    for name in filter(None, listed.decode().split("\0")):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, folder / name)
    return folder


def start(action: Path, folder: Path, caches: Mapping[str, str]) -> Start:
    """One pull request opens, and the action's steps are run for it until one has spoken to GitHub."""
    folder.mkdir()
    with GitHub(folder / "github") as github, ScriptedModel(FIX) as model:
        journey = Journey(github=github, model=model, folder=folder)
        event = github.pull_request_event(journey.repository, journey.issue, "opened")
        environ = journey.environment(event)
        journey.check_out(event, Path(environ["GITHUB_WORKSPACE"]))
        temp = folder / "temp"
        temp.mkdir()
        token = environ.pop("GITHUB_TOKEN")
        environ |= {"PATH": os.environ["PATH"], "HOME": str(folder), "RUNNER_TEMP": str(temp), **caches}
        # A machine with a certificate authority of its own says so in these.
        environ |= {name: value for name, value in os.environ.items() if re.search(r"_CERT|_CA_|^PIP_", name)}
        environ |= {"UV_SYSTEM_CERTS": "1", **caches}
        described = yaml.safe_load((action / "action.yml").read_text())
        expressions = _defaults(described) | {
            "github.action_path": str(action),
            "runner.temp": str(temp),
            "inputs.github-token": token,
        }
        first = _Watch(github)
        began, worked = time.time(), _cpu_of_children()
        traces: list[tuple[float, str]] = []
        for step in described["runs"]["steps"]:
            if "run" in step and "== 'install'" not in step.get("if", "") and first.at is None:
                traces += _traced(step, environ, expressions, temp)
        assert first.at is not None, "nothing was asked of GitHub"
        return Start(
            parts=_parts(began, traces, first.at),
            first_request=first.at - began,
            cpu=_cpu_of_children() - worked,
        )


def _cpu_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class _Watch(threading.Thread):
    """When the first request came, in seconds since the epoch."""

    def __init__(self, github: GitHub) -> None:
        super().__init__(daemon=True)
        self.at: float | None = None
        self._github = github
        self._before = len(github.log)
        self.start()

    def run(self) -> None:
        while len(self._github.log) == self._before:
            time.sleep(0.001)
        self.at = time.time()


def _traced(
    step: Mapping[str, Any], environ: Mapping[str, str], expressions: Mapping[str, str], temp: Path
) -> list[tuple[float, str]]:
    """The step run by bash, with the time and the words of each command."""
    own = {name: _evaluated(str(value), expressions) for name, value in step.get("env", {}).items()}
    trace = temp.parent / "trace"
    # bash tells what it does to a file descriptor of its own, with the clock before it.
    script = f"exec 9>>'{trace}'; BASH_XTRACEFD=9; PS4='+$EPOCHREALTIME '; set -x\n{step['run']}"
    ran = subprocess.run(
        ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script],
        cwd=temp,
        env={**environ, **{name: value for name, value in own.items() if value or name not in environ}},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    found = re.findall(r"^\++(\d+\.\d+) (.*)$", trace.read_text(), re.MULTILINE)
    trace.unlink()
    return [(float(at), words) for at, words in found]


def _defaults(described: Mapping[str, Any]) -> dict[str, str]:
    """Of the inputs; those that are expressions themselves are empty here."""
    inputs = {f"inputs.{name}": str(one.get("default", "")) for name, one in described["inputs"].items()}
    return {name: "" if "${{" in default else default for name, default in inputs.items()}


def _evaluated(text: str, expressions: Mapping[str, str]) -> str:
    """An expression is what it names, and nothing where that is not known here."""
    return re.sub(
        r"\$\{\{(.*?)\}\}", lambda found: expressions.get(found[1].split("||")[0].strip(), ""), text
    )


_NAMES = (
    (r"-m venv\b|\buv venv\b", "make an environment"),
    (r"-m pip .*install\b", "install uv by pip"),
    (r"/uv sync\b", "install the bot by uv"),
    (r"-m bot\b|dryrun-bot event", "start, until the first request"),
)


def _parts(began: float, traces: Sequence[tuple[float, str]], ended: float) -> dict[str, float]:
    """Each command lasts until the next one begins; what has no name of its own is `the shell`."""
    parts: dict[str, float] = {"the shell": 0.0}
    ends = [at for at, _ in traces[1:]] + [ended]
    last = began
    for (at, words), end in zip(traces, ends, strict=True):
        parts["the shell"] += max(0.0, at - last)
        name = next((name for pattern, name in _NAMES if re.search(pattern, words)), "the shell")
        parts[name] = parts.get(name, 0.0) + max(0.0, min(end, ended) - at)
        last = end
    return parts


def _print_start(name: str, start: Start) -> None:
    for part, seconds in start.parts.items():
        print(f"  {part:<32} {seconds:6.2f} s")
    print(f"{name}, until the first request: {start.first_request:.2f} s (at most {MOST_SECONDS[name]:.0f})")
    print(f"{name}, CPU of the whole run: {start.cpu:.1f} s\n")


def installed(package: str, folder: Path) -> tuple[float, Size]:
    """For Python 3.12, since not all of them take an older one; what has no wheel is built."""
    environ = {**os.environ, "UV_CACHE_DIR": str(folder / "cache"), "UV_SYSTEM_CERTS": "1"}
    began = time.perf_counter()
    subprocess.run(
        [
            str(UV),
            "pip",
            "install",
            "--quiet",
            "--python-version",
            "3.12",
            "--target",
            str(folder / "all"),
            package,
        ],
        env=environ,
        check=True,
    )
    return time.perf_counter() - began, size_of(folder / "all")


def size_of(folder: Path) -> Size:
    found = [path.lstat() for path in folder.rglob("*") if "__pycache__" not in path.parts]
    return Size(
        files=sum(one.st_size for one in found) / 1e6, blocks=sum(one.st_blocks * 512 for one in found) / 1e6
    )


if __name__ == "__main__":
    sys.exit(main())
