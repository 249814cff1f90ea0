"""A live run in a terminal: what a person agrees to is carried out on a private copy, and written at the end.

Until the agent is done nothing of the person's own is touched, so that whatever ends a run early leaves the
files as they were.
"""

import secrets
from pathlib import Path

from bot import agent
from bot.agent.prompt import write_prompt
from bot.assignment import Assignment
from bot.authority import MayApply
from bot.budget import Budget
from bot.dispatcher import Dispatcher
from bot.dispatcher.bench import Bench
from bot.local_run.home import Home
from bot.local_run.run_record import Finished, sealed
from bot.plan import TaskName
from bot.simulator import SecondModel
from bot.transcript import Transcript
from bot.workspace.disk import Disk
from bot.workspace.overlay import Overlay
from bot.workspace.snapshot import Part
from bot.world import Llm, Person


def live(
    leave: MayApply,
    assignment: Assignment,
    *,
    home: Home,
    llm: Llm,
    person: Person,
    transcript: Transcript,
    advisor: Llm | None = None,
) -> Finished:
    """The changes are still to be written. `advisor` is asked about each step before it is carried out."""
    with home.shell.folder() as folder:
        overlay = Overlay(home.tree, home.searcher)
        budget = home.budget_of(llm.model)
        second = _second(advisor, budget, home, transcript)
        dispatcher = Dispatcher.live(
            leave,
            tools=home.tools,
            overlay=overlay,
            bench=_bench(folder, home),
            person=person,
            policies=home.config.policies,
            transcript=transcript,
            redact=home.redact,
            advise=second.advise,
        )
        prompt = write_prompt(assignment.words, nonce=secrets.token_hex(8), is_live=True)
        ended = agent.run(
            prompt.messages,
            nonce=prompt.nonce,
            llm=llm,
            dispatcher=dispatcher,
            tools=home.tools,
            budget=budget,
            transcript=transcript,
        )
        task = TaskName(name=assignment.name, prompt_digest=prompt.digest)
        record = sealed(
            ended,
            second.advised(dispatcher.steps),
            home=home,
            task=task,
            model=llm.model,
            findings=prompt.findings,
        )
        return Finished(record=record, changes=overlay.changes())


def _bench(folder: Path, home: Home) -> Bench:
    """Without secrets: what a command prints goes to the model."""
    shown = Part(home.tree, (path for path in home.tree.entries if not home.is_secret(path)))
    return Bench(
        disk=Disk(folder, shown, home.searcher, listing=lambda: home.counted_in(folder)),
        tree=shown,
        is_hidden=home.is_secret,
        shell=home.shell,
        materialise=home.materialise,
    )


def _second(advisor: Llm | None, budget: Budget, home: Home, transcript: Transcript) -> SecondModel:
    if advisor is not None:
        budget = budget.beside(advisor.model, window=home.window_of(advisor.model))
    return SecondModel(
        llm=advisor,
        budget=budget,
        required=home.config.advice.required,
        transcript=transcript,
        redact=home.redact,
    )
