"""The `policy:` part of the config: what is allowed, what asks, what is denied. Data, and its compiled form.

The models are closed, and say what a maintainer may write; `gate` says what it means.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Annotated, Final, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, PrivateAttr, StringConstraints

from bot import CONFIG_PATH
from bot.paths.path import path_of
from bot.paths.path_pattern import BadPattern, PathList, PathPattern, regex_of
from bot.sentence import Sentence
from bot.shell.argv_pattern import ArgvPattern, Word, is_glob
from bot.verdict import Outcome
from bot.workspace.listing import Listing

DEFAULT: Final = "default"

# What a maintainer's list continues. A negation in the list takes one back; the floor can't be taken back.
DEFAULT_PATHS: Final[Mapping[str, tuple[str, ...]]] = {
    "secret": ("**/.env*", "**/*.env", "**/*.pem", "**/id_rsa*", "!**/.env.example"),
    "deny": (
        "**/.git",
        "**/.git/**",
        ".github/workflows/**",
        ".github/actions/**",
        CONFIG_PATH,
        ".github/dryrun-bot/**",
        "**/CODEOWNERS",
        "**/.claude/**",
        "**/.cursor/**",
        "**/.vscode/**",
    ),
    "ask": (
        ".gitattributes",
        ".gitmodules",
        ".githooks/**",
        ".husky/**",
        "**/.npmrc",
        ".pre-commit-config.yaml",
        "**/package.json",
        "**/conftest.py",
        "setup.py",
        "Makefile",
        "action.yml",
        "AGENTS.md",
        "CLAUDE.md",
        "**/.env.example",
    ),
    "allow": (),
}
# What no policy takes back: git's own folder is not even read, and the policy's own file is not changed.
UNTOUCHED: Final = PathList([PathPattern(text="**/.git", source=DEFAULT)])
UNCHANGED: Final = PathList([PathPattern(text=CONFIG_PATH, source=DEFAULT)])
FLOOR: Final = (*UNTOUCHED.patterns, *UNCHANGED.patterns)


def _pattern(text: str) -> str:
    try:
        regex_of(text.removeprefix("!"))
    except BadPattern as error:
        raise ValueError(Sentence("%(text)s %(fault)s", text=repr(text), fault=error.fault)) from error
    if fault := path_of(text.lstrip("!/")).fault:
        raise ValueError(Sentence("%(text)s %(fault)s", text=repr(text), fault=fault))
    return text


Text = Annotated[str, StringConstraints(strict=True, min_length=1, max_length=500)]
Count = Annotated[int, Field(strict=True, ge=0, le=2**40)]
Glob = Annotated[Text, AfterValidator(_pattern)]
Globs = Annotated[tuple[Glob, ...], Field(max_length=5_000)]


class Section(BaseModel):
    """A part of the file: closed, frozen."""

    model_config = ConfigDict(frozen=True, defer_build=True, extra="forbid")

    @classmethod
    def unwritten(cls) -> Self:
        """As where the file says nothing of it: `cls()`, for which no validator need be built."""
        return cls.model_construct()

    def replaced(self, **fields: object) -> Self:
        """With other values; made anew, since a copy would keep what was compiled from the old ones."""
        whole = {name: getattr(self, name) for name in type(self).model_fields} | fields
        made = self.model_construct(_fields_set=self.model_fields_set | set(fields), **whole)
        for name in self.__private_attributes__:
            setattr(made, name, getattr(self, name))
        return made


class Defaults(Section):
    """The verdict where no rule speaks, by what an action does."""

    read: Outcome = Outcome.ALLOW
    write: Outcome = Outcome.ALLOW
    delete: Outcome = Outcome.ASK
    command: Outcome = Outcome.ASK
    external: Outcome = Outcome.DENY


class PlanLimits(Section):
    """How much one plan may hold: more is denied."""

    actions: Count = 60
    files: Count = 20
    added_lines: Count = 800
    file_bytes: Count = 262_144
    commands: Count = 15


class PathRules(Section):
    """gitignore patterns, matched on the folded path; each list continues the default one."""

    secret: Globs = ()
    deny: Globs = ()
    ask: Globs = ()
    allow: Globs = ()


class CommandRule(Section):
    """`match` and `not_match` are command lines whose final verdict is, or is not, allow."""

    argv: Annotated[tuple[Text, ...], Field(min_length=1, max_length=100)]
    match: Annotated[tuple[Text, ...], Field(max_length=20)] = ()
    not_match: Annotated[tuple[Text, ...], Field(max_length=20)] = ()

    @cached_property
    def pattern(self) -> ArgvPattern:
        return ArgvPattern(words=self.argv)


class CommandRules(Section):
    allow: Annotated[tuple[CommandRule, ...], Field(max_length=1_000)] = ()
    deny: Annotated[tuple[CommandRule, ...], Field(max_length=1_000)] = ()


class Policy(Section):
    """Immutable. `source` is where a rule stands: `file:line`, or "default" where the file says nothing."""

    defaults: Defaults = Defaults.unwritten()
    limits: PlanLimits = PlanLimits.unwritten()
    paths: PathRules = PathRules.unwritten()
    commands: CommandRules = CommandRules.unwritten()
    tools: Mapping[Text, Outcome] = Field(default_factory=dict)
    hosts: tuple[Text, ...] = ()

    _lines: Mapping[tuple[str | int, ...], int] = PrivateAttr(default_factory=dict)
    _file: str = PrivateAttr(default="")

    def located(self, file: str, lines: Mapping[tuple[str | int, ...], int]) -> Self:
        """The same policy, knowing the line of each of its keys; their places are relative to `policy:`."""
        located = self.replaced()
        located._file, located._lines = file, dict(lines)  # noqa: SLF001 - of its own class
        return located

    @property
    def location(self) -> tuple[str, Mapping[tuple[str | int, ...], int]]:
        """The file, and the line of each key, as `located` takes them."""
        return self._file, self._lines

    def source(self, *place: str | int) -> str:
        return self._sources.get(place, DEFAULT)

    def allowing(self, argv: Sequence[Word]) -> int | None:
        """The number of the first rule in `commands.allow` that takes these words, or None."""
        known = [word for word in argv if word is not None]
        if not known or len(known) != len(argv):
            return None
        candidates = self._allowing.get(known[0], ()), self._allowing.get(None, ())
        fitting = (
            number for number in chain(*candidates) if self.commands.allow[number].pattern.matches(known)
        )
        return min(fitting, default=None)

    @cached_property
    def _sources(self) -> Mapping[tuple[str | int, ...], str]:
        return {place: f"{self._file}:{line}" for place, line in self._lines.items()}

    @cached_property
    def _allowing(self) -> Mapping[str | None, Sequence[int]]:
        """Rules by their first word, None where that is a glob: so that a thousand cost no more than ten."""
        index: dict[str | None, list[int]] = {}
        for number, rule in enumerate(self.commands.allow):
            first = rule.argv[0]
            index.setdefault(None if is_glob(first) else first, []).append(number)
        return index

    def is_secret(self, path: str) -> bool:
        """Whether a path may be listed by name and never read."""
        return any(self.secret.hit(key) for key in path_of(path).keys)

    def secret_among(self, listing: Listing) -> frozenset[str]:
        """Those of many paths that are secret: only what holds a word of a pattern is asked about."""
        return frozenset(filter(self.is_secret, listing.holding(self.secret.words)))

    @cached_property
    def listed(self) -> PathList:
        """Every pattern that forbids: what none of these matches, no single list needs to be asked about."""
        lists = (self.secret, self.denied, self.asked)
        return PathList([*FLOOR, *(pattern for one in lists for pattern in one.patterns)])

    @cached_property
    def secret(self) -> PathList:
        return self._list("secret", self.paths.secret)

    @cached_property
    def denied(self) -> PathList:
        return self._list("deny", self.paths.deny)

    @cached_property
    def asked(self) -> PathList:
        return self._list("ask", self.paths.ask)

    @cached_property
    def allowed(self) -> PathList:
        return self._list("allow", self.paths.allow)

    def _list(self, name: str, own: tuple[str, ...]) -> PathList:
        default = [PathPattern(text=text, source=DEFAULT) for text in DEFAULT_PATHS[name]]
        written = [
            PathPattern(text=text, source=self.source("paths", name, number))
            for number, text in enumerate(own)
        ]
        return PathList([*default, *written])


class Secrets:
    """What any of several policies keeps from everybody."""

    def __init__(self, policies: Sequence[Policy]) -> None:
        self._policies: Final = tuple(policies)
        self._last: tuple[Listing, frozenset[str]] | None = None

    def hide(self, path: str) -> bool:
        return any(policy.is_secret(path) for policy in self._policies)

    def among(self, listing: Listing) -> frozenset[str]:
        """Worked out once for a listing: there is another one only when a path was made or deleted."""
        if self._last is None or self._last[0] is not listing:
            found = [policy.secret_among(listing) for policy in self._policies]
            self._last = listing, frozenset().union(*found)
        return self._last[1]
