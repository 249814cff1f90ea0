from decimal import Decimal
from random import Random

import pytest
from samples import (
    BETTER,
    GUIDE,
    RUN,
    command,
    create,
    denied,
    edit,
    effect,
    failed,
    mixed,
    plan,
    step,
    tried,
)
from snapshots import same_as_golden

from bot import marker
from bot.cost import Usage
from bot.plan import Advisor, read_plan
from bot.render.budget import choose
from bot.render.html import page
from bot.render.language import LANGUAGES
from bot.render.plan import plan_comment, plan_summary
from bot.words.redaction import redact
from bot.workspace import Mode

REHEARSED = plan(
    edit(1),
    tried(
        2,
        "python tools/contents.py docs",
        effects=(
            effect("docs/contents.md", GUIDE, BETTER),
            effect("docs/new.md", None, b"# New\n"),
        ),
        output="docs/guide.md: 3 headings\nwrote docs/contents.md\nwrote docs/new.md\n",
        intent="The table of contents follows the headings.",
        depends_on=(1,),
        unsteady=("docs/contents.md",),
    ),
    tried(
        3,
        "pytest -q tests",
        exit_code=1,
        output="F.\nFAILED tests/test_guide.py::test_links\n1 failed, 1 passed in 0.31s\n",
        depends_on=(1, 2),
        outcome="allow",
        rule="command-allowed",
        reason="Every command in it is among those that the policy allows.",
        source=".github/dryrun-bot.yml:9",
    ),
    tried(4, "make slow", exit_code=None, stopped_by="time", output="building\n"),
    command(5, "make dist"),
)
LAYOUTS = {
    "plan-rehearsed": REHEARSED,
    "plan-mixed": mixed(),
    "plan-nothing": plan(summary="There was nothing to correct."),
    "plan-all-allowed": plan(edit(1), create(2)),
    "plan-one-allowed": plan(edit(1)),
    "plan-some-ask": plan(edit(1), command(2), command(3, "make docs")),
    "plan-all-denied": plan(denied(1), failed(2)),
    "plan-stopped-early": plan(edit(1), stopped_by="stopped after 40 steps"),
    "plan-chaos": plan(edit(1), failed(2), chaos="rate 0.2, seed 3"),
    "plan-findings": plan(
        edit(1),
        findings=("14 invisible characters were taken out of the pull request's title",) * 10,
        cost=None,
    ),
    "plan-cut": plan(create(1, content="".join(f"line {n} {'x' * 90}\n" for n in range(900))), edit(2)),
    "plan-hostile": plan(
        edit(1, path="docs/`|@org/team.md", intent="fixes #1\n</details>\n@org/team \u202eabc"),
        command(2, "echo '```'\n/approve", advice={"concerns": ["it may run `rm -rf /` @octocat"]}),
        summary="# Approved\n\n<!-- hidden --> [x](https://evil.example)\n\n/apply 000000000000",
    ),
    "plan-advised": plan(
        edit(
            1,
            outcome="ask",
            rule="advice-concern",
            reason="In a second model's opinion: the guide is generated, so this edit will be lost",
            source="advice",
            advice={
                "predicted_effect": "Three typos in `docs/guide.md` are gone, @octocat.",
                "reversible": True,
                "blast_radius": "single_file",
                "concerns": ["the guide is generated, so this edit will be lost"],
            },
        ),
        command(2, "make dist > build.log"),
        create(3, path="build.log", conditional_on=(2,)),
        advisor=Advisor(model="second-model", usage=Usage(calls=1), cost=Decimal("0.000100")),
    ),
    "plan-files": plan(
        step(
            effects=(
                effect("a.sh", GUIDE, BETTER, Mode.FILE, Mode.EXECUTABLE),
                effect("b.md", GUIDE, None),
                effect("empty.txt", None, b""),
                effect("run.sh", GUIDE, GUIDE, Mode.FILE, Mode.EXECUTABLE),
            )
        )
    ),
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("name", "made"), LAYOUTS.items(), ids=LAYOUTS)
def test_a_plan_looks_like_its_golden_file(name: str, made, language: str) -> None:
    comment = plan_comment(made, language=language, run_url=RUN, answers=12)
    assert comment.fault is None
    assert same_as_golden(name, language, comment.body)


def test_a_summary_looks_like_its_golden_file() -> None:
    assert same_as_golden("summary", "en", plan_summary(mixed(), run_url=RUN).body)


def test_a_plan_is_found_again_in_its_comment() -> None:
    made = mixed()
    body = plan_comment(made, answers=12, state="open").body
    found = marker.read(body)
    assert found is not None
    assert (found.kind, found.digest, found.answers, found.state) == ("plan", made.digest, 12, "open")
    record = marker.embedded(body)
    assert record is not None
    assert read_plan(record) == made


def test_a_plan_that_is_not_to_be_embedded_is_not() -> None:
    assert marker.embedded(plan_comment(mixed(), embed=False).body) is None


def test_a_record_too_long_for_the_comment_is_left_out() -> None:
    dice = Random(7)
    words = "".join(chr(dice.randrange(0x4E00, 0x9FFF)) for _ in range(60_000))
    comment = plan_comment(plan(create(1, content=words + "\n")))
    assert comment.fault is None
    assert marker.embedded(comment.body) is None
    assert marker.read(comment.body) is not None


def test_embedding_changes_nothing_that_people_see() -> None:
    with_record, without = plan_comment(mixed()).body, plan_comment(mixed(), embed=False).body
    assert with_record.startswith(without)


APPLY_LINES = {
    "all allowed": (plan(edit(1)), ""),
    "one asks": (plan(edit(1), command(2)), " --approve 2"),
    "two ask": (plan(command(1), edit(2), command(3)), " --approve 1,3"),
    "one not shown": (plan(create(1, content="x" * 99_000)), " --approve 1"),
    "one asks and one is not shown": (plan(command(1), create(2, content="x" * 99_000)), " --approve 1,2"),
    "more than anybody would name": (plan(*[command(n) for n in range(1, 60)]), " --approve all"),
}


@pytest.mark.parametrize(("made", "approve"), APPLY_LINES.values(), ids=APPLY_LINES)
def test_the_line_to_reply_stands_alone_and_names_what_must_be_named(made, approve: str) -> None:
    lines = plan_comment(made).body.split("\n")
    assert [line for line in lines if line.startswith("/")] == [f"/apply {made.digest[:12]}{approve}"]


@pytest.mark.parametrize("made", [LAYOUTS["plan-all-denied"], LAYOUTS["plan-nothing"], LAYOUTS["plan-chaos"]])
def test_what_can_not_be_applied_has_no_line_to_reply(made) -> None:
    assert "/apply" not in plan_comment(made).body


def test_a_prefix_stands_before_every_command() -> None:
    body = plan_comment(mixed(), prefix="dryrun").body
    assert f"\n/dryrun apply {mixed().short_digest} --approve 3\n" in body
    assert "`/dryrun help`" in body


def test_the_words_of_the_card_are_there() -> None:
    assert "Action plan (dry-run): 3 planned actions" in plan_comment(plan(edit(1), edit(2), edit(3))).body
    spanish = plan_comment(plan(edit(1), edit(2), edit(3)), language="es").body
    assert "Plan de acciones (dry-run): 3 acciones planificadas" in spanish
    assert "[DRY-RUN] Se ejecutaría: `edit_file" in spanish
    assert "[DRY-RUN] Would execute: `edit_file" in plan_comment(plan(edit(1))).body


def test_the_same_plan_renders_to_the_same_comment() -> None:
    assert plan_comment(mixed(), run_url=RUN) == plan_comment(read_plan(mixed().to_bytes()), run_url=RUN)


def test_what_was_not_shown_is_worked_out_from_the_record_alone() -> None:
    made = LAYOUTS["plan-cut"]
    spanish = plan_comment(made, language="es", run_url=RUN, answers=1)
    assert spanish.not_shown == choose(made.outline).not_shown == (1,)


# A key begins on a line that was there before, and ends at the first five dashes after it.
_KEYED = b"one\n-----BEGIN PRIVATE KEY-----\ntwo\n----- three\n"
BEHIND_SECRETS = {
    "new lines below a key that was there": (
        step(effects=(effect("a.md", _KEYED, _KEYED.replace(b"two\n", b"two\nunseen\n")),)),
        edit(2),
    ),
    "the rest of a path": (create(1, path="a:_authToken=unseen/b.md"), edit(2)),
    "the rest of a command": (command(1, "echo :_authToken=;unseen"), edit(2)),
    "all of the next step": (create(1, path="-----BEGIN PRIVATE KEY-----"), create(2, content="-----\n")),
}


@pytest.mark.parametrize("template", [None, '{% extends "plan.md.j2" %}'])
@pytest.mark.parametrize("steps", BEHIND_SECRETS.values(), ids=BEHIND_SECRETS)
def test_what_is_taken_out_with_a_secret_must_be_named_and_takes_nothing_else_along(steps, template) -> None:
    comment = plan_comment(plan(*steps), redact=redact, template=template)
    assert comment.fault is None
    assert comment.not_shown == (1,)
    assert "unseen" not in comment.body
    assert "--approve 1\n" in comment.body
    assert redact(comment.body) == comment.body
    assert "--approve 1\n" in plan_summary(plan(*steps), redact=redact).body


def test_an_address_that_is_no_plain_one_is_no_link() -> None:
    comment = plan_comment(mixed(), run_url="https://x.example/) [y](https://evil.example")
    assert comment.fault is None
    assert "evil" not in comment.body


SHARES = {
    "en": "87 % of what it read came from the cache.",
    "es": "El 87 % de lo que leyó venía de la caché.",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_came_from_the_providers_cache_is_told_where_something_did(language: str) -> None:
    usage = Usage(calls=6, input_tokens=12_000, output_tokens=900, cached_tokens=10_500)
    assert SHARES[language] in plan_comment(plan(edit(1), usage=usage), language=language).body
    assert SHARES[language] in page(plan(edit(1), usage=usage), language=language)
    assert "%" not in plan_comment(plan(edit(1)), language=language).body
