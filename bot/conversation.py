"""What the bot itself has said on a pull request, found again by marker and by the account that wrote it.

A marker in anybody else's comment is only text.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot import marker
from bot.errors import CommentForbidden
from bot.marker import Marker
from bot.pull_request import Account, Comment
from bot.world import Repository


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One comment of the bot's own."""

    marker: Marker
    comment: Comment


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """`said` is oldest first, as read once at the beginning of a run."""

    repository: Repository
    number: int
    me: Account
    said: Sequence[Said]

    @property
    def plans(self) -> tuple[Said, ...]:
        return tuple(said for said in self.said if said.marker.kind == "plan" and said.marker.digest)

    def answer_to(self, occasion: int) -> Said | None:
        """What was said on this occasion before: a comment's id, or for other events the workflow run's."""
        answers = (said for said in self.said if said.marker.answers == occasion)
        return next(answers, None)

    def plans_starting(self, digest: str) -> tuple[Said, ...]:
        """Those whose digest starts with these hex digits."""
        return tuple(said for said in self.plans if (said.marker.digest or "").startswith(digest))

    def say(self, body: str) -> str | None:
        """Where it was said; None where the bot may read and not write. The job's summary has it then.

        The one fault that is caught here: a plan that was made, and paid for, is not thrown away for it.
        """
        try:
            return self.repository.comment(self.number, body).url
        except CommentForbidden:
            return None

    def restate(self, said: Said, state: str) -> None:
        """Say in a plan's marker what became of it; nothing that people see changes."""
        if said.marker.state == state:
            return
        _, _, rest = said.comment.body.partition("\n")
        restated = marker.write(replace(said.marker, state=state))
        self.repository.edit_comment(said.comment.id, f"{restated}\n{rest}")

    def put_aside(self, said: Said) -> None:
        """Fold an older plan of the same task away: a newer one has taken its place."""
        self.restate(said, "superseded")
        self.repository.minimise(said.comment)


def listen(repository: Repository, number: int) -> Conversation:
    me = repository.me()
    said = [
        Said(marker=found, comment=comment)
        for comment in repository.comments(number)
        if comment.author.id == me.id and (found := marker.read(comment.body)) is not None
    ]
    return Conversation(repository=repository, number=number, me=me, said=said)
