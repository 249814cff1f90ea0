"""Steps -> what they come to, without their texts: counted once, where a plan is made.

A comment has room for some forty steps, whatever number a plan has: with this no other need be looked at.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, get_args

from bot.action import Kind
from bot.dataclass import dataclass
from bot.plan.call import call_to_read, output_to_read
from bot.plan.hunks import first_hunk, lines_changed
from bot.plan.step import Badge, Effect, Step


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """What applying would come to, all steps together.

    Files are counted by what becomes of each path in the end: one made and taken away again is no change.
    """

    created: int
    edited: int
    deleted: int
    commands: int
    added: int
    removed: int

    @property
    def files(self) -> int:
        return self.created + self.edited + self.deleted


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """Numbers are those of steps, in order; `wearing` has every badge, and the steps that wear it.

    `smallest_first` are the same steps by how much of each there is to read. `simulated` reach beyond the
    files and were not made, `unaware` came after the first of these; both of what is `performed` alone, and
    so are the `dependent`.
    """

    wearing: Mapping[Badge, tuple[Step, ...]]
    smallest_first: Mapping[Badge, tuple[Step, ...]]
    performed: tuple[int, ...]
    dependent: tuple[int, ...]
    conditional: tuple[int, ...]
    rehearsed: tuple[int, ...]
    simulated: tuple[int, ...]
    unaware: tuple[int, ...]
    totals: Totals


def outline_of(steps: Sequence[Step]) -> Outline:
    wearing: dict[Badge, list[Step]] = {badge: [] for badge in BADGES}
    sizes: dict[int, int] = {}
    added = removed = 0
    for step in steps:
        wearing[step.badge].append(step)
        size = len(call_to_read(step)) + len(output_to_read(step))
        for effect in step.effects:
            at = first_hunk(effect.diff)
            size += len(effect.diff) - at
            if step.is_performed:
                more, fewer = lines_changed(effect.diff, at=at)
                added += more
                removed += fewer
        sizes[step.number] = size
    performed = [step for step in steps if step.is_performed]
    simulated = [step for step in performed if step.kind is Kind.EXTERNAL and step.rehearsed is None]
    return Outline(
        wearing={badge: tuple(worn) for badge, worn in wearing.items()},
        smallest_first={
            badge: tuple(sorted(worn, key=lambda step: sizes[step.number])) for badge, worn in wearing.items()
        },
        performed=_numbers(performed),
        dependent=_numbers(step for step in performed if step.depends_on),
        conditional=_numbers(step for step in steps if step.conditional_on),
        rehearsed=_numbers(step for step in steps if step.rehearsed is not None),
        simulated=_numbers(simulated),
        # The agent was never told what came of the first.
        unaware=_numbers(step for step in performed if simulated and step.number > simulated[0].number),
        totals=_totals(performed, added=added, removed=removed),
    )


def _numbers(steps: Iterable[Step]) -> tuple[int, ...]:
    return tuple(step.number for step in steps)


def _totals(performed: Sequence[Step], *, added: int, removed: int) -> Totals:
    first: dict[str, Effect] = {}
    last: dict[str, Effect] = {}
    for effect in (effect for step in performed for effect in step.effects):
        first.setdefault(effect.path, effect)
        last[effect.path] = effect
    becomes = [(first[path].blob_before is None, effect.blob_after is None) for path, effect in last.items()]
    return Totals(
        created=becomes.count((True, False)),
        edited=becomes.count((False, False)),
        deleted=becomes.count((False, True)),
        commands=sum(not step.effects or step.is_command for step in performed),
        added=added,
        removed=removed,
    )


BADGES: Final[tuple[Badge, ...]] = get_args(Badge)
