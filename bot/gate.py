"""(Action, Facts, Policy) -> Verdict. Pure: no clock, no file, no network, no model.

The only place permission comes from. Must never import `advice`.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar, Final

from bot.action import Action, Kind
from bot.facts import Facts, How, Touched
from bot.invocation import Invocation
from bot.outcome import Outcome
from bot.path_pattern import PathList, PathPattern
from bot.policy import DEFAULT, FLOOR, Policy

__all__ = ["Outcome", "Verdict", "judge", "strictest"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """`source` is `file:line` of the config that decided, or "default"; `reason` is one plain sentence."""

    __pydantic_config__: ClassVar = {"extra": "forbid"}

    outcome: Outcome
    rule: str
    reason: str
    source: str


def judge(action: Action, facts: Facts, policy: Policy) -> Verdict:
    """Every rule speaks, and the strictest counts; among equals the first, so their order is the order of reasons."""
    return strictest(verdict for rule in _RULES for verdict in rule(action, facts, policy))


def strictest(verdicts: Iterable[Verdict]) -> Verdict:
    """deny > ask > allow. There is always one: who judges by no policy at all has made a mistake."""
    return max(verdicts, key=lambda verdict: verdict.outcome)


def _understood(action: Action, facts: Facts, _: Policy) -> Iterator[Verdict]:
    if not facts.known:
        yield _deny("unknown-tool", f"There is no tool {action.tool}.")
    if facts.problem is not None:
        yield _deny("invalid-arguments", f"The arguments of {action.tool} are not valid: {facts.problem}.")


def _shape(_: Action, facts: Facts, policy: Policy) -> Iterator[Verdict]:
    """What nothing takes back: paths that are not what they seem, git's own folder, the policy itself."""
    for one in facts.touched:
        name = one.path.written
        if one.how is How.NAME:
            yield from _named_shape(one)
            continue
        if one.path.fault:
            yield _deny("path-shape", f"{name} {one.path.fault}.")
        elif one.link:
            yield _deny("path-link", f"{name} goes through {one.link}, and links are never followed.")
        elif not one.path.normal and one.how is not How.LIST:
            yield _deny(
                "path-shape", f"{name or 'The empty path'} is the repository itself, not a file in it."
            )
    for path in facts.odd:
        yield _deny("path-link", f"{path} would become a symbolic link or a submodule.")


def _named_shape(one: Touched) -> Iterator[Verdict]:
    if one.path.is_outside:
        yield _ask(
            "command-outside", f"The command names {one.path.written}, which is not in the repository."
        )
    if one.link:
        yield _ask("path-link", f"The command names {one.path.written}, which is or lies behind {one.link}.")


def _paths(_: Action, facts: Facts, policy: Policy) -> Iterator[Verdict]:
    for one in facts.touched:
        if _hit(_FLOOR, one):
            yield _deny("path-floor", f"{one.path.written} governs git or this bot, and is never touched.")
        elif one.how is not How.LIST and (found := _hit(policy.secret, one)):
            yield _found(Outcome.DENY, "path-secret", one, found, "is a secret, and is never read or written")
        if one.how in _READS:
            continue
        if found := _hit(policy.denied, one):
            yield _found(Outcome.DENY, "path-denied", one, found, "is denied")
        elif found := _hit(policy.asked, one):
            yield _found(Outcome.ASK, "path-asked", one, found, "needs a person's approval")
        if one.how is not How.NAME and policy.paths.allow and not _all_hit(policy.allowed, one):
            reason = f"{one.path.written} is not among the paths that the policy allows."
            yield Verdict(
                outcome=Outcome.ASK,
                rule="path-not-allowed",
                reason=reason,
                source=policy.source("paths", "allow"),
            )


def _content(_: Action, facts: Facts, __: Policy) -> Iterator[Verdict]:
    if facts.binary:
        yield _ask(
            "content-binary", f"{facts.binary[0]} would not be text, so nobody can read what is approved."
        )
    if facts.secrets:
        yield _ask("content-secret", f"The added lines hold what looks like a secret ({facts.secrets[0]}).")
    if facts.hidden:
        shown = ", ".join(facts.hidden[:4])
        yield _ask("content-hidden", f"The added lines hold characters that nobody can see ({shown}).")


def _limits(_: Action, facts: Facts, policy: Policy) -> Iterator[Verdict]:
    if facts.kind is Kind.READ:
        return
    most, size = policy.limits, facts.size
    for key, is_, limit in (
        ("actions", size.actions, most.actions),
        ("files", size.files, most.files),
        ("added_lines", size.added_lines, most.added_lines),
        ("file_bytes", facts.largest_bytes, most.file_bytes),
        ("commands", size.commands, most.commands),
    ):
        if is_ > limit:
            what = _LIMITS[key]
            yield Verdict(
                outcome=Outcome.DENY,
                rule=f"limit-{key.replace('_', '-')}",
                reason=f"{what} {is_:,}, and the limit is {limit:,}.",
                source=policy.source("limits", key),
            )


def _command(_: Action, facts: Facts, policy: Policy) -> Iterator[Verdict]:
    """What speaks against a command, whatever list allows it."""
    if (command := facts.command) is None:
        return
    if command.line.fault:
        yield _deny("command-shape", f"The command {command.line.fault}.")
    for number, rule in enumerate(policy.commands.deny):
        for argv in command.handed_on:
            if rule.pattern.may_match(argv):
                yield Verdict(
                    outcome=Outcome.DENY,
                    rule="command-denied",
                    reason=f"The policy denies the command {' '.join(rule.argv)}, and this may run it.",
                    source=policy.source("commands", "deny", number),
                )
    if command.caution:
        yield _ask("command-caution", f"Only a person can tell what this does: {command.caution}.")
    if facts.runs:
        path, step = facts.runs[0]
        yield _ask("command-runs-plan", f"It may run or load {path}, which step {step} of this plan changes.")


def _default(action: Action, facts: Facts, policy: Policy) -> Iterator[Verdict]:
    """What speaks for an action, or leaves it at the default of its kind. Always yields."""
    delete = policy.defaults.delete
    if any(one.how is How.DELETE for one in facts.touched) and facts.command is None:
        yield Verdict(
            outcome=delete,
            rule="default-delete",
            reason="It deletes a file.",
            source=policy.source("defaults", "delete"),
        )
    if facts.host is not None and not _is_listed(facts.host, policy.hosts):
        reason = f"{facts.host or 'Its address'} is not among the hosts that the policy allows."
        yield Verdict(
            outcome=Outcome.DENY, rule="host-not-listed", reason=reason, source=policy.source("hosts")
        )
    if (outcome := policy.tools.get(action.tool)) is not None:
        yield Verdict(
            outcome=outcome,
            rule="tool",
            reason=f"The policy says {outcome.value} for the tool {action.tool}.",
            source=policy.source("tools", action.tool),
        )
    elif facts.command is not None:
        yield _command_default(facts.command, policy)
    else:
        yield _kind_default(facts.kind, policy)


def _command_default(command: Invocation, policy: Policy) -> Verdict:
    allowing = [
        next((n for n, rule in enumerate(policy.commands.allow) if rule.pattern.matches(_known(argv))), None)
        for argv in command.commands
    ]
    unlisted = next(
        (argv for argv, found in zip(command.commands, allowing, strict=True) if found is None), None
    )
    if command.caution or command.line.fault or not allowing or unlisted is not None:
        words = " ".join(word or "?" for word in unlisted or ()) or "This"
        return Verdict(
            outcome=policy.defaults.command,
            rule="default-command",
            reason=f"{words} is not among the commands that the policy allows.",
            source=policy.source("defaults", "command"),
        )
    return Verdict(
        outcome=Outcome.ALLOW,
        rule="command-allowed",
        reason="Every command in it is among those that the policy allows.",
        source=policy.source("commands", "allow", allowing[0] or 0),
    )


def _kind_default(kind: Kind, policy: Policy) -> Verdict:
    match kind:
        case Kind.READ:
            outcome, reason = policy.defaults.read, "It only reads."
        case Kind.WRITE:
            outcome, reason = policy.defaults.write, "It changes files, and no rule speaks against it."
        case Kind.EXTERNAL:
            outcome, reason = policy.defaults.external, "It reaches beyond the repository."
    return Verdict(
        outcome=outcome,
        rule=f"default-{kind.value}",
        reason=reason,
        source=policy.source("defaults", kind.value),
    )


def _known(argv: Iterable[str | None]) -> list[str]:
    return [word for word in argv if word is not None]


def _hit(patterns: PathList, one: Touched) -> PathPattern | None:
    """By any spelling; the word of a command may be a folder too, and then what is in it counts."""
    for key in one.path.keys:
        if found := patterns.hit(key):
            return found
        if one.how is How.NAME and (found := patterns.hit(f"{key}/")):
            return found
    return None


def _all_hit(patterns: PathList, one: Touched) -> bool:
    return all(patterns.hit(key) for key in one.path.keys)


def _is_listed(host: str, hosts: Iterable[str]) -> bool:
    return any(host == name or (name.startswith("*.") and host.endswith(name[1:])) for name in hosts)


def _found(outcome: Outcome, rule: str, one: Touched, by: PathPattern, says: str) -> Verdict:
    return Verdict(
        outcome=outcome, rule=rule, reason=f"{one.path.written} {says} ({by.text}).", source=by.source
    )


def _deny(rule: str, reason: str) -> Verdict:
    return Verdict(outcome=Outcome.DENY, rule=rule, reason=reason, source=DEFAULT)


def _ask(rule: str, reason: str) -> Verdict:
    return Verdict(outcome=Outcome.ASK, rule=rule, reason=reason, source=DEFAULT)


_RULES: Final = (_understood, _shape, _paths, _limits, _command, _content, _default)
_FLOOR: Final = PathList([PathPattern(text=text, source=DEFAULT) for text in FLOOR])
_READS: Final = frozenset({How.READ, How.LIST})
_LIMITS: Final = {
    "actions": "The plan's actions would be",
    "files": "The files that the plan changes would be",
    "added_lines": "The lines that the plan adds would be",
    "file_bytes": "The largest file's bytes would be",
    "commands": "The plan's commands would be",
}
