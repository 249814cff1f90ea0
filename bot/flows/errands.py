"""The errands: what a plan does beyond the files, after its commit, each noted first, and then tried once.

Whatever ends a run here, the next one finds in the result comment how far this one got.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from bot.authority import MayApply
from bot.dispatcher import Dispatcher
from bot.errand import Errand, Progress
from bot.errors import GitHubFailed
from bot.kit import Kit
from bot.plan import Plan, Step
from bot.plan.told import Answer
from bot.proposal import call_of
from bot.situation import Situation
from bot.transcript import Transcript
from bot.workspace.overlay import Overlay
from bot.world import Beyond


def run_errands(
    leave: MayApply,
    plan: Plan,
    errands: Sequence[Errand],
    situation: Situation,
    *,
    kit: Kit,
    beyond: Beyond,
    note: Callable[[Sequence[Errand]], None],
    transcript: Transcript,
) -> tuple[Errand, ...]:
    """Those that wait are tried, in order; the others stay as they are.

    `note` puts down how far all are. It raises GitHubFailed where it can't, and then nothing more is tried.
    """
    hands = Dispatcher.performing(
        leave,
        tools=kit.tools,
        overlay=Overlay(kit.tree_at(plan.head_sha), kit.searcher),
        disk=None,
        beyond=beyond,
        policies=situation.rules.policies,
        transcript=transcript,
    )
    now = {errand.step: errand for errand in errands}
    for step in plan.steps:
        errand = now.get(step.number)
        if errand is None or errand.progress is not Progress.WAITING:
            hands.pass_over(step)
        elif why := _why_left(step, now):
            hands.pass_over(step)
            now[step.number] = replace(errand, progress=Progress.LEFT, said=why)
        else:
            now[step.number] = replace(errand, progress=Progress.TRIED)
            note(tuple(now.values()))
            now[step.number] = _tried(errand, step, hands)
    return tuple(now.values())


def _why_left(step: Step, errands: dict[int, Errand]) -> str | None:
    """It would tell somebody of a thing that was never there."""
    named = [number for number in step.conditional_on if number in errands]
    return f"it names the made-up result of step {named[0]}" if named else None


def _tried(errand: Errand, step: Step, hands: Dispatcher) -> Errand:
    try:
        return _outcome(errand, hands.dispatch(call_of(step)))
    except GitHubFailed as failed:
        # It was a question that got no answer: whatever is done has an outcome of its own.
        return replace(errand, progress=Progress.FAILED, said=failed.what)


def _outcome(errand: Errand, answer: Answer) -> Errand:
    step = answer.step
    if answer.is_unknown:
        return replace(errand, progress=Progress.UNKNOWN, said=answer.missed or "")
    if answer.missed is not None:
        return replace(errand, progress=Progress.FAILED, said=answer.missed)
    if step is None or not step.is_performed:
        # Judged and rehearsed again, it was not even tried.
        why = answer.verdict.reason if step is None or step.error is None else step.error
        return replace(errand, progress=Progress.FAILED, said=why)
    return replace(errand, progress=Progress.DONE, said=answer.text)
