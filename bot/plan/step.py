"""One step of a plan: an action with its verdict and its effect on each path, as the record holds it."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, SerializerFunctionWrapHandler, model_serializer

from bot.action import Kind
from bot.plan.tried import Tried
from bot.verdict import Outcome, Verdict
from bot.workspace import Mode

Sha = Annotated[str, Field(pattern=r"^[0-9a-f]{40}$")]
Badge = Literal["allow", "ask", "deny", "failed"]


class Record(BaseModel):
    model_config = ConfigDict(frozen=True, defer_build=True, extra="forbid")


class Content(Record):
    """A file's bytes: text whole, anything that is not UTF-8 as base64."""

    encoding: Literal["utf-8", "base64"]
    data: str


class Effect(Record):
    """What one step does to one path. A mode or blob of None: the path is not there."""

    path: str
    mode_before: Mode | None
    mode_after: Mode | None
    blob_before: Sha | None
    blob_after: Sha | None
    content: Content | None
    diff: str


class Step(Record):
    """A write or external action in the plan. `number` counts from 1 in call order.

    `depends_on` are the numbers of earlier steps whose planned changes this one reads or runs;
    `conditional_on` those whose results were made up and matter to it. `error` is what the tool answered when
    it could not do it. `rehearsed` is what came of a command that was run in the sandbox, on a copy.
    """

    number: int = Field(ge=1)
    id: str = Field(pattern=r"^dry-[0-9a-f]{12}$")
    tool: str
    kind: Kind
    arguments: dict[str, object]
    intent: str | None
    description: str
    verdict: Verdict
    advice: dict[str, object] | None = None
    effects: tuple[Effect, ...] = ()
    depends_on: tuple[int, ...] = ()
    conditional_on: tuple[int, ...] = ()
    error: str | None = None
    rehearsed: Tried | None = None

    @model_serializer(mode="wrap")
    def _as_before_where_nothing_was_run(self, handler: SerializerFunctionWrapHandler) -> dict[str, object]:
        """Records without it stay what they are, to the byte."""
        fields: dict[str, object] = handler(self)
        if fields.get("rehearsed", self) is None:
            del fields["rehearsed"]
        return fields

    @property
    def is_command(self) -> bool:
        return self.kind is Kind.EXTERNAL and isinstance(self.arguments.get("command"), str)

    @property
    def badge(self) -> Badge:
        """The verdict, or that it failed where nothing forbade it."""
        is_failed = self.error is not None and self.verdict.outcome is not Outcome.DENY
        return "failed" if is_failed else self.verdict.outcome.value

    @property
    def is_performed(self) -> bool:
        """Whether an apply carries it out: what was denied or failed in the rehearsal is left out."""
        return self.verdict.outcome is not Outcome.DENY and self.error is None
