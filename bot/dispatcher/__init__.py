"""The one door to every effect: propose, simulate, review, and only then, if born to perform, execute.

A dispatcher is born rehearsing or performing and cannot change. One that rehearses holds an overlay and
nothing else: no folder, no shell, nothing that could leave a trace, whatever a tool says of itself. At most
it has a command tried on a throwaway copy, in the sandbox (`trials`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, final

from bot.action import Action, Call, Kind
from bot.authority import MayApply
from bot.chaos import Chaos, Failures
from bot.description import would_execute
from bot.dispatcher.bench import Bench
from bot.dispatcher.caged_trials import one_trial, tried_in, unconfined
from bot.dispatcher.carrying import Carrying
from bot.dispatcher.performance import Commands, Live, Performance
from bot.dispatcher.rehearsed import Rehearsed
from bot.errors import NoSandbox
from bot.gate.facts import Earlier, Facts
from bot.gate.policy import Policy, Secrets
from bot.noted.look import look_at
from bot.noted.trials import Trials
from bot.plan import Step, told
from bot.plan.condition import Conditions
from bot.plan.told import Answer
from bot.proposal import Proposal, call_of, propose
from bot.review import review
from bot.tools.outputs import Outputs
from bot.tools.tool import Stage, Tool, ToolFailed
from bot.transcript import Transcript
from bot.verdict import Outcome, Verdict
from bot.workspace import Change
from bot.workspace.disk import Disk
from bot.workspace.overlay import Overlay, Savepoint
from bot.world import Beyond, Lookout, Person


@final
class Dispatcher:
    """`steps` is the plan so far, in call order; `policies` all judge, and the strictest verdict counts."""

    __slots__ = tuple(
        "_chaos _conditions _earlier _language _overlay _performance _policies _redact "
        "_stage _steps _tools _transcript _trials".split()
    )

    def __init__(  # noqa: PLR0913 - all that a dispatcher is born with
        self,
        *,
        tools: Mapping[str, Tool[Any]],
        overlay: Overlay,
        policies: Sequence[Policy],
        transcript: Transcript,
        performance: Performance | None = None,
        redact: Callable[[str], str] = str,
        language: str = "en",
        chaos: Chaos | None = None,
        lookout: Lookout | None = None,
        trials: Trials | None = None,
    ) -> None:
        self._tools: Final = tools
        self._overlay: Final = overlay
        self._policies: Final = tuple(policies)
        self._transcript: Final = transcript
        self._performance: Final = performance
        self._redact: Final = redact
        self._language: Final = language
        self._trials: Final = trials
        self._chaos: Final = None if chaos is None else Failures(chaos)
        secrets = Secrets(policies)
        # All that a rehearsal may touch.
        self._stage: Final = Stage(
            workspace=overlay,
            is_hidden=secrets.hide,
            hidden_among=secrets.among,
            lookout=lookout,
            outputs=Outputs(),
        )
        self._earlier = Earlier()
        self._conditions: Final = Conditions()
        self._steps: list[Step] = []

    @classmethod
    def rehearsing(
        cls,
        *,
        tools: Mapping[str, Tool[Any]],
        overlay: Overlay,
        policies: Sequence[Policy],
        transcript: Transcript,
        redact: Callable[[str], str] = str,
        language: str = "en",
        chaos: Chaos | None = None,
        lookout: Lookout | None = None,
        trials: Trials | None = None,
    ) -> "Dispatcher":
        """`redact` takes secrets out of what is recorded of a step that will not be performed.

        `language` is that of what the model is told instead of a result; `chaos` makes calls fail;
        `lookout` is what may be asked of a pull request. Without `trials` no command is run.
        """
        return cls(
            tools=tools,
            overlay=overlay,
            policies=policies,
            transcript=transcript,
            redact=redact,
            language=language,
            chaos=chaos,
            lookout=lookout,
            trials=trials,
        )

    @classmethod
    def performing(
        cls,
        leave: MayApply,
        *,
        tools: Mapping[str, Tool[Any]],
        overlay: Overlay,
        disk: Disk | None,
        commands: Commands | None = None,
        beyond: Beyond | None = None,
        policies: Sequence[Policy],
        transcript: Transcript,
    ) -> "Dispatcher":
        """`overlay` and `disk` stand on the same tree: what is made on one was rehearsed on the other.

        After the commit there is no disk any more, but what lies beyond the files.
        """
        hands = Performance(leave=leave, disk=disk, commands=commands, beyond=beyond)
        return cls(
            tools=tools,
            overlay=overlay,
            policies=policies,
            transcript=transcript,
            performance=hands,
            lookout=beyond.desk if beyond else None,
            trials=commands.trials if commands else None,
        )

    @classmethod
    def live(
        cls,
        leave: MayApply,
        *,
        tools: Mapping[str, Tool[Any]],
        overlay: Overlay,
        bench: Bench,
        person: Person,
        policies: Sequence[Policy],
        transcript: Transcript,
        redact: Callable[[str], str] = str,
        advise: Callable[[Step], Step] = lambda step: step,
    ) -> "Dispatcher":
        """Like `performing`, with a person who is asked step by step; what fails or is refused is undone.

        Nothing but the bench is changed: what becomes of the overlay's changes is for the caller.
        """
        live = Live(person=person, bench=bench, advise=advise)
        hands = Performance(leave=leave, disk=bench.disk, live=live)
        return cls(
            tools=tools,
            overlay=overlay,
            policies=policies,
            transcript=transcript,
            performance=hands,
            redact=redact,
        )

    @property
    def steps(self) -> tuple[Step, ...]:
        return tuple(self._steps)

    def dispatch(self, call: Call) -> Answer:
        """Everything an agent ever does goes through here; what can't be done is an answer, not an error."""
        proposal = propose(call, self._tools)
        action = proposal.action
        number = None if action.kind is Kind.READ else len(self._steps) + 1
        self._transcript.note(
            "proposed", call=call.id, tool=call.tool, arguments=call.arguments, id=action.id, step=number
        )
        before = self._overlay.savepoint()
        rehearsed = self.simulate(proposal)
        look = look_at(proposal, rehearsed.facts, rehearsed.verdict)
        self._transcript.note("judged", look=look)
        step = None if number is None else self._step(number, proposal, rehearsed)
        answer = self._answer(proposal, rehearsed, step, before)
        if answer.step is not None:
            self._steps.append(answer.step)
        # What a live step did can be other than what was rehearsed.
        changes = rehearsed.changes if answer.step is step else self._overlay.changes_since(before)
        self._earlier = self._earlier.after(number, action, rehearsed.facts, changes)
        if step is not None and step.is_performed:
            result = rehearsed.text if self._is_made_up(action) and rehearsed.tried is None else None
            facts = rehearsed.facts
            self._conditions.add(step, facts, result=result, tree=self._overlay)
        if proposal.problem is not None:
            answer = replace(answer, is_malformed=True)
        self._transcript.note(
            "answered",
            call=call.id,
            verdict=told.spelled(answer.verdict),
            error=rehearsed.error or answer.missed,
            text=answer.text,
            simulated_call=action.id if answer.is_simulated else None,
        )
        return answer

    def pass_over(self, step: Step) -> None:
        """Take a recorded step that is not performed into the plan as it stands; nothing is done for it.

        It counts as before for what comes after it.
        """
        proposal = propose(call_of(step), self._tools)
        facts, _ = self.review(proposal, ())
        self._steps.append(step)
        self._earlier = self._earlier.after(step.number, proposal.action, facts, ())

    def simulate(self, proposal: Proposal) -> Rehearsed:
        """Judge it, do it on the overlay, and judge it again by what it did there.

        A denied one leaves nothing.
        """
        facts, verdict = self.review(proposal, ())
        if verdict.outcome is Outcome.DENY or proposal.tool is None or proposal.arguments is None:
            return Rehearsed(verdict=verdict, facts=facts, error=proposal.problem)
        tool, before = proposal.tool, self._overlay.savepoint()
        act = tool.execute if tool.kind is Kind.READ else tool.simulate
        assert act is not None  # noqa: S101 - a Tool with a side effect and no simulate can't be made
        trial = one_trial(self._trials, proposal, len(self._steps) + 1, self._overlay)
        stage = self._stage if trial is None else replace(self._stage, shell=trial)
        act = act if trial is None else tool.rehearse or act
        try:
            if self._chaos is not None:
                self._chaos.strike(proposal.action, is_command=facts.command is not None)
            text = act(proposal.arguments, stage)
        except ToolFailed as failure:
            self._overlay.rollback(before)
            return Rehearsed(verdict=verdict, facts=facts, error=str(failure), tried=tried_in(trial))
        except NoSandbox as missing:
            return Rehearsed(verdict=unconfined(missing), facts=facts)
        tried, changes = tried_in(trial), self._overlay.changes_since(before)
        if not changes:
            return Rehearsed(verdict=verdict, facts=facts, text=text, tried=tried)
        if tool.kind is Kind.READ:
            self._overlay.rollback(before)
            said = f"{tool.name} has kind read and tried to change {changes[0].path}"
            return Rehearsed(verdict=verdict, facts=facts, error=said)
        facts, verdict = self.review(proposal, changes)
        if verdict.outcome is Outcome.DENY:
            self._overlay.rollback(before)
            return Rehearsed(verdict=verdict, facts=facts)
        return Rehearsed(verdict=verdict, facts=facts, changes=changes, text=text, tried=tried)

    def review(self, proposal: Proposal, effects: tuple[Change, ...]) -> tuple[Facts, Verdict]:
        """The facts of the proposal itself, and the strictest verdict on them. No model is heard."""
        return review(
            proposal, tree=self._overlay, earlier=self._earlier, policies=self._policies, effects=effects
        )

    def execute(
        self, proposal: Proposal, rehearsed: Rehearsed, step: Step, performance: Performance
    ) -> Answer:
        """Make real what was rehearsed, and hold the files to the prediction."""
        carrying = Carrying(performance=performance, overlay=self._overlay, review=self.review)
        return carrying.carried_out(proposal, rehearsed, step, self._stage)

    def execute_live(
        self,
        proposal: Proposal,
        rehearsed: Rehearsed,
        step: Step,
        performance: Performance,
        before: Savepoint,
    ) -> Answer:
        """Like `execute`, and what a command did is judged and agreed to as well; or all of it is undone."""
        live = performance.live
        assert live is not None  # noqa: S101 - asked only of a live dispatcher
        live.bench.lay(change.path for change in rehearsed.changes)
        answer = self.execute(proposal, rehearsed, live.advise(step), performance)
        if answer.missed is None and proposal.action.kind is Kind.EXTERNAL:
            answer = self._after_command(answer, proposal, live, before)
        if answer.missed is None:
            return answer
        self._overlay.rollback(before)
        live.bench.put_back(self._overlay)
        assert answer.step is not None  # noqa: S101 - it was one
        undone = answer.step.model_copy(update={"effects": (), "error": answer.missed})
        return replace(answer, text=told.failed(proposal.action.id, answer.missed), step=undone)

    def _after_command(self, answer: Answer, proposal: Proposal, live: Live, before: Savepoint) -> Answer:
        left_out = live.bench.take_over(self._overlay)
        if left_out:
            answer = replace(answer, text=f"{answer.text}\n[undone, no plain files: {', '.join(left_out)}]")
        changes = self._overlay.changes_since(before)
        if not changes or answer.step is None:
            return answer
        facts, verdict = self.review(proposal, changes)
        did = Rehearsed(verdict=verdict, facts=facts, changes=changes)
        advised = {"advice": answer.step.advice}
        step = self._step(answer.step.number, proposal, did).model_copy(update=advised)
        missed = None
        if verdict.outcome is Outcome.DENY:
            missed = f"what the command did is denied, and was undone: {verdict.reason}"
        elif not live.person.agrees(step):
            missed = "what the command did was not approved, and was undone"
        return replace(answer, verdict=verdict, step=step, missed=missed)

    def _answer(
        self, proposal: Proposal, rehearsed: Rehearsed, step: Step | None, before: Savepoint
    ) -> Answer:
        verdict, name = rehearsed.verdict, proposal.action.id
        if verdict.outcome is Outcome.DENY:
            return Answer(text=told.denied(name, verdict), verdict=verdict, step=step)
        if rehearsed.error is not None:
            said = told.failed(name, rehearsed.error, was_tried=rehearsed.tried is not None)
            return Answer(text=said, verdict=verdict, step=step)
        if step is None:
            return Answer(text=rehearsed.text or "", verdict=verdict, step=None)
        if self._performance is not None and self._performance.live is not None:
            return self.execute_live(proposal, rehearsed, step, self._performance, before)
        if self._performance is not None:
            return self.execute(proposal, rehearsed, step, self._performance)
        would = would_execute(proposal.spelled, language=self._language)
        text = told.simulated(name, would, rehearsed.text)
        if (tried := rehearsed.tried) is not None:
            text = told.rehearsed(name, would, rehearsed.text, tried.unsteady)
        return Answer(text=text, verdict=verdict, step=step, is_simulated=True)

    def _step(self, number: int, proposal: Proposal, rehearsed: Rehearsed) -> Step:
        conditional_on = self._conditions.of(proposal.action, rehearsed.facts)
        return rehearsed.step(number, proposal, conditional_on=conditional_on, redact=self._redact)

    def _is_made_up(self, action: Action) -> bool:
        """Whether the result is a pretence: what a write does to the overlay is what it will do."""
        is_live = self._performance is not None and self._performance.live is not None
        return action.kind is Kind.EXTERNAL and not is_live
