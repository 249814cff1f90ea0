"""What was given, and a scene to work in -> a sealed plan: the way of every dry run, and of its replay.

the files -> an overlay -> the agent and the dispatcher -> the second model's advice -> a plan, bound to all
that it is good for only as long as it stays
"""

import hashlib
import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Protocol

from bot import CONFIG_PATH, agent, simulator
from bot.action import Json, canonical
from bot.agent import Dispatches, Ended
from bot.agent.prompt import Prompt, write_prompt
from bot.budget import Budget
from bot.dataclass import dataclass
from bot.dispatcher import Dispatcher
from bot.errors import SecretInPlan
from bot.noted.given import Given
from bot.noted.lookout import NotedLookout
from bot.noted.trials import NotedTrials, Trials
from bot.plan import Draft, Plan, Step, TaskName, seal
from bot.simulator import Advised
from bot.tools import offered, tools_digest
from bot.tools.tool import Tool
from bot.transcript import Transcript
from bot.words.redaction import Redactor
from bot.workspace import Searcher, Tree
from bot.workspace.overlay import Overlay
from bot.world import Clock, Llm, Lookout


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """`tree` is the head commit's; `redact` takes secrets out of what leaves.

    `lookout` is what tools may ask of the pull request, None where nobody can be asked. `trials` are of
    commands; without them none is run.
    """

    tree: Tree
    searcher: Searcher
    tools: Mapping[str, Tool[Any]]
    clock: Clock
    redact: Redactor
    lookout: Lookout | None = None
    trials: Trials | None = None


class Rehearses(Dispatches, Protocol):
    """`steps` is the plan so far."""

    @property
    def steps(self) -> tuple[Step, ...]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Models:
    """`advisor` is the second model, None where nobody wants one."""

    agent: Llm
    advisor: Llm | None


def dispatcher_for(given: Given, scene: Scene, transcript: Transcript) -> Dispatcher:
    """Born rehearsing, over the head's files."""
    rules = given.situation.rules
    return Dispatcher.rehearsing(
        tools=scene.tools,
        overlay=Overlay(scene.tree, scene.searcher),
        policies=rules.policies,
        transcript=transcript,
        redact=scene.redact,
        chaos=rules.config.chaos.chaos,
        lookout=_noted(scene.lookout, transcript),
        trials=None if scene.trials is None else NotedTrials(trials=scene.trials, transcript=transcript),
    )


def _noted(lookout: Lookout | None, transcript: Transcript) -> Lookout | None:
    return None if lookout is None else NotedLookout(lookout=lookout, transcript=transcript)


def prompt_for(given: Given) -> Prompt:
    return write_prompt(
        given.assignment.words,
        nonce=secrets.token_hex(8),
        pull_request=given.situation.pull_request,
        changed=given.situation.changed_paths,
    )


def planned(
    given: Given, scene: Scene, *, models: Models, dispatcher: Rehearses, transcript: Transcript
) -> Plan:
    """Everything said and done is in the transcript, and so is all that the plan depends on."""
    transcript.note("given", **given.kept())
    prompt, config = prompt_for(given), given.situation.rules.config
    name = models.agent.model
    budget = Budget(limits=config.limits, model=name, clock=scene.clock, window=config.model.window_of(name))
    ended = agent.run(
        prompt.messages,
        nonce=prompt.nonce,
        llm=models.agent,
        dispatcher=dispatcher,
        tools=offered(scene.tools, given.situation.rules.policies, runs_commands=scene.trials is not None),
        budget=budget,
        transcript=transcript,
    )
    advised = Advised(steps=dispatcher.steps)
    if models.advisor is not None:
        second = models.advisor.model
        advised = simulator.advise(
            advised.steps,
            llm=models.advisor,
            budget=budget.beside(second, window=config.model.window_of(second)),
            required=config.advice.required,
            transcript=transcript,
            redact=scene.redact,
        )
    now = scene.clock.now()
    plan = seal(_bound(given, prompt, ended, advised, model=models.agent.model, now=now, scene=scene))
    check_secrets(plan, scene.redact)
    transcript.note("planned", digest=plan.digest, **parts_of(plan))
    return plan


def check_secrets(plan: Plan, redact: Redactor) -> None:
    """Raises SecretInPlan where one of the job's own is in the record, which is kept and shown."""
    if redact.knows(plan.to_bytes().decode("utf-8")):
        raise SecretInPlan(
            "The plan would hold a secret of this job, so it was thrown away",
            next_step="find out how a secret came into the repository's files, and replace it",
        )


def parts_of(plan: Plan) -> dict[str, Json]:
    """A plan as a transcript keeps it: the steps by their hashes, since all that is in them stands above."""
    record: dict[str, Json] = plan.model_dump(mode="json", by_alias=True, exclude={"digest"})
    steps = record.pop("steps")
    assert isinstance(steps, list)  # noqa: S101 - a tuple in JSON
    return {"plan": record, "steps": [hashlib.sha256(canonical(step)).hexdigest() for step in steps]}


def _bound(
    given: Given,
    prompt: Prompt,
    ended: Ended,
    advised: Advised,
    *,
    model: str,
    now: datetime,
    scene: Scene,
) -> Draft:
    """The steps, beside everything that they are good for only as long as it stays."""
    head, rules = given.situation.pull_request.head, given.situation.rules
    return Draft(
        repository=given.repository,
        head_repository=head.repository or given.repository,
        pull_request=given.situation.pull_request.number,
        head_sha=head.sha,
        base_sha=rules.base_sha,
        policy_sha=rules.policy_sha,
        policy_digest=rules.digest,
        tools_digest=tools_digest(scene.tools),
        task=TaskName(name=given.assignment.name, prompt_digest=prompt.digest),
        model=model,
        bot_version=given.version,
        created_at=now,
        expires_at=now + timedelta(hours=rules.config.apply.expires_hours),
        summary=scene.redact(ended.summary),
        chaos=None if (chaos := rules.config.chaos.chaos) is None else str(chaos),
        steps=advised.steps,
        usage=ended.usage,
        cost=ended.cost,
        advisor=advised.advisor,
        stopped_by=ended.stopped_by,
        findings=(
            *prompt.findings,
            *([_CHANGES_THE_POLICY] if CONFIG_PATH in given.situation.changed_paths else []),
            *ended.findings,
            *advised.findings,
        ),
    )


_CHANGES_THE_POLICY = (
    f"this pull request changes {CONFIG_PATH}: it is judged by the file on the default branch, not by its own"
)
