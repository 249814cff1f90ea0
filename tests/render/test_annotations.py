from hostile import HOSTILE
from samples import denied, edit, mixed, plan, step

from bot.render.annotations import annotations


def test_every_denied_step_gets_a_notice_on_its_file() -> None:
    assert annotations(mixed()) == (
        "::notice file=.github/workflows/ci.yml,title=Step 4 denied%3A path-denied::"
        ".github/workflows/ci.yml is denied (.github/workflows/**).\n"
    )


def test_nothing_denied_gives_nothing() -> None:
    assert annotations(plan(edit())) == ""


def test_there_are_at_most_ten() -> None:
    assert annotations(plan(*[denied(number) for number in range(1, 30)])).count("\n") == 10


def test_hostile_text_adds_no_command_and_no_property() -> None:
    for text in HOSTILE.values():
        made = plan(step(arguments={"path": text}, outcome="deny", reason=text, rule=text))
        (line,) = annotations(made).removesuffix("\n").split("\n")
        head, _, message = line.removeprefix("::notice ").partition("::")
        assert line.startswith("::notice ")
        assert "##[" not in line
        assert "::" not in head
        assert head.count(",") == 1
        assert "%0A" not in message
        assert "\r" not in message
