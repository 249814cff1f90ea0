"""What the bot hides in its own comments to find them again: a marker, first line, and a record, last line.

Both are HTML comments, so people don't see them. They prove nothing: who wrote a comment, and who edited it
last, is asked of GitHub; what a record says is checked against its digest.
"""

import base64
import binascii
import re
import sys
import zlib
from typing import Final, Literal, get_args
from urllib.parse import quote, unquote

from bot.dataclass import dataclass

Kind = Literal["plan", "answer", "progress", "claim", "impact"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Marker:
    """`answers` is the id of the comment that this one answers; `digest` has 64 hex digits.

    `signature` is over the digest, where a key is configured. `state` is a word on how far it got, such as
    open, applied, discarded; the flows choose it. `errands` is how far each step is that is done after the
    commit, and `run` the workflow run that does them.
    """

    kind: Kind
    task: str
    digest: str | None
    answers: int | None
    state: str
    version: str
    signature: str | None = None
    errands: str | None = None
    run: int | None = None


def write(marker: Marker) -> str:
    """One line, to be the first of the comment."""
    fields = {
        "kind": marker.kind,
        "task": _spelled(marker.task),
        "digest": marker.digest or "",
        "answers": "" if marker.answers is None else str(marker.answers),
        "state": _spelled(marker.state),
        "version": _spelled(marker.version),
    }
    if marker.signature is not None:
        fields["signature"] = marker.signature
    if marker.errands is not None:
        fields["errands"] = marker.errands
        fields["run"] = "" if marker.run is None else str(marker.run)
    return f"<!-- dryrun-bot/1 {' '.join(f'{name}={value}' for name, value in fields.items())} -->"


def read(body: str) -> Marker | None:
    """The marker on the first line of a comment; None unless that line is one, to the letter."""
    found = _MARKER.fullmatch(body.partition("\n")[0].removesuffix("\r"))
    if found is None:
        return None
    marker = Marker(
        kind=_KINDS[found["kind"]],
        task=unquote(found["task"]),
        digest=found["digest"] or None,
        answers=int(found["answers"]) if found["answers"] else None,
        state=unquote(found["state"]),
        version=unquote(found["version"]),
        signature=found["signature"],
        errands=found["errands"],
        run=int(found["run"]) if found["run"] else None,
    )
    return marker if write(marker) == found[0] else None


def embed(record: bytes, *, most: int = sys.maxsize) -> str:
    """One line, to be the last of the comment: the record, compressed.

    "" where that has more than `most` characters, or would not be read back. Then it is not compressed to
    its end either.
    """
    if len(record) > _MOST_RECORD_BYTES:
        return ""
    room = (most - len(_EMBEDDED.format(""))) // 4 * 3
    deflator = zlib.compressobj(9)
    packed = bytearray()
    for at in range(0, len(record), _PIECE_BYTES):
        packed += deflator.compress(record[at : at + _PIECE_BYTES])
        if len(packed) > room:
            return ""
    packed += deflator.flush()
    return _EMBEDDED.format(base64.b64encode(packed).decode()) if len(packed) <= room else ""


def embedded(body: str) -> bytes | None:
    """The record on the last line of a comment; None when there is none, or it is broken or too large."""
    found = _RECORD.fullmatch(body.rstrip("\r\n").rpartition("\n")[2])
    if found is None:
        return None
    inflator = zlib.decompressobj()
    try:
        record = inflator.decompress(base64.b64decode(found[1], validate=True), _MOST_RECORD_BYTES)
    except (binascii.Error, zlib.error):
        return None
    is_whole = inflator.eof and not inflator.unused_data and not inflator.unconsumed_tail
    return record if is_whole else None


def _spelled(word: str) -> str:
    # Two hyphens in a row end an HTML comment for some parsers.
    return quote(word[:_MOST_WORD], safe="", errors="replace").replace("--", "-%2D")


_KINDS: Final[dict[str, Kind]] = {kind: kind for kind in get_args(Kind)}
_MOST_WORD: Final = 100
_WORD: Final = r"[A-Za-z0-9._~%-]*"
_MARKER: Final = re.compile(
    rf"<!-- dryrun-bot/1 kind=(?P<kind>{'|'.join(_KINDS)}) task=(?P<task>{_WORD})"
    rf" digest=(?P<digest>[0-9a-f]{{64}}|)"
    rf" answers=(?P<answers>[0-9]{{1,18}}|) state=(?P<state>{_WORD}) version=(?P<version>{_WORD})"
    r"(?: signature=(?P<signature>[0-9a-f]{64}))?"
    r"(?: errands=(?P<errands>[a-z0-9.]*) run=(?P<run>[0-9]{1,18}|))? -->"
)
_EMBEDDED: Final = "<!-- dryrun-bot-record/1 {} -->"
_PIECE_BYTES: Final = 65_536
_RECORD: Final = re.compile(r"<!-- dryrun-bot-record/1 ([A-Za-z0-9+/]+={0,2}) -->")
# A comment holds some 50 KB of compressed record; a record of text shrinks to a tenth or so. More is a bomb.
_MOST_RECORD_BYTES: Final = 8 * 1024 * 1024
