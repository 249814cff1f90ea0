"""What an event costs in requests to GitHub, beside the fewest that other bots are known to make for it.

    python benchmarks/requests_to_github.py

Those of the real bot against the embedded GitHub, held by tests/test_request_budget.py. Those of git's own
protocol are counted beside them: others' numbers, which are not measured here, are without (11 for an apply
of Atlantis, and of pr-agent 24 and two more for each file). So is how far a run is, which it says every ten
seconds: each time is one more.
"""

import contextlib
import io
import json
import sys
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from fakes import FixedClock  # noqa: E402 - its folder was only just named
from journey import CONFIG, FIX, Journey, call  # noqa: E402

from bot.demo.github import GitHub  # noqa: E402
from bot.demo.model import Said, ScriptedModel  # noqa: E402

LATEST: list[str] = []
CLOCK = FixedClock()
MOST = {
    "/plan": 8,
    "/plan, over an older plan": 8,
    "/apply of one edited file": 12,
    "/apply of 500 new text files": 12,
    "a comment that is no command": 0,
}


def requests_of_each_run() -> dict[str, tuple[int, int]]:
    """Requests to GitHub's API, and the storage host of its artifacts; and those of git's own protocol."""
    counted = {}
    with (
        tempfile.TemporaryDirectory() as scratch,
        contextlib.redirect_stderr(io.StringIO()),
        ScriptedModel(FIX) as model,
        GitHub(Path(scratch) / "github") as github,
    ):
        journey = Journey(github=github, model=model, folder=Path(scratch))
        for name, run in (
            ("/plan", lambda: journey.says("/plan tidy", clock=CLOCK)),
            ("/plan, over an older plan", lambda: journey.says("/plan tidy", clock=CLOCK)),
            ("/apply of one edited file", lambda: apply_one(journey)),
            ("/undo", lambda: journey.says("/undo", clock=CLOCK)),
            ("a comment that is no command", lambda: journey.says("Thank you / merci!", clock=CLOCK)),
            ("a pull request opened", lambda: journey.opened(clock=CLOCK)),
            ("a plan of 500 new text files", lambda: of_many_files(journey)),
            ("/apply of 500 new text files", lambda: apply_all(journey)),
        ):
            github.log.clear()
            run()
            gits = sum("/git-" in one.path or "/info/refs" in one.path for one in github.log)
            counted[name] = (len(github.log) - gits, gits)
    return counted


def apply_one(journey: Journey) -> None:
    ended = journey.says(f"/apply {journey.plan().short_digest}", clock=CLOCK)
    assert ended.reason == "applied", ended


def of_many_files(journey: Journey) -> None:
    """A plan of 500 new files, under a configuration that lets there be so many."""
    config = CONFIG + "policy: {limits: {actions: 1000, files: 1000, added_lines: 10000}}\n"
    changes = {".github/dryrun-bot.yml": config}
    journey.github.push(journey.repository, "main", changes, message="Let plans be large", by="mona")
    calls = tuple(call("write_file", path=f"new/{at}.txt", content=f"{at}\n") for at in range(500))
    journey.model.script = [Said(calls=calls), Said(text="Done.")]
    ended = journey.opened(clock=CLOCK)
    digest = ended.outputs["plan-digest"]
    record = Path(ended.outputs["plan-path"]).read_bytes()
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("plan.json", record)
    journey.github.upload_artifact(journey.repository, f"dryrun-plan-{digest}", content.getvalue())
    LATEST.append(digest)


def apply_all(journey: Journey) -> None:
    """Nobody can read 500 files in a comment, so they are named; the record is an artifact."""
    ended = journey.says(f"/apply {LATEST[-1][:12]} --approve all", clock=CLOCK)
    assert ended.reason == "applied", ended


def main() -> int:
    counted = requests_of_each_run()
    for name, (number, gits) in counted.items():
        most = MOST.get(name)
        beside = f", {gits} of git's own" if gits else ""
        print(f"{number:4} requests   {name}{beside}" + (f"   (at most {most})" if most is not None else ""))
    rows = {name: number for name, (number, _) in counted.items()}
    print(
        json.dumps(
            {"benchmark": "requests", "rows": rows, "git": {name: it[1] for name, it in counted.items()}}
        )
    )
    return 0 if all(rows[name] <= most for name, most in MOST.items()) else 1


if __name__ == "__main__":
    sys.exit(main())
