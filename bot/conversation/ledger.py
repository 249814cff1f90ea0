"""The result comment of an apply while errands are run: how far each is stands there before it is tried.

One comment holds the claim on a plan's errands: the oldest that bears its digest. So of two runs that both
believe that it is theirs, one looks again and stands back; and a run that was killed is gone on with by
another attempt of the same workflow run alone, for only then is it sure to be dead.
"""

from collections.abc import Sequence
from typing import Literal, Protocol, TypeAlias

from bot.conversation import Conversation, Said, cleaned, listen
from bot.dataclass import dataclass
from bot.errand import Errand, Progress, read_errands
from bot.errors import CommentForbidden
from bot.pull_request import Comment

# An unfinished answer that holds the claim, a finished one that held it, and one that never did.
Role: TypeAlias = Literal["claim", "answer", "bystander"]


class Layout(Protocol):
    """The result comment's text."""

    def __call__(self, errands: Sequence[Errand], *, role: Role) -> str: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """The claim is this run's, and `comment` is edited in place."""

    conversation: Conversation
    comment: Comment
    errands: tuple[Errand, ...]
    layout: Layout

    def note(self, errands: Sequence[Errand]) -> None:
        self._write(errands, role="claim")

    def finish(self, errands: Sequence[Errand]) -> str:
        return self._write(errands, role="answer")

    def stand_back(self, errands: Sequence[Errand]) -> str:
        return self._write(errands, role="bystander")

    def _write(self, errands: Sequence[Errand], *, role: Role) -> str:
        conversation = self.conversation
        body = cleaned(self.layout(errands, role=role), conversation.redact)
        return conversation.repository.edit_comment(self.comment.id, body).url


@dataclass(frozen=True, slots=True, kw_only=True)
class Elsewhere:
    """Another run's, as far as it had got; None where nobody may write it down, so that nobody may try.

    `is_told`: it stands in an answer already.
    """

    said: Said | None
    errands: tuple[Errand, ...]
    is_told: bool = False


def open_ledger(
    conversation: Conversation, digest: str, due: Sequence[Errand], *, run: int | None, layout: Layout
) -> Held | Elsewhere:
    """`run` is this workflow run, whichever attempt of it."""
    if claims := _claims(conversation, digest):
        return _taken(claims, conversation, due, run=run, layout=layout)
    try:
        comment = conversation.claim(layout(due, role="claim"))
    except CommentForbidden:
        left = tuple(_left(errand, "it can't be noted: the bot may not comment") for errand in due)
        return Elsewhere(said=None, errands=left)
    others = [
        said
        for said in _claims(listen(conversation.repository, conversation.number), digest)
        if said.comment.id != comment.id
    ]
    held = Held(conversation=conversation, comment=comment, errands=tuple(due), layout=layout)
    # An older comment that was written over became a claim later than its number tells.
    is_new = comment.created_at == comment.updated_at
    if not others or (is_new and all(said.comment.id > comment.id for said in others)):
        return held
    first = others[0]
    told = _told(first, due)
    held.stand_back(told)
    return Elsewhere(said=first, errands=told, is_told=True)


def _taken(
    claims: Sequence[Said],
    conversation: Conversation,
    due: Sequence[Errand],
    *,
    run: int | None,
    layout: Layout,
) -> Held | Elsewhere:
    first = claims[0]
    told = _told(first, due)
    if first.marker.kind != "claim" or run is None or first.marker.run != run:
        return Elsewhere(said=first, errands=told)
    editor = conversation.repository.editor(first.comment)
    if editor is not None and editor.id != conversation.me.id:
        told = tuple(_unknown(errand) for errand in told)
    return Held(conversation=conversation, comment=first.comment, errands=told, layout=layout)


def _claims(conversation: Conversation, digest: str) -> list[Said]:
    """Oldest first."""
    found = [
        said
        for said in conversation.said
        if said.marker.kind in {"claim", "answer"}
        and said.marker.digest == digest
        and said.marker.errands is not None
    ]
    return sorted(found, key=lambda said: said.comment.id)


def _told(said: Said, due: Sequence[Errand]) -> tuple[Errand, ...]:
    errands = read_errands(said.marker.errands or "", due=due)
    return tuple(errand.as_left_by_another() for errand in errands)


def _unknown(errand: Errand) -> Errand:
    said = "somebody edited this comment, so it proves nothing"
    return Errand(step=errand.step, progress=Progress.UNKNOWN, said=said)


def _left(errand: Errand, why: str) -> Errand:
    return Errand(step=errand.step, progress=Progress.LEFT, said=why)
