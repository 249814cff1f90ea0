"""The dry run: an agent works in a world where nothing is real, and what it would do is the plan.

rehearse   the head commit's files -> an overlay -> the agent and the dispatcher -> the second model's advice
           -> a sealed plan, archived
report     the plan -> one comment; the older plans of this task are put aside
"""

from bot import __version__, render
from bot.assignment import Assignment
from bot.conversation import Conversation
from bot.conversation.progress import Watch, WatchedLlm
from bot.kit import Kit
from bot.noted.given import Given
from bot.plan import Plan
from bot.plan.signature import sign
from bot.planning import Models, Scene, dispatcher_for, planned
from bot.situation import Situation
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
    given = Given(
        repository=kit.repository.name, assignment=assignment, situation=situation, version=__version__
    )
    scene = Scene(
        tree=kit.tree_at(situation.pull_request.head.sha),
        searcher=kit.searcher,
        tools=kit.tools,
        clock=kit.clock,
        redact=kit.redact,
        lookout=kit.lookout(situation),
    )
    dispatcher = dispatcher_for(given, scene, transcript)
    watched = WatchedLlm(llm=llm, watch=lambda calls: watch(calls, len(dispatcher.steps)))
    plan = planned(
        given,
        scene,
        models=Models(agent=watched, advisor=advisor),
        dispatcher=dispatcher,
        transcript=transcript,
    )
    kit.archive.keep(plan)
    return plan


def report(plan: Plan, situation: Situation, conversation: Conversation, *, kit: Kit) -> str | None:
    """Where the one comment is, or None where the bot may not comment."""
    config = situation.rules.config
    shown = render.plan_comment(
        plan,
        language=config.language,
        prefix=config.command_prefix,
        answers=kit.occasion,
        run_url=kit.run_url,
        template=situation.rules.template,
        signature=sign(plan.digest, kit.signing_key) if kit.signing_key else None,
    )
    said = conversation.say(shown.body, fault=shown.fault)
    if said is not None:
        for older in conversation.plans:
            if older.marker.task == plan.task.name and older.marker.state == "open":
                conversation.put_aside(older)
        title = render.check_title(plan, language=config.language)
        conclusion: Conclusion = "neutral" if plan.steps else "success"
        kit.repository.check(plan.head_sha, conclusion, title=title, summary=title, url=said)
    return said
