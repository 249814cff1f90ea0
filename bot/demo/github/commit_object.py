"""A commit as git stores it, read into its parts and made from them; nothing is stripped."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime

from bot.dataclass import dataclass

_WHO = re.compile(r"(?P<name>.*?) ?<(?P<email>[^>]*)> (?P<at>\d+) [+-]\d{4}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """Who wrote or committed something, and when, in UTC."""

    name: str
    email: str
    at: datetime

    def line(self) -> str:
        # git takes neither of these in a name; GitHub drops them too.
        name, email = (re.sub(r"[<>\n\0]", "", text).strip() for text in (self.name, self.email))
        return f"{name} <{email}> {int(self.at.timestamp())} +0000"


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitParts:
    tree: str
    parents: tuple[str, ...]
    author: Signature
    committer: Signature
    message: str


def read_commit(content: bytes) -> CommitParts:
    head, _, message = content.decode("utf-8", "replace").partition("\n\n")
    lines = [line.partition(" ") for line in head.split("\n")]
    fields = {name: value for name, _, value in lines if name}
    return CommitParts(
        tree=fields["tree"],
        parents=tuple(value for name, _, value in lines if name == "parent"),
        author=_signature(fields["author"]),
        committer=_signature(fields["committer"]),
        message=message,
    )


def commit_bytes(
    *, tree: str, parents: Sequence[str], author: Signature, committer: Signature, message: str
) -> bytes:
    lines = [f"tree {tree}", *(f"parent {sha}" for sha in parents)]
    lines += [f"author {author.line()}", f"committer {committer.line()}"]
    return ("\n".join(lines) + "\n\n" + message).encode("utf-8", "surrogatepass")


def _signature(line: str) -> Signature:
    found = _WHO.fullmatch(line)
    if found is None:
        return Signature(name=line, email="", at=datetime.fromtimestamp(0, UTC))
    return Signature(
        name=found["name"], email=found["email"], at=datetime.fromtimestamp(int(found["at"]), UTC)
    )
