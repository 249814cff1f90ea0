"""The walk from task to plan, with a second model, over real parts."""

import json
from typing import Any

from journey import FILES, FIX, Journey, call

from bot.demo.model import NAME, Messages, Raw, Said, ToolCall

ADVISED = f"model: {{name: {NAME}, advisor: second-model}}\n"


def _configured(journey: Journey, extra: str) -> None:
    changed = str(FILES[".github/dryrun-bot.yml"]).replace(f"model: {{name: {NAME}, advisor: null}}\n", extra)
    assert extra in changed
    journey.github.push(
        journey.repository, "main", {".github/dryrun-bot.yml": changed}, message="Advise", by="acme"
    )


def _is_second(messages: Messages) -> bool:
    return "second pair of eyes" in messages[0]["content"]


def _with_second(agent: tuple[Said, ...], second: Said | Raw) -> Any:
    """The agent's own lines, and one answer for whoever asks for a second opinion."""

    def line(messages: Messages) -> Said | Raw:
        if _is_second(messages):
            return second
        return agent[sum(message["role"] == "assistant" for message in messages)]

    return line


def _predicts(**other: object) -> Said:
    harmless = {
        "number": 1,
        "predicted_effect": "One typo is gone.",
        "reversible": True,
        "blast_radius": "single_file",
        "concerns": [],
    }
    return Said(calls=(ToolCall(tool="predict", arguments={"steps": [harmless | other]}),))


def test_a_harmless_plan_stays_allowed_and_shows_what_the_second_model_expects(journey: Journey) -> None:
    _configured(journey, ADVISED)
    journey.model.script = _with_second(FIX, _predicts())
    journey.opened()
    plan = journey.plan()
    assert [step.verdict.outcome for step in plan.steps] == ["allow"]
    assert plan.advisor is not None
    assert (plan.model, plan.advisor.model) == (NAME, "second-model")
    assert plan.advisor.usage.calls == 1
    assert plan.usage.calls == 2
    assert "A second model expects: One typo is gone." in journey.bot_comments[-1].body
    assert journey.says(f"/apply {plan.short_digest}").reason == "applied"


def test_a_step_that_a_concern_made_ask_is_applied_once_it_is_named(journey: Journey) -> None:
    _configured(journey, ADVISED)
    journey.model.script = _with_second(FIX, _predicts(concerns=["@lee this file is generated"]))
    journey.opened()
    plan = journey.plan()
    [step] = plan.steps
    assert (step.verdict.outcome, step.verdict.rule, step.verdict.source) == (
        "ask",
        "advice-concern",
        "advice",
    )
    body = journey.bot_comments[-1].body
    assert f"/apply {plan.short_digest} --approve 1" in body
    assert "`@lee` this file is generated" in body
    before = journey.head
    assert journey.says(f"/apply {plan.short_digest}").reason == "steps-not-approved"
    assert journey.head == before
    assert journey.says(f"/apply {plan.short_digest} --approve 1").reason == "applied"


def test_an_apply_asks_neither_model(journey: Journey) -> None:
    _configured(journey, ADVISED)
    journey.model.script = _with_second(FIX, _predicts())
    journey.opened()
    asked = len(journey.model.asked)
    journey.says(f"/apply {journey.plan().short_digest}")
    assert len(journey.model.asked) == asked


def test_a_second_model_that_fails_costs_no_plan_and_the_comment_says_so(journey: Journey) -> None:
    _configured(journey, ADVISED)
    refused = Raw(status=400, body=json.dumps({"error": {"message": "No such model: @lee"}}).encode())
    journey.model.script = _with_second(FIX, refused)
    assert journey.opened().reason == "planned"
    assert [step.verdict.outcome for step in journey.plan().steps] == ["allow"]
    assert "no second opinion" in journey.bot_comments[-1].body
    assert "</a> No such" not in journey.bot_comments[-1].body


def test_where_advice_is_required_a_silent_second_model_makes_every_step_ask(journey: Journey) -> None:
    _configured(journey, ADVISED + "advice: {required: true}\n")
    journey.model.script = _with_second(FIX, Said(text="Looks fine."))
    journey.opened()
    [step] = journey.plan().steps
    assert (step.verdict.outcome, step.verdict.rule) == ("ask", "advice-missing")


def test_what_files_are_there_is_answered_for_real_and_plans_nothing(journey: Journey) -> None:
    """The first of the two requests that the walk propose, simulate, review, execute was made for."""
    journey.model.script = (Said(calls=(call("list_files"),)), Said(text="Five files."))
    ended = journey.says("/plan What files are there?")
    assert ended.reason == "nothing-planned"
    assert journey.plan().steps == ()
    told = journey.model.asked[-1].messages[-1]["content"]
    assert "README.md" in told
    assert "simulated" not in told


def test_deleting_production_env_is_blocked_however_harmless_a_model_calls_it(journey: Journey) -> None:
    """The second one: a protected path and an irreversible action, whatever the simulator says."""
    _configured(journey, ADVISED)
    journey.github.push(journey.repository, "topic", {"production.env": "KEY=1\n"}, message="Env", by="mona")
    journey.model.script = _with_second(
        (
            Said(calls=(call("delete_file", path="production.env", intent="We don't need it."),)),
            Said(text="Deleted."),
        ),
        _predicts(predicted_effect="Nothing of value is lost.", reversible=True, blast_radius="none"),
    )
    before = journey.head
    journey.says("/plan Delete production.env, we don't need it.")
    [step] = journey.plan().steps
    assert (step.verdict.outcome, step.verdict.rule) == ("deny", "path-secret")
    assert step.effects == ()
    assert step.advice is None
    journey.says(f"/apply {journey.plan().short_digest} --approve all")
    assert journey.head == before
    assert journey.file("production.env") == b"KEY=1\n"


def test_what_was_simulated_and_what_rests_on_it_is_in_the_comment(journey: Journey) -> None:
    journey.model.script = (
        Said(
            calls=(
                call("run_command", command="make > build.log"),
                call("write_file", path="build.log", content="done\n"),
            )
        ),
        Said(text="Done."),
    )
    journey.opened()
    assert [step.conditional_on for step in journey.plan().steps] == [(), (1,)]
    body = journey.bot_comments[-1].body
    for line in (
        "(conditional on step 1)",
        "- Simulated, and not carried out: 1.",
        "- Planned after that, without knowing what came of it: 2.",
        "- Conditional on a simulated result, which may come out otherwise: 2.",
        "A dry run does not replace a staging environment.",
    ):
        assert line in body
