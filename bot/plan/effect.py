"""Change -> Effect: one path of a step as it is recorded, with its diff."""

from bot.errors import ToolFailed
from bot.plan import Content, Effect
from bot.workspace import Change
from bot.workspace.diff import file_diff


def effect_of(change: Change) -> Effect:
    before, after = change.before, change.after
    return Effect(
        path=change.path,
        mode_before=before.mode if before else None,
        mode_after=after.mode if after else None,
        blob_before=before.blob if before else None,
        blob_after=after.blob if after else None,
        content=content_of(change.content_after),
        diff=file_diff(change),
    )


def bytes_of(content: Content) -> bytes:
    """Raises ToolFailed for what is no base64, though the record says so."""
    if content.encoding == "utf-8":
        return content.data.encode()
    from base64 import b64decode

    try:
        return b64decode(content.data, validate=True)
    except ValueError as error:
        raise ToolFailed("the recorded content is no base64") from error


def content_of(content: bytes | None) -> Content | None:
    if content is None:
        return None
    try:
        return Content(encoding="utf-8", data=content.decode("utf-8"))
    except UnicodeDecodeError:
        from base64 import b64encode

        return Content(encoding="base64", data=b64encode(content).decode("ascii"))
