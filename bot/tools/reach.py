"""A path as the model wrote it -> the file that it may reach, or a ToolFailed that says why not."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from bot.errors import ToolFailed
from bot.patch.text import Text
from bot.paths.path import path_of
from bot.workspace import check_file

if TYPE_CHECKING:
    from bot.tools.tool import Stage
    from bot.workspace.listing import Listing


def reached(path: str) -> str:
    """The one normal form, by the same reading that the gate judged it by."""
    known = path_of(path)
    if known.fault is not None:
        raise ToolFailed(f"{shown(path)} {known.fault}")
    return known.normal


def content_at(stage: Stage, path: str) -> bytes:
    """The bytes of a file that may be read. Every tool that looks into a file does so through here."""
    if stage.is_hidden(path):
        raise ToolFailed(f"{shown(path)} is secret: it is listed, but its content is not shown to you")
    check_file(stage.workspace, path)
    return stage.workspace.read(path)


def hidden_among(stage: Stage, listing: Listing) -> frozenset[str]:
    if stage.hidden_among is not None:
        return stage.hidden_among(listing)
    return frozenset(filter(stage.is_hidden, listing))


def text_at(stage: Stage, path: str) -> Text:
    return Text.of(content_at(stage, path), path=path)


def shown(path: str) -> str:
    """A path on one line of an answer: as JSON where plain letters would hide something."""
    return path if path.isprintable() else json.dumps(path)
