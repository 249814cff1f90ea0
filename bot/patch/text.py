"""A file's bytes <-> its text, with what an edit must not lose: line ends, byte order mark, last newline."""

from enum import StrEnum
from typing import Final, Self

from bot.dataclass import dataclass
from bot.errors import ToolFailed

_MARK: Final = "\ufeff"


class LineEnds(StrEnum):
    LF = "\n"
    CRLF = "\r\n"
    MIXED = "mixed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """`body` is everything after the byte order mark, with its line ends as they are."""

    body: str
    has_mark: bool = False

    @classmethod
    def of(cls, content: bytes, *, path: str) -> Self:
        """Raises ToolFailed for bytes that aren't UTF-8: what can't be read whole can't be edited whole."""
        try:
            text = content.decode("utf-8")
        except UnicodeDecodeError as error:
            raise ToolFailed(
                f"{path} is not UTF-8 text (byte {error.start + 1} of {len(content)}), so it is not edited"
            ) from None
        return cls(body=text.removeprefix(_MARK), has_mark=text.startswith(_MARK))

    def to_bytes(self) -> bytes:
        """Raises ToolFailed for lone surrogates, which no file can hold."""
        try:
            return ((_MARK if self.has_mark else "") + self.body).encode("utf-8")
        except UnicodeEncodeError:
            raise ToolFailed("the text has lone surrogates, which UTF-8 can't hold") from None

    @property
    def line_ends(self) -> LineEnds:
        """LF for a text of one line: that is what new lines get."""
        crlf = self.body.count("\r\n")
        if crlf == 0:
            return LineEnds.LF
        return LineEnds.CRLF if crlf == self.body.count("\n") else LineEnds.MIXED

    @property
    def lines(self) -> list[str]:
        """Without line feeds, but with carriage returns; nothing after the last line feed is no line."""
        lines = self.body.split("\n")
        return lines if lines[-1] else lines[:-1]

    @property
    def ends_with_newline(self) -> bool:
        return self.body.endswith("\n")

    def fitted(self, words: str) -> str:
        """`words` with CRLF line ends, if this text has no others and `words` has none of its own."""
        if self.line_ends is LineEnds.CRLF and "\r" not in words:
            return words.replace("\n", "\r\n")
        return words

    @property
    def peculiarities(self) -> tuple[str, ...]:
        """What its words alone don't show, for somebody about to edit it."""
        said: list[str] = []
        if self.line_ends is LineEnds.CRLF:
            said.append("CRLF line ends, which edits keep")
        elif self.line_ends is LineEnds.MIXED:
            said.append("mixed line ends")
        if self.has_mark:
            said.append("a byte order mark, which edits keep")
        if self.body and not self.ends_with_newline:
            said.append("no newline at the end")
        return tuple(said)
