"""What a replay came to, and that its parts make the whole again, byte for byte."""

import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from bot.errors import BadUsage
from bot.impact import Change, Impact, Refused, Shard, assembled, grouped, merged, read_impact

SUBJECT = {"before": "the recorded verdicts", "after": "policy 0123456789ab"}


def change(number: int, what: str = "allow→ask") -> Change:
    return Change(
        run=f"run-{number:04}",
        name=f"acme/widgets#{number} tidy",
        link=f"https://github.com/acme/widgets/pull/{number}",
        action=1 + number % 3,
        tool="write_file",
        about="write_file → docs/a.md",
        what=what,
        before="It changes files. (default-write)",
        after="docs/a.md needs a person's approval. (path-asked, a.yml:3)",
        more=number % 2,
    )


def impact(numbers: list[int], *, runs: int, shard: Shard | None = None, **other: Any) -> Impact:
    fields: dict[str, Any] = {
        "kind": "policy",
        "subject": SUBJECT,
        "changes": [change(number) for number in numbers],
        "refused": [Refused(file=f"{number}.jsonl", why="line 3: cut") for number in numbers[:1]],
        "left_out": {"recorded twice": len(numbers)},
    }
    return assembled(**fields | other, runs=runs, shard=shard)


def test_the_most_frequent_kind_of_change_comes_first() -> None:
    kinds = ["ask→deny", "allow→ask", "new action", "allow→ask", "missing action"]
    groups = grouped([change(number, what) for number, what in enumerate(kinds, 1)])
    assert [(group.what, group.runs) for group in groups] == [
        ("allow→ask", 2),
        ("ask→deny", 1),
        ("missing action", 1),
        ("new action", 1),
    ]


def test_an_impact_is_read_back_as_it_was_written() -> None:
    made = impact([4, 2, 9], runs=12)
    assert [one.run for one in made.changes] == ["run-0002", "run-0004", "run-0009"]
    assert made.headline == "changed 3 of 12"
    assert read_impact(made.to_json().encode(), file="a.json") == made
    fields = json.loads(made.to_json())
    assert (fields["schema"], fields["kind"], fields["runs"], fields["changed"]) == (
        "dryrun-bot/replay/1",
        "policy",
        12,
        3,
    )


@pytest.mark.parametrize("of", [1, 2, 3, 7])
def test_parts_in_any_order_make_the_same_whole(of: int) -> None:
    numbers = list(range(1, 20))
    whole = impact(
        numbers, runs=40, refused=[Refused(file=f"{number}.jsonl", why="cut") for number in numbers]
    )
    parts = []
    for number in range(1, of + 1):
        mine = [it for it in numbers if it % of == number - 1]
        refused = [Refused(file=f"{it}.jsonl", why="cut") for it in mine]
        runs = 40 // of + (1 if number <= 40 % of else 0)
        part = impact(mine, runs=runs, shard=Shard(number=number, of=of), refused=refused)
        parts.append((f"{number}.json", read_impact(part.to_json().encode(), file="x")))
    for seed in range(5):
        random.Random(seed).shuffle(parts)
        assert merged(parts).to_json() == whole.to_json()


NOT_PARTS: dict[str, tuple[list[Impact], str]] = {
    "none at all": ([], "nothing to merge"),
    "a whole": ([impact([1], runs=2)], "not a part of the same replay"),
    "one is missing": (
        [impact([1], runs=2, shard=Shard(number=1, of=3)), impact([2], runs=2, shard=Shard(number=3, of=3))],
        "these are missing: 2",
    ),
    "one twice": ([impact([1], runs=2, shard=Shard(number=1, of=2))] * 2, "are both part 1"),
    "another number of parts": (
        [impact([1], runs=2, shard=Shard(number=1, of=2)), impact([2], runs=2, shard=Shard(number=2, of=3))],
        "not a part of the same replay",
    ),
    "another policy": (
        [
            impact([1], runs=2, shard=Shard(number=1, of=2)),
            impact([2], runs=2, shard=Shard(number=2, of=2), subject={**SUBJECT, "after": "policy ffff"}),
        ],
        "with something else",
    ),
    "another kind": (
        [
            impact([1], runs=2, shard=Shard(number=1, of=2)),
            impact([2], runs=2, shard=Shard(number=2, of=2), kind="tools"),
        ],
        "with something else",
    ),
}


@pytest.mark.parametrize(("parts", "told"), NOT_PARTS.values(), ids=NOT_PARTS)
def test_what_are_not_the_parts_of_one_replay_is_not_merged(parts: list[Impact], told: str) -> None:
    with pytest.raises(BadUsage) as refused:
        merged([(f"{number}.json", part) for number, part in enumerate(parts)])
    assert told in refused.value.what


def _with(**fields: object) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda record: record | fields


ALTERED: dict[str, Callable[[dict[str, Any]], object]] = {
    "no object": lambda _: [],
    "another schema": _with(schema="dryrun-bot/replay/2"),
    "a wrong count": _with(changed=1),
    "fewer runs than changes": _with(runs=1),
    "other groups": _with(groups=[{"what": "allow→ask", "runs": 7}]),
    "a part that there is not": _with(shard={"number": 3, "of": 2}),
    "a further key": _with(more="words"),
}


@pytest.mark.parametrize("alter", ALTERED.values(), ids=ALTERED)
def test_a_record_that_does_not_hold_together_is_refused(alter: Callable[[dict[str, Any]], object]) -> None:
    record = json.loads(impact([1, 2], runs=3).to_json())
    with pytest.raises(BadUsage, match=r"a\.json is no result of a replay"):
        read_impact(json.dumps(alter(record)).encode(), file="a.json")
