"""(Phase of a workflow, comment) -> whose turn it is. One job does it all, or four hold fewer rights each.

plan, report      whatever makes a plan, and every other command
perform, commit   /apply; and /undo, which is commit's alone

Told by the comment alone, without the configuration: so each of two jobs knows it without the other.
"""

from enum import StrEnum

from bot.command import Apply, Command, Plan, Replay, Undo, read_as_written


class Phase(StrEnum):
    """What a job does of the whole, as `--phase` spells it."""

    ALL = "all"
    PLAN = "plan"
    REPORT = "report"
    PERFORM = "perform"
    COMMIT = "commit"

    @property
    def asks_model(self) -> bool:
        return self in {Phase.ALL, Phase.PLAN}

    @property
    def runs_commands(self) -> bool:
        """In the cage: a plan may rehearse them, where the configuration wants that."""
        return self in {Phase.ALL, Phase.PLAN, Phase.PERFORM}

    @property
    def before(self) -> "Phase | None":
        """The phase that leaves something for this one."""
        return {Phase.REPORT: Phase.PLAN, Phase.COMMIT: Phase.PERFORM}.get(self)

    @property
    def after(self) -> "Phase | None":
        """The phase that this one leaves something for, and that answers."""
        return {Phase.PLAN: Phase.REPORT, Phase.PERFORM: Phase.COMMIT}.get(self)


class Turn(StrEnum):
    """`LATER`: nothing for this phase to make, and the next one answers. `OTHERS`: neither has to."""

    MINE = "mine"
    LATER = "later"
    OTHERS = "others"


def turn_of(phase: Phase, comment: str | None) -> Turn:
    """`comment` is None for an event that is none, such as a pull request that changed."""
    if phase is Phase.ALL:
        return Turn.MINE
    asked = None if comment is None else read_as_written(comment)
    if (phase in {Phase.PERFORM, Phase.COMMIT}) is not isinstance(asked, Apply | Undo):
        return Turn.OTHERS
    return Turn.MINE if phase.after is None or _is_made_before(asked) else Turn.LATER


def _is_made_before(asked: Command | None) -> bool:
    """Whether there is anything to make before it is told of."""
    return asked is None or isinstance(asked, Plan | Replay | Apply)
