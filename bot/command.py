"""A comment's body -> Command, by the structure of its Markdown: what a person sees as its first line counts.

Nothing here knows who wrote it, and no word of it reaches a shell. `Plan.text` alone may hold anything.
"""

import re
from collections.abc import Mapping
from typing import TypeAlias

from bot.dataclass import dataclass
from bot.glance import has_slash_line
from bot.words.visible_lines import visible_lines

COMMANDS = ("plan", "apply", "discard", "undo", "replay", "explain", "help")

FEWEST_DIGITS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """Which steps the approver named, beyond those that a plain `/apply` covers."""

    steps: frozenset[int] = frozenset()
    everything: bool = False

    def covers(self, number: int) -> bool:
        return self.everything or number in self.steps


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """`text` is all that follows `/plan`: the name of a task and further words, free words, or nothing."""

    text: str = ""

    @property
    def first_word(self) -> str | None:
        return self.text.split(maxsplit=1)[0] if self.text.split() else None

    @property
    def further_words(self) -> str:
        return "".join(self.text.split(maxsplit=1)[1:])


@dataclass(frozen=True, slots=True, kw_only=True)
class Apply:
    """`digest` is the start of a plan's digest: 12 to 64 digits, lower case; None is the bare command."""

    digest: str | None = None
    approval: Approval = Approval()


@dataclass(frozen=True, slots=True, kw_only=True)
class Discard:
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class Undo:
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class Explain:
    """Of the step with this number in the newest plan."""

    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Help:
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class NotForUs:
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class Misspelt:
    """Nearly a command: `word` as it was written, `meant` what it probably was."""

    word: str
    meant: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Malformed:
    """A command with words that it doesn't take; nothing is done. `why` is one plain sentence."""

    command: str
    why: str


Command: TypeAlias = Plan | Apply | Discard | Undo | Replay | Explain | Help | NotForUs | Misspelt | Malformed


def read_command(body: str, *, prefix: str | None = None) -> Command:
    """What the comment asks for. With `prefix`, only `/prefix plan` and so on count, and no bare `/plan`."""
    if not has_slash_line(body):
        return NotForUs()
    first_line, further_lines = visible_lines(body)
    slashed = re.fullmatch(r"/([A-Za-z][^\s/]{0,40})(?:\s+(.*))?", first_line, re.DOTALL)
    if slashed is None:
        return NotForUs()
    word, words = slashed[1].lower(), slashed[2] or ""
    if word == (prefix or _PREFIX).lower():
        return _prefixed(words, further_lines)
    if prefix is not None:
        return NotForUs()
    if word in COMMANDS:
        return _command(word, words, further_lines)
    meant = _nearest(word)
    return NotForUs() if meant is None else Misspelt(word=slashed[1], meant=meant)


def read_as_written(body: str) -> Command:
    """What it asks for if the comment's own first word is the prefix that the configuration asks for."""
    asked = read_command(body)
    if isinstance(asked, NotForUs) and has_slash_line(body):
        prefixed = re.match(r"/([A-Za-z][\w-]{0,40})(?!\S)", visible_lines(body)[0])
        return asked if prefixed is None else read_command(body, prefix=prefixed[1])
    return asked


def could_be_command(body: str) -> bool:
    """Whether it may be a command once the configured prefix is known: worth reading the config for."""
    if not isinstance(read_command(body), NotForUs):
        return True
    first_line = visible_lines(body)[0] if has_slash_line(body) else ""
    prefixed = re.match(r"/([A-Za-z][\w-]{0,40})\s+([A-Za-z]{1,20})(?!\S)", first_line)
    return prefixed is not None and _nearest(prefixed[2].lower()) is not None


_PREFIX = "dryrun"


def _prefixed(words: str, further_lines: str) -> Command:
    word, rest = [*words.split(maxsplit=1), "", ""][:2] if words else ("help", "")
    lowered = word.lower()
    if lowered in COMMANDS:
        return _command(lowered, rest, further_lines)
    return Misspelt(word=word, meant=_nearest(lowered))


def _command(word: str, words: str, further_lines: str) -> Command:
    """`word` is one of COMMANDS. Only `/plan` has a use for further lines."""
    if word in _BARE:
        return Malformed(command=word, why=f"`/{word}` takes no further words") if words else _BARE[word]
    match word:
        case "plan":
            return Plan(text=f"{words}\n{further_lines}".strip())
        case "apply":
            return _apply(words)
        case "explain":
            return _explain(words)
        case _:
            return Help()


_BARE: Mapping[str, Command] = {"discard": Discard(), "undo": Undo(), "replay": Replay()}


def _apply(words: str) -> Command:
    # Phones and word processors turn two hyphens into a dash.
    form = re.fullmatch(
        r"(?P<digest>(?!--|[\u2013\u2014])\S+)?\s*"
        r"(?:(?<!\S)(?:--|[\u2013\u2014])approve(?:\s*=\s*|\s+)(?P<steps>.+))?",
        words,
        re.IGNORECASE,
    )
    if form is None:
        return Malformed(
            command="apply", why="`/apply` takes a digest and `--approve` with step numbers, nothing else"
        )
    digest = form["digest"] and form["digest"].lower().strip("`")
    if digest is not None and not re.fullmatch(rf"[0-9a-f]{{{FEWEST_DIGITS},64}}", digest):
        return Malformed(
            command="apply",
            why=f"a plan is named by {FEWEST_DIGITS} to 64 of its digest's hexadecimal digits",
        )
    approval = _approval(form["steps"])
    if approval is None:
        return Malformed(command="apply", why="`--approve` takes step numbers such as `2,4`, or `all`")
    return Apply(digest=digest, approval=approval)


def _approval(steps: str | None) -> Approval | None:
    if steps is None:
        return Approval()
    if steps.lower() == "all":
        return Approval(everything=True)
    if not re.fullmatch(r"[1-9][0-9]{0,3}(?:\s*,\s*[1-9][0-9]{0,3}){0,999}", steps):
        return None
    return Approval(steps=frozenset(int(number) for number in steps.split(",")))


def _explain(words: str) -> Command:
    if not re.fullmatch(r"#?[1-9][0-9]{0,3}", words):
        return Malformed(command="explain", why="`/explain` takes the number of one step")
    return Explain(number=int(words.removeprefix("#")))


def _nearest(word: str) -> str | None:
    import difflib

    # At 0.75 one slip in a four-letter word still counts; /approve, /rebase, /assign are left to other bots.
    # /plans is a slip, and /planning or /plan-b a word of its own.
    as_long = [command for command in COMMANDS if abs(len(command) - len(word)) <= 1]
    close = difflib.get_close_matches(word, as_long, n=1, cutoff=0.75)
    return close[0] if close else None
