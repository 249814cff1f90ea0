"""Artifacts of earlier runs, by name: the first file in each zip. Whatever made one, its bytes prove nothing.

Any workflow in the repository can upload under any name, so all of them are handed on, newest first.
"""

import io
import zipfile
import zlib
from collections.abc import Iterator
from urllib.parse import urlsplit

from bot.errors import GitHubFailed
from bot.outside.answers import ArtifactAnswer, ArtifactsAnswer
from bot.outside.fault import Fault, Kind, broken_requests, fault_of
from bot.outside.rest import Request, Rest, github_failed, path_of
from bot.sentence import Sentence

READ = "actions: read"

MOST_BYTES = 32 * 1024 * 1024
_MOST_LOOKED_AT = 20


def artifacts(rest: Rest, root: str, name: str) -> Iterator[bytes]:
    """What can't be fetched or unpacked is passed over, for somebody else may have put it there."""
    listing = Request(
        what=Sentence("list the artifacts named %(name)s", name=repr(name)),
        permission=READ,
        path=root + path_of("actions", "artifacts"),
        query={"name": name, "per_page": _MOST_LOOKED_AT},
    )
    found = rest.ask(listing, ArtifactsAnswer).artifacts
    for artifact in sorted(found, key=lambda artifact: artifact.id, reverse=True):
        if artifact.name == name and not artifact.expired:
            archive = download(rest, root, artifact)
            content = None if archive is None else _first_file(archive)
            if content is not None:
                yield content


def download(rest: Rest, root: str, artifact: ArtifactAnswer) -> bytes | None:
    """The zip, or None where it is gone. It lies at a storage host, which must not be shown the token."""
    import requests

    path = root + path_of("actions", "artifacts", artifact.id, "zip")
    request = Request(
        what=Sentence("download the artifact %(name)s", name=repr(artifact.name)), permission=READ, path=path
    )
    location = rest.redirect(request)
    if isinstance(location, Fault):
        if location.kind is Kind.MISSING:
            return None
        raise github_failed(request, location)
    here, there = urlsplit(rest.requester.base_url), urlsplit(location)
    if there.scheme != "https" and there.netloc != here.netloc:
        raise GitHubFailed(
            "GitHub redirects the download of an artifact to an address without https",
            next_step="comment /plan for a plan that is embedded in its comment",
        )
    try:
        with requests.get(location, stream=True, timeout=30, allow_redirects=False) as answer:
            answer.raise_for_status()
            content: bytes = answer.raw.read(MOST_BYTES + 1, decode_content=True)
    except broken_requests() as error:
        raise github_failed(request, fault_of(error, now=rest.patience.now())) from error
    return content


def _first_file(archive: bytes) -> bytes | None:
    """None where it is no zip, an empty one, or one that unpacks to more than a plan could need."""
    try:
        with zipfile.ZipFile(io.BytesIO(archive)) as files:
            first = next((file for file in files.infolist() if not file.is_dir()), None)
            if first is None or first.file_size > MOST_BYTES:
                return None
            with files.open(first) as stream:
                content = stream.read(MOST_BYTES + 1)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, OSError):
        return None
    return content if len(content) <= MOST_BYTES else None
