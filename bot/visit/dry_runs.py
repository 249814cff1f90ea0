"""The dry runs of a visit: (leave, assignments) -> a plan each, made here, or by the job before this one."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from bot.assignment import Assignment
from bot.authority import MayDryRun
from bot.conversation import Conversation
from bot.conversation.progress import Progress
from bot.dataclass import dataclass
from bot.flows import dry_run
from bot.handover import Handover, nothing_left, read_handover
from bot.kit import Kit, Outside
from bot.phase import Phase
from bot.plan import Plan
from bot.refusal import Refusal
from bot.render.layout import Reply
from bot.situation import Situation
from bot.transcript import Transcript
from bot.visit.foreign_plan import why_not_ours


@dataclass(frozen=True, slots=True, kw_only=True)
class DryRun:
    """`transcript` is None where another job made the plan, and has it."""

    plan: Plan
    transcript: Path | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DryRuns:
    """As a `Visit`; `reply` is what progress is told with."""

    situation: Situation
    conversation: Conversation
    outside: Outside
    reply: Reply

    def each(self, leave: MayDryRun, assignments: Sequence[Assignment]) -> Iterator[DryRun | Refusal]:
        """In order, each made when it is asked for; a Refusal only of what another job has made."""
        there = self.conversation.planned_on(self.outside.kit.occasion)
        with self.outside.toolbox(self.situation.rules.config) as tools:
            kit = replace(self.outside.kit, tools=tools)
            for number, assignment in enumerate(assignments, start=1):
                if assignment.name not in there:
                    make = self._taken_over if self.outside.phase is Phase.REPORT else self._dry_run
                    yield make(leave, assignment, number, kit=kit)

    def _dry_run(self, leave: MayDryRun, assignment: Assignment, number: int, *, kit: Kit) -> DryRun:
        model = self.situation.rules.config.model
        second = model.second(model.name)
        watch = {} if self.outside.phase is Phase.PLAN else {"watch": self._progress(assignment.name)}
        with self._transcript(leave, assignment, str(number), kit=kit) as transcript:
            plan = dry_run.rehearse(
                assignment,
                self.situation,
                llm=self.outside.llm(model.name),
                advisor=None if second is None else self.outside.llm(second),
                kit=kit,
                shell=self.outside.shell,
                transcript=transcript,
                **watch,
            )
        return DryRun(plan=plan, transcript=transcript.file)

    def _taken_over(
        self, leave: MayDryRun, assignment: Assignment, number: int, *, kit: Kit
    ) -> DryRun | Refusal:
        """The plan that another job has made, if it is what this one would have recorded."""
        handover = self.handed_over()
        plan = handover.plan_of(assignment.name)
        if plan is None:
            raise handover.why_nothing()
        with self._transcript(leave, assignment, f"{number}-again", kit=kit) as transcript:
            why = why_not_ours(plan, assignment, self.situation, kit=kit, transcript=transcript)
        if why is not None:
            return why
        kit.archive.keep(plan)
        return DryRun(plan=plan, transcript=None)

    def _transcript(self, leave: MayDryRun, assignment: Assignment, name: str, *, kit: Kit) -> Transcript:
        return kit.archive.transcript(
            f"{kit.occasion}-{name}",
            began_at=kit.clock.now().isoformat(),
            repository=kit.repository.name,
            pull_request=self.situation.pull_request.number,
            task=assignment.name,
            asked_by=leave.login,
        )

    def handed_over(self) -> Handover:
        """What the job before this one left. Raises PhaseFailed where it left nothing, BadHandover."""
        outside = self.outside
        record = outside.relay.find()
        if record is None:
            raise nothing_left()
        return read_handover(
            record,
            phase=str(outside.phase.before),
            repository=outside.kit.repository.name,
            pull_request=self.situation.pull_request.number,
            occasion=outside.kit.occasion,
        )

    def _progress(self, task: str) -> Progress:
        kit = self.outside.kit
        return Progress(task=task, reply=self.reply, conversation=self.conversation, clock=kit.clock)
