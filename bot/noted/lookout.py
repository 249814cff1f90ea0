"""What a rehearsal asked of a pull request, noted as it was asked; and the same answers given again later."""

from base64 import b64decode, b64encode
from collections.abc import Iterable
from typing import Final, TypeVar

from pydantic import BaseModel, ConfigDict

from bot.action import Json
from bot.dataclass import dataclass
from bot.errors import ToolFailed
from bot.transcript import Transcript
from bot.world import Lookout, Workflow

LOOKED: Final = "looked"
T = TypeVar("T", str, bool)


@dataclass(frozen=True, slots=True, kw_only=True)
class NotedLookout:
    """Asks `lookout`, and keeps each answer in the transcript."""

    lookout: Lookout
    transcript: Transcript

    @property
    def author(self) -> str:
        return self._noted("author", "", self.lookout.author)

    def has_label(self, name: str) -> bool:
        return self._noted("has_label", name, self.lookout.has_label(name))

    def is_collaborator(self, login: str) -> bool:
        return self._noted("is_collaborator", login, self.lookout.is_collaborator(login))

    def has_issues(self) -> bool:
        return self._noted("has_issues", "", self.lookout.has_issues())

    def workflow(self, file: str) -> Workflow | None:
        found = self.lookout.workflow(file)
        kept: Json = None
        if found is not None:
            text = None if found.file is None else b64encode(found.file).decode("ascii")
            kept = {"is_active": found.is_active, "file": text}
        self.transcript.note(LOOKED, question="workflow", of=file, answer=kept)
        return found

    def _noted(self, question: str, of: str, answer: T) -> T:
        self.transcript.note(LOOKED, question=question, of=of, answer=answer)
        return answer


class _Workflow(BaseModel):
    model_config = ConfigDict(frozen=True, defer_build=True, extra="forbid")

    is_active: bool
    file: str | None


class Looked(BaseModel):
    """One answer, as it stands in a transcript."""

    model_config = ConfigDict(frozen=True, defer_build=True, extra="ignore", strict=True)

    question: str
    of: str
    answer: bool | str | _Workflow | None


class RecordedLookout:
    """The answers of then. Raises ToolFailed for what nobody asked."""

    def __init__(self, looked: Iterable[Looked]) -> None:
        self._answers: Final = {(one.question, one.of): one.answer for one in looked}

    @property
    def author(self) -> str:
        return str(self._answer("author", ""))

    def has_label(self, name: str) -> bool:
        return self._answer("has_label", name) is True

    def is_collaborator(self, login: str) -> bool:
        return self._answer("is_collaborator", login) is True

    def has_issues(self) -> bool:
        return self._answer("has_issues", "") is True

    def workflow(self, file: str) -> Workflow | None:
        found = self._answer("workflow", file)
        if not isinstance(found, _Workflow):
            return None
        content = None if found.file is None else b64decode(found.file)
        return Workflow(is_active=found.is_active, file=content)

    def _answer(self, question: str, of: str) -> object:
        if (question, of) not in self._answers:
            raise ToolFailed(f"nobody asked GitHub about this when the run was recorded ({question} {of})")
        return self._answers[question, of]
