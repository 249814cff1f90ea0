"""apply_patch: exact bytes for both formats, on a rehearsal and on real files alike; all of it or nothing."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from real_git import Executable, Files, Link, committed

from bot.errors import ToolFailed
from bot.gate.facts import How, Touch
from bot.outside.checkout import CommitTree, materialise
from bot.outside.search import Ripgrep
from bot.tools.patch import APPLY_PATCH, ApplyPatch
from bot.tools.tool import Stage
from bot.workspace import Mode, Workspace
from bot.workspace.disk import Disk
from bot.workspace.overlay import Overlay

CODE = b"""\
class A:
    def f(self):
        return 1


class B:
    def f(self):
        return 1
"""
FILES: Files = {
    "a.txt": b"one\ntwo\nthree\nfour\nfive\n",
    "bare.txt": b"one\ntwo",
    "crlf.txt": b"one\r\ntwo\r\nthree\r\n",
    "mark.txt": b"\xef\xbb\xbfone\ntwo\n",
    "twice.txt": b"x\nsame\ny\nsame\nz\n",
    "empty.txt": b"",
    "latin.txt": b"caf\xe9\n",
    "binary.bin": b"\0\1\2\n",
    "run.sh": Executable(b"#!/bin/sh\necho one\n"),
    "link": Link("a.txt"),
    "lib/code.py": CODE,
    ".env": b"SECRET=1\n",
}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CommitTree]:
    folder = tmp_path_factory.mktemp("repository")
    with CommitTree(committed(folder, FILES), folder=folder, remote=None) as made:
        yield made


@pytest.fixture(params=["rehearsed", "performed"])
def stage(request: pytest.FixtureRequest, tree: CommitTree, tmp_path: Path) -> Stage:
    workspace: Workspace = Overlay(tree, Ripgrep())
    if request.param == "performed":
        materialise(tree, tmp_path / "disk")
        workspace = Disk(tmp_path / "disk", tree, Ripgrep())
    return Stage(workspace=workspace, is_hidden=lambda path: path == ".env")


def applied(stage: Stage, patch: str) -> str:
    work = APPLY_PATCH.execute if isinstance(stage.workspace, Disk) else APPLY_PATCH.simulate
    assert work is not None
    return work(ApplyPatch(patch=patch), stage)


def state(workspace: Workspace) -> dict[str, tuple[Mode, bytes]]:
    found = {}
    for path in workspace.paths():
        entry = workspace.entry(path)
        assert entry is not None
        found[path] = (entry.mode, b"" if entry.mode is Mode.LINK else workspace.read(path))
    return found


def unified(path: str, body: str) -> str:
    return f"--- a/{path}\n+++ b/{path}\n{body}"


def envelope(body: str) -> str:
    return f"*** Begin Patch\n{body}*** End Patch"


# The patch, and what then is otherwise: a path with its new bytes (None: gone) and, if it matters, its mode.
UNIFIED = {
    "one hunk": (
        unified("a.txt", "@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n"),
        {"a.txt": b"one\n2\nthree\nfour\nfive\n"},
    ),
    "two hunks": (
        unified("a.txt", "@@ -1,2 +1,2 @@\n-one\n+1\n two\n@@ -4,2 +4,3 @@\n four\n-five\n+5\n+6\n"),
        {"a.txt": b"1\ntwo\nthree\nfour\n5\n6\n"},
    ),
    "wrong counts": (
        unified("a.txt", "@@ -1,9 +1,1 @@\n one\n-two\n+2\n three\n"),
        {"a.txt": b"one\n2\nthree\nfour\nfive\n"},
    ),
    "another line than it says": (
        unified("a.txt", "@@ -40,2 +40,2 @@\n-four\n+4\n five\n"),
        {"a.txt": b"one\ntwo\nthree\n4\nfive\n"},
    ),
    "CRLF kept": (
        unified("crlf.txt", "@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n"),
        {"crlf.txt": b"one\r\n2\r\nthree\r\n"},
    ),
    "CRLF said": (unified("crlf.txt", "@@ -2 +2 @@\n-two\r\n+2\r\n"), {"crlf.txt": b"one\r\n2\r\nthree\r\n"}),
    "CRLF taken away": (
        unified("crlf.txt", "@@ -2 +2 @@\n-two\r\n+two\n"),
        {"crlf.txt": b"one\r\ntwo\nthree\r\n"},
    ),
    "the mark kept": (
        unified("mark.txt", "@@ -1,2 +1,2 @@\n-one\n+1\n two\n"),
        {"mark.txt": b"\xef\xbb\xbf1\ntwo\n"},
    ),
    "no newline kept": (
        unified(
            "bare.txt",
            "@@ -1,2 +1,2 @@\n one\n-two\n\\ No newline at end of file\n+2\n\\ No newline at end of file\n",
        ),
        {"bare.txt": b"one\n2"},
    ),
    "no newline kept without a word": (
        unified("bare.txt", "@@ -1,2 +1,2 @@\n one\n-two\n+2\n"),
        {"bare.txt": b"one\n2"},
    ),
    "the newline added": (
        unified("bare.txt", "@@ -1,2 +1,2 @@\n one\n-two\n\\ No newline at end of file\n+two\n"),
        {"bare.txt": b"one\ntwo\n"},
    ),
    "the newline taken": (
        unified("a.txt", "@@ -4,2 +4,2 @@\n four\n-five\n+five\n\\ No newline at end of file\n"),
        {"a.txt": b"one\ntwo\nthree\nfour\nfive"},
    ),
    "the executable bit kept": (
        unified("run.sh", "@@ -1,2 +1,2 @@\n #!/bin/sh\n-echo one\n+echo two\n"),
        {"run.sh": (Mode.EXECUTABLE, b"#!/bin/sh\necho two\n")},
    ),
    "the executable bit set": (
        "diff --git a/a.txt b/a.txt\nold mode 100644\nnew mode 100755\n",
        {"a.txt": (Mode.EXECUTABLE, b"one\ntwo\nthree\nfour\nfive\n")},
    ),
    "the executable bit taken, and a change": (
        "diff --git a/run.sh b/run.sh\nold mode 100755\nnew mode 100644\n"
        + unified("run.sh", "@@ -2 +2 @@\n-echo one\n+echo two\n"),
        {"run.sh": (Mode.FILE, b"#!/bin/sh\necho two\n")},
    ),
    "a new file": ("--- /dev/null\n+++ b/new/n.txt\n@@ -0,0 +1,2 @@\n+a\n+b\n", {"new/n.txt": b"a\nb\n"}),
    "a new file without newline": (
        "--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+a\n\\ No newline at end of file\n",
        {"n": b"a"},
    ),
    "a new executable file": (
        "diff --git a/n b/n\nnew file mode 100755\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+#!\n",
        {"n": (Mode.EXECUTABLE, b"#!\n")},
    ),
    "a new empty file": ("diff --git a/n b/n\nnew file mode 100644\nindex 0000000..e69de29\n", {"n": b""}),
    "into an empty file": (unified("empty.txt", "@@ -0,0 +1 @@\n+a\n"), {"empty.txt": b"a\n"}),
    "a deleted file": (
        "--- a/bare.txt\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-one\n-two\n\\ No newline at end of file\n",
        {"bare.txt": None},
    ),
    "a deleted empty file": (
        "diff --git a/empty.txt b/empty.txt\ndeleted file mode 100644\nindex e69de29..0000000\n",
        {"empty.txt": None},
    ),
    "a renamed file": (
        "diff --git a/run.sh b/bin/go\nsimilarity index 100%\nrename from run.sh\nrename to bin/go\n",
        {"run.sh": None, "bin/go": (Mode.EXECUTABLE, b"#!/bin/sh\necho one\n")},
    ),
    "a renamed binary file": (
        "diff --git a/binary.bin b/b\nsimilarity index 100%\nrename from binary.bin\nrename to b\n",
        {"binary.bin": None, "b": b"\0\1\2\n"},
    ),
    "a renamed and changed file": (
        (
            "diff --git a/a.txt b/b.txt\nrename from a.txt\nrename to b.txt\n"
            "--- a/a.txt\n+++ b/b.txt\n@@ -1,2 +1,2 @@\n-one\n+1\n two\n"
        ),
        {"a.txt": None, "b.txt": b"1\ntwo\nthree\nfour\nfive\n"},
    ),
    "a folder in the place of a file": (
        (
            "--- a/bare.txt\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-one\n-two\n"
            "--- /dev/null\n+++ b/bare.txt/n\n@@ -0,0 +1 @@\n+a\n"
        ),
        {"bare.txt": None, "bare.txt/n": b"a\n"},
    ),
    "several files, one of them twice": (
        unified("a.txt", "@@ -1 +1 @@\n-one\n+1\n")
        + unified("crlf.txt", "@@ -1 +1 @@\n-one\n+1\n")
        + unified("a.txt", "@@ -1 +1 @@\n-1\n+I\n"),
        {"a.txt": b"I\ntwo\nthree\nfour\nfive\n", "crlf.txt": b"1\r\ntwo\r\nthree\r\n"},
    ),
}
ENVELOPES = {
    "one hunk": (
        envelope("*** Update File: a.txt\n@@\n one\n-two\n+2\n"),
        {"a.txt": b"one\n2\nthree\nfour\nfive\n"},
    ),
    "without @@": (envelope("*** Update File: a.txt\n-two\n+2\n"), {"a.txt": b"one\n2\nthree\nfour\nfive\n"}),
    "two hunks": (
        envelope("*** Update File: a.txt\n@@\n-one\n+1\n@@\n-five\n+5\n"),
        {"a.txt": b"1\ntwo\nthree\nfour\n5\n"},
    ),
    "below an anchor": (
        envelope(
            "*** Update File: lib/code.py\n@@ class B:\n"
            "     def f(self):\n-        return 1\n+        return 2\n"
        ),
        {"lib/code.py": CODE[:-17] + b"        return 2\n"},
    ),
    "below an anchor within an anchor": (
        envelope(
            "*** Update File: lib/code.py\n@@ class A:\n@@     def f(self):\n"
            "-        return 1\n+        return 2\n"
        ),
        {"lib/code.py": CODE.replace(b"return 1", b"return 2", 1)},
    ),
    "a line more below an anchor": (
        envelope("*** Update File: lib/code.py\n@@ class B:\n+    x = 1\n"),
        {"lib/code.py": CODE.replace(b"class B:\n", b"class B:\n    x = 1\n")},
    ),
    "the end of the file": (
        envelope("*** Update File: a.txt\n@@\n five\n+six\n*** End of File\n"),
        {"a.txt": b"one\ntwo\nthree\nfour\nfive\nsix\n"},
    ),
    "lines at the end": (
        envelope("*** Update File: a.txt\n@@\n+six\n*** End of File\n"),
        {"a.txt": b"one\ntwo\nthree\nfour\nfive\nsix\n"},
    ),
    "the last of two": (
        envelope("*** Update File: twice.txt\n@@\n-same\n+other\n z\n*** End of File\n"),
        {"twice.txt": b"x\nsame\ny\nother\nz\n"},
    ),
    "CRLF kept": (
        envelope("*** Update File: crlf.txt\n one\n-two\n+2\n+3\n"),
        {"crlf.txt": b"one\r\n2\r\n3\r\nthree\r\n"},
    ),
    "an envelope with CRLF itself": (
        envelope("*** Update File: a.txt\n@@\n one\n-two\n+2\n").replace("\n", "\r\n"),
        {"a.txt": b"one\n2\nthree\nfour\nfive\n"},
    ),
    "the mark kept": (
        envelope("*** Update File: mark.txt\n-one\n+1\n two\n"),
        {"mark.txt": b"\xef\xbb\xbf1\ntwo\n"},
    ),
    "no newline kept": (envelope("*** Update File: bare.txt\n-two\n+2\n"), {"bare.txt": b"one\n2"}),
    "a line more after no newline": (
        envelope("*** Update File: bare.txt\n two\n+3\n"),
        {"bare.txt": b"one\ntwo\n3"},
    ),
    "the executable bit kept": (
        envelope("*** Update File: run.sh\n-echo one\n+echo two\n"),
        {"run.sh": (Mode.EXECUTABLE, b"#!/bin/sh\necho two\n")},
    ),
    "a new file": (envelope("*** Add File: new/n.txt\n+a\n+\n+b\n"), {"new/n.txt": b"a\n\nb\n"}),
    "a new empty file": (envelope("*** Add File: n\n"), {"n": b""}),
    "a deletion": (envelope("*** Delete File: latin.txt\n"), {"latin.txt": None}),
    "a move": (
        envelope("*** Update File: run.sh\n*** Move to: bin/go\n"),
        {"run.sh": None, "bin/go": (Mode.EXECUTABLE, b"#!/bin/sh\necho one\n")},
    ),
    "a move with a change": (
        envelope("*** Update File: a.txt\n*** Move to: b.txt\n@@\n-one\n+1\n"),
        {"a.txt": None, "b.txt": b"1\ntwo\nthree\nfour\nfive\n"},
    ),
    "several files": (
        envelope(
            "*** Delete File: a.txt\n*** Add File: a.txt/n\n+x\n\n*** Update File: crlf.txt\n-one\n+1\n"
        ),
        {"a.txt": None, "a.txt/n": b"x\n", "crlf.txt": b"1\r\ntwo\r\nthree\r\n"},
    ),
    "an empty line without its space": (
        envelope("*** Update File: lib/code.py\n         return 1\n\n\n-class B:\n+class C:\n"),
        {"lib/code.py": CODE.replace(b"class B", b"class C")},
    ),
}
APPLIED = {f"unified: {name}": case for name, case in UNIFIED.items()} | {
    f"envelope: {name}": case for name, case in ENVELOPES.items()
}


def test_there_are_as_many_cases_as_were_promised() -> None:
    assert len(UNIFIED) >= 17
    assert len(ENVELOPES) >= 20


@pytest.mark.parametrize(("patch", "expected"), APPLIED.values(), ids=APPLIED)
def test_a_patch_comes_out_byte_for_byte(stage: Stage, patch: str, expected: dict[str, object]) -> None:
    before = state(stage.workspace)
    applied(stage, patch)
    after = dict(before)
    for path, file in expected.items():
        after.pop(path, None)
        if isinstance(file, bytes):
            after[path] = (Mode.FILE, file)
        elif isinstance(file, tuple):
            after[path] = file
    assert state(stage.workspace) == dict(sorted(after.items()))


REFUSED = {
    "a stale diff": (
        unified("a.txt", "@@ -1,2 +1,2 @@\n one\n-zwei\n+2\n"),
        "'zwei' is not a line of the file",
    ),
    "two places": (unified("twice.txt", "@@ -9 +9 @@\n-same\n+other\n"), "fits at lines 2, 4"),
    "two places in an envelope": (
        envelope("*** Update File: twice.txt\n-same\n+other\n"),
        "fits at lines 2, 4",
    ),
    "no such anchor": (
        envelope("*** Update File: lib/code.py\n@@ class Z:\n-        return 1\n+x\n"),
        "no line there is 'class Z:'",
    ),
    "a missing file": (unified("no.txt", "@@ -1 +1 @@\n-a\n+b\n"), "there is no file no.txt"),
    "a missing file to delete": (envelope("*** Delete File: no.txt\n"), "there is no file no.txt"),
    "a new file that is there": ("--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1 @@\n+a\n", "a.txt is already there"),
    "a new file over a link": (envelope("*** Add File: link\n+a\n"), "link is already there"),
    "a move onto a file": (
        envelope("*** Update File: a.txt\n*** Move to: run.sh\n"),
        "run.sh is already there",
    ),
    "a deletion that leaves something": (
        "--- a/a.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n",
        "leave 20 bytes",
    ),
    "a deletion without a look": ("diff --git a/a.txt b/a.txt\ndeleted file mode 100644\n", "leave 24 bytes"),
    "a link": (unified("link", "@@ -1 +1 @@\n-a.txt\n+.env\n"), "link is a symbolic link"),
    "below a link": (envelope("*** Add File: link/x\n+a\n"), "link is a symbolic link, not a folder"),
    "below a file": (envelope("*** Add File: a.txt/x\n+a\n"), "a.txt is a file, not a folder"),
    "in the place of a folder": (envelope("*** Add File: lib\n+a\n"), "lib is a folder"),
    "text that is not UTF-8": (unified("latin.txt", "@@ -1 +1 @@\n-caf\n+cafe\n"), "not UTF-8"),
    "a secret": (unified(".env", "@@ -1 +1 @@\n-A\n+B\n"), ".env is secret"),
    "a secret, moved into the open": (
        envelope("*** Update File: .env\n*** Move to: env.txt\n"),
        ".env is secret",
    ),
    "outside": (envelope("*** Add File: ../x\n+a\n"), "leads outside"),
    "an absolute path": (envelope("*** Add File: /etc/x\n+a\n"), "is absolute"),
    "git's own folder": (envelope("*** Add File: .git/hooks/pre-commit\n+a\n"), "belongs to git"),
    "a file that was deleted above": (
        envelope("*** Delete File: a.txt\n*** Update File: a.txt\n-one\n+1\n"),
        "moved or deleted earlier",
    ),
    "very many hunks": (
        unified("a.txt", "@@ -1 +1 @@\n-one\n+1\n" * 501),
        "has 501 hunks",
    ),
    "nothing new": (
        "diff --git a/run.sh b/run.sh\nold mode 100755\nnew mode 100755\n",
        "changes nothing in run.sh",
    ),
    "a good file and a bad one": (
        unified("a.txt", "@@ -1 +1 @@\n-one\n+1\n") + unified("crlf.txt", "@@ -1 +1 @@\n-eins\n+1\n"),
        "'eins' is not a line",
    ),
    "good files and one that cannot be written": (
        envelope("*** Delete File: a.txt\n*** Add File: n\n+x\n*** Add File: run.sh/x\n+x\n"),
        "run.sh is a file, not a folder",
    ),
}


@pytest.mark.parametrize(("patch", "reason"), REFUSED.values(), ids=REFUSED)
def test_a_patch_that_cannot_be_applied_whole_changes_nothing(stage: Stage, patch: str, reason: str) -> None:
    before = state(stage.workspace)
    with pytest.raises(ToolFailed, match=reason):
        applied(stage, patch)
    assert state(stage.workspace) == before


TOUCHES = {
    "a change": (UNIFIED["one hunk"][0], (Touch(path="a.txt", how=How.WRITE),)),
    "a rename": (
        UNIFIED["a renamed file"][0],
        (Touch(path="run.sh", how=How.DELETE), Touch(path="bin/go", how=How.WRITE)),
    ),
    "a deletion": (ENVELOPES["a deletion"][0], (Touch(path="latin.txt", how=How.DELETE),)),
    "paths as they are written": (
        envelope("*** Add File: ./docs/../.github/workflows/x.yml\n+a\n"),
        (Touch(path="./docs/../.github/workflows/x.yml", how=How.WRITE),),
    ),
    "what can't be read": ("no patch", ()),
}


@pytest.mark.parametrize(("patch", "touches"), TOUCHES.values(), ids=TOUCHES)
def test_every_path_is_known_before_anything_happens(patch: str, touches: tuple[Touch, ...]) -> None:
    assert APPLY_PATCH.touches(ApplyPatch(patch=patch)) == touches
