"""The paths of a repository, sorted, and as one text: a word is looked for in all of them at once.

Whatever is asked of a path one by one takes a hundred thousand times as long for a large repository. Most
questions can be put to the few paths that hold a word; who asks here says which word that is.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final

# A path in which this is found has other spellings than itself with small letters; see `paths.path`.
_ODD: Final = re.compile(r"[^\x20-\x7e]|[:\\~]|[. ](?:/|\Z)|//|\A/")


class Listing(tuple[str, ...]):
    """Sorted by path."""

    def below(self, folder: str) -> Sequence[str]:
        """What is in a folder, however deep."""
        return self[bisect_left(self, f"{folder}/") : bisect_left(self, _behind(folder))]

    def rows(self, folder: str, depth: int | None) -> Mapping[str, int]:
        """What is so many levels below a folder, "" being the root: files, and folders with a slash behind.

        Each with the number of files that it stands for. A folder is passed over without looking into it.
        """
        rows: dict[str, int] = {}
        at, end, start = 0, len(self), 0
        if folder:
            at, end = bisect_left(self, f"{folder}/"), bisect_left(self, _behind(folder))
            start = len(folder) + 1
        if depth is None:
            return dict.fromkeys(self[at:end], 1)
        while at < end:
            path = self[at]
            names = path[start:].split("/", depth)
            if len(names) <= depth:
                rows[path] = 1
                at += 1
            else:
                inner = path[: -len(names[depth]) - 1]
                behind = bisect_left(self, _behind(inner), at, end)
                rows[f"{inner}/"] = behind - at
                at = behind
        return rows

    def holding(self, words: Iterable[str]) -> Sequence[str]:
        """The plain paths that hold a word, whatever the case of letters, and all that are not plain.

        A plain path is printable ASCII that reads the same everywhere: its folded spelling is itself in small
        letters. `words` are in small letters and hold no line end.
        """
        plain = self._plain
        return sorted({*self._odd, *(path for word in words for path in plain.holding(word))})

    @cached_property
    def whole(self) -> "Joined | None":
        """All paths in one text, as they are written; None where one has a line end in it."""
        text = _joined(self)
        return Joined(text) if text.count("\n") == len(self) + 1 else None

    @cached_property
    def _plain(self) -> "Joined":
        whole = self.whole
        if whole is not None and not whole.is_odd:
            text = whole.text
        else:
            text = _joined([path for path in self if not _ODD.search(path)])
        return Joined(text, looked_for_in=text.lower())

    @cached_property
    def _odd(self) -> Sequence[str]:
        if self._plain.text.count("\n") == len(self) + 1:
            return ()
        return [path for path in self if _ODD.search(path)]


class Joined:
    """`text` is the paths, with a line end before and after each.

    Words are looked for in `looked_for_in`, by default the same, which may differ by the case of its letters.
    """

    def __init__(self, text: str, *, looked_for_in: str | None = None) -> None:
        self.text: Final = text
        self._searched: Final = text if looked_for_in is None else looked_for_in

    @property
    def is_odd(self) -> bool:
        """Whether there may be a path in it that is not plain."""
        text = self.text
        if not text.isascii() or text.encode().translate(None, _PLAIN_LETTERS):
            return True
        # Few have a space at all, and that is seen much more quickly.
        return any(sign[0] in text and sign in text for sign in _ODD_SIGNS)

    def below(self, folder: str) -> slice:
        """Where the paths in a folder stand, if all of them stand here in order; "" is the root."""
        if not folder:
            return slice(1, len(self.text))
        return slice(self._first_from(f"{folder}/"), self._first_from(_behind(folder)))

    def _first_from(self, bound: str) -> int:
        """Where the first path begins that does not sort before `bound`; the text's end if none does."""
        text, low, high = self.text, 1, len(self.text)
        while low < high:
            start = text.rfind("\n", 0, (low + high) // 2) + 1
            end = text.find("\n", start)
            if text[start:end] < bound:
                low = end + 1
            else:
                high = start
        return low

    def holding(self, word: str, *, among: slice = slice(1, None)) -> Iterator[str]:
        """The paths that hold it, each once; it may end in the line end that is behind a path."""
        text, searched, behind = self.text, self._searched, among.stop
        if not word:
            yield from text[among].split("\n")[:-1]
            return
        at = searched.find(word, among.start, behind)
        while at >= 0:
            end = text.find("\n", at)
            yield text[text.rfind("\n", 0, at) + 1 : end]
            at = searched.find(word, end, behind)

    def is_ending_of_folders(self, ending: str) -> bool:
        """Whether a folder's name ends so; `ending` begins with a dot."""
        return f"{ending}/" in self._dotted_folders

    @cached_property
    def _dotted_folders(self) -> str:
        """From the first dot on, what the names of folders end in."""
        return "".join(dict.fromkeys(_DOTTED_FOLDER.findall(self.text)))

    def number_of(self, word: str) -> int:
        """How often it is there, more or less: to tell that from a part takes next to no time."""
        sample = self._sample
        return sample.count(word) * len(self.text) // len(sample)

    @cached_property
    def _sample(self) -> str:
        text = self._searched
        if len(text) <= _PARTS * _PART:
            return text
        return "".join(text[at : at + _PART] for at in range(0, len(text), len(text) // _PARTS))


def _behind(folder: str) -> str:
    """What sorts first after all that begins with the folder and a slash."""
    return folder + chr(ord("/") + 1)


def _joined(paths: Sequence[str]) -> str:
    return "\n".join(["", *paths, ""]) if paths else "\n"


_DOTTED_FOLDER: Final = re.compile(r"\.[^/\n]*/")
_PLAIN_LETTERS: Final = bytes({ord("\n"), *range(0x20, 0x7F)} - {*b":\\~"})
_ODD_SIGNS: Final = (" /", " \n", "./", ".\n", "//", "\n/")
# As many parts of a text, of as many letters, as tell what is rare in it.
_PARTS: Final = 16
_PART: Final = 4096
