"""A dry run in a terminal: the same rehearsal as on a pull request, over a person's work tree."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager

from bot import agent, simulator
from bot.agent.prompt import write_prompt
from bot.assignment import Assignment
from bot.budget import Budget
from bot.dispatcher import Dispatcher
from bot.dispatcher.caged_trials import CagedTrials
from bot.local_run.home import Home
from bot.local_run.run_record import Finished, sealed
from bot.noted.trials import Trials
from bot.plan import Step, TaskName
from bot.simulator import Advised
from bot.tools import offered
from bot.transcript import Transcript
from bot.workspace.copied import CopiedTree
from bot.workspace.overlay import Overlay
from bot.workspace.snapshot import Part
from bot.world import Llm


def rehearse(
    assignment: Assignment,
    *,
    home: Home,
    llm: Llm,
    transcript: Transcript,
    language: str = "en",
    advisor: Llm | None = None,
) -> Finished:
    """Nothing is changed. `language` is that of what the model is told instead of results.

    `advisor` is the second model, None where nobody wants one.
    """
    overlay = Overlay(home.tree, home.searcher)
    prompt = write_prompt(assignment.words, nonce=secrets.token_hex(8))
    budget = home.budget_of(llm.model)
    with _trials(home) as trials:
        dispatcher = Dispatcher.rehearsing(
            tools=home.tools,
            overlay=overlay,
            policies=home.config.policies,
            transcript=transcript,
            redact=home.redact,
            language=language,
            chaos=home.config.chaos.chaos,
            trials=trials,
        )
        ended = agent.run(
            prompt.messages,
            nonce=prompt.nonce,
            llm=llm,
            dispatcher=dispatcher,
            tools=offered(home.tools, home.config.policies, runs_commands=trials is not None),
            budget=budget,
            transcript=transcript,
        )
    advised = _advised(dispatcher.steps, advisor, budget, home, transcript)
    task = TaskName(name=assignment.name, prompt_digest=prompt.digest)
    plan = sealed(
        ended,
        advised,
        home=home,
        task=task,
        model=llm.model,
        findings=prompt.findings,
        chaos=home.config.chaos.chaos,
    )
    transcript.note("planned", digest=plan.digest)
    return Finished(record=plan, changes=overlay.changes())


@contextmanager
def _trials(home: Home) -> Iterator[Trials | None]:
    """Where commands are rehearsed: on a copy of the work tree without what is secret."""
    if not home.config.sandbox.rehearse:
        yield None
        return
    with home.shell.folder() as folder:
        shown = Part(home.tree, (path for path in home.tree.entries if not home.is_secret(path)))
        copy = CopiedTree(folder, shown, materialise=home.materialise)
        yield CagedTrials(copy=copy, shell=home.shell)


def _advised(
    steps: tuple[Step, ...], advisor: Llm | None, budget: Budget, home: Home, transcript: Transcript
) -> Advised:
    """`budget` is the agent's: the second model has what that leaves."""
    if advisor is None:
        return Advised(steps=steps)
    return simulator.advise(
        steps,
        llm=advisor,
        budget=budget.beside(advisor.model, window=home.window_of(advisor.model)),
        required=home.config.advice.required,
        transcript=transcript,
        redact=home.redact,
    )
