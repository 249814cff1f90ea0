"""How long until a command has answered, as a whole process, beside a Python that does nothing.

    python benchmarks/startup.py [--rounds 21]

`a comment that is not ours` is what the action runs on most events. `explain`, `render` and `replay` are of
one action, one plan and one recorded run of the demo's: what they take is almost wholly their start.
"""

import contextlib
import io
import json
import os
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from journey import FIX, Journey  # noqa: E402 - its folder was only just named
from side_by_side import Row, rounds_wanted, run, seconds, told  # noqa: E402

from bot.demo.github import GitHub  # noqa: E402
from bot.demo.model import ScriptedModel  # noqa: E402

PROGRAM = str(Path(sys.executable).with_name("dryrun-bot"))
LIGHT, FULL = 4.0, 16.0


def main() -> int:
    rounds = rounds_wanted(__doc__, usual=21).parse_args().rounds
    with tempfile.TemporaryDirectory(prefix="dryrun-benchmark-") as name:
        folder = Path(name)
        plan, transcript = recorded(folder)
        environ = environment(folder)
        commands = {
            "a comment that is not ours": (["event"], LIGHT),
            "--help": (["--help"], LIGHT),
            "policy explain": (["policy", "explain", "read_file", '{"path": "src/app.py"}'], FULL),
            "render": (["render", str(plan)], FULL),
            "replay of one run": (["replay", str(transcript)], FULL),
        }
        took: dict[str, list[float]] = {what: [] for what in ("", *commands)}
        for _ in range(rounds):
            took[""].append(seconds(lambda: run([sys.executable, "-c", "pass"], env=environ, cwd=folder)))
            for what, (arguments, _) in commands.items():
                command = [PROGRAM, *arguments]
                took[what].append(seconds(lambda: run(command, env=environ, cwd=folder)))  # noqa: B023
    rows = [Row(what=what, ours=took[what], peer=took[""], goal=goal) for what, (_, goal) in commands.items()]
    return told("startup", rows, peer="python -c pass")


def recorded(folder: Path) -> tuple[Path, Path]:
    """A plan and a transcript, made by a run on the embedded GitHub."""
    with (
        contextlib.redirect_stderr(io.StringIO()),
        ScriptedModel(FIX) as model,
        GitHub(folder / "github") as github,
    ):
        Journey(github=github, model=model, folder=folder).opened()
    return next(folder.rglob("plan-*.json")), next(folder.rglob("transcript-*.jsonl"))


def environment(folder: Path) -> dict[str, str]:
    event = folder / "event.json"
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
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "GITHUB_ACTOR": "lee",
        "GITHUB_REPOSITORY": "acme/widgets",
        "GITHUB_EVENT_NAME": "issue_comment",
        "GITHUB_EVENT_PATH": str(event),
        "GITHUB_WORKSPACE": str(folder),
        "GITHUB_TOKEN": "none",
        "RUNNER_TEMP": str(folder),
    }


if __name__ == "__main__":
    sys.exit(main())
