"""What the bot itself has said on a pull request, found again by marker and by the account that wrote it.

A marker in anybody else's comment is only text.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import field, replace

from bot import marker
from bot.dataclass import dataclass
from bot.errors import FAILURES, CommentForbidden, GitHubFailed
from bot.marker import Marker
from bot.pull_request import Account, Comment
from bot.world import Courtesy, Folded, Repository, Reworded


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One comment of the bot's own."""

    marker: Marker
    comment: Comment

    @property
    def is_fault(self) -> bool:
        """Whether it only tells that the bot could not do it."""
        return self.marker.kind == "answer" and self.marker.state in FAILURES

    @property
    def makes_room(self) -> bool:
        """Whether an answer takes its place: a fault of an earlier attempt, or how far that had got."""
        return self.is_fault or self.marker.kind == "progress"


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """`said` is oldest first, as read once at the beginning of a run.

    `replaced` are the ids of the comments that this run has put an answer in the place of, `places` of the
    one that it holds a place with. `owed` are courtesies: all holds without them, so they wait for each
    other, to be one request.
    """

    repository: Repository
    number: int
    me: Account
    said: Sequence[Said]
    redact: Callable[[str], str] = str
    log: Callable[[str], None] = lambda _: None
    replaced: set[int] = field(default_factory=set)
    places: list[int] = field(default_factory=list)
    owed: list[Courtesy] = field(default_factory=list)

    @property
    def plans(self) -> tuple[Said, ...]:
        return tuple(said for said in self.said if said.marker.kind == "plan" and said.marker.digest)

    def is_answered(self, occasion: int, *, tasks: Collection[str] = ()) -> bool:
        """Whether nothing is left to say on this occasion: a comment's id, or for other events the run's.

        A fault is no answer. Each of `tasks` needs a plan of its own: a run that was killed between two goes
        on with the second when it is started again.
        """
        said_then = [said for said in self.said if said.marker.answers == occasion and not said.is_fault]
        planned = self.planned_on(occasion)
        is_told = any(said.marker.kind == "answer" for said in said_then)
        return is_told or (bool(planned) and planned.issuperset(tasks))

    def planned_on(self, occasion: int) -> frozenset[str]:
        """The tasks that have a plan from this occasion."""
        return frozenset(said.marker.task for said in self.plans if said.marker.answers == occasion)

    def plans_starting(self, digest: str) -> tuple[Said, ...]:
        """Those whose digest starts with these hex digits."""
        return tuple(said for said in self.plans if (said.marker.digest or "").startswith(digest))

    def say(self, body: str, *, fault: str | None = None) -> str | None:
        """Where it was said; None where the bot may read and not write. The job's summary has it then.

        A plan that was made, and paid for, is not thrown away for that. What an earlier attempt told of a
        fault makes room for the answer. `fault`, if there is one, is why the usual layout was not taken.
        """
        self._log_bare(fault)
        try:
            return self._post(body).url
        except CommentForbidden:
            return None

    def keep_up(self, body: str, *, fault: str | None = None) -> str | None:
        """Like `say`, in the place of the last comment of the same kind: of that there is one at a time."""
        found = marker.read(body)
        kind = found.kind if found else None
        older = next((said.comment.id for said in reversed(self.said) if said.marker.kind == kind), None)
        if older is None:
            return self.say(body, fault=fault)
        self._log_bare(fault)
        try:
            return self.repository.edit_comment(older, cleaned(body, self.redact)).url
        except CommentForbidden:
            return None

    def claim(self, body: str) -> Comment:
        """Say what is not finished yet, and will be edited. Raises CommentForbidden where that can't be."""
        return self._post(body)

    def is_claimed(self, occasion: int) -> bool:
        """Whether an answer on this occasion is not finished, and holds notes that nothing may write over."""
        return any(said.marker.kind == "claim" and said.marker.answers == occasion for said in self.said)

    def hold_place(self, body: str) -> None:
        """Say how far it is, where the answer will stand. A courtesy: that it can't be said stops nothing."""
        body = cleaned(body, self.redact)
        with suppress(GitHubFailed):
            place = self._place(body)
            if place is None:
                self.places.append(self.repository.comment(self.number, body).id)
            else:
                self.repository.edit_comment(place, body)

    def report(self, body: str, *, fault: str | None = None) -> str | None:
        """Like `say`, of something done: a fault in saying so must not be told as a fault in doing it.

        Started again, the run finds it done, and says so.
        """
        try:
            return self.say(body, fault=fault)
        except GitHubFailed:
            return None

    def restate(self, said: Said, state: str) -> None:
        """Say in a plan's marker what became of it; nothing that people see changes."""
        if said.marker.state != state:
            self.repository.edit_comment(said.comment.id, _restated(said, state))

    def mark(self, said: Said, state: str) -> None:
        """Like `restate`, of what holds without it, and so in the end: see `be_courteous`."""
        if said.marker.state != state:
            self.owed.append(Reworded(comment=said.comment.node_id, body=_restated(said, state)))

    def put_aside(self, said: Said) -> None:
        """Fold an older plan of the same task away, in the end: a newer one has taken its place."""
        self.mark(said, "superseded")
        self.owed.append(Folded(comment=said.comment.node_id))

    def be_courteous(self, *more: Courtesy) -> None:
        """Whatever is owed, and these, in one request; what can't be shown stops nothing."""
        courtesies = [*self.owed, *more]
        self.owed.clear()
        if courtesies:
            self.repository.be_courteous(courtesies)

    def _post(self, body: str) -> Comment:
        body = cleaned(body, self.redact)
        place = self._place(body)
        if place is None:
            return self.repository.comment(self.number, body)
        self.replaced.add(place)
        self.places.clear()
        return self.repository.edit_comment(place, body)

    def _place(self, body: str) -> int | None:
        """The comment that this one takes the place of, on the same occasion; None where there is none."""
        if self.places:
            return self.places[-1]
        found = marker.read(body)
        occasion = found.answers if found else None
        room = (said for said in self.said if said.makes_room and said.marker.answers == occasion)
        free = (said.comment.id for said in room if said.comment.id not in self.replaced)
        return None if occasion is None else next(free, None)

    def _log_bare(self, fault: str | None) -> None:
        if fault is not None:
            self.log(f"posted in a bare layout: {fault}")


def _restated(said: Said, state: str) -> str:
    _, _, rest = said.comment.body.partition("\n")
    return f"{marker.write(replace(said.marker, state=state))}\n{rest}"


def cleaned(body: str, redact: Callable[[str], str]) -> str:
    """`body` without secrets. A record in its last line stays as it is: it was made without any."""
    shown, line_end, last = body.rstrip("\n").rpartition("\n")
    if marker.embedded(last) is None:
        return redact(body)
    return f"{redact(shown)}{line_end}{last}\n"


def listen(
    repository: Repository,
    number: int,
    *,
    comments: Iterable[Comment] | None = None,
    redact: Callable[[str], str] = str,
    log: Callable[[str], None] = lambda _: None,
) -> Conversation:
    """`comments` are all there are, where they are known already."""
    me = repository.me()
    said = [
        Said(marker=found, comment=comment)
        for comment in (repository.comments(number) if comments is None else comments)
        if comment.author.id == me.id and (found := marker.read(comment.body)) is not None
    ]
    return Conversation(repository=repository, number=number, me=me, said=said, redact=redact, log=log)
