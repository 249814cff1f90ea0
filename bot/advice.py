"""(Verdict, a second model's Advice) -> Verdict, never a looser one. Pure.

Caution may come from a model, permission never: what it calls harmless stays what the gate said it is.
"""

from enum import StrEnum
from typing import Annotated, Final, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from bot.action import Json
from bot.dataclass import dataclass
from bot.verdict import Outcome, Verdict

SOURCE: Final = "advice"


class BlastRadius(StrEnum):
    """How far an effect reaches; a folder or several files are as much as the whole system."""

    NONE = "none"
    SINGLE_FILE = "single_file"
    SYSTEM = "system"


class Advice(BaseModel):
    """What a model predicts of one action. Its words are untrusted."""

    model_config = ConfigDict(frozen=True, defer_build=True, extra="forbid", strict=True)

    predicted_effect: str = Field(
        max_length=2000, description="What would have changed afterwards, in one sentence."
    )
    reversible: bool = Field(
        description="Whether it could be taken back wholly, for instance by reverting a commit."
    )
    blast_radius: BlastRadius = Field(
        description="none: nothing changes; single_file: one file of the repository; system: anything more.",
    )
    concerns: tuple[Annotated[str, Field(max_length=1000)], ...] = Field(
        max_length=20,
        description="What a careful reviewer would worry about, one sentence each; empty if nothing.",
    )

    def to_json(self) -> dict[str, Json]:
        return self.model_dump(mode="json")


@dataclass(frozen=True, slots=True, kw_only=True)
class NoAdvice:
    """The model was asked and gave none; `why` ends the sentence "there is none, because ..."."""

    why: str

    def to_json(self) -> dict[str, Json]:
        return {"none": self.why}


Opinion: TypeAlias = Advice | NoAdvice


def tighten(verdict: Verdict, opinion: Opinion, *, required: bool = False) -> Verdict:
    """An `allow` may become an `ask`; nothing else changes. `required`: having no advice asks too."""
    if verdict.outcome is not Outcome.ALLOW:
        return verdict
    match opinion:
        case NoAdvice(why=why):
            if not required:
                return verdict
            rule, reason = "advice-missing", f"The policy wants a second model's opinion, and {why}."
        case Advice(concerns=(first, *_)):
            rule, reason = "advice-concern", f"In a second model's opinion: {_cut(first)}"
        case Advice(reversible=False):
            rule, reason = "advice-irreversible", "In a second model's opinion this can't be taken back."
        case Advice(blast_radius=BlastRadius.SYSTEM):
            rule, reason = "advice-system-wide", "In a second model's opinion this reaches beyond one file."
        case _:
            return verdict
    return Verdict(outcome=Outcome.ASK, rule=rule, reason=reason, source=SOURCE)


def may_be_tightened(verdict: Verdict, gates: Verdict) -> bool:
    """Whether an opinion may have made `verdict` of the gate's; then it says whose words it has."""
    sayings = (tighten(gates, silent, required=True) for silent in _SILENT)
    return gates.outcome is Outcome.ALLOW and any(
        (verdict.outcome, verdict.rule, verdict.source) == (said.outcome, said.rule, said.source)
        and verdict.reason.startswith(said.reason.removesuffix("."))
        for said in sayings
    )


def _cut(words: str) -> str:
    line = " ".join(words.split())
    return line if len(line) <= 300 else f"{line[:300]}…"


# Each that says something, without a word of its own.
_SILENT: Final[tuple[Opinion, ...]] = (
    NoAdvice(why=""),
    *(
        Advice.model_construct(
            predicted_effect="", reversible=reversible, blast_radius=BlastRadius.SYSTEM, concerns=concerns
        )
        for reversible, concerns in ((True, ("",)), (False, ()), (True, ()))
    ),
)
