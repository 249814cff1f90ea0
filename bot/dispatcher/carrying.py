"""A rehearsed step, made real: done by its tool, and then held to what was predicted, file by file."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from bot.dataclass import dataclass
from bot.dispatcher.performance import Performance
from bot.dispatcher.rehearsed import Rehearsed
from bot.errors import OutcomeUnknown
from bot.gate.facts import Facts
from bot.noted.trials import take_over
from bot.plan import Step
from bot.plan.told import Answer
from bot.proposal import Proposal
from bot.tools.tool import Stage, ToolFailed
from bot.verdict import Outcome, Verdict
from bot.workspace import Change
from bot.workspace.copied import Made
from bot.workspace.diff import file_diff
from bot.workspace.disk import Disk
from bot.workspace.overlay import Overlay


@dataclass(frozen=True, slots=True, kw_only=True)
class Carrying:
    """`review` judges a proposal by what it changed; `overlay` is what was rehearsed, this step with it."""

    performance: Performance
    overlay: Overlay
    review: Callable[[Proposal, tuple[Change, ...]], tuple[Facts, Verdict]]

    def carried_out(self, proposal: Proposal, rehearsed: Rehearsed, step: Step, stage: Stage) -> Answer:
        verdict, performance = step.verdict, self.performance
        if not performance.is_agreed(step):
            return Answer(text="not approved", verdict=verdict, step=step, missed="it was not approved")
        tool, disk = proposal.tool, performance.disk
        assert tool is not None  # noqa: S101 - only a known tool was rehearsed
        if disk is not None:
            stage = replace(stage, workspace=disk, folder=disk.folder, shell=performance.shell)
        if performance.beyond is not None:
            stage = replace(stage, desk=performance.beyond.desk, web=performance.beyond.web)
        watched = performance.commands if rehearsed.facts.command is not None else None
        made: tuple[Made, ...] = ()
        try:
            if watched is not None:
                watched.copy.look()
            text = tool.execute(proposal.arguments, stage)
            if watched is not None and disk is not None:
                made = (*watched.copy.changed(self.overlay), *_undone(rehearsed, disk))
        except ToolFailed as failure:
            said, is_unknown = str(failure), isinstance(failure, OutcomeUnknown)
            return Answer(text=said, verdict=verdict, step=step, missed=said, is_unknown=is_unknown)
        answer = Answer(text=text, verdict=verdict, step=step)
        if watched is not None:
            return self._compared(answer, made, proposal, rehearsed, watched.may_change)
        for change in rehearsed.changes:
            if disk is not None and disk.entry(change.path) != change.after:
                return replace(answer, missed=f"{change.path} came out otherwise than planned")
        return answer

    def _compared(
        self,
        answer: Answer,
        made: tuple[Made, ...],
        proposal: Proposal,
        rehearsed: Rehearsed,
        may_change: Callable[[str], bool],
    ) -> Answer:
        """What differs from the prediction must be allowed to, and is judged as if it had been predicted."""
        if not made:
            return answer
        before = self.overlay.savepoint()
        try:
            take_over(made, self.overlay)
        except ToolFailed as failure:
            return replace(answer, missed=str(failure), has_strayed=True)
        others = self.overlay.changes_since(before)
        unplanned = [one for one in others if not may_change(one.path)]
        if unplanned:
            names = ", ".join(one.path for one in unplanned[:5])
            more = f" and {len(unplanned) - 5} more" if len(unplanned) > 5 else ""
            return replace(
                answer,
                missed=f"the command did to {names}{more} what the plan doesn't say",
                has_strayed=True,
                difference=_diff(unplanned),
            )
        _, verdict = self.review(proposal, (*rehearsed.changes, *others))
        if verdict.outcome is Outcome.DENY:
            said = f"what the command did is denied: {verdict.reason}"
            return replace(answer, missed=said, has_strayed=True, difference=_diff(others))
        if verdict.outcome is Outcome.ASK and not self.performance.is_named(answer.step):
            said = f"what the command did must be approved: {verdict.reason}"
            return replace(answer, missed=said, has_strayed=True, difference=_diff(others))
        return answer


def _undone(rehearsed: Rehearsed, disk: Disk) -> Iterator[Made]:
    """What should have come of the command, and did not."""
    for change in rehearsed.changes:
        entry = disk.entry(change.path)
        if entry == change.before and entry != change.after:
            yield Made(path=change.path, entry=entry, content=change.content_before)


def _diff(changes: Iterable[Change]) -> str:
    return "".join(file_diff(change) for change in changes)
