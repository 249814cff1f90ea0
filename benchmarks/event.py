"""What an event costs: requests to GitHub for each kind of run, and the time of a comment that is not for us.

    python benchmarks/event.py [--rounds 10]

The requests are those of the real bot against the embedded GitHub, held by tests/test_request_budget.py.
The time is a whole process's, beside `python -c "import json, argparse"` in the same run; it fails when the
best of them takes more than 1.3 times that and 100 ms.
"""

import argparse
import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from journey import FIX, Journey  # noqa: E402 - its folder was only just named

from bot.demo.github import GitHub  # noqa: E402
from bot.demo.model import ScriptedModel  # noqa: E402


def requests_of_each_run() -> dict[str, int]:
    """Requests to GitHub's API; those of git's own protocol are none."""
    counted = {}
    with (
        tempfile.TemporaryDirectory() as scratch,
        contextlib.redirect_stderr(io.StringIO()),
        ScriptedModel(FIX) as model,
        GitHub(Path(scratch) / "github") as github,
    ):
        journey = Journey(github=github, model=model, folder=Path(scratch))
        for name, run in (
            ("a pull request opened", journey.opened),
            ("/plan, over an older plan", lambda: journey.says("/plan tidy")),
            ("/apply", lambda: journey.says(f"/apply {journey.plan().short_digest}")),
            ("/undo", lambda: journey.says("/undo")),
            ("a comment that is no command", lambda: journey.says("Thank you / merci!")),
        ):
            github.log.clear()
            run()
            counted[name] = sum(
                "/git-" not in one.path and "/info/refs" not in one.path for one in github.log
            )
    return counted


def best_of(command: list[str], environment: dict[str, str], rounds: int) -> float:
    """Seconds of the fastest round."""
    times = []
    for _ in range(rounds):
        began = time.perf_counter()
        subprocess.run(command, env=environment, check=True, capture_output=True)
        times.append(time.perf_counter() - began)
    return min(times)


def time_of_a_comment(rounds: int) -> tuple[float, float]:
    """(Ours, bare Python's) in seconds."""
    with tempfile.TemporaryDirectory() as scratch:
        event = Path(scratch) / "event.json"
        account = {"login": "lee", "id": 1, "type": "User"}
        event.write_text(
            json.dumps(
                {
                    "action": "created",
                    "issue": {"number": 1, "pull_request": {}},
                    "comment": {"id": 1, "body": "Looks good to me.", "user": account},
                    "repository": {"full_name": "acme/widgets", "default_branch": "main"},
                    "sender": account,
                }
            )
        )
        environment = {
            "PATH": os.environ.get("PATH", os.defpath),
            "GITHUB_ACTOR": "lee",
            "GITHUB_REPOSITORY": "acme/widgets",
            "GITHUB_EVENT_NAME": "issue_comment",
            "GITHUB_EVENT_PATH": str(event),
            "GITHUB_WORKSPACE": scratch,
            "GITHUB_TOKEN": "none",
            "RUNNER_TEMP": scratch,
        }
        ours = best_of([sys.executable, "-I", "-m", "bot", "event"], environment, rounds)
        bare = best_of([sys.executable, "-I", "-c", "import json, argparse"], environment, rounds)
    return ours, bare


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--rounds", type=int, default=10)
    rounds = parser.parse_args().rounds
    for name, number in requests_of_each_run().items():
        print(f"{number:4} requests   {name}")
    ours, bare = time_of_a_comment(rounds)
    limit = 1.3 * bare + 0.1
    print(f"{ours * 1000:4.0f} ms         a comment that is not for us")
    print(f"             (bare Python {bare * 1000:.0f} ms, limit {limit * 1000:.0f} ms)")
    return 0 if ours <= limit else 1


if __name__ == "__main__":
    sys.exit(main())
