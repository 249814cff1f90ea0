"""Transcripts of past workflow runs, from their artifacts, newest first. Their bytes prove nothing.

What a fork's pull request made is passed over: nobody who may push to this repository had a hand in it.
"""

import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from typing import Final

from bot.outside.answers import ArtifactAnswer, ArtifactsAnswer
from bot.outside.artifact import MOST_BYTES, READ, download
from bot.outside.rest import PAGE, Request, Rest, path_of
from bot.sentence import Sentence

NAMED: Final = ("dryrun-plan-", "dryrun-transcript-")
_FILE: Final = re.compile(r"transcript-[A-Za-z0-9._-]{1,100}\.jsonl")
# So many artifacts of other workflows may lie between ours.
_MOST_PAGES: Final = 50


def transcripts(rest: Rest, root: str, *, most: int) -> Iterator[tuple[str, bytes]]:
    """(A name that no other one has, its bytes). What can't be fetched or unpacked is passed over."""
    left = most
    for artifact in _ours(rest, root):
        archive = download(rest, root, artifact)
        for name, content in _files(archive) if archive else ():
            if not left:
                return
            left -= 1
            yield f"{artifact.id}-{name}", content
        if not left:
            return


def _ours(rest: Rest, root: str) -> Iterator[ArtifactAnswer]:
    for page in range(1, _MOST_PAGES + 1):
        listing = Request(
            what=Sentence("list the artifacts of past runs"),
            permission=READ,
            path=root + path_of("actions", "artifacts"),
            query={"per_page": PAGE, "page": page},
        )
        found = rest.ask(listing, ArtifactsAnswer).artifacts
        yield from (one for one in found if one.name.startswith(NAMED) and not one.expired and _is_own(one))
        if len(found) < PAGE:
            return


def _is_own(artifact: ArtifactAnswer) -> bool:
    run = artifact.workflow_run
    return run is None or run.head_repository_id == run.repository_id


def _files(archive: bytes) -> Iterator[tuple[str, bytes]]:
    """Those that are called like transcripts, wherever they lie in the zip."""
    try:
        with zipfile.ZipFile(io.BytesIO(archive)) as files:
            for file in files.infolist():
                name = file.filename.rpartition("/")[2]
                if _FILE.fullmatch(name) and file.file_size <= MOST_BYTES:
                    with files.open(file) as stream:
                        content = stream.read(MOST_BYTES + 1)
                    if len(content) <= MOST_BYTES:
                        yield name, content
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, OSError):
        return
