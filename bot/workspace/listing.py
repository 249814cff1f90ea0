"""The paths of a repository, sorted, and as one text: a word is looked for in all of them at once.

Whatever is asked of a path one by one takes a hundred thousand times as long for a large repository. Most
questions can be put to the few paths that hold a word; who asks here says which word that is.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate
from typing import Final

# A path in which this is found has other spellings than itself with small letters; see `paths.path`.
_ODD: Final = re.compile(r"[^\x20-\x7e]|[:\\~]|[. ](?:/|\Z)|//|\A/")


class Listing(tuple[str, ...]):
    """Sorted by path."""

    def below(self, folder: str) -> Iterator[str]:
        """What is in a folder, however deep."""
        start = f"{folder}/"
        for number in range(bisect_left(self, start), len(self)):
            if not self[number].startswith(start):
                return
            yield self[number]

    def holding(self, words: Iterable[str]) -> Sequence[str]:
        """The plain paths that hold a word, whatever the case of letters, and all that are not plain.

        A plain path is printable ASCII that reads the same everywhere: its folded spelling is itself in small
        letters. `words` are in small letters and hold no line end.
        """
        plain = self._plain
        numbers = {number for word in words for number in plain.holding(word)}
        return sorted([*self._odd, *(plain.paths[number] for number in numbers)])

    @cached_property
    def whole(self) -> "Joined | None":
        """All paths in one text, as they are written; None where one has a line end in it."""
        made = Joined(self, "\n".join(self))
        return made if made.text.count("\n") == len(self) + 1 else None

    @cached_property
    def _plain(self) -> "Joined":
        whole = self.whole
        if whole is not None and not whole.is_odd:
            return Joined(self, whole.text[1:-1].lower())
        paths = [path for path in self if not _ODD.search(path)]
        return Joined(paths, "\n".join(paths).lower())

    @cached_property
    def _odd(self) -> Sequence[str]:
        if len(self._plain.paths) == len(self):
            return ()
        return [path for path in self if _ODD.search(path)]


class Joined:
    """`text` is the paths, with a line end before and after each."""

    def __init__(self, paths: Sequence[str], text: str) -> None:
        self.paths: Final = paths
        self.text: Final = f"\n{text}\n"
        self._starts: Final = list(accumulate((len(path) + 1 for path in paths), initial=1))

    @property
    def is_odd(self) -> bool:
        """Whether there may be a path in it that is not plain."""
        text = self.text
        return not (text.isascii() and text.replace("\n", "").isprintable()) or any(
            sign in text for sign in _ODD_SIGNS
        )

    def holding(self, word: str) -> Iterator[int]:
        """The numbers of the paths that hold it, each once."""
        if not word:
            yield from range(len(self.paths))
            return
        at = self.text.find(word)
        while at >= 0:
            number = self.number_at(at)
            yield number
            at = self.text.find(word, self._starts[number + 1] - 1)

    def number_at(self, offset: int) -> int:
        """Of the path that stands there, or behind the line end there."""
        return max(0, bisect_right(self._starts, offset + (self.text[offset] == "\n")) - 1)


_ODD_SIGNS: Final = (":", "\\", "~", "./", " /", ".\n", " \n", "//", "\n/")
