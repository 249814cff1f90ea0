"""A config that can be used -> Findings: rules in it that don't do what they seem to do.

Nothing here decides anything. A finding is made only where it is certain that the rule has no effect, or that
a maintainer can't tell what it does.
"""

from collections.abc import Collection, Iterator, Sequence

from bot.config import Config
from bot.dataclass import dataclass
from bot.gate.policy import DEFAULT, FLOOR, CommandRule, Policy
from bot.paths.glob_overlap import covers, overlaps
from bot.paths.path import fold
from bot.paths.path_pattern import PathList, PathPattern
from bot.shell.argv_pattern import is_glob
from bot.shell.program import why_ask


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """`source` is file:line; `what` and `next_step` are sentences without their ends."""

    source: str
    what: str
    next_step: str


def findings_in(config: Config, *, tools: Collection[str]) -> Sequence[Finding]:
    """In the order of the file; `tools` are the names of the bot's own."""
    policy = config.policy
    known = {*tools, *(f"{server}.{tool}" for server, one in config.mcp.items() for tool in one.tools)}
    found = [*_in_paths(policy), *_in_commands(policy), *_in_tools(policy, known)]
    return sorted(found, key=lambda finding: int(finding.source.rpartition(":")[2]))


def _in_paths(policy: Policy) -> Iterator[Finding]:
    for patterns in (policy.secret, policy.denied, policy.asked, policy.allowed):
        yield from _undecided(patterns.patterns)
    for pattern in (*policy.asked.patterns, *policy.allowed.patterns):
        if pattern.source == DEFAULT or pattern.takes_back:
            continue
        if shadow := _shadow(policy.secret, pattern) or _shadow(policy.denied, pattern):
            yield Finding(
                source=pattern.source,
                what=f"{pattern.text!r} can never matter: all of it is denied by {_named(shadow)}",
                next_step="remove it, or take the other back",
            )


def _shadow(denying: PathList, pattern: PathPattern) -> PathPattern | None:
    """The one that denies all that `pattern` matches."""
    if not is_glob(pattern.text):
        return denying.hit(fold(pattern.text.strip("/")))
    takes_back = [one for one in denying.patterns if one.takes_back]
    if any(overlaps(one.text, pattern.text) for one in takes_back):
        return None
    return next((one for one in denying.patterns if covers(one.text, pattern.text)), None)


def _undecided(patterns: Sequence[PathPattern]) -> Iterator[Finding]:
    """The last match decides, so a pattern whose every path a later one matches too never does."""
    for number, pattern in enumerate(patterns):
        if pattern.source == DEFAULT:
            continue
        if later := next((p for p in patterns[number + 1 :] if covers(p.text, pattern.text)), None):
            yield Finding(
                source=pattern.source,
                what=f"{pattern.text!r} never decides: {_named(later)}, further down, covers it",
                next_step="remove it, or move it below",
            )
        if pattern.takes_back and not _takes_something_back(patterns[:number], pattern):
            yield Finding(
                source=pattern.source,
                what=f"{pattern.text!r} takes nothing back: nothing above it matches such a path",
                next_step="remove it, or move it below what it is to take back",
            )
        if pattern.takes_back and any(covers(floor.text, pattern.text) for floor in FLOOR):
            yield Finding(
                source=pattern.source,
                what=f"{pattern.text!r} has no effect: git's folder and this file can't be opened to a plan",
                next_step="remove it",
            )


def _takes_something_back(before: Sequence[PathPattern], pattern: PathPattern) -> bool:
    return any(not earlier.takes_back and overlaps(earlier.text, pattern.text) for earlier in before)


def _in_commands(policy: Policy) -> Iterator[Finding]:
    allow, deny = policy.commands.allow, policy.commands.deny
    for number, rule in enumerate(allow):
        source = policy.source("commands", "allow", number)
        words = " ".join(rule.argv)
        if why := _why_never(rule):
            yield Finding(source=source, what=f"{words!r} allows nothing: {why}", next_step="remove it")
        elif shadow := next((other for other in deny if other.pattern.covers(rule.pattern)), None):
            yield Finding(
                source=source,
                what=f"{words!r} allows nothing: {' '.join(shadow.argv)!r} denies all of it",
                next_step="remove one of the two",
            )
        elif not rule.match or not rule.not_match:
            missing = " and ".join(key for key in ("match", "not_match") if not getattr(rule, key))
            yield Finding(
                source=source,
                what=f"{words!r} has no examples in {missing}",
                next_step="add a command line that it should allow, and one that it should not",
            )
    for name, rules in (("allow", allow), ("deny", deny)):
        yield from _repeated(name, rules, policy)


def _why_never(rule: CommandRule) -> str | None:
    program = rule.argv[0]
    if is_glob(program):
        return None
    if "/" in program or "=" in program:
        return "a program is named by its bare name, or it asks"
    # A plain word stands for itself; where there are others the program may have harmless words as well.
    words = list(rule.argv)
    why = why_ask(words) if not any(is_glob(word) for word in words) else None
    why = why or (why_ask([program]) if why_ask([program]) == why_ask([program, "x"]) else None)
    return why and f"{program} {why}, and always asks"


def _repeated(name: str, rules: Sequence[CommandRule], policy: Policy) -> Iterator[Finding]:
    for number, rule in enumerate(rules):
        others = (*rules[:number], *(other for other in rules[number + 1 :] if other.argv != rule.argv))
        if other := next((one for one in others if one.pattern.covers(rule.pattern)), None):
            yield Finding(
                source=policy.source("commands", name, number),
                what=f"{' '.join(rule.argv)!r} adds nothing: {' '.join(other.argv)!r} covers it",
                next_step="remove it",
            )


def _in_tools(policy: Policy, known: Collection[str]) -> Iterator[Finding]:
    for tool in policy.tools:
        if tool not in known:
            yield Finding(
                source=policy.source("tools", tool),
                what=f"there is no tool {tool!r}",
                next_step=f"write one of {', '.join(sorted(known))}",
            )


def _named(pattern: PathPattern) -> str:
    where = "a default" if pattern.source == DEFAULT else f"line {pattern.source.rpartition(':')[2]}"
    return f"{pattern.text!r} ({where})"
