"""The dry run: an agent works in a world where nothing is real, and what it would do is the plan.

rehearse   the head commit's files -> an overlay -> the agent and the dispatcher -> the second model's advice
           -> a sealed plan, archived
report     the plan -> one comment; the older plans of this task are put aside
"""

from collections.abc import Iterator
from contextlib import contextmanager

from bot import __version__
from bot.assignment import Assignment
from bot.conversation import Conversation
from bot.conversation.progress import Watch, WatchedLlm
from bot.dispatcher.caged_trials import CagedTrials
from bot.kit import Kit
from bot.noted.given import Given
from bot.noted.trials import Trials
from bot.plan import Plan
from bot.plan.signature import sign
from bot.planning import Models, Scene, dispatcher_for, planned
from bot.render.checks import check_title
from bot.render.plan import plan_comment
from bot.situation import Situation
from bot.transcript import Transcript
from bot.workspace.copied import CopiedTree
from bot.workspace.open_tree import OpenTree
from bot.world import Conclusion, Llm, Shell


def rehearse(
    assignment: Assignment,
    situation: Situation,
    *,
    llm: Llm,
    advisor: Llm | None,
    kit: Kit,
    shell: Shell | None = None,
    transcript: Transcript,
    watch: Watch = lambda _calls, _actions: None,
) -> Plan:
    """The plan, already on disk, and bound to the pull request's head, the policy and the tools.

    `advisor` is the second model, None where nobody wants one; `watch` is told how far the agent is. In
    `shell` commands are tried where the configuration wants them rehearsed.
    """
    given = Given(
        repository=kit.repository.name, assignment=assignment, situation=situation, version=__version__
    )
    with _trials(situation, kit=kit, shell=shell) as trials:
        scene = Scene(
            tree=kit.tree_at(situation.pull_request.head.sha),
            searcher=kit.searcher,
            tools=kit.tools,
            clock=kit.clock,
            redact=kit.redact,
            lookout=kit.lookout(situation),
            trials=trials,
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


@contextmanager
def _trials(situation: Situation, *, kit: Kit, shell: Shell | None) -> Iterator[Trials | None]:
    """Where commands are rehearsed: never those of a fork's head, whoever asked for the plan."""
    rules, head = situation.rules, situation.pull_request.head
    wanted = rules.config.sandbox.rehearse and head.repository == kit.repository.name
    if shell is None or not wanted:
        yield None
        return
    shell = shell if rules.config.sandbox.required else shell.lenient()
    with shell.folder() as folder:
        tree = OpenTree(kit.tree_at(head.sha), rules.is_secret)
        yield CagedTrials(copy=CopiedTree(folder, tree, materialise=kit.materialise), shell=shell)


def report(plan: Plan, situation: Situation, conversation: Conversation, *, kit: Kit) -> str | None:
    """Where the one comment is, or None where the bot may not comment."""
    config = situation.rules.config
    shown = plan_comment(
        plan,
        language=config.language,
        prefix=config.command_prefix,
        answers=kit.occasion,
        run_url=kit.run_url,
        template=situation.rules.template,
        signature=sign(plan.digest, kit.signing_key) if kit.signing_key else None,
        redact=kit.redact,
    )
    said = conversation.say(shown.body, fault=shown.fault)
    if said is not None:
        for older in conversation.plans:
            if older.marker.task == plan.task.name and older.marker.state == "open":
                conversation.put_aside(older)
        title = check_title(plan, language=config.language)
        conclusion: Conclusion = "neutral" if plan.steps else "success"
        kit.repository.check(plan.head_sha, conclusion, title=title, summary=title, url=said)
    return said
