"""What is no concern of the bot's ends at the front door, on next to nothing, as after a full look."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from journey import outputs_in

from bot.event import Ignored, read_event
from bot.glance import passed_over, why_not
from bot.phase import Phase

ROOT = Path(__file__).parent.parent


def comment(body: object, action: str = "created") -> dict[str, Any]:
    return {"action": action, "comment": {"body": body}}


PASSED_OVER = {
    "words": ("issue_comment", comment("Thank you")),
    "a command further to the right": ("issue_comment", comment("Please /apply")),
    "nothing at all": ("issue_comment", comment(None)),
    "an edited comment": ("issue_comment", comment("/apply", "edited")),
    "a deleted comment": ("issue_comment", comment("/plan", "deleted")),
    "a label": ("pull_request", {"action": "labeled"}),
    "a closed pull request": ("pull_request_target", {"action": "closed"}),
}
LOOKED_AT = {
    "a command": ("issue_comment", comment("/apply")),
    "a path": ("issue_comment", comment("/etc/passwd")),
    "a command in a later line": ("issue_comment", comment("Well.\n /plan")),
    "a comment that is none": ("issue_comment", {"action": "created", "comment": {"body": 7}}),
    "a pull request": ("pull_request", {"action": "opened"}),
    "one that was started by hand": ("workflow_dispatch", {}),
    "another event": ("push", {}),
}


@pytest.mark.parametrize(("name", "fields"), PASSED_OVER.values(), ids=PASSED_OVER)
def test_what_is_passed_over_says_why_as_a_full_look_does(name: str, fields: dict[str, Any]) -> None:
    event = read_event(json.dumps(fields).encode(), name=name)
    assert isinstance(event, Ignored)
    assert event.reason == "not-for-us"
    assert event.detail == why_not(fields, name=name)


@pytest.mark.parametrize(("name", "fields"), LOOKED_AT.values(), ids=LOOKED_AT)
def test_what_may_be_for_us_is_looked_at(name: str, fields: dict[str, Any]) -> None:
    assert why_not(fields, name=name) is None


@pytest.mark.parametrize("text", [None, b"", b"\xff", b"[]", b"[" * 100_000])
def test_what_can_not_be_read_is_left_to_whoever_can_say_what_is_wrong(
    tmp_path: Path, text: bytes | None
) -> None:
    file = tmp_path / "event.json"
    if text is not None:
        file.write_bytes(text)
    assert passed_over({"GITHUB_EVENT_PATH": str(file), "GITHUB_EVENT_NAME": "issue_comment"}) is None
    assert passed_over({}) is None


_FRONT_DOOR = """
import sys
before = set(sys.modules)
from bot.__main__ import main
code = main()
print(code, *sorted({name.partition(".")[0] for name in sys.modules.keys() - before}))
"""


# What follows `event` on the command line -> the phase that follows, as it is told to the workflow.
PHASES = {"": None, "all": None, "plan": "none", "report": None, "perform": "none", "commit": None}


def test_every_phase_passes_over_what_is_not_ours() -> None:
    assert {name for name in PHASES if name} == set(Phase)


@pytest.mark.parametrize("phase", PHASES)
def test_a_comment_that_is_not_ours_loads_json_and_re_alone(tmp_path: Path, phase: str) -> None:
    event, output = tmp_path / "event.json", tmp_path / "output"
    event.write_text(json.dumps(comment("Thank you")))
    environ = {
        "GITHUB_EVENT_PATH": str(event),
        "GITHUB_EVENT_NAME": "issue_comment",
        "GITHUB_OUTPUT": str(output),
    }
    program = [sys.executable, "-c", _FRONT_DOOR, "event", *(["--phase", phase] if phase else [])]
    ran = subprocess.run(program, env=environ, cwd=ROOT, capture_output=True, text=True, check=True)
    assert ran.stderr == "Nothing to do: the comment has no line that starts with a command\n"
    code, *loaded = ran.stdout.split()
    assert code == "0"
    heavy = {"argparse", "dataclasses", "pathlib", "typing", "shutil", "subprocess", "inspect", "pydantic"}
    assert {"bot", "json", "re"} <= set(loaded)
    assert heavy.isdisjoint(loaded)
    assert len(loaded) < 30
    following = {} if PHASES[phase] is None else {"next-phase": PHASES[phase]}
    assert outputs_in(output) == {"decision": "ignored", "reason-code": "not-for-us"} | following
