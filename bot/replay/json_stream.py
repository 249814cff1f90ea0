"""A file of JSON values -> one after the other, each with its line. Memory grows with the largest value only.

One value, one value a line, or a list of values: those are the forms in which others keep their runs.
"""

import codecs
import json
from collections.abc import Iterator
from typing import Any, BinaryIO, Final, NoReturn

from bot.errors import BadTranscript
from bot.sentence import Sentence

_PIECE: Final = 1 << 20
_MOST_CHARACTERS: Final = 64 << 20
_SPACE: Final = " \t\r\n"


class JsonStream:
    """`values` are those of the list, where the file is one; `is_list` says so once the first one is read."""

    def __init__(self, stream: BinaryIO, *, file: str) -> None:
        self.file: Final = file
        self.is_list = False
        self._stream: Final = stream
        self._decode: Final = codecs.getincrementaldecoder("utf-8-sig")()
        self._text = ""
        self._at = 0
        self._line = 1
        self._is_over = False

    def values(self) -> Iterator[tuple[int, Any]]:
        """(Line on which it begins, value). Raises BadTranscript with the line of what is no JSON."""
        self.is_list = self._next() == "["
        if self.is_list:
            self._move(self._at + 1)
            yield from self._items()
        else:
            while self._next():
                yield self._value()

    def refuse(self, line: int, why: str) -> NoReturn:
        raise BadTranscript(
            "%(file)s line %(line)s: %(why)s",
            file=self.file,
            line=line,
            why=why,
            next_step="leave the file out; docs/replay.md names the shapes that can be read",
        )

    def _items(self) -> Iterator[tuple[int, Any]]:
        if self._next() == "]":
            self._move(self._at + 1)
            return self._check_over()
        while True:
            yield self._value()
            follows = self._next()
            if follows not in {",", "]"}:
                self.refuse(
                    self._line, Sentence("the list breaks off" if not follows else "a comma is missing")
                )
            self._move(self._at + 1)
            if follows == "]":
                return self._check_over()

    def _check_over(self) -> None:
        if self._next():
            self.refuse(self._line, Sentence("something follows the end of the list"))

    def _value(self) -> tuple[int, Any]:
        self._next()
        line = self._line
        while True:
            try:
                value, end = _DECODER.raw_decode(self._text, self._at)
            except json.JSONDecodeError as error:
                where = self._line + self._text.count("\n", self._at, error.pos)
                if not (self._may_be_cut(error) and self._more()):
                    self.refuse(where, Sentence("no JSON: %(msg)s", msg=error.msg))
                continue
            except RecursionError:
                self.refuse(line, Sentence("no JSON that can be read: it is nested too deeply"))
            except ValueError as error:
                self.refuse(line, Sentence("no JSON: %(error)s", error=error))
            # A number at the end of a piece may go on in the next one.
            if end == len(self._text) and not isinstance(value, dict | list) and self._more():
                continue
            self._move(end)
            return line, value

    def _may_be_cut(self, error: json.JSONDecodeError) -> bool:
        return error.msg.startswith("Unterminated string") or error.pos >= len(self._text) - 8

    def _next(self) -> str:
        """The next character that is no white space, "" at the end."""
        while True:
            end = self._at
            while end < len(self._text) and self._text[end] in _SPACE:
                end += 1
            self._move(end)
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more():
                return ""

    def _move(self, to: int) -> None:
        self._line += self._text.count("\n", self._at, to)
        self._at = to

    def _more(self) -> bool:
        """Whether there is more text now. A long value is read in ever longer pieces."""
        if self._is_over:
            return False
        left = self._text[self._at :]
        if len(left) > _MOST_CHARACTERS:
            self.refuse(
                self._line,
                Sentence(
                    "a value of more than %(most)s characters",
                    most=f"{_MOST_CHARACTERS:,}",
                ),
            )
        piece = self._stream.read(max(_PIECE, len(left)))
        self._is_over = not piece
        try:
            self._text = left + self._decode.decode(piece, final=self._is_over)
        except UnicodeDecodeError:
            self.refuse(self._line, Sentence("from here on, somewhere, it is not UTF-8"))
        self._at = 0
        return not self._is_over


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is not a JSON value")


_DECODER: Final = json.JSONDecoder(parse_constant=_no_constant)
