"""Which tasks an event starts by itself, and what `/plan` means in this repository."""

from typing import Any

import pytest

from bot.assignment import Assignment, asked_for, due
from bot.command import Plan
from bot.config import Config
from bot.errors import Reason
from bot.refusal import Refusal


def _config(**changes: Any) -> Config:
    tasks = {
        "docs": {
            "prompt": "Fix typos.",
            "on": ["opened", "synchronize"],
            "paths": ["docs/**", "!docs/old/**"],
        },
        "all": {"prompt": "Tidy up.", "on": ["opened"]},
        "asked": {"prompt": "Only when asked."},
    }
    return Config.model_validate({"tasks": tasks} | changes)


def _names(assigned: tuple[Assignment, ...] | Refusal) -> list[str]:
    assert not isinstance(assigned, Refusal)
    return [assignment.name for assignment in assigned]


DUE = {
    "every task of the event, in the file's order": ("opened", ["docs/a.md"], ["docs", "all"]),
    "not one whose paths are not touched": ("opened", ["src/a.py"], ["all"]),
    "not one whose only touched path is taken out again": ("opened", ["docs/old/a.md"], ["all"]),
    "one of many paths is enough": ("synchronize", ["src/a.py", "docs/old/a.md", "docs/b.md"], ["docs"]),
    "paths deep in a folder": ("synchronize", ["docs/a/b/c.md"], ["docs"]),
    "none of another event": ("reopened", ["docs/a.md"], []),
    "no path at all": ("synchronize", [], []),
}


@pytest.mark.parametrize(("action", "changed", "names"), DUE.values(), ids=DUE)
def test_an_event_starts_the_tasks_that_are_due(action: str, changed: list[str], names: list[str]) -> None:
    assert _names(due(_config(), action=action, changed=changed)) == names


ASKED = {
    "a task by name": ("asked", {}, [("asked", "Only when asked.")]),
    "a task and further words": (
        "docs but leave the\nlinks alone",
        {},
        [("docs", "Fix typos.\n\nbut leave the\nlinks alone")],
    ),
    "free words": ("make it faster", {}, [("ad-hoc", "make it faster")]),
    "a name in other letters is free words": ("Docs", {}, [("ad-hoc", "Docs")]),
    "nothing: the tasks that start by themselves": (
        "",
        {},
        [("docs", "Fix typos."), ("all", "Tidy up.")],
    ),
    "nothing, where none starts by itself: the first": (
        "",
        {"tasks": {"one": {"prompt": "1"}, "two": {"prompt": "2"}}},
        [("one", "1")],
    ),
    "a task named like our own word": (
        "ad-hoc now",
        {"tasks": {"ad-hoc": {"prompt": "Mine."}}},
        [("ad-hoc", "Mine.\n\nnow")],
    ),
}


@pytest.mark.parametrize(("text", "changes", "given"), ASKED.values(), ids=ASKED)
def test_a_plan_command_names_tasks_or_gives_words(
    text: str, changes: dict[str, Any], given: list[tuple[str, str]]
) -> None:
    assigned = asked_for(_config(**changes), Plan(text=text))
    assert not isinstance(assigned, Refusal)
    assert [(assignment.name, assignment.words) for assignment in assigned] == given


REFUSED = {
    "free words, where they are switched off": (
        "make it faster",
        {"ad_hoc_tasks": False},
        Reason.UNKNOWN_TASK,
        "`/plan docs`, `/plan all`, `/plan asked`",
    ),
    "free words, where there is no task either": (
        "make it faster",
        {"ad_hoc_tasks": False, "tasks": {}},
        Reason.UNKNOWN_TASK,
        "Add a task",
    ),
    "nothing, where there is no task": ("", {"tasks": {}}, Reason.NO_TASK, "/plan fix the typos"),
    "nothing, where there is no task and no free words": (
        "",
        {"tasks": {}, "ad_hoc_tasks": False},
        Reason.NO_TASK,
        "Add a task",
    ),
}


@pytest.mark.parametrize(("text", "changes", "reason", "next_step"), REFUSED.values(), ids=REFUSED)
def test_plan_is_refused_with_what_would_work(
    text: str, changes: dict[str, Any], reason: Reason, next_step: str
) -> None:
    refusal = asked_for(_config(**changes), Plan(text=text))
    assert isinstance(refusal, Refusal)
    assert refusal.reason is reason
    assert next_step in refusal.next_step
