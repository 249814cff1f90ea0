"""(An organisation's config, a repository's own) -> the one that counts, or a BadConfig for what loosens it.

A key that the repository leaves out is the organisation's. What it writes may be stricter and nothing else.
Both policies judge, and the strictest verdict counts: a comparison that missed something loosens nothing.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias, TypeVar

from bot.config import Config
from bot.errors import BadConfig
from bot.gate.policy import Policy, Section
from bot.paths.glob_overlap import covers
from bot.permission import Permission
from bot.sentence import Sentence
from bot.verdict import Outcome

Keys: TypeAlias = tuple[str | int, ...]
_S = TypeVar("_S", bound=Section)


def tightened(org: Config, own: Config) -> Config:
    """Raises BadConfig that names the first key of `own` that loosens what `org` says."""
    if org.extends is not None:
        raise BadConfig(
            "%(extends)s: it extends %(extends2)s itself, and only one level is followed",
            extends=own.extends,
            extends2=org.extends,
            next_step="remove `extends` from the organisation's file",
        )
    for keys, why in _loosened(org, own):
        raise own.bad(
            keys,
            Sentence(
                "%(keys)s %(why)s, and what a file extends can only be tightened",
                keys=".".join(map(str, keys)),
                why=why,
            ),
            next_step=Sentence("make it as strict as the file it extends, or leave it out"),
        )
    return _merged(org, own).extending(org)


def _merged(org: _S, own: _S) -> _S:
    """`own`, with what it leaves out taken from `org`: sections key by key, tasks and servers by name."""
    fields: dict[str, object] = {}
    for name in type(own).model_fields:
        theirs, ours = getattr(org, name), getattr(own, name)
        if name not in own.model_fields_set:
            fields[name] = theirs
        elif isinstance(ours, Section):
            fields[name] = _merged(theirs, ours)
        elif name in {"tasks", "mcp", "tools"}:
            fields[name] = {**theirs, **ours}
    return own.replaced(**fields)


def _loosened(org: Config, own: Config) -> Iterator[tuple[Keys, Sentence]]:
    for keys, why in _COMPARED.items():
        if _is_written(own, keys) and (said := why(_value(org, keys), _value(own, keys))):
            yield keys, said
    for section, name in (("model", "name"), ("model", "advisor")):
        keys = (section, name)
        if _is_written(org, keys) and _is_written(own, keys) and _value(org, keys) != _value(own, keys):
            yield keys, Sentence("is %(theirs)s in the file it extends", theirs=_value(org, keys))
    yield from _paths(org.policy, own.policy)
    yield from _commands(org.policy, own.policy)
    yield from _tools(org.policy, own.policy)
    if "mcp" in org.model_fields_set:
        yield from ((("mcp", name), _NEW) for name, one in own.mcp.items() if org.mcp.get(name) != one)
    for number, pattern in enumerate(own.sandbox.may_change):
        if not any(covers(wide, pattern) for wide in org.sandbox.may_change):
            yield ("sandbox", "may_change", number), _NEW


def _paths(org: Policy, own: Policy) -> Iterator[tuple[Keys, Sentence]]:
    for name in ("secret", "deny", "ask"):
        theirs: Sequence[str] = getattr(org.paths, name)
        for number, pattern in enumerate(getattr(own.paths, name)):
            if pattern.startswith("!") and pattern not in theirs:
                yield (
                    ("policy", "paths", name, number),
                    Sentence("takes back %(pattern)s", pattern=repr(pattern[1:])),
                )
    if org.paths.allow and "allow" in own.paths.model_fields_set and not own.paths.allow:
        yield ("policy", "paths", "allow"), Sentence("is empty, which allows every path")
    for number, pattern in enumerate(own.paths.allow):
        if org.paths.allow and not any(covers(wide, pattern) for wide in org.paths.allow):
            yield ("policy", "paths", "allow", number), _NEW


def _commands(org: Policy, own: Policy) -> Iterator[tuple[Keys, Sentence]]:
    for number, rule in enumerate(own.commands.allow):
        if not any(wide.pattern.covers(rule.pattern) for wide in org.commands.allow):
            yield ("policy", "commands", "allow", number), _NEW


def _tools(org: Policy, own: Policy) -> Iterator[tuple[Keys, Sentence]]:
    for tool, outcome in own.tools.items():
        # For a tool that the organisation does not name its default counts, and which that is, its kind says.
        least = org.tools.get(tool, Outcome.DENY)
        if outcome < least:
            yield ("policy", "tools", tool), _against(outcome.value, least.value)


def _is_written(config: Config, keys: Sequence[str]) -> bool:
    section: Section = config
    for key in keys:
        if key not in section.model_fields_set:
            return False
        section = getattr(section, key)
    return True


def _value(config: Config, keys: Sequence[str]) -> Any:  # noqa: ANN401 - of whatever type that key has
    value: Any = config
    for key in keys:
        value = getattr(value, key)
    return value


def _against(ours: str, theirs: str) -> Sentence:
    return Sentence("is %(ours)s, and %(theirs)s in the file it extends", ours=ours, theirs=theirs)


def _less_strict(org: Outcome, own: Outcome) -> Sentence | None:
    return _against(own.value, org.value) if own < org else None


def _more(org: Any, own: Any) -> Sentence | None:  # noqa: ANN401 - numbers of several types
    return (
        Sentence("is %(ours)s, and at most %(theirs)s in the file it extends", ours=own, theirs=org)
        if own > org
        else None
    )


def _turned_on(org: bool, own: bool) -> Sentence | None:  # noqa: FBT001 - they are what is compared
    return _against("true", "false") if own and not org else None


def _turned_off(org: bool, own: bool) -> Sentence | None:  # noqa: FBT001 - they are what is compared
    return _against("false", "true") if org and not own else None


def _lower(org: Permission, own: Permission) -> Sentence | None:
    return None if own.reaches(org) else _against(own.value, org.value)


def _wider(org: Sequence[str], own: Sequence[str]) -> Sentence | None:
    added = [name for name in own if name not in org]
    return Sentence("has %(added)s, which is new", added=repr(added[0])) if added else None


def _wider_team(org: Sequence[str], own: Sequence[str]) -> Sentence | None:
    if org and not own:
        return Sentence("is empty, which lets in people of no team")
    return _wider(org, own) if org else None


_NEW: Final = Sentence("is not in the file it extends")
_COMPARED: Final[Mapping[tuple[str, ...], Callable[[Any, Any], Sentence | None]]] = {
    ("ad_hoc_tasks",): _turned_on,
    **{("limits", name): _more for name in ("steps", "tokens", "usd", "seconds")},
    **{
        ("policy", "defaults", name): _less_strict
        for name in ("read", "write", "delete", "command", "external")
    },
    **{
        ("policy", "limits", name): _more
        for name in ("actions", "files", "added_lines", "file_bytes", "commands")
    },
    ("policy", "hosts"): _wider,
    ("apply", "permission"): _lower,
    ("apply", "teams"): _wider_team,
    ("apply", "author_may_apply"): _turned_on,
    ("apply", "expires_hours"): _more,
    ("advice", "required"): _turned_off,
    ("sandbox", "rehearse"): _turned_on,
    ("sandbox", "required"): _turned_off,
}
