"""Names of blobs -> their bytes, for many of them in one request, as far as GraphQL can carry them.

It has text alone, and not of any length. What comes back is proven by its hash; the rest is missing.
"""

from collections.abc import Mapping, Sequence

from pydantic import BaseModel, Field

from bot.action import Json
from bot.outside.fault import Fault
from bot.outside.rest import Rest
from bot.sentence import Sentence
from bot.workspace import blob_sha


class _Blob(BaseModel, defer_build=True):
    text: str | None = None


class _Answer(BaseModel, defer_build=True):
    repository: dict[str, _Blob | None] | None = Field(default=None)


def texts(rest: Rest, name: str, shas: Sequence[str]) -> Mapping[str, bytes]:
    """`name` is owner/name. What could not be had so is not in it, whatever the reason."""
    owner, _, repository = name.partition("/")
    variables: dict[str, Json] = {"owner": owner, "name": repository}
    variables |= {f"b{number}": sha for number, sha in enumerate(shas)}
    answer = rest.settle(
        rest.graphql(
            Sentence("read some files"), _document(len(shas)), variables, permission="contents: read"
        ),
        _Answer,
    )
    if isinstance(answer, Fault):
        return {}
    blobs = [(answer.repository or {}).get(f"b{number}") for number in range(len(shas))]
    contents = [
        (blob.text or "").encode("utf-8", "surrogatepass") if blob is not None else None for blob in blobs
    ]
    return {
        sha: content
        for sha, content in zip(shas, contents, strict=True)
        if content is not None and blob_sha(content) == sha
    }


def _document(count: int) -> str:
    declared = "".join(f", $b{number}: GitObjectID!" for number in range(count))
    asked = "\n".join(
        f"    b{number}: object(oid: $b{number}) {{ ... on Blob {{ text }} }}" for number in range(count)
    )
    return f"""
query Texts($owner: String!, $name: String!{declared}) {{
  repository(owner: $owner, name: $name) {{
{asked}
  }}
}}
"""
