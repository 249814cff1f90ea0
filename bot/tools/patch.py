"""The tool that applies a patch: all of it or nothing."""

from collections.abc import Iterator
from dataclasses import field
from typing import TYPE_CHECKING, Final

from pydantic import Field

from bot.action import Kind
from bot.dataclass import dataclass
from bot.errors import ToolFailed
from bot.gate.facts import How, Touch
from bot.patch.text import Text
from bot.tools.reach import content_at, reached, shown
from bot.tools.tool import Arguments, Stage, Tool
from bot.workspace import Mode, mode_at

if TYPE_CHECKING:
    from bot.patch.file_edit import FileEdit

_MOST_CHARACTERS: Final = 1_000_000
# Each is looked for in the whole file
_MOST_HUNKS: Final = 500


class ApplyPatch(Arguments):
    patch: str = Field(
        min_length=1,
        max_length=_MOST_CHARACTERS,
        description="A unified diff (git's or plain) or an envelope, `*** Begin Patch` to `*** End Patch`.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _File:
    content: bytes
    is_executable: bool


@dataclass(slots=True, kw_only=True)
class _Draft:
    """The files as they will be, None for a deleted one. Nothing is written before all is worked out."""

    stage: Stage
    files: dict[str, _File | None] = field(default_factory=dict)

    def file(self, path: str) -> _File:
        if path in self.files:
            file = self.files[path]
            if file is None:
                raise ToolFailed(f"{shown(path)} is moved or deleted earlier in the patch")
            return file
        content = content_at(self.stage, path)
        is_executable = mode_at(self.stage.workspace, path) is Mode.EXECUTABLE
        return _File(content=content, is_executable=is_executable)

    def add(self, edit: "FileEdit") -> str:
        """Take in what the patch does to one file; the answer says it in words."""
        old = reached(edit.old) if edit.old is not None else None
        new = reached(edit.new) if edit.new is not None else None
        before = _File(content=b"", is_executable=False) if old is None else self.file(old)
        if new is not None and new != old and self.is_taken(new):
            raise ToolFailed(f"{shown(new)} is already there; a patch can't make it anew")
        if new is None:
            return self.removed(old or "", before, edit)
        content = before.content
        if edit.hunks:
            from bot.patch.hunk import patched

            content = patched(Text.of(content, path=new), edit.hunks, path=shown(old or new)).to_bytes()
        is_executable = before.is_executable if edit.executable is None else edit.executable
        after = _File(content=content, is_executable=is_executable)
        if old == new and after == before:
            raise ToolFailed(f"the patch changes nothing in {shown(new)}")
        if old is not None and old != new:
            self.files[old] = None
        self.files[new] = after
        if old is None:
            return f"made {shown(new)}"
        return f"changed {shown(new)}" if old == new else f"moved {shown(old)} to {shown(new)}"

    def removed(self, path: str, before: _File, edit: "FileEdit") -> str:
        if edit.hunks is not None:
            from bot.patch.hunk import patched

            left = patched(Text.of(before.content, path=path), edit.hunks, path=shown(path)).to_bytes()
            if left:
                raise ToolFailed(f"the patch deletes {shown(path)}, but its hunks leave {len(left)} bytes")
        self.files[path] = None
        return f"deleted {shown(path)}"

    def is_taken(self, path: str) -> bool:
        if path in self.files:
            return self.files[path] is not None
        return mode_at(self.stage.workspace, path) is not None

    def write(self) -> None:
        """Deletions first, since a new folder may need the place of a deleted file; undone if one fails."""
        undone: list[tuple[str, _File | None]] = []
        try:
            for path, file in sorted(self.files.items(), key=lambda item: item[1] is not None):
                before = _now(self.stage, path)
                if before != file:
                    _set(self.stage, path, file)
                    undone.append((path, before))
        except ToolFailed:
            for path, before in reversed(undone):
                _set(self.stage, path, before)
            raise


def _now(stage: Stage, path: str) -> _File | None:
    mode = mode_at(stage.workspace, path)
    if mode not in {Mode.FILE, Mode.EXECUTABLE}:
        return None
    return _File(content=stage.workspace.read(path), is_executable=mode is Mode.EXECUTABLE)


def _set(stage: Stage, path: str, file: _File | None) -> None:
    if file is None:
        stage.workspace.delete(path)
    else:
        stage.workspace.write(path, file.content, executable=file.is_executable)


def _read(patch: str) -> "tuple[FileEdit, ...]":
    # Most runs see no patch.
    from bot.patch.envelope import BEGIN, read_envelope
    from bot.patch.unified_diff import read_unified

    edits = read_envelope(patch) if patch.lstrip().startswith(BEGIN) else read_unified(patch)
    count = sum(len(edit.hunks or ()) for edit in edits)
    if count > _MOST_HUNKS:
        raise ToolFailed(f"the patch has {count} hunks; the most is {_MOST_HUNKS}: apply it in parts")
    return edits


def _apply(arguments: ApplyPatch, stage: Stage) -> str:
    draft = _Draft(stage=stage)
    said = [draft.add(edit) for edit in _read(arguments.patch)]
    draft.write()
    return "\n".join(said)


def _touches(arguments: ApplyPatch) -> tuple[Touch, ...]:
    try:
        edits = _read(arguments.patch)
    except ToolFailed:
        # What can't be read is refused before any file is looked at
        return ()
    return tuple(touch for edit in edits for touch in _touched(edit))


def _touched(edit: "FileEdit") -> Iterator[Touch]:
    if edit.old is not None and edit.old != edit.new:
        yield Touch(path=edit.old, how=How.DELETE)
    if edit.new is not None:
        yield Touch(path=edit.new, how=How.WRITE)


APPLY_PATCH: Final = Tool(
    name="apply_patch",
    kind=Kind.WRITE,
    description=(
        "Apply a patch to text files: all of it or nothing. Every hunk must fit in exactly one place: give a "
        "few unchanged lines around each change. New, deleted and moved files are possible."
    ),
    arguments=ApplyPatch,
    execute=_apply,
    simulate=_apply,
    touches=_touches,
)
