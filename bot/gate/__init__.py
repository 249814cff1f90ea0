"""(Action, Facts, Policy) -> Verdict. Pure: no clock, no file, no network, no model.

The only place permission comes from. Must never import `advice`.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from bot.action import Action, Kind
from bot.dataclass import dataclass
from bot.gate.content import NOTHING, Content
from bot.gate.facts import Facts, How, Seen, Size, Touched
from bot.gate.policy import DEFAULT, UNCHANGED, UNTOUCHED, Policy
from bot.paths.path_pattern import PathList, PathPattern
from bot.shell.invocation import Invocation
from bot.verdict import Outcome, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """The verdict in which no other action of the plan has a say; `place` is its rule's among the rules."""

    verdict: Verdict
    place: int


def judge(action: Action, facts: Facts, policy: Policy) -> Verdict:
    """Every rule speaks, and the strictest counts; among equals the first: their order is that of reasons."""
    alone = standing(action, facts, policy)
    return in_plan(alone, facts, policy, size=facts.size, runs=facts.runs)


def standing(action: Action, seen: Seen, policy: Policy) -> Standing:
    """Equal actions have equal ones, whatever plan they are in."""
    spoken = [(place, verdict) for place, rule in _ALONE for verdict in rule(action, seen, policy)]
    place, verdict = max(spoken, key=lambda one: one[1].outcome)
    return Standing(verdict=verdict, place=place)


def in_plan(
    alone: Standing, seen: Seen, policy: Policy, *, size: Size, runs: Sequence[tuple[str, int]]
) -> Verdict:
    """With what the plan holds: `size` and `runs` are as `Facts` has them."""
    verdict, place = alone.verdict, alone.place
    for at, spoken in ((_LIMITS, _limits(seen, size, policy)), (_RUNS, _runs(runs))):
        for one in spoken:
            if (one.outcome, -at) > (verdict.outcome, -place):
                verdict, place = one, at
    return verdict


def strictest(verdicts: Iterable[Verdict]) -> Verdict:
    """Deny before ask before allow; among equals the first. Judging by no policy at all is an error."""
    return max(verdicts, key=lambda verdict: verdict.outcome)


# A rule that has nothing to speak of says so without a generator: most rules have, of most actions.


def _understood(action: Action, seen: Seen, _: Policy) -> Iterable[Verdict]:
    return () if seen.known and seen.problem is None else _misunderstood(action, seen)


def _misunderstood(action: Action, seen: Seen) -> Iterator[Verdict]:
    if not seen.known:
        yield _deny("unknown-tool", f"There is no tool {_cut(action.tool)}.")
    if seen.problem is not None:
        yield _deny(
            "invalid-arguments", f"The arguments of {_cut(action.tool)} are not valid: {seen.problem}."
        )


def _shape(_: Action, seen: Seen, __: Policy) -> Iterator[Verdict]:
    """What nothing takes back: a path that is not what it seems can't be judged by any rule."""
    for one in seen.touched:
        if one.how in _WORDS:
            if one.path.is_outside:
                yield _ask("command-outside", f"The command names {_name(one)}, outside the repository.")
            if one.link:
                yield _ask("path-link", f"The command names {_name(one)}, behind {_cut(one.link)}.")
        elif one.path.fault:
            yield _deny("path-shape", f"{_name(one)} {one.path.fault}.")
        elif one.link:
            yield _deny("path-link", f"{_name(one)} leads to {_cut(one.link)}, and links are never followed.")
        elif not one.path.normal and one.how in _CHANGES:
            yield _deny("path-shape", f"{_name(one) or 'The empty path'} is the repository itself.")
    for path in seen.content.odd:
        yield _deny("path-link", f"{_cut(path)} would become a symbolic link or a submodule.")


def _paths(_: Action, seen: Seen, policy: Policy) -> Iterator[Verdict]:
    for one in seen.touched:
        if policy.listed.speaks_of(_keys(one)):
            yield from _listed(one, policy)
        if one.how in _CHANGES and policy.paths.allow and not _all_hit(policy.allowed, one):
            reason = f"{_name(one)} is not among the paths that the policy allows."
            yield _ask("path-not-allowed", reason, policy.source("paths", "allow"))


def _listed(one: Touched, policy: Policy) -> Iterator[Verdict]:
    if _hit(UNTOUCHED, one):
        yield _deny("path-floor", f"{_name(one)} is git's own, and is never touched.")
    if one.how is not How.LIST and (found := _hit(policy.secret, one)):
        reason = f"{_name(one)} is a secret, and is never read or written ({found.text})."
        yield _deny("path-secret", reason, found.source)
    if one.how in _READS:
        return
    if _hit(UNCHANGED, one):
        yield _deny("path-floor", f"{_name(one)} is this bot's policy, and is never changed.")
    if found := _hit(policy.denied, one):
        yield _deny("path-denied", f"{_name(one)} is denied ({found.text}).", found.source)
    if found := _hit(policy.asked, one):
        yield _ask("path-asked", f"{_name(one)} needs a person's approval ({found.text}).", found.source)


def _content(_: Action, seen: Seen, __: Policy) -> Iterable[Verdict]:
    return () if seen.content is NOTHING else _of_content(seen.content)


def _of_content(content: Content) -> Iterator[Verdict]:
    if content.binary:
        path = _cut(content.binary[0])
        yield _ask("content-binary", f"{path} would not be text, so nobody could read what they approve.")
    if content.secrets:
        yield _deny(
            "content-secret", f"The added lines hold what looks like a secret ({content.secrets[0]})."
        )
    if content.hidden:
        shown = ", ".join(content.hidden[:4])
        yield _ask("content-hidden", f"The added lines hold characters that nobody can see ({shown}).")


def _limits(seen: Seen, size: Size, policy: Policy) -> Sequence[Verdict]:
    if seen.kind is Kind.READ:
        return ()
    most = policy.limits
    return [
        _deny(
            f"limit-{key.replace('_', '-')}",
            f"{what} would be {is_:,}, and the limit is {limit:,}.",
            policy.source("limits", key),
        )
        for key, is_, limit, what in (
            ("actions", size.actions, most.actions, "The plan's actions"),
            ("files", size.files, most.files, "The files that the plan changes"),
            ("added_lines", size.added_lines, most.added_lines, "The lines that the plan adds"),
            ("file_bytes", seen.content.largest_bytes, most.file_bytes, "The file's bytes"),
            ("commands", size.commands, most.commands, "The plan's commands"),
        )
        if is_ > limit
    ]


def _command(_: Action, seen: Seen, policy: Policy) -> Iterable[Verdict]:
    return () if seen.command is None else _of_command(seen.command, policy)


def _of_command(command: Invocation, policy: Policy) -> Iterator[Verdict]:
    """What speaks against a command, whatever list allows it."""
    if command.fault:
        yield _deny("command-shape", f"The command {command.fault}.")
    for number, rule in enumerate(policy.commands.deny):
        if any(rule.pattern.may_match(argv) for argv in command.handed_on):
            words = _cut(" ".join(rule.argv))
            reason = f"The policy denies the command {words}, and this may run it."
            yield _deny("command-denied", reason, policy.source("commands", "deny", number))
    if command.caution:
        yield _ask("command-caution", f"Only a person can tell what this does: {_cut(command.caution)}.")


def _runs(runs: Sequence[tuple[str, int]]) -> Sequence[Verdict]:
    if not runs:
        return ()
    path, step = runs[0]
    said = f"It may run or load {_cut(path)}, which step {step} of this plan changes."
    return (_ask("command-runs-plan", said),)


def _default(action: Action, seen: Seen, policy: Policy) -> Iterator[Verdict]:
    """What speaks for an action, or leaves it at the default of its kind. Always yields."""
    if How.DELETE in [one.how for one in seen.touched]:
        yield Verdict(
            outcome=policy.defaults.delete,
            rule="default-delete",
            reason="It deletes a file.",
            source=policy.source("defaults", "delete"),
        )
    if seen.host is not None and not _is_listed(seen.host, policy.hosts):
        reason = f"{_cut(seen.host) or 'Its address'} is not among the hosts that the policy allows."
        yield _deny("host-not-listed", reason, policy.source("hosts"))
    if (outcome := policy.tools.get(action.tool)) is not None:
        yield Verdict(
            outcome=outcome,
            rule="tool",
            reason=f"The policy says {outcome.value} for the tool {_cut(action.tool)}.",
            source=policy.source("tools", action.tool),
        )
    elif seen.command is not None:
        yield _command_default(seen.command, policy)
    else:
        yield _kind_default(seen.kind, policy)


def _command_default(command: Invocation, policy: Policy) -> Verdict:
    allowing = [policy.allowing(argv) for argv in command.commands]
    if command.caution or not allowing or None in allowing:
        unlisted = command.commands[allowing.index(None)] if None in allowing else ()
        words = _cut(" ".join(word or "?" for word in unlisted)) or "This"
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
    name, rule, reason = _KINDS[kind]
    outcome: Outcome = getattr(policy.defaults, name)
    return Verdict(outcome=outcome, rule=rule, reason=reason, source=policy.source("defaults", name))


def _hit(patterns: PathList, one: Touched) -> PathPattern | None:
    """The pattern that puts it on the list, by any of its spellings."""
    for key in _keys(one):
        if found := patterns.hit(key):
            return found
    return None


def _keys(one: Touched) -> Sequence[str]:
    """The word of a command may be a folder too, and then what is in it counts."""
    keys = one.path.keys
    return (*keys, *(f"{key}/" for key in keys)) if one.how in _WORDS else keys


def _all_hit(patterns: PathList, one: Touched) -> bool:
    return all(patterns.hit(key) for key in one.path.keys)


def _is_listed(host: str, hosts: Iterable[str]) -> bool:
    return any(host == name or (name.startswith("*.") and host.endswith(name[1:])) for name in hosts)


def _deny(rule: str, reason: str, source: str = DEFAULT) -> Verdict:
    return Verdict(outcome=Outcome.DENY, rule=rule, reason=reason, source=source)


def _ask(rule: str, reason: str, source: str = DEFAULT) -> Verdict:
    return Verdict(outcome=Outcome.ASK, rule=rule, reason=reason, source=source)


def _name(one: Touched) -> str:
    return _cut(one.path.written)


def _cut(words: str) -> str:
    """A reason is one sentence, however long the words are that somebody put into an action."""
    return words if len(words) <= 120 else f"{words[:120]}…"


# In the order of reasons, in which what depends on the plan has its places too.
_LIMITS: Final = 3
_RUNS: Final = 5
_ALONE: Final = ((0, _understood), (1, _shape), (2, _paths), (4, _command), (6, _content), (7, _default))
_KINDS: Final = {
    Kind.READ: ("read", "default-read", "It only reads."),
    Kind.WRITE: ("write", "default-write", "It changes files, and no rule speaks against it."),
    Kind.EXTERNAL: ("external", "default-external", "It reaches beyond the repository."),
}
_CHANGES: Final = frozenset({How.WRITE, How.DELETE})
_WORDS: Final = frozenset({How.NAME, How.HANDLE})
_READS: Final = frozenset({How.READ, How.LIST, How.NAME})
