"""The tools that read, write, edit and delete one file."""

from typing import Final

from pydantic import Field

from bot.action import Kind
from bot.errors import ToolFailed
from bot.gate.facts import How, Touch
from bot.patch.text import Text
from bot.tools.reach import content_at, reached, shown, text_at
from bot.tools.tool import Arguments, Stage, Tool
from bot.workspace import check_file, check_writable, mode_at

_MOST_CHARACTERS: Final = 40_000


class ReadFile(Arguments):
    path: str = Field(description="Path from the repository's root, such as docs/index.md.")
    start_line: int = Field(default=1, ge=1, description="First line to show, counted from 1.")
    end_line: int | None = Field(default=None, ge=1, description="Last line to show; the end if left out.")
    start_column: int = Field(
        default=1, ge=1, description="First character of the first line, for lines that are very long."
    )


def _read(arguments: ReadFile, stage: Stage) -> str:
    path = reached(arguments.path)
    content = content_at(stage, path)
    if b"\0" in content:
        raise ToolFailed(f"{shown(path)} is a binary file of {len(content)} bytes; it can't be shown as text")
    said: tuple[str, ...]
    try:
        text = Text.of(content, path=path)
        said = text.peculiarities
    except ToolFailed:
        text = Text(body=content.decode("utf-8", "backslashreplace"))
        said = (*text.peculiarities, r"bytes that are not UTF-8, shown as \xNN; it can't be edited")
    total = len(text.lines)
    last = min(arguments.end_line or total, total)
    if total == 0:
        return f"[{shown(path)} is empty]"
    if arguments.start_line > last:
        raise ToolFailed(f"{shown(path)} has {total} lines; start_line {arguments.start_line} is beyond them")
    head = f"[{shown(path)}: lines {arguments.start_line} to {last} of {total}{_listed(said)}]\n"
    return head + _page(text, arguments.start_line, arguments.start_column, last)


def _listed(said: tuple[str, ...]) -> str:
    return f"; it has {', '.join(said)}" if said else ""


def _page(text: Text, line: int, column: int, last: int) -> str:
    body = "\n".join(text.lines[line - 1 : last])[column - 1 :]
    if text.fitted("\n") != "\n":
        body = body.replace("\r\n", "\n").removesuffix("\r")
    if len(body) <= _MOST_CHARACTERS:
        return body
    cut = body.rfind("\n", 0, _MOST_CHARACTERS)
    if cut > 0:
        after = line + body.count("\n", 0, cut) + 1
        return f"{body[:cut]}\n[cut here; read_file with start_line {after} goes on]"
    return (
        f"{body[:_MOST_CHARACTERS]}\n[cut within line {line}; read_file with start_line {line} and "
        f"start_column {column + _MOST_CHARACTERS} goes on]"
    )


class WriteFile(Arguments):
    path: str = Field(description="Path from the repository's root; missing folders are made.")
    content: str = Field(description="The whole new content of the file.")


def _write(arguments: WriteFile, stage: Stage) -> str:
    path = reached(arguments.path)
    check_writable(stage.workspace, path)
    text = Text(body=arguments.content)
    if mode_at(stage.workspace, path) is None:
        stage.workspace.write(path, text.to_bytes())
        return f"made {shown(path)} with {len(text.lines)} lines"
    text = _like(stage.workspace.read(path), text)
    stage.workspace.write(path, text.to_bytes())
    return f"replaced {shown(path)} with {len(text.lines)} lines{_listed(text.peculiarities)}"


def _like(before: bytes, text: Text) -> Text:
    """The new text with the line ends and the byte order mark of the old: a model can't see those."""
    try:
        old = Text.of(before, path="")
    except ToolFailed:
        return text
    return Text(body=old.fitted(text.body), has_mark=old.has_mark and not text.body.startswith("\ufeff"))


class EditFile(Arguments):
    path: str = Field(description="Path from the repository's root.")
    old: str = Field(description="Text that is in the file exactly once, white space included.")
    new: str = Field(description="Text to put in its place.")


def _edit(arguments: EditFile, stage: Stage) -> str:
    path = reached(arguments.path)
    text = text_at(stage, path)
    old, new = text.fitted(arguments.old), text.fitted(arguments.new)
    if not old:
        raise ToolFailed("`old` is empty; give the text to be replaced, or use write_file for a whole file")
    if old == new:
        raise ToolFailed("`old` and `new` are the same: nothing would change")
    found = _places(text.body, old)
    if len(found) != 1:
        raise ToolFailed(_not_unique(text, path, old, found))
    body = text.body[: found[0]] + new + text.body[found[0] + len(old) :]
    stage.workspace.write(path, Text(body=body, has_mark=text.has_mark).to_bytes())
    return f"edited {shown(path)} at line {_line(text.body, found[0])}"


def _places(body: str, old: str) -> list[int]:
    """Overlapping ones too: of `aa` in `aaa` it is not known which is meant."""
    found: list[int] = []
    at = body.find(old)
    while at != -1:
        found.append(at)
        at = body.find(old, at + 1)
    return found


def _not_unique(text: Text, path: str, old: str, found: list[int]) -> str:
    if found:
        lines = ", ".join(str(_line(text.body, at)) for at in found[:10])
        where = f"is in {shown(path)} {len(found)} times (lines {lines})"
        return f"`old` {where}; add lines around it until it is there once"
    first = next((line.strip() for line in old.split("\n") if line.strip()), "")
    alike = [str(number) for number, line in enumerate(text.lines, 1) if first and line.strip() == first]
    hint = f"; its first line is like line {', '.join(alike[:5])}, so compare white space" if alike else ""
    return f"`old` is not in {shown(path)} (0 matches){hint}; read the file again and copy the text exactly"


def _line(body: str, at: int) -> int:
    return body.count("\n", 0, at) + 1


class DeleteFile(Arguments):
    path: str = Field(description="Path from the repository's root.")


def _delete(arguments: DeleteFile, stage: Stage) -> str:
    path = reached(arguments.path)
    check_file(stage.workspace, path)
    stage.workspace.delete(path)
    return f"deleted {shown(path)}"


READ_FILE: Final = Tool(
    name="read_file",
    kind=Kind.READ,
    description="Read a text file or some lines of it. Long files are cut, and the answer says how to go on.",
    arguments=ReadFile,
    execute=_read,
    touches=lambda arguments: (Touch(path=arguments.path, how=How.READ),),
)
WRITE_FILE: Final = Tool(
    name="write_file",
    kind=Kind.WRITE,
    description="Write a whole file. One that is there keeps line ends, byte order mark and executable bit.",
    arguments=WriteFile,
    execute=_write,
    simulate=_write,
    touches=lambda arguments: (Touch(path=arguments.path, how=How.WRITE),),
)
EDIT_FILE: Final = Tool(
    name="edit_file",
    kind=Kind.WRITE,
    description="Replace one exact piece of a text file. It must be there exactly once.",
    arguments=EditFile,
    execute=_edit,
    simulate=_edit,
    touches=lambda arguments: (Touch(path=arguments.path, how=How.WRITE),),
)
DELETE_FILE: Final = Tool(
    name="delete_file",
    kind=Kind.WRITE,
    description="Delete one file.",
    arguments=DeleteFile,
    execute=_delete,
    simulate=_delete,
    touches=lambda arguments: (Touch(path=arguments.path, how=How.DELETE),),
)
