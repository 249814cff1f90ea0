"""A pull request that changes the rules -> what they would have done to past runs, in one comment.

Recorded actions are judged again by itself, which costs nothing. A model is asked only when somebody who may
have plans made says `/replay`, and for no more than the configuration of the default branch lets it cost.
"""

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from bot import CONFIG_PATH
from bot.answer import Answer, Decision
from bot.authority import MayDryRun
from bot.conversation import Conversation
from bot.dataclass import dataclass
from bot.errors import Reason
from bot.flows.replay import Manner, replay_between, replay_decisions
from bot.impact import Impact
from bot.kit import Kit, Outside
from bot.refusal import Refusal
from bot.render.impact import impact_comment
from bot.render.layout import Rendered, Reply
from bot.replay.decision_work import DecisionWork
from bot.replay.estimate import estimate
from bot.replay.purse import Purse
from bot.replay.source import files_in
from bot.replay.wording import Wording
from bot.situation import Situation
from bot.situation.proposed_rules import ProposedRules, proposed_rules
from bot.tools.tool import Tool
from bot.workspace import Searcher, Tree


@dataclass(frozen=True, slots=True, kw_only=True)
class KitGround:
    """The files of past commits, as this workflow run can have them."""

    kit: Kit

    @property
    def searcher(self) -> Searcher:
        return self.kit.searcher

    @property
    def tools(self) -> Mapping[str, Tool[Any]]:
        return self.kit.tools

    def tree_at(self, commit: str) -> Tree:
        return self.kit.tree_at(commit)


@dataclass(frozen=True, slots=True, kw_only=True)
class Consequences:
    situation: Situation
    conversation: Conversation
    outside: Outside
    reply: Reply

    def by_themselves(self, _: MayDryRun) -> Answer | None:
        """Told in one comment that is kept up with the pull request; None where no rule changes."""
        proposed = self._proposed()
        if not self._changes_anything(proposed):
            return None
        with tempfile.TemporaryDirectory(prefix="dryrun-bot-") as name:
            folder = self._brought(Path(name))
            impacts = [self._policy(proposed, folder)]
            rendered = impact_comment(
                impacts,
                self.reply,
                home=self._home,
                kind="impact",
                findings=proposed.findings,
                estimate=self._estimate(proposed, folder),
            )
        url = self.conversation.keep_up(rendered.body, fault=rendered.fault)
        return self._answer(impacts, rendered, url)

    def asked_for(self, _: MayDryRun, *, decided: Callable[[], Impact] | None = None) -> Answer | Refusal:
        """A new comment: the same, and what a model would decide otherwise, if it is asked otherwise.

        `decided` tells that where another job has asked the model.
        """
        proposed = self._proposed()
        if not self._changes_anything(proposed):
            return _NOTHING
        with tempfile.TemporaryDirectory(prefix="dryrun-bot-") as name:
            folder = self._brought(Path(name))
            impacts = [self._policy(proposed, folder)]
            if proposed.changes_decisions(self.situation.rules):
                impacts.append(decided() if decided else self._decisions(proposed, folder))
        rendered = impact_comment(impacts, self.reply, home=self._home, findings=proposed.findings)
        url = self.conversation.say(rendered.body, fault=rendered.fault)
        return self._answer(impacts, rendered, url)

    def decided(self, _: MayDryRun) -> Impact | None:
        """What the model would decide otherwise; None where it is asked as before, or about nothing."""
        proposed = self._proposed()
        if not proposed.changes_decisions(self.situation.rules):
            return None
        with tempfile.TemporaryDirectory(prefix="dryrun-bot-") as name:
            return self._decisions(proposed, self._brought(Path(name)))

    def _proposed(self) -> ProposedRules:
        head, repository = self.situation.pull_request.head, self.outside.kit.repository
        return proposed_rules(repository.file(CONFIG_PATH, at=head.sha), self.situation.rules)

    def _changes_anything(self, proposed: ProposedRules) -> bool:
        rules = self.situation.rules
        return proposed.changes_policy(rules) or proposed.changes_decisions(rules)

    def _brought(self, folder: Path) -> Path:
        most = self.situation.rules.config.replay.runs
        for name, content in self.outside.kit.repository.transcripts(most=most):
            (folder / name).write_bytes(content)
        return folder

    def _policy(self, proposed: ProposedRules, folder: Path) -> Impact:
        now = self.situation.rules.config
        return replay_between(
            [folder],
            before=now.policies,
            after=proposed.policies,
            subject={
                "before": f"policy {now.policy_digest[:12]}",
                "after": f"policy {proposed.config.policy_digest[:12]}",
            },
        )

    def _decisions(self, proposed: ProposedRules, folder: Path) -> Impact:
        rules, config = self.situation.rules, proposed.config
        with self.outside.toolbox(rules.config) as tools:
            ground = KitGround(kit=replace(self.outside.kit, tools=tools))
            work = DecisionWork(
                words=Wording.of(config).words,
                llm=lambda _: self.outside.llm(config.model.name),
                ground=lambda: ground,
                clock=self.outside.kit.clock,
                purse=Purse(rules.config.replay.usd),
                redact=self.outside.kit.redact,
                rules=rules,
            )
            after = f"{config.model.name}, prompts of policy {config.policy_digest[:12]}"
            # One after the other: trees and their git are not for several at once.
            return replay_decisions([folder], work, after=after, manner=Manner(processes=1))

    def _estimate(self, proposed: ProposedRules, folder: Path) -> str | None:
        if not proposed.changes_decisions(self.situation.rules):
            return None
        model = proposed.config.model.name
        return estimate(files_in([folder]), model=lambda _: model).told()

    @property
    def _home(self) -> str:
        return self.situation.pull_request.url.rpartition("/pull/")[0]

    def _answer(self, impacts: Sequence[Impact], rendered: Rendered, url: str | None) -> Answer:
        return Answer(
            decision=Decision.IGNORED,
            reason=Reason.REPLAYED if url is not None else Reason.COMMENT_FORBIDDEN,
            detail="; ".join(f"{impact.kind} replay: {impact.headline}" for impact in impacts),
            comment_url=url,
            summary=rendered.body,
        )


_NOTHING = Refusal(
    reason=Reason.NOTHING_TO_REPLAY,
    detail=f"This pull request changes no policy, prompt or model in {CONFIG_PATH}.",
    next_step="Change the file on this branch, and comment `/replay` again.",
)
