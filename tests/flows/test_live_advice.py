"""A live run with a second model: asked about each step before it is carried out; it can only make us ask."""

import json
from pathlib import Path
from typing import Any

from fakes import ScriptedLlm, call, turn
from own_home import Agreeing, opened

from bot import authority
from bot.action import Call
from bot.assignment import Assignment
from bot.command import Approval
from bot.cost import Usage
from bot.flows.live import live
from bot.local_run.run_record import Finished
from bot.transcript import Transcript
from bot.world import Turn

LEAVE = authority.on_own_machine("maja", digest="", approval=Approval())
EDIT = call("edit_file", path="README.md", old="teh", new="the")


def _predicts(number: int, **other: Any) -> Turn:
    harmless = {
        "number": number,
        "predicted_effect": "One word changes.",
        "reversible": True,
        "blast_radius": "single_file",
        "concerns": [],
    }
    said = json.dumps({"steps": [harmless | other]})
    return turn(Call(id="c", tool="predict", arguments=said), usage=Usage(calls=1, input_tokens=7))


def _lived(tmp_path: Path, advisor: ScriptedLlm, person: Agreeing, *calls: Call) -> Finished:
    return live(
        LEAVE,
        Assignment(name="ad-hoc", words="Fix it."),
        home=opened(tmp_path).home,
        llm=ScriptedLlm(*(turn(each) for each in calls), turn(text="Done.")),
        person=person,
        transcript=Transcript.begin(tmp_path / "transcript.jsonl"),
        advisor=advisor,
    )


def test_a_worry_is_put_to_the_person_with_the_step(tmp_path: Path) -> None:
    person = Agreeing()
    finished = _lived(tmp_path, ScriptedLlm(_predicts(1, concerns=["It is generated."])), person, EDIT)
    [asked] = person.asked
    assert (asked.verdict.outcome, asked.verdict.rule) == ("ask", "advice-concern")
    [step] = finished.record.steps
    assert step.advice is not None
    assert step.advice["concerns"] == ["It is generated."]
    assert [change.path for change in finished.changes] == ["README.md"]


def test_each_step_is_asked_about_before_it_is_carried_out_and_what_that_took_is_added_up(
    tmp_path: Path,
) -> None:
    advisor = ScriptedLlm(_predicts(1), _predicts(2))
    write = call("write_file", path="new.txt", content="x")
    record = _lived(tmp_path, advisor, Agreeing(), EDIT, write).record
    assert len(advisor.asked) == 2
    assert record.advisor is not None
    assert (record.advisor.usage.calls, record.advisor.usage.tokens) == (2, 14)
    assert [step.verdict.outcome for step in record.steps] == ["allow", "allow"]


def test_what_is_denied_is_not_even_shown_to_it(tmp_path: Path) -> None:
    advisor = ScriptedLlm(_predicts(1))
    record = _lived(tmp_path, advisor, Agreeing(), call("write_file", path=".env", content="x")).record
    assert advisor.asked == []
    assert record.advisor is None


def test_no_advice_is_said_once_however_often_it_was_missing(tmp_path: Path) -> None:
    advisor = ScriptedLlm(turn(text="Looks fine."))
    write = call("write_file", path="new.txt", content="x")
    record = _lived(tmp_path, advisor, Agreeing(), EDIT, write).record
    assert len([finding for finding in record.findings if "no second opinion" in finding]) == 1
