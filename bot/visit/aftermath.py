"""What comes after a plan was applied: its errands, if it has some, and the one comment on it all."""

from collections.abc import Sequence
from dataclasses import replace

from bot.answer import Answer, Decision
from bot.authority import MayApply
from bot.conversation import Conversation
from bot.conversation.ledger import Elsewhere, Role, open_ledger
from bot.dataclass import dataclass
from bot.errand import Errand, errands_of, spelled
from bot.errors import Reason
from bot.flows.apply import Applied
from bot.flows.errands import run_errands
from bot.kit import Kit
from bot.plan import Plan
from bot.render import answers
from bot.render.answers import Claim
from bot.render.layout import Rendered, Reply
from bot.situation import Situation
from bot.transcript import Transcript
from bot.world import Beyond


@dataclass(frozen=True, slots=True, kw_only=True)
class Aftermath:
    """Of one apply."""

    leave: MayApply
    plan: Plan
    done: Applied
    situation: Situation
    conversation: Conversation
    kit: Kit
    reply: Reply

    def told(self, beyond: Beyond, transcript: Transcript) -> Answer:
        """Raises GitHubFailed where it can't be noted how far an errand is: then none is tried any more."""
        due = errands_of(self.plan, self.kit.tools)
        if not due:
            return self._answer(self._rendered((), role="bystander"))
        ledger = open_ledger(
            self.conversation, self.plan.digest, due, run=self.kit.run_id, layout=self._layout
        )
        if isinstance(ledger, Elsewhere):
            return self._elsewhere(ledger)
        errands = run_errands(
            self.leave,
            self.plan,
            ledger.errands,
            self.situation,
            kit=self.kit,
            beyond=beyond,
            note=ledger.note,
            transcript=transcript,
        )
        url = ledger.finish(errands)
        body = self._layout(errands, role="answer")
        return replace(self._answer(None), comment_url=url, summary=body)

    def _elsewhere(self, ledger: Elsewhere) -> Answer:
        said = ledger.said
        if said is not None and said.marker.answers == self.kit.occasion:
            # The same comment, delivered twice: the other run answers it.
            return Answer(
                decision=Decision.IGNORED,
                reason=Reason.ALREADY_ANSWERED,
                detail="another run is answering this comment",
            )
        rendered = self._rendered(ledger.errands, role="bystander")
        if ledger.is_told:
            answer = replace(self._answer(None), summary=rendered.body)
        else:
            answer = self._answer(rendered)
        return answer if said is None else replace(answer, reason=Reason.ALREADY_APPLIED)

    def _answer(self, rendered: Rendered | None) -> Answer:
        commit, again = self.done.commit, self.done.was_there_before
        name = f"is commit {commit.sha}" if commit else "was applied, and changes no file"
        answer = Answer(
            decision=Decision.APPLIED,
            reason=Reason.ALREADY_APPLIED if again else Reason.APPLIED,
            detail=f"plan {self.plan.short_digest} {name}",
            plans=(self.plan,),
            commit=commit,
        )
        if rendered is None:
            return answer
        url = self.conversation.report(rendered.body, fault=rendered.fault)
        return replace(answer, comment_url=url, summary=rendered.body)

    def _layout(self, errands: Sequence[Errand], *, role: Role) -> str:
        return self._rendered(errands, role=role).body

    def _rendered(self, errands: Sequence[Errand], *, role: Role) -> Rendered:
        claim = Claim(errands=spelled(errands), run=self.kit.run_id, is_finished=role == "answer")
        return answers.applied_comment(
            self.plan,
            self.done.commit,
            self.reply,
            approved_by=self.leave.login,
            was_there_before=self.done.was_there_before,
            left_over=self.done.left_over,
            outputs=self.done.outputs,
            # GitHub starts no workflow for what a workflow's own token pushes.
            starts_checks=not self.conversation.me.login.startswith("github-actions"),
            errands=errands,
            claim=None if role == "bystander" else claim,
        )
