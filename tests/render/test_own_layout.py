from functools import cache

import pytest
from hostile import HOSTILE
from places import skeleton
from samples import RUN, command, edit, mixed, plan

from bot import marker
from bot.action import storable
from bot.plan import TaskName
from bot.render.plan import plan_comment

BRIEF = """{% extends "plan.md.j2" %}
{% block limits %}{% endblock %}
{% block summary %}
{{ _("In the agent's own words, which nobody checked:") }} {{ plan.summary }}
{% endblock %}
{% block headline %}
### Our plan for {{ plan.task }}: {{ plan.number }} steps

See our handbook first.
{% endblock %}
"""
WITHOUT_DIFFS = '{% extends "plan.md.j2" %}{% block folds %}{% endblock %}'


def test_blocks_are_overridden() -> None:
    comment = plan_comment(mixed(), template=BRIEF, run_url=RUN)
    assert comment.fault is None
    assert "### Our plan for tidy-docs: 5 steps" in comment.body
    assert "What this dry run can't know" not in comment.body
    assert f"/apply {mixed().short_digest} --approve 3\n" in comment.body
    assert comment.not_shown == ()


def test_the_marker_and_the_record_are_there() -> None:
    body = plan_comment(mixed(), template=BRIEF).body
    assert marker.read(body) is not None
    assert marker.embedded(body) == mixed().to_bytes()


def test_steps_that_it_leaves_out_must_be_named() -> None:
    comment = plan_comment(mixed(), template=WITHOUT_DIFFS)
    assert comment.fault is None
    assert comment.not_shown == (1, 2, 3)
    assert f"/apply {mixed().short_digest} --approve 1,2,3\n" in comment.body


UNUSABLE = {
    "a mistake": "{% extends 'plan.md.j2' %}{% block x %}",
    "something live": "{% extends 'plan.md.j2' %}{% block limits %}@octocat{% endblock %}",
    "a link": "{% extends 'plan.md.j2' %}{% block limits %}[x](https://x.example){% endblock %}",
    "markup that is not ours": "{% extends 'plan.md.j2' %}{% block limits %}<b>x</b>{% endblock %}",
    "a comment": "{% extends 'plan.md.j2' %}{% block limits %}<!-- x -->{% endblock %}",
    "a fold that never ends": "{% extends 'plan.md.j2' %}{% block limits %}<details>{% endblock %}",
    "the plan's own methods": "{{ plan.to_bytes() }}",
    "a model's methods": "{{ plan.parse_raw('x') }}",
    "a step's methods": "{{ choice.folds[0].step.model_copy() }}",
}


@pytest.mark.parametrize("template", UNUSABLE.values(), ids=UNUSABLE)
def test_where_it_can_not_be_used_ours_is(template: str) -> None:
    comment = plan_comment(mixed(), template=template)
    assert comment.fault is not None
    assert "template" in comment.fault
    assert comment.body == plan_comment(mixed()).body


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_is_inert_in_it(text: str) -> None:
    assert _skeleton(text) == _skeleton("words ")


@cache
def _skeleton(text: str) -> list[str]:
    text = str(storable(text)) + "z"
    hostile = plan(
        edit(1, intent=text),
        command(2, line=text),
        task=TaskName(name=text, prompt_digest="f" * 64),
        summary=text,
    )
    comment = plan_comment(hostile, template=BRIEF)
    assert comment.fault is None
    return skeleton(comment.body)
