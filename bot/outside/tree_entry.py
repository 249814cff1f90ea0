"""Changes -> the entries of a tree that GitHub is asked to store, in as many requests as it takes them in."""

from collections.abc import Iterator, Mapping, Sequence

from bot.action import Json
from bot.workspace import Change, Mode

# Users report 502 and 422 from about 2.5 MB or 200 files in one tree.
_MOST_INLINE_BYTES = 1_000_000
_MOST_ENTRIES = 150


def made_entry(change: Change) -> dict[str, Json]:
    """A tree entry: text inline, so that many files are one request; other contents by name."""
    before, after = change.before, change.after
    if after is None:
        mode = before.mode if before else Mode.FILE
        return {"path": change.path, "mode": mode.value, "type": "blob", "sha": None}
    entry: dict[str, Json] = {
        "path": change.path,
        "mode": after.mode.value,
        "type": "commit" if after.mode is Mode.SUBMODULE else "blob",
    }
    content = _new_content(change)
    text = None if content is None else _inline_text(content)
    return entry | ({"sha": after.blob} if text is None else {"content": text})


def uploaded(change: Change) -> bytes | None:
    """What has to be there before a tree entry can name it."""
    content = _new_content(change)
    return None if content is None or _inline_text(content) is not None else content


def _new_content(change: Change) -> bytes | None:
    """The bytes that GitHub doesn't have yet, as far as the change tells."""
    before, after = change.before, change.after
    is_there = after is None or (before is not None and before.blob == after.blob)
    return None if is_there else change.content_after


def _inline_text(content: bytes) -> str | None:
    if len(content) > _MOST_INLINE_BYTES or b"\0" in content:
        return None
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return None


def batches(entries: Sequence[Mapping[str, Json]]) -> Iterator[list[Mapping[str, Json]]]:
    batch: list[Mapping[str, Json]] = []
    size = 0
    for entry in entries:
        more = len(str(entry.get("content", "")).encode())
        if batch and (len(batch) >= _MOST_ENTRIES or size + more > _MOST_INLINE_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(entry)
        size += more
    if batch:
        yield batch
