"""(Tool, arguments, tree, policies) -> Explanation: the verdict that a call would get, and the facts used.

It goes the dispatcher's own way, rehearsal included, so that what it says is what a run would do.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from bot.action import Call, Json, Kind
from bot.dataclass import dataclass
from bot.foreign.plugins import known_tools
from bot.gate.facts import Earlier, Facts
from bot.proposal import Proposal, propose
from bot.review import review
from bot.workspace.overlay import Overlay

if TYPE_CHECKING:
    from bot.dispatcher.rehearsed import Rehearsed
    from bot.gate.policy import Policy
    from bot.shell.invocation import Invocation
    from bot.verdict import Verdict
    from bot.workspace import Searcher, Tree


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """`error` is what the tool would answer where it can't do it; `left_out` are arguments taken as empty."""

    verdict: Verdict
    facts: Facts
    error: str | None
    left_out: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Json]:
        return {
            "outcome": self.verdict.outcome.value,
            "rule": self.verdict.rule,
            "reason": self.verdict.reason,
            "source": self.verdict.source,
            "facts": facts_to_json(self.facts),
            "error": self.error,
            "left_out": list(self.left_out),
        }


def explain(
    tool: str, arguments: str, *, tree: Tree, searcher: Searcher, policies: Sequence[Policy]
) -> Explanation:
    """`arguments` is JSON text, as a model would send it. The action counts as the first of its plan."""
    overlay = Overlay(tree, searcher)
    proposal = propose(Call(id="explain", tool=tool, arguments=arguments), known_tools())
    completed, added = _completed(proposal)
    if added or proposal.action.kind is Kind.READ:
        # Nothing is searched or read only to be explained, and there is nothing to rehearse in half a call.
        facts, verdict = review(completed, tree=overlay, earlier=Earlier(), policies=policies)
        return Explanation(verdict=verdict, facts=facts, error=completed.problem, left_out=added)
    rehearsed = _rehearsed(proposal, overlay, policies)
    return Explanation(verdict=rehearsed.verdict, facts=rehearsed.facts, error=rehearsed.error)


def _rehearsed(proposal: Proposal, overlay: Overlay, policies: Sequence[Policy]) -> Rehearsed:
    from bot.dispatcher import Dispatcher
    from bot.transcript import Transcript

    unwritten = Transcript(file=Path(os.devnull))
    dispatcher = Dispatcher.rehearsing(
        tools=known_tools(), overlay=overlay, policies=policies, transcript=unwritten
    )
    return dispatcher.simulate(proposal)


def _completed(proposal: Proposal) -> tuple[Proposal, tuple[str, ...]]:
    """With "" for each text that is missing: who asks about a path need not think up a content."""
    if proposal.tool is None or proposal.arguments is not None:
        return proposal, ()
    fields = proposal.tool.arguments.model_fields
    missing = tuple(
        name
        for name, field in fields.items()
        if field.is_required() and field.annotation is str and name not in proposal.action.arguments
    )
    arguments = json.dumps(dict(proposal.action.arguments) | dict.fromkeys(missing, ""))
    completed = propose(Call(id="explain", tool=proposal.action.tool, arguments=arguments), known_tools())
    return (proposal, ()) if completed.problem else (completed, missing)


def facts_to_json(facts: Facts) -> Mapping[str, Json]:
    """The facts as a person or a script reads them, without what is empty."""
    content, command = facts.content, facts.command
    every: dict[str, Json] = {
        "kind": facts.kind.value,
        "known": facts.known,
        "problem": facts.problem,
        "paths": [
            {
                "written": one.path.written,
                "normal": one.path.normal,
                "keys": list(one.path.keys),
                "how": one.how.value,
                **({"fault": one.path.fault} if one.path.fault else {}),
                **({"link": one.link} if one.link else {}),
            }
            for one in facts.touched
        ],
        "command": _command_to_json(command) if command else None,
        "added_lines": content.added_lines,
        "removed_lines": content.removed_lines,
        "largest_bytes": content.largest_bytes,
        "links": list(content.odd),
        "executable": list(content.executable),
        "binary": list(content.binary),
        "hidden": list(content.hidden),
        "secrets": list(content.secrets),
        "host": facts.host,
        "runs": [{"path": path, "step": step} for path, step in facts.runs],
        "depends_on": list(facts.depends_on),
        "plan": {
            "actions": facts.size.actions,
            "files": facts.size.files,
            "added_lines": facts.size.added_lines,
            "commands": facts.size.commands,
        },
    }
    return {name: value for name, value in every.items() if value not in (None, [], "")}


def _command_to_json(command: Invocation) -> dict[str, Json]:
    return {
        "commands": [list(argv) for argv in command.commands],
        "caution": command.caution,
        "fault": command.fault,
    }
