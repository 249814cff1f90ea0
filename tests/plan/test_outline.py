import pytest
from render.samples import BETTER, GUIDE, command, create, denied, edit, effect, failed, mixed, plan, step

from bot.action import Kind
from bot.plan import Step, read_plan
from bot.plan.outline import BADGES, Outline, Totals, outline_of
from bot.plan.tried import Tried

TRIED = {"rehearsed": Tried(exit_code=0, output="ok\n")}
TOTALS = {
    "nothing": ((), Totals(created=0, edited=0, deleted=0, commands=0, added=0, removed=0)),
    "a path is counted by what becomes of it in the end": (
        (
            step(1, effects=(effect("a", None, b"x\n"),)),
            step(2, effects=(effect("a", b"x\n", None),)),
            step(3, effects=(effect("b", None, b"x\n"),)),
            step(4, effects=(effect("b", b"x\n", b"y\n"),)),
            step(5, effects=(effect("c", b"x\n", None),)),
            step(6, effects=(effect("d", b"x\n", b"y\n"),)),
            command(7),
            denied(8),
        ),
        Totals(created=1, edited=1, deleted=1, commands=1, added=4, removed=4),
    ),
    "what is not carried out is not counted": (
        (
            edit(1),
            create(2, outcome="deny"),
            create(3, error="x"),
            command(4, outcome="deny"),
            failed(5),
        ),
        Totals(created=0, edited=1, deleted=0, commands=0, added=2, removed=2),
    ),
    "a command that changes files is both": (
        (command(1).model_copy(update={"effects": create().effects, **TRIED}),),
        Totals(created=1, edited=0, deleted=0, commands=1, added=1, removed=0),
    ),
}


@pytest.mark.parametrize(("steps", "totals"), TOTALS.values(), ids=TOTALS)
def test_totals_are_of_all_steps_together(steps: tuple[Step, ...], totals: Totals) -> None:
    assert outline_of(steps).totals == totals
    assert totals.files == totals.created + totals.edited + totals.deleted


def test_every_step_is_under_its_badge_in_call_order() -> None:
    outline = mixed().outline
    worn = {badge: [step.number for step in steps] for badge, steps in outline.wearing.items()}
    assert worn == {"allow": [1, 2], "ask": [3], "deny": [4], "failed": [5]}
    assert set(outline_of(()).wearing) == set(BADGES)


def test_the_smallest_to_read_comes_first_and_among_equals_the_earlier() -> None:
    long = "a line\n" * 9
    steps = (
        create(1, "a", long),
        command(2, "make all", outcome="allow"),
        create(3, "another/name/of/a/file", "x\n"),
        create(4, "b", long),
        command(5, "make all", outcome="allow").model_copy(
            update={"rehearsed": Tried(exit_code=0, output=long * 9)}
        ),
    )
    assert [step.number for step in outline_of(steps).smallest_first["allow"]] == [2, 3, 1, 4, 5]


def numbers(outline: Outline) -> dict[str, tuple[int, ...]]:
    names = ("performed", "dependent", "conditional", "rehearsed", "simulated", "unaware")
    return {name: getattr(outline, name) for name in names if getattr(outline, name)}


NUMBERS = {
    "edits": ((edit(1), edit(2)), {"performed": (1, 2)}),
    "what comes after a call that was not made does not know of it": (
        (edit(1), command(2), edit(3), denied(4), command(5)),
        {"performed": (1, 2, 3, 5), "simulated": (2, 5), "unaware": (3, 5)},
    ),
    "a rehearsed command was made": (
        (command(1).model_copy(update=TRIED), edit(2)),
        {"performed": (1, 2), "rehearsed": (1,)},
    ),
    "one that failed has been rehearsed all the same": (
        (command(1, error="x").model_copy(update=TRIED),),
        {"rehearsed": (1,)},
    ),
    "a denied call was never to be made": ((command(1, outcome="deny"), edit(2)), {"performed": (2,)}),
    "what rests on others": (
        (
            edit(1),
            edit(2, depends_on=(1,)),
            edit(3, depends_on=(1,), error="x"),
            edit(4, conditional_on=(1,)),
        ),
        {"performed": (1, 2, 4), "dependent": (2,), "conditional": (4,)},
    ),
    "a server's tool": (
        (step(1, "tickets.create", {"a": 1}, kind=Kind.EXTERNAL),),
        {"performed": (1,), "simulated": (1,)},
    ),
}


@pytest.mark.parametrize(("steps", "told"), NUMBERS.values(), ids=NUMBERS)
def test_the_steps_of_which_something_must_be_said_are_named(
    steps: tuple[Step, ...], told: dict[str, tuple[int, ...]]
) -> None:
    assert numbers(outline_of(steps)) == told


def test_a_plan_that_is_read_back_has_the_same_outline() -> None:
    made = plan(edit(1), command(2), step(3, effects=(effect("a", GUIDE, BETTER),)))
    assert read_plan(made.to_bytes()).outline == made.outline == outline_of(made.steps)


def test_no_plan_is_a_copy_with_an_outline_and_a_digest_of_something_else() -> None:
    with pytest.raises(TypeError, match="sealed"):
        mixed().model_copy(update={"steps": ()})
