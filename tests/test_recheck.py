"""What a hostile job says that carrying out the steps came to: held to the prediction, byte by byte.

The rehearsal again itself is told in tests/flows/test_apply.py and tests/situation/test_staleness.py.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from journey import Journey, call
from phases import applied, opened

from bot.demo.model import Said
from bot.render.live import faults

SCRIPT = (
    Said(
        calls=(
            call("edit_file", path="README.md", old="teh", new="the"),
            call("write_file", path="docs/new.md", content="New.\n"),
        )
    ),
    Said(text="Done."),
)
TEXT = {"encoding": "utf-8", "data": "evil\n"}
Forge = Callable[[dict[str, Any]], object]


def _forged(forge: Forge) -> Callable[[Path], None]:
    def between(left: Path) -> None:
        file = left / "perform.json"
        handover = json.loads(file.read_bytes())
        forge(handover)
        file.write_bytes(json.dumps(handover).encode())

    return between


def _file(handover: dict[str, Any], path: str) -> dict[str, Any]:
    found: dict[str, Any] = next(file for file in handover["made"]["changes"] if file["path"] == path)
    return found


def _add(path: str) -> Forge:
    return lambda handover: handover["made"]["changes"].append(
        {"path": path, "mode": "100644", "content": TEXT}
    )


FORGED: dict[str, tuple[Forge, str]] = {
    "other bytes": (lambda it: _file(it, "README.md").update(content=TEXT), "prediction-missed"),
    "another mode": (lambda it: _file(it, "README.md").update(mode="100755"), "prediction-missed"),
    "a link": (lambda it: _file(it, "README.md").update(mode="120000"), "prediction-missed"),
    "a file more": (_add("evil.md"), "prediction-missed"),
    "a workflow more": (_add(".github/workflows/x.yml"), "prediction-missed"),
    "a path outside": (_add("../evil"), "prediction-missed"),
    "a file twice": (_add("README.md"), "prediction-missed"),
    "a file less": (lambda it: it["made"]["changes"].pop(), "prediction-missed"),
    "a file gone": (
        lambda it: _file(it, "README.md").update(mode=None, content=None),
        "prediction-missed",
    ),
    "another tree": (lambda it: it["made"].update(tree="1" * 40), "prediction-missed"),
    "another plan": (lambda it: it["made"].update(plan="1" * 64), "phase-failed"),
    "nothing": (lambda it: it.update(made=None), "phase-failed"),
    "no steps carried out, for a reason": (
        lambda it: it.update(
            made=None, refused={"reason": "step-failed", "detail": "@mona ![x](https://e.io)"}
        ),
        "step-failed",
    ),
    "another pull request's": (lambda it: it.update(pull_request=99), "bad-handover"),
}


@pytest.mark.parametrize(("forge", "reason"), FORGED.values(), ids=FORGED)
def test_nothing_is_pushed_that_the_plan_does_not_predict(
    journey: Journey, forge: Forge, reason: str
) -> None:
    journey.model.script = list(SCRIPT)
    opened(journey)
    before = journey.head
    chain = applied(journey, journey.commented("/apply"), between=_forged(forge))
    assert (chain.first.reason, chain.answer.reason) == ("performed", reason)
    assert chain.answer.exit_code != 0
    assert journey.head == before
    run = f"{journey.github.url}/acme/widgets/actions/runs/{chain.run_id}"
    assert faults(journey.bot_comments[-1].body, links=[run]) == ()


def test_what_was_left_over_is_told_and_not_pushed(journey: Journey) -> None:
    journey.model.script = list(SCRIPT)
    opened(journey)
    forge = _forged(lambda it: it["made"].update(left_over=["build/@mona.log", "x\n/apply"]))
    assert applied(journey, journey.commented("/apply"), between=forge).answer.reason == "applied"
    body = journey.bot_comments[-1].body
    assert "`build/@mona.log`" in body
    assert "\n/apply" not in body
    files = journey.repository.bare.git("ls-tree", "-r", "--name-only", journey.head)
    assert b"build" not in files


def test_a_handover_that_was_not_touched_is_pushed(journey: Journey) -> None:
    """The rows above fail for what they forge, and not for how the test writes the file."""
    journey.model.script = list(SCRIPT)
    opened(journey)
    assert applied(journey, journey.commented("/apply"), between=_forged(lambda it: None)).answer.reason == (
        "applied"
    )


def test_steps_that_were_not_approved_stay_so_whatever_was_carried_out(journey: Journey) -> None:
    """A plan's job can't be told to have them approved: the comment alone says it, in each job."""
    journey.model.script = [Said(calls=(call("delete_file", path="src/app.py"),)), Said(text="Done.")]
    opened(journey)
    before = journey.head
    chain = applied(journey, journey.commented("/apply"))
    assert chain.answer.reason == "steps-not-approved"
    assert journey.head == before
