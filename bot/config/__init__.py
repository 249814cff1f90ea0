"""The file `.github/dryrun-bot.yml` -> Config: closed, frozen, each mistake named with line and column.

It decides what the bot may do, so it is only ever read from a branch that a pull request can't choose.
"""

import hashlib
from collections.abc import Mapping
from decimal import Decimal
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Final, Literal, Self, get_args

from pydantic import AfterValidator, Field, PrivateAttr, StringConstraints, ValidationError, model_validator

from bot.action import Json, Kind, canonical
from bot.config.yaml_tree import Keys, YamlTree, read_yaml
from bot.errors import BadConfig
from bot.gate.policy import DEFAULT_PATHS, FLOOR, Glob, Policy, Section, Text
from bot.paths.path import path_of
from bot.paths.path_pattern import PathList, PathPattern
from bot.permission import Permission
from bot.sentence import Sentence

if TYPE_CHECKING:
    from bot.chaos import Chaos

Flag = Annotated[bool, Field(strict=True)]
Whole = Annotated[int, Field(strict=True, ge=1)]
Usd = Annotated[Decimal, Field(gt=0, le=10_000, allow_inf_nan=False)]
Rate = Annotated[Decimal, Field(ge=0, le=1, allow_inf_nan=False)]
Name = Annotated[str, StringConstraints(strict=True, pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$")]
Variable = Annotated[str, StringConstraints(strict=True, pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,99}$")]
Long = Annotated[str, StringConstraints(strict=True, min_length=1, max_length=20_000)]
Language = Literal["en", "es"]
_LANGUAGES: Final = get_args(Language)
Event = Literal["opened", "synchronize", "reopened", "ready_for_review"]


def _repository_path(text: str) -> str:
    found = path_of(text)
    if found.fault or found.normal != text:
        why = found.fault or Sentence("is written %(normal)s", normal=repr(found.normal))
        raise ValueError(Sentence("%(text)s %(fault)s", text=repr(text), fault=why))
    return text


class ModelChoice(Section):
    """`advisor` of None: no second opinion is asked. `window` is of the model `name`, in tokens."""

    name: Text = "gpt-5.4-mini"
    advisor: Text | None = "gpt-5.4-mini"
    window: Annotated[Whole, Field(ge=2_048, le=10**8)] | None = None

    def second(self, name: str) -> str | None:
        """The advisor; where the file says nothing of one, the model in use, which its server surely has."""
        return self.advisor if "advisor" in self.model_fields_set else name

    def window_of(self, name: str) -> int | None:
        """None where the file says nothing of that model's: then the price library may know it."""
        return self.window if name == self.name else None


class RunLimits(Section):
    """Of one run: model calls, tokens summed over all of them, US dollars, seconds."""

    steps: Annotated[Whole, Field(le=1000)] = 40
    tokens: Annotated[Whole, Field(le=10**9)] = 1_000_000
    usd: Usd = Decimal("0.50")
    seconds: Annotated[Whole, Field(le=21_600)] = 600


class Task(Section):
    """Without `on` a task runs only by `/plan NAME`; `paths` are gitignore patterns of changed files."""

    prompt: Long
    on: tuple[Event, ...] = ()
    paths: tuple[Glob, ...] = ()


class ApplyRules(Section):
    """Who may apply a plan, and for how long. `teams`: members of one of them only, when there are any."""

    permission: Literal[Permission.WRITE, Permission.MAINTAIN, Permission.ADMIN] = Permission.WRITE
    teams: tuple[Annotated[str, StringConstraints(strict=True, pattern=r"^[\w.-]+(/[\w.-]+)?$")], ...] = ()
    author_may_apply: Flag = True
    expires_hours: Annotated[Whole, Field(le=8760)] = 72


class AdviceRules(Section):
    """`required`: a step that the advisor has no answer for asks."""

    required: Flag = False


class ChaosRules(Section):
    """`rate` of rehearsed calls that fail on purpose, 0 to 1."""

    rate: Rate = Decimal(0)
    seed: Annotated[int, Field(strict=True, ge=0, lt=2**53)] = 0

    @property
    def chaos(self) -> "Chaos | None":
        from bot.chaos import Chaos

        return Chaos(rate=self.rate, seed=self.seed) if self.rate else None


class ReplayRules(Section):
    """On pull requests: how many past runs a change of the rules is tried on, and what `/replay` may cost."""

    runs: Annotated[Whole, Field(le=1000)] = 50
    usd: Usd = Decimal("1.00")


class SandboxRules(Section):
    """`may_change` are gitignore patterns of files that a command may change beyond the plan."""

    rehearse: Flag = False
    required: Flag = True
    may_change: tuple[Glob, ...] = ()

    def lets_change(self, path: str) -> bool:
        """Whether a command may change this path, whatever the plan says of it."""
        return all(self._changing.hit(key) for key in path_of(path).keys)

    @cached_property
    def _changing(self) -> PathList:
        return PathList([PathPattern(text=text, source="sandbox.may_change") for text in self.may_change])


class Simulated(Section):
    """What a rehearsed call answers: a fixed result, or one made from the tool's own output schema."""

    result: object = None
    from_output_schema: Flag = False

    @model_validator(mode="after")
    def _one_of_two(self) -> Self:
        if self.from_output_schema == ("result" in self.model_fields_set):
            raise ValueError(Sentence("give either result or from_output_schema: true"))
        return self


class McpTool(Section):
    """The kind is ours to give: what a server says about its own tools is not trusted.

    `paths` are names of arguments that hold paths of the repository, such as `path` or `files.path`.
    """

    kind: Kind
    simulate: Simulated | None = None
    paths: tuple[Text, ...] = ()

    @model_validator(mode="after")
    def _side_effects_can_be_rehearsed(self) -> Self:
        if self.kind is not Kind.READ and self.simulate is None:
            raise ValueError(Sentence("a tool of kind %(kind)s needs simulate", kind=self.kind.value))
        return self


class McpServer(Section):
    """Started by `command` or reached at `url`; `env` names those of the bot's variables that it may have."""

    command: tuple[Text, ...] = ()
    url: Annotated[Text, StringConstraints(pattern=r"^https?://")] | None = None
    headers: Mapping[Name, Text] = Field(default_factory=dict)
    env: tuple[Variable, ...] = ()
    tools: Mapping[Name, McpTool] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _one_way_to_it(self) -> Self:
        if bool(self.command) == (self.url is not None):
            raise ValueError(Sentence("give either command or url"))
        return self


class Config(Section):
    """All keys of the file. `policies` judge: its own, and that of the organisation's file it extends."""

    version: Literal[1] = 1
    language: Language = "en"
    model: ModelChoice = ModelChoice.unwritten()
    limits: RunLimits = RunLimits.unwritten()
    tasks: Mapping[Name, Task] = Field(default_factory=dict)
    ad_hoc_tasks: Flag = True
    policy: Policy = Policy.unwritten()
    apply: ApplyRules = ApplyRules.unwritten()
    advice: AdviceRules = AdviceRules.unwritten()
    chaos: ChaosRules = ChaosRules.unwritten()
    sandbox: SandboxRules = SandboxRules.unwritten()
    replay: ReplayRules = ReplayRules.unwritten()
    mcp: Mapping[Name, McpServer] = Field(default_factory=dict)
    extends: (
        Annotated[str, StringConstraints(strict=True, pattern=r"^[\w.-]+/[\w.-]+:[^@:\s]+@[^@:\s]+$")] | None
    ) = None
    template: Annotated[Text, AfterValidator(_repository_path)] | None = None
    command_prefix: (
        Annotated[str, StringConstraints(strict=True, pattern=r"^[a-z][a-z0-9-]{0,29}$")] | None
    ) = None

    _organisation: "Config | None" = PrivateAttr(default=None)
    _tree: YamlTree | None = PrivateAttr(default=None)

    @property
    def policies(self) -> tuple[Policy, ...]:
        organisation = self._organisation
        return (self.policy,) if organisation is None else (*organisation.policies, self.policy)

    def extending(self, organisation: "Config") -> Self:
        """The same, with the organisation's policy judging as well."""
        extending = self.replaced()
        extending._organisation = organisation  # noqa: SLF001 - of its own class
        return extending

    def bad(self, keys: Keys, what: Sentence, *, next_step: Sentence) -> BadConfig:
        """An error about what stands there in the file that this was read from."""
        tree = self._tree or YamlTree(file="the defaults", value=None, places={})
        return tree.bad(keys, what, next_step=next_step).told_in(self.language)

    @cached_property
    def policy_digest(self) -> str:
        """Over everything that decides, with the defaults that its lists continue; 64 hex digits."""
        decides: dict[str, Json] = self.model_dump(mode="json")
        decides["default_paths"] = {name: list(patterns) for name, patterns in DEFAULT_PATHS.items()}
        decides["floor"] = [pattern.text for pattern in FLOOR]
        if self._organisation is not None:
            decides["organisation"] = self._organisation.policy_digest
        return hashlib.sha256(canonical(decides)).hexdigest()


DEFAULT: Final = Config.unwritten()


def read_config(text: bytes, *, file: str) -> Config:
    """Raises BadConfig, and nothing else, whatever the bytes. An empty file is the default one."""
    tree = read_yaml(text, file=file)
    if tree.value is None:
        return DEFAULT
    try:
        return _config(tree)
    except BadConfig as bad:
        bad.told_in(_language(tree.value))
        raise


def _language(value: object) -> str | None:
    """Of a file that can't be used: how it wants to be answered all the same."""
    language = value.get("language") if isinstance(value, dict) else None
    return language if isinstance(language, str) and language in _LANGUAGES else None


def _config(tree: YamlTree) -> Config:
    if not isinstance(tree.value, dict):
        raise tree.bad(
            (), Sentence("it is not a mapping of keys"), next_step=Sentence("begin with: version: 1")
        )
    try:
        config = Config.model_validate(tree.value)
    except ValidationError as error:
        from bot.config.config_error import told

        raise told(error, tree, model=Config) from error
    from bot.config.example import wrong_examples

    config = _located(config, tree)
    for wrong in wrong_examples(config.policy):
        raise tree.bad(
            ("policy", *wrong.place),
            Sentence(
                "policy.%(place)s: the verdict on %(command)s is %(value)s, and the example says "
                "%(expected)s (%(rule)s: %(reason)s)",
                place=".".join(map(str, wrong.place)),
                command=repr(wrong.command),
                value=wrong.verdict.outcome.value,
                expected=wrong.expected,
                rule=wrong.verdict.rule,
                reason=wrong.verdict.reason,
            ),
            next_step=Sentence("change the rule or the example"),
        )
    return config


def _located(config: Config, tree: YamlTree) -> Config:
    lines = {keys[1:]: place.line for keys, place in tree.places.items() if keys[:1] == ("policy",)}
    located = config.replaced()
    if "policy" in config.model_fields_set:
        located = config.replaced(policy=config.policy.located(tree.file, lines))
    located._tree = tree  # noqa: SLF001 - of its own module
    return located
