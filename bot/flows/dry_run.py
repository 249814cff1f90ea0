"""The dry run: an agent works in a world where nothing is real, and what it would do is the plan.

rehearse   the head commit's files -> an overlay -> the agent and the dispatcher -> the second model's advice
           -> a sealed plan, archived
report     the plan -> one comment; the older plans of this task are put aside
"""

import secrets
from datetime import timedelta

from bot import __version__, agent, render, simulator
from bot.agent import Ended
from bot.assignment import Assignment
from bot.conversation import Conversation
from bot.dispatcher import Dispatcher
from bot.errors import SecretInPlan
from bot.kit import Kit
from bot.overlay import Overlay
from bot.plan import Draft, Plan, TaskName, seal
from bot.progress import Watch, WatchedLlm
from bot.prompt import Prompt, write_prompt
from bot.signature import sign
from bot.simulator import Advised
from bot.situation import Situation
from bot.tools import tools_digest
from bot.transcript import Transcript
from bot.world import Conclusion, Llm


def rehearse(
    assignment: Assignment,
    situation: Situation,
    *,
    llm: Llm,
    advisor: Llm | None,
    kit: Kit,
    transcript: Transcript,
    watch: Watch = lambda _calls, _actions: None,
) -> Plan:
    """The plan, already on disk, and bound to the pull request's head, the policy and the tools.

    `advisor` is the second model, None where nobody wants one; `watch` is told how far the agent is.
    """
    pull_request, rules = situation.pull_request, situation.rules
    dispatcher = Dispatcher.rehearsing(
        tools=kit.tools,
        overlay=Overlay(kit.tree_at(pull_request.head.sha), kit.searcher),
        policies=rules.policies,
        transcript=transcript,
        redact=kit.redact,
        chaos=rules.config.chaos.chaos,
    )
    prompt = write_prompt(
        assignment.words,
        nonce=secrets.token_hex(8),
        pull_request=pull_request,
        changed=situation.changed_paths,
    )
    ended = agent.run(
        prompt.messages,
        llm=WatchedLlm(llm=llm, watch=lambda calls: watch(calls, len(dispatcher.steps))),
        dispatcher=dispatcher,
        tools=kit.tools,
        limits=rules.config.limits,
        clock=kit.clock,
        transcript=transcript,
    )
    advised = Advised(steps=dispatcher.steps)
    if advisor is not None:
        required = rules.config.advice.required
        advised = simulator.advise(
            advised.steps, llm=advisor, required=required, transcript=transcript, redact=kit.redact
        )
    draft = _bound(assignment, situation, prompt, ended, advised, model=llm.model, kit=kit)
    plan = seal(draft)
    if kit.redact.knows(plan.to_bytes().decode("utf-8")):
        raise SecretInPlan(
            "The plan would hold a secret of this job, so it was thrown away",
            next_step="find out how a secret came into the repository's files, and replace it",
        )
    kit.archive.keep(plan)
    transcript.note("planned", digest=plan.digest)
    return plan


def _bound(
    assignment: Assignment,
    situation: Situation,
    prompt: Prompt,
    ended: Ended,
    advised: Advised,
    *,
    model: str,
    kit: Kit,
) -> Draft:
    """The steps, beside everything that they are good for only as long as it stays."""
    head, rules, now = situation.pull_request.head, situation.rules, kit.clock.now()
    return Draft(
        repository=kit.repository.name,
        head_repository=head.repository or kit.repository.name,
        pull_request=situation.pull_request.number,
        head_sha=head.sha,
        base_sha=rules.base_sha,
        policy_sha=rules.policy_sha,
        policy_digest=rules.digest,
        tools_digest=tools_digest(kit.tools),
        task=TaskName(name=assignment.name, prompt_digest=prompt.digest),
        model=model,
        bot_version=__version__,
        created_at=now,
        expires_at=now + timedelta(hours=rules.config.apply.expires_hours),
        summary=kit.redact(ended.summary),
        chaos=None if (chaos := rules.config.chaos.chaos) is None else str(chaos),
        steps=advised.steps,
        usage=ended.usage,
        cost=ended.cost,
        advisor=advised.advisor,
        stopped_by=ended.stopped_by,
        findings=(*prompt.findings, *([_ESTIMATED] if ended.is_estimated else []), *advised.findings),
    )


def report(plan: Plan, situation: Situation, conversation: Conversation, *, kit: Kit) -> str | None:
    """Where the one comment is, or None where the bot may not comment."""
    config = situation.rules.config
    body = render.plan_comment(
        plan,
        language=config.language,
        prefix=config.command_prefix,
        answers=kit.occasion,
        run_url=kit.run_url,
        template=situation.rules.template,
        signature=sign(plan.digest, kit.signing_key) if kit.signing_key else None,
    ).body
    said = conversation.say(body)
    if said is not None:
        for older in conversation.plans:
            if older.marker.task == plan.task.name and older.marker.state == "open":
                conversation.put_aside(older)
        title = render.check_title(plan, language=config.language)
        conclusion: Conclusion = "neutral" if plan.steps else "success"
        kit.repository.check(plan.head_sha, conclusion, title=title, summary=title, url=said)
    return said


_ESTIMATED = "the model's server counted no tokens, so tokens and cost are estimates, on the high side"
