"""A walk taken on a pull request, and its one reply: (leave, what was asked) -> Answer.

Each function takes the leave that it needs, so that no walk can be begun without one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from bot.answer import Answer, Decision
from bot.assignment import Assigned, Assignment
from bot.authority import MayApply, MayAsk, MayDryRun, MayUndo
from bot.conversation import Conversation
from bot.conversation.posted import Posted, find_posted
from bot.dataclass import dataclass
from bot.errors import BotError, Reason
from bot.flows import apply, dry_run, undo
from bot.impact import Impact
from bot.kit import Kit, Outside
from bot.phase import Phase
from bot.plan import Plan
from bot.refusal import Refusal
from bot.render import answers
from bot.render.layout import Rendered, Reply
from bot.render.plan import plan_summary
from bot.situation import Situation
from bot.situation.rules import Rules
from bot.transcript import Transcript
from bot.visit.aftermath import Aftermath
from bot.visit.consequences import Consequences
from bot.visit.dry_runs import DryRun, DryRuns


@dataclass(frozen=True, slots=True, kw_only=True)
class Carried:
    """A plan whose steps were carried out, with what came out; or as far as that went."""

    plan: Plan
    result: apply.Performed | Refusal
    transcript: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """`conversation` was read once at the beginning; `situation` is how things stood then."""

    situation: Situation
    conversation: Conversation
    outside: Outside

    def plan(self, leave: MayDryRun, assignments: Assigned, *, is_awaited: bool = True) -> Answer:
        """One dry run and one comment for each assignment that has none from this very occasion.

        `is_awaited`: somebody asked for it, and is told where another job's plan can't be taken.
        """
        if isinstance(assignments, Refusal):
            return self.refuse(assignments)
        kit, posted = self.outside.kit, []
        for dry in self.dry_runs(leave, assignments):
            if isinstance(dry, Refusal):
                return self.refuse(dry) if is_awaited else _ignored(dry)
            posted.append((dry, dry_run.report(dry.plan, self.situation, self.conversation, kit=kit)))
        plans = tuple(dry.plan for dry, _ in posted)
        steps = sum(len(plan.steps) for plan in plans)
        first, comment_url = posted[0]
        return Answer(
            decision=Decision.PLANNED,
            reason=_reason(steps, comment_url),
            detail=f"planned actions: {steps}, plans: {len(plans)}",
            plans=plans,
            plan_path=kit.archive.keep(first.plan),
            transcript_path=first.transcript,
            comment_url=comment_url,
            summary="\n\n".join(map(self._summary, plans)),
        )

    def dry_runs(self, leave: MayDryRun, assignments: Sequence[Assignment]) -> Iterator[DryRun | Refusal]:
        """In order, each made when it is asked for; a Refusal only of what another job has made."""
        return self._dry_runs.each(leave, assignments)

    def apply(self, leave: MayApply) -> Answer:
        """The plan that was posted becomes a commit, or it is said why not; nothing is left half done."""
        posted = self._posted(leave.digest)
        if isinstance(posted, Refusal):
            return self.refuse(posted)
        kit, plan = self.outside.kit, posted.plan
        transcript = self._transcript_of_apply(leave, plan)
        with transcript, self.outside.toolbox(self.situation.rules.config) as tools:
            kit = replace(kit, tools=tools)
            done = apply.apply(
                leave,
                posted,
                self.situation,
                kit=kit,
                shell=self.outside.shell,
                transcript=transcript,
                handed_over=self._dry_runs.handed_over if self.outside.phase is Phase.COMMIT else None,
            )
            if isinstance(done, Refusal):
                if done.patch and done.reason is Reason.CANNOT_PUSH:
                    kit.archive.keep_patch(plan, done.patch)
                return replace(self.refuse(done), plans=(plan,), transcript_path=transcript.file)
            aftermath = Aftermath(
                leave=leave,
                plan=plan,
                done=done,
                situation=self.situation,
                conversation=self.conversation,
                kit=kit,
                reply=self._reply,
            )
            answer = aftermath.told(self.outside.beyond(self.situation), transcript)
        self.conversation.mark(posted.said, "applied")
        return replace(answer, transcript_path=transcript.file)

    def perform(self, leave: MayApply) -> Carried | None:
        """The plan's steps, carried out for another job to commit; None where it needs none of that."""
        posted = self._posted(leave.digest)
        if isinstance(posted, Refusal):
            return None
        if apply.applied_before(posted, self.situation, kit=self.outside.kit) is not None:
            return None
        transcript = self._transcript_of_apply(leave, posted.plan)
        with transcript, self.outside.toolbox(self.situation.rules.config) as tools:
            result = apply.perform(
                leave,
                posted,
                self.situation,
                kit=replace(self.outside.kit, tools=tools),
                shell=self.outside.shell,
                transcript=transcript,
            )
        return Carried(plan=posted.plan, result=result, transcript=transcript.file)

    def undo(self, leave: MayUndo) -> Answer:
        """The newest plan that was applied here is taken back by one more commit."""
        digest = undo.newest_applied(self.situation, kit=self.outside.kit)
        posted = self._posted(digest) if digest else _NOTHING_TO_UNDO
        if isinstance(posted, Refusal):
            return self.refuse(posted)
        done = undo.undo(leave, posted.plan, self.situation, kit=self.outside.kit)
        if isinstance(done, Refusal):
            return self.refuse(done)
        said_so = answers.undo_comment(done.commit, self._reply, undone=done.undone, undone_by=leave.login)
        answer = Answer(
            decision=Decision.APPLIED,
            reason=Reason.UNDONE,
            detail=f"commit {done.commit.sha} takes {done.undone} back",
            commit=done.commit,
        )
        return self._reported(answer, said_so)

    def discard(self, leave: MayAsk) -> Answer:
        """Every plan on the pull request that could be applied, older ones too: none of them can any more."""
        plans = [it for it in self.conversation.plans if it.marker.state in {"open", "superseded"}]
        if not plans:
            return self.refuse(_NO_PLAN)
        posted = self._posted(plans[-1].marker.digest)
        if isinstance(posted, Refusal):
            return self.refuse(posted)
        for said in plans:
            self.conversation.restate(said, "discarded")
        others = len({said.marker.digest for said in plans}) - 1
        said_so = answers.discarded_comment(posted.plan, self._reply, discarded_by=leave.login, others=others)
        answer = Answer(
            decision=Decision.IGNORED,
            reason=Reason.DISCARDED,
            detail=f"plan {posted.plan.short_digest} was discarded",
        )
        return self._reported(answer, said_so)

    def explain(self, _: MayAsk, number: int) -> Answer:
        """A step of the newest plan, and why its verdict is what it is."""
        plans = self.conversation.plans
        posted = self._posted(plans[-1].marker.digest) if plans else _NO_PLAN
        if isinstance(posted, Refusal):
            return self.refuse(posted)
        steps = posted.plan.steps
        if not 1 <= number <= len(steps):
            there = "1 step" if len(steps) == 1 else f"{len(steps) or 'no'} steps"
            return self.refuse(
                Refusal(
                    reason=Reason.UNKNOWN_STEP,
                    detail=f"The newest plan has {there}, so there is no step {number} to explain.",
                    next_step="Comment `/explain 1`, for instance." if steps else "Comment `/plan` again.",
                )
            )
        explained = answers.explain_comment(posted.plan, steps[number - 1], self._reply)
        return self._explained(f"step {number} was explained", explained)

    def help(self, _: MayAsk) -> Answer:
        """What can be asked for here, by the configuration as it is."""
        config = self.situation.rules.config
        return self._explained("the commands were explained", answers.help_comment(config, self._reply))

    def tell(self, error: BotError) -> Answer:
        """What could not be done beside something else, which goes on."""
        body = answers.error_comment(error, self._reply)
        return Answer(
            decision=Decision.FAILED,
            reason=error.reason,
            detail=error.what,
            exit_code=error.exit_code,
            comment_url=self.conversation.say(body.body, fault=body.fault),
        )

    def consequences(self, leave: MayDryRun) -> Answer | None:
        """What changed rules would have done to past runs; None where the pull request changes none."""
        return self._consequences.by_themselves(leave)

    def replay(self, leave: MayDryRun) -> Answer:
        """The same, with a model asked where it would be asked otherwise."""
        is_handed_over = self.outside.phase is Phase.REPORT
        told = self._consequences.asked_for(leave, decided=self._decided if is_handed_over else None)
        return self.refuse(told) if isinstance(told, Refusal) else told

    def decided(self, leave: MayDryRun) -> Impact | None:
        """What a model would decide otherwise, for another job to tell; None where none has to be asked."""
        return self._consequences.decided(leave)

    def refuse(self, refusal: Refusal) -> Answer:
        return refused(refusal, self._reply, self.conversation)

    @property
    def _reply(self) -> Reply:
        return reply_of(self.situation.rules, self.outside.kit)

    @property
    def _dry_runs(self) -> DryRuns:
        return DryRuns(
            situation=self.situation,
            conversation=self.conversation,
            outside=self.outside,
            reply=self._reply,
        )

    @property
    def _consequences(self) -> Consequences:
        return Consequences(
            situation=self.situation,
            conversation=self.conversation,
            outside=self.outside,
            reply=self._reply,
        )

    def _decided(self) -> Impact:
        handover = self._dry_runs.handed_over()
        if handover.decided is None:
            raise handover.why_nothing()
        return handover.decided

    def _transcript_of_apply(self, leave: MayApply, plan: Plan) -> Transcript:
        kit = self.outside.kit
        return kit.archive.transcript(
            f"{kit.occasion}-apply",
            began_at=kit.clock.now().isoformat(),
            repository=kit.repository.name,
            pull_request=self.situation.pull_request.number,
            applies=plan.digest,
            approved_by=leave.login,
        )

    def _posted(self, digest: str | None) -> Posted | Refusal:
        return find_posted(digest, self.conversation, rules=self.situation.rules, kit=self.outside.kit)

    def _explained(self, detail: str, rendered: Rendered) -> Answer:
        return Answer(
            decision=Decision.IGNORED,
            reason=Reason.EXPLAINED,
            detail=detail,
            comment_url=self.conversation.say(rendered.body, fault=rendered.fault),
            summary=rendered.body,
        )

    def _reported(self, answer: Answer, rendered: Rendered) -> Answer:
        """`answer`, which tells of something done, with where it was told."""
        comment_url = self.conversation.report(rendered.body, fault=rendered.fault)
        return replace(answer, comment_url=comment_url, summary=rendered.body)

    def _summary(self, plan: Plan) -> str:
        """Where commenting is forbidden, this is where the plan is read."""
        config, run_url = self.situation.rules.config, self.outside.kit.run_url
        return plan_summary(
            plan,
            language=config.language,
            prefix=config.command_prefix,
            run_url=run_url,
            redact=self.outside.kit.redact,
        ).body


def refused(refusal: Refusal, reply: Reply, conversation: Conversation) -> Answer:
    """A "no" that is told. A silent one never gets here: there is nobody to tell it to."""
    body = answers.refusal_comment(refusal, reply).body
    refusal = refusal.as_told(prefix=reply.prefix)
    return Answer(
        decision=Decision.REFUSED,
        reason=refusal.reason,
        detail=refusal.detail,
        exit_code=3,
        comment_url=conversation.say(body),
        summary=body,
    )


def reply_of(rules: Rules, kit: Kit) -> Reply:
    return Reply(
        language=rules.config.language,
        answers=kit.occasion,
        run_url=kit.run_url,
        prefix=rules.config.command_prefix,
        redact=kit.redact,
    )


def _ignored(refusal: Refusal) -> Answer:
    return Answer(decision=Decision.IGNORED, reason=refusal.reason, detail=refusal.detail)


def _reason(steps: int, comment_url: str | None) -> Reason:
    if comment_url is None:
        return Reason.COMMENT_FORBIDDEN
    return Reason.PLANNED if steps else Reason.NOTHING_PLANNED


_NOTHING_TO_UNDO = Refusal(
    reason=Reason.NO_PLAN,
    detail="No applied plan is on this branch that could be taken back.",
    next_step="Revert the commit by hand.",
)
_NO_PLAN = Refusal(
    reason=Reason.NO_PLAN,
    detail="There is no open plan on this pull request.",
    next_step="Comment `/plan` first.",
)
