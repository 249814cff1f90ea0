"""What a job makes that may write nothing: plans by a model, or carried-out steps, handed over to the next.

Nobody is told anything here. What can't be done is handed over as well, for the next job is the one that
answers; and whatever stands in its way there, such as a refusal, it finds by itself.
"""

from contextlib import suppress
from dataclasses import field

from bot import command
from bot.answer import Answer, Decision
from bot.authority import MayApply, MayDryRun
from bot.dataclass import dataclass
from bot.errors import BotError, Reason, foreseen, own_fault
from bot.flows.apply import Performed
from bot.handover import (
    MOST_CHARACTERS,
    REFUSALS,
    Failed,
    Handover,
    Made,
    MadeFile,
    Output,
    Refused,
    said,
)
from bot.impact import Impact
from bot.kit import Outside
from bot.phase import Phase
from bot.plan import Plan
from bot.plan.effect import content_of
from bot.refusal import Refusal
from bot.visit import Visit
from bot.visit.hearing import Heard, Unheard, Workable, hear


def make(event: Workable, outside: Outside) -> Answer:
    """Never raises BotError. A fault of our own is handed over too, and then left to the front door."""
    work = _Work(event=event, outside=outside)
    try:
        heard = hear(event, outside)
        if isinstance(heard, Unheard):
            return Answer(decision=Decision.IGNORED, reason=heard.reason, detail=heard.detail)
        made = work.steps(heard) if outside.phase is Phase.PERFORM else work.plans(heard)
    except Exception as error:
        told = foreseen(error)
        if told is None:
            with suppress(BotError, OSError):
                work.hand_over(failed=_failed(own_fault(error)))
            raise
        work.hand_over(failed=_failed(told))
        return Answer(
            decision=Decision.FAILED,
            reason=told.reason,
            detail=told.detail,
            exit_code=told.exit_code,
            next_phase=outside.phase.after,
        )
    return made


@dataclass(slots=True, kw_only=True)
class _Work:
    """`made` are the plans so far: where a later one fails, they are handed over all the same."""

    event: Workable
    outside: Outside
    made: list[Plan] = field(default_factory=list)

    def plans(self, heard: Heard) -> Answer:
        """Every dry run that is due, or what a model would decide otherwise."""
        leave, paths = heard.leave, []
        if isinstance(leave, MayDryRun) and isinstance(heard.asked, command.Replay):
            decided = self._visit(heard).decided(leave)
            self.hand_over(decided=decided)
        elif isinstance(leave, MayDryRun) and not isinstance(heard.assignments, Refusal):
            for dry in self._visit(heard).dry_runs(leave, heard.assignments):
                assert not isinstance(dry, Refusal)  # noqa: S101 - only another job's plan is refused
                self.made.append(dry.plan)
                paths.append(dry.transcript)
            self.hand_over()
        if not self.made:
            return self._nothing_made()
        steps = sum(len(plan.steps) for plan in self.made)
        return Answer(
            decision=Decision.PLANNED,
            reason=Reason.PLANNED if steps else Reason.NOTHING_PLANNED,
            detail=f"planned actions: {steps}, plans: {len(self.made)}; they are posted by the next job",
            plans=tuple(self.made),
            plan_path=self.outside.kit.archive.keep(self.made[0]),
            transcript_path=paths[0],
            next_phase=Phase.REPORT,
        )

    def steps(self, heard: Heard) -> Answer:
        """What came of carrying out an approved plan, or what spoke against it."""
        performed = None
        if isinstance(heard.leave, MayApply):
            performed = self._visit(heard).perform(heard.leave)
        if performed is None:
            return self._nothing_made()
        if isinstance(performed.result, Refusal):
            refusal = performed.result
            if refusal.reason in REFUSALS:
                self.hand_over(refused=_refused(refusal))
            decision, reason, detail = Decision.REFUSED, refusal.reason, refusal.detail
        else:
            self.hand_over(made=_made(performed.plan, performed.result))
            decision, reason = Decision.PERFORMED, Reason.PERFORMED
            detail = f"plan {performed.plan.short_digest} was carried out; the next job checks and pushes it"
        return Answer(
            decision=decision,
            reason=reason,
            detail=detail,
            plans=(performed.plan,),
            transcript_path=performed.transcript,
            next_phase=Phase.COMMIT,
        )

    def hand_over(
        self,
        *,
        decided: Impact | None = None,
        made: Made | None = None,
        refused: Refused | None = None,
        failed: Failed | None = None,
    ) -> None:
        outside = self.outside
        handover = Handover(
            phase="perform" if outside.phase is Phase.PERFORM else "plan",
            repository=outside.kit.repository.name,
            pull_request=self.event.number,
            occasion=outside.kit.occasion,
            plans=tuple(self.made),
            decided=decided,
            made=made,
            refused=refused,
            failed=failed,
        )
        outside.relay.leave(handover.to_bytes())

    def _visit(self, heard: Heard) -> Visit:
        return Visit(situation=heard.situation, conversation=heard.conversation, outside=self.outside)

    def _nothing_made(self) -> Answer:
        """There may be something to say all the same, such as why not."""
        return Answer(
            decision=Decision.IGNORED,
            reason=Reason.OTHER_PHASE,
            detail="there is nothing to make here; the next job answers",
            next_phase=self.outside.phase.after,
        )


def _made(plan: Plan, performed: Performed) -> Made:
    return Made(
        plan=plan.digest,
        tree=performed.tree,
        changes=tuple(
            MadeFile(
                path=change.path,
                mode=change.after.mode if change.after else None,
                content=content_of(change.content_after) if change.after else None,
            )
            for change in performed.changes
        ),
        left_over=performed.left_over[:_MOST_LEFT_OVER],
        outputs=tuple(Output(step=step, output=output) for step, output in performed.outputs),
    )


def _refused(refusal: Refusal) -> Refused:
    # What is longer is not shown anyway.
    difference = refusal.patch if len(refusal.patch) <= _MOST_DIFFERENCE else ""
    return Refused(reason=refusal.reason, detail=refusal.detail[:MOST_CHARACTERS], difference=difference)


def _failed(error: BotError) -> Failed:
    return Failed(reason=error.reason, what=said(error.what), next_step=said(error.next_step))


_MOST_LEFT_OVER = 1000
_MOST_DIFFERENCE = 40_000
