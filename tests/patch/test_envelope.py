"""The V4A envelope: what each one means, and which are refused."""

import pytest

from bot.errors import ToolFailed
from bot.patch.envelope import read_envelope
from bot.patch.file_edit import FileEdit
from bot.patch.hunk import Hunk


def wrapped(body: str) -> str:
    return f"*** Begin Patch\n{body}*** End Patch\n"


def hunk(*lines: tuple[str, str], at: int, anchors: tuple[str, ...] = (), at_end: bool = False) -> Hunk:
    return Hunk(lines=lines, said_at=at, anchors=anchors, at_end=at_end)


MEANT = {
    "an update": (
        "*** Update File: a.py\n@@ def f():\n     x = 1\n-    y = 2\n+    y = 3\n",
        [
            FileEdit(
                old="a.py",
                new="a.py",
                hunks=(
                    hunk(
                        (" ", "    x = 1"),
                        ("-", "    y = 2"),
                        ("+", "    y = 3"),
                        at=3,
                        anchors=("def f():",),
                    ),
                ),
            )
        ],
    ),
    "an update without @@": (
        "*** Update File: a.py\n-x\n+y\n",
        [FileEdit(old="a.py", new="a.py", hunks=(hunk(("-", "x"), ("+", "y"), at=3),))],
    ),
    "anchors within anchors": (
        "*** Update File: a.py\n@@ class A:\n@@     def f(self):\n-x\n+y\n",
        [
            FileEdit(
                old="a.py",
                new="a.py",
                hunks=(hunk(("-", "x"), ("+", "y"), at=3, anchors=("class A:", "    def f(self):")),),
            )
        ],
    ),
    "several hunks": (
        "*** Update File: a.py\n@@\n-x\n+y\n@@\n z\n+w\n",
        [
            FileEdit(
                old="a.py",
                new="a.py",
                hunks=(hunk(("-", "x"), ("+", "y"), at=3), hunk((" ", "z"), ("+", "w"), at=6)),
            )
        ],
    ),
    "the end of a file": (
        "*** Update File: a.py\n@@\n x\n+y\n*** End of File\n",
        [FileEdit(old="a.py", new="a.py", hunks=(hunk((" ", "x"), ("+", "y"), at=3, at_end=True),))],
    ),
    "an empty unchanged line without its space": (
        "*** Update File: a.py\n x\n\n-y\n+z\n",
        [
            FileEdit(
                old="a.py", new="a.py", hunks=(hunk((" ", "x"), (" ", ""), ("-", "y"), ("+", "z"), at=3),)
            )
        ],
    ),
    "empty lines between sections": (
        "*** Update File: a.py\n-x\n+y\n\n*** Delete File: b.py\n\n",
        [
            FileEdit(old="a.py", new="a.py", hunks=(hunk(("-", "x"), ("+", "y"), at=3),)),
            FileEdit(old="b.py", new=None, hunks=None),
        ],
    ),
    "a new file": (
        "*** Add File: docs/n.md\n+# N\n+\n+text\n",
        [FileEdit(old=None, new="docs/n.md", hunks=(hunk(("+", "# N"), ("+", ""), ("+", "text"), at=2),))],
    ),
    "a new empty file": ("*** Add File: n\n", [FileEdit(old=None, new="n", hunks=())]),
    "a deletion": ("*** Delete File: o\n", [FileEdit(old="o", new=None, hunks=None)]),
    "a move": (
        "*** Update File: o\n*** Move to: n\n-x\n+y\n",
        [FileEdit(old="o", new="n", hunks=(hunk(("-", "x"), ("+", "y"), at=4),))],
    ),
    "a move alone": ("*** Update File: o\n*** Move to: n\n", [FileEdit(old="o", new="n", hunks=())]),
    "lines that look like sections": (
        "*** Update File: o\n-*** Delete File: x\n+*** Add File: y\n",
        [
            FileEdit(
                old="o", new="o", hunks=(hunk(("-", "*** Delete File: x"), ("+", "*** Add File: y"), at=3),)
            )
        ],
    ),
}


@pytest.mark.parametrize(("body", "expected"), MEANT.values(), ids=MEANT)
def test_an_envelope_means_what_it_says(body: str, expected: list[FileEdit]) -> None:
    assert list(read_envelope(wrapped(body))) == expected


REFUSED = {
    "no end": ("*** Begin Patch\n*** Delete File: x\n", "cut off"),
    "a begin alone": ("*** Begin Patch", "cut off"),
    "no begin": ("*** Delete File: x\n*** End Patch", "does not begin"),
    "nothing in it": (wrapped(""), "empty"),
    "no path": (wrapped("*** Update File: \n-x\n+y\n"), "no Add, Update or Delete"),
    "an operation that is none": (wrapped("*** Rename File: x\n"), "no Add, Update or Delete"),
    "lines before the first file": (wrapped("-x\n+y\n"), "no Add, Update or Delete"),
    "no destination": (wrapped("*** Update File: x\n*** Move to: \n"), "no path to move to"),
    "an update of nothing": (wrapped("*** Update File: x\n"), "changes nothing"),
    "unchanged lines only": (wrapped("*** Update File: x\n@@\n a\n b\n"), "no line to add or remove"),
    "a new file with unchanged lines": (wrapped("*** Add File: x\n+a\n b\n"), r"must begin with \+"),
    "a deletion with lines": (wrapped("*** Delete File: x\n-a\n"), "nothing may follow"),
    "a line without its sign": (wrapped("*** Update File: x\n@@\n-a\nb\n"), "must begin with a space"),
    "an unknown marker": (wrapped("*** Update File: x\n-a\n+b\n*** Whatever\n"), "can't be read"),
    "an envelope within": (
        wrapped("*** Update File: x\n-a\n+b\n*** Begin Patch\n"),
        "no Add, Update or Delete",
    ),
}


@pytest.mark.parametrize(("patch", "reason"), REFUSED.values(), ids=REFUSED)
def test_what_an_envelope_cannot_mean_is_refused(patch: str, reason: str) -> None:
    with pytest.raises(ToolFailed, match=reason):
        read_envelope(patch)
