"""A dry run in a terminal: the same rehearsal as on a pull request, over a person's work tree."""

import secrets

from bot import agent, simulator
from bot.agent.prompt import write_prompt
from bot.assignment import Assignment
from bot.dispatcher import Dispatcher
from bot.local_run.home import Home
from bot.local_run.run_record import Finished, sealed
from bot.plan import TaskName
from bot.simulator import Advised
from bot.transcript import Transcript
from bot.workspace.overlay import Overlay
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
    dispatcher = Dispatcher.rehearsing(
        tools=home.tools,
        overlay=overlay,
        policies=home.config.policies,
        transcript=transcript,
        redact=home.redact,
        language=language,
        chaos=home.config.chaos.chaos,
    )
    prompt = write_prompt(assignment.words, nonce=secrets.token_hex(8))
    ended = agent.run(
        prompt.messages,
        nonce=prompt.nonce,
        llm=llm,
        dispatcher=dispatcher,
        tools=home.tools,
        limits=home.config.limits,
        clock=home.clock,
        transcript=transcript,
    )
    advised = Advised(steps=dispatcher.steps)
    if advisor is not None:
        required = home.config.advice.required
        advised = simulator.advise(
            advised.steps, llm=advisor, required=required, transcript=transcript, redact=home.redact
        )
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
