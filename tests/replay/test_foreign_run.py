"""How runs of others are looked at: by their command lines, by our own tools' names, or as external."""

import json

import pytest

from bot.action import Kind
from bot.gate.facts import How
from bot.noted.look import Look
from bot.replay.foreign_run import Strangers
from bot.replay.importers import Called, Run


def _look(called: Called) -> Look:
    run = Strangers().run(Run(name="r", calls=(called,)), run_id="run-1", name="r", found_in="a.json")
    return run.sights[0].look


def test_a_tool_that_nobody_knows_here_counts_as_reaching_beyond_the_repository() -> None:
    look = _look(Called(tool="book_flight", arguments='{"path": "x"}'))
    assert (look.kind, look.known, look.touches, look.command, look.verdict) == (
        Kind.EXTERNAL,
        True,
        (),
        None,
        None,
    )


def test_a_shell_is_judged_by_its_command_line() -> None:
    look = _look(Called(tool="bash", arguments="{}", command="cat .env"))
    assert look.after.command is not None
    assert look.after.command.commands == (("cat", ".env"),)


def test_a_tool_that_is_one_of_ours_by_name_is_judged_as_that() -> None:
    look = _look(Called(tool="write_file", arguments=json.dumps({"path": "docs/a.md", "content": "x"})))
    assert (look.kind, look.problem) == (Kind.WRITE, None)
    assert [(touch.path, touch.how) for touch in look.touches] == [("docs/a.md", How.WRITE)]
    broken = _look(Called(tool="write_file", arguments=json.dumps({"path": "docs/a.md"})))
    assert "content" in str(broken.problem)


def test_equal_calls_are_looked_at_once() -> None:
    strangers = Strangers()
    calls = (
        Called(tool="think", arguments='{"x": 1}'),
        Called(tool="think", arguments='{"x": 2}'),
        Called(tool="bash", arguments="{}", command="ls"),
        Called(tool="bash", arguments='{"x": 1}', command="ls"),
        Called(tool="read_file", arguments='{"path": "a"}'),
        Called(tool="read_file", arguments='{"path": "b"}'),
    )
    sights = strangers.run(Run(name="r", calls=calls), run_id="run-1", name="r", found_in="a.json").sights
    assert len({id(sight) for sight in sights}) == 4


@pytest.mark.parametrize(
    ("called", "about"),
    [
        (Called(tool="bash", arguments="{}", command="ls -l"), "bash → ls -l"),
        (Called(tool="book", arguments='{"flight": 1, "seat": 2}'), "book → flight, seat"),
        (Called(tool="book", arguments="not json"), "book → unparsed"),
        (Called(tool="book", arguments="{}"), "book → (no arguments)"),
    ],
)
def test_a_person_is_told_what_a_call_was_about(called: Called, about: str) -> None:
    run = Strangers().run(Run(name="r", calls=(called,)), run_id="run-1", name="r", found_in="a.json")
    assert run.described(1) == (called.tool, about)
    assert run.link() == "a.json"
