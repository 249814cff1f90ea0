"""(A run as it was, the same run made again) -> the first action that differs, how and why; or None."""

import json
from collections.abc import Iterator, Sequence

from bot.dataclass import dataclass
from bot.description import describe
from bot.impact import Change
from bot.noted.look import Look
from bot.proposal import propose
from bot.replay.whole_run import Act, WholeRun
from bot.tools import TOOLS


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """At the action with this number; `act` is the one to speak of."""

    action: int
    act: Act | None
    what: str
    before: str
    after: str


def first_difference(before: WholeRun, after: WholeRun, *, steps_only: bool = False) -> Change | None:
    """With `steps_only`, what is only read doesn't count: a plan is what people approve."""
    was, now = _numbered(before.acts, steps_only=steps_only), _numbered(after.acts, steps_only=steps_only)
    found = list(_differences(was, now, with_answers=not steps_only))
    if not found and not steps_only:
        found = list(_in_the_plan(before, after))
    if not found:
        return None
    first = found[0]
    tool, about = ("plan", "the plan itself") if first.act is None else _described(first.act)
    return Change(
        run=before.run_id,
        name=before.name,
        link=before.link,
        action=first.action,
        tool=tool,
        about=about,
        what=first.what,
        before=first.before,
        after=first.after,
        more=len(found) - 1,
    )


def _numbered(acts: Sequence[Act], *, steps_only: bool) -> list[tuple[int, Act]]:
    return [(number, act) for number, act in enumerate(acts, 1) if act.is_step or not steps_only]


def _differences(
    was: Sequence[tuple[int, Act]], now: Sequence[tuple[int, Act]], *, with_answers: bool
) -> Iterator[Difference]:
    """Action by action; where one is new or missing, the rest is compared from there."""
    at, to = 0, 0
    while at < len(was) and to < len(now):
        (number, old), (_, new) = was[at], now[to]
        if old.id == new.id:
            if difference := _same_call(number, old, new, with_answers=with_answers):
                yield difference
        elif any(new.id == later.id for _, later in was[at + 1 :]):
            yield _missing(number, old)
            at += 1
            continue
        elif any(old.id == later.id for _, later in now[to + 1 :]):
            yield _new(number, new)
            to += 1
            continue
        elif old.call.tool == new.call.tool:
            yield _other_arguments(number, old, new)
        else:
            yield _other_action(number, old, new)
        at, to = at + 1, to + 1
    for number, old in was[at:]:
        yield _missing(number, old)
    last = was[-1][0] if was else 0
    for offset, (_, new) in enumerate(now[to:], 1):
        yield _new(last + offset, new)


def _same_call(number: int, old: Act, new: Act, *, with_answers: bool) -> Difference | None:
    was, now = old.look.verdict, new.look.verdict
    if was is None or now is None:
        return None
    if was.outcome is not now.outcome:
        what = f"{was.outcome.value}→{now.outcome.value}"
        return Difference(
            action=number,
            act=old,
            what=what,
            before=f"{was.reason} ({was.rule})",
            after=f"{now.reason} ({now.rule}, {now.source})",
        )
    if (old.error is None) != (new.error is None):
        what = "fails now" if new.error else "works now"
        return Difference(action=number, act=old, what=what, before=_came(old), after=_came(new))
    if _effect(old.look) != _effect(new.look):
        before, after = (json.dumps(_effect(look)) for look in (old.look, new.look))
        return Difference(action=number, act=old, what="other effect", before=before, after=after)
    if with_answers and old.answer != new.answer:
        return Difference(action=number, act=old, what="other answer", before=_came(old), after=_came(new))
    return None


def _effect(look: Look) -> dict[str, object]:
    return look.model_dump(mode="json", include={"effects", "content"}, exclude_defaults=True)


def _came(act: Act) -> str:
    return _cut(act.error or act.answer or "(nothing)")


def _missing(number: int, old: Act) -> Difference:
    return Difference(
        action=number, act=old, what="missing action", before=_spelled(old), after="It is not proposed."
    )


def _new(number: int, new: Act) -> Difference:
    return Difference(
        action=number, act=new, what="new action", before="It was not proposed.", after=_spelled(new)
    )


def _other_arguments(number: int, old: Act, new: Act) -> Difference:
    return Difference(
        action=number, act=old, what="other arguments", before=_spelled(old), after=_spelled(new)
    )


def _other_action(number: int, old: Act, new: Act) -> Difference:
    return Difference(action=number, act=new, what="other action", before=_spelled(old), after=_spelled(new))


def _in_the_plan(before: WholeRun, after: WholeRun) -> Iterator[Difference]:
    """Where every action is the same: a step in its record, or what the plan is bound to."""
    if before.planned.digest == after.planned.digest:
        return
    steps = [(number, act) for number, act in enumerate(before.acts, 1) if act.is_step]
    for (number, act), was, now in zip(steps, before.planned.steps, after.planned.steps, strict=False):
        if was != now:
            yield Difference(action=number, act=act, what="other step", before=was[:12], after=now[:12])
    last = max(len(before.acts), 1)
    for name, value in before.planned.plan.items():
        value_now = after.planned.plan.get(name)
        if value != value_now:
            words = _cut(str(value)), _cut(str(value_now))
            yield Difference(action=last, act=None, what=f"other {name}", before=words[0], after=words[1])


def _described(act: Act) -> tuple[str, str]:
    return act.call.tool, describe(act.call.tool, propose(act.call, TOOLS).action.arguments)


def _spelled(act: Act) -> str:
    verdict = act.look.verdict
    outcome = "" if verdict is None else f"{verdict.outcome.value}: "
    return _cut(f"{outcome}{propose(act.call, TOOLS).spelled}")


def _cut(words: str) -> str:
    return words if len(words) <= 400 else f"{words[:400]}…"
