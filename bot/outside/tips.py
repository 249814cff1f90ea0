"""Where branches are, and what one file says there: for all of them together in one request.

The file's bytes are proven by their hash; what GraphQL can't carry whole (not UTF-8, or too long) is asked
for again as a blob.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from pydantic import BaseModel, Field

from bot.errors import BadConfig, GitHubFailed
from bot.outside.answers import ViewerAnswer
from bot.outside.rest import Rest
from bot.pull_request import Tip
from bot.sentence import Sentence
from bot.workspace import blob_sha

_PLAIN_FILES: Final = frozenset({0o100644, 0o100755})

_TIP: Final = """
    {alias}: ref(qualifiedName: ${alias}) {
      target { oid ... on Commit { file(path: $path) { mode object { oid ... on Blob { text } } } } }
    }"""


class _Object(BaseModel, defer_build=True):
    oid: str
    text: str | None = None


class _File(BaseModel, defer_build=True):
    mode: int
    object: _Object | None


class Target(BaseModel, defer_build=True):
    oid: str
    file: _File | None = None


class Ref(BaseModel, defer_build=True):
    target: Target | None


class _Tree(BaseModel, defer_build=True):
    oid: str


class TippedTree(BaseModel, defer_build=True):
    oid: str
    tree: _Tree | None = None


class TreeRef(BaseModel, defer_build=True):
    target: TippedTree | None


class TipsAnswer(BaseModel, defer_build=True):
    """`repository` has one ref for each branch that was asked for, under the names b0, b1 ..."""

    viewer: ViewerAnswer
    repository: dict[str, Ref | None] | None = Field(default=None)


def tips(
    rest: Rest, name: str, branches: Sequence[str], path: str, *, blob: Callable[[str], bytes]
) -> tuple[ViewerAnswer, Mapping[str, Tip]]:
    """Who asks, and the tip of each branch. `name` is owner/name, `blob` fetches bytes by their name."""
    owner, _, repository = name.partition("/")
    aliases = {f"b{number}": branch for number, branch in enumerate(branches)}
    variables = {alias: f"refs/heads/{branch}" for alias, branch in aliases.items()}
    request = rest.graphql(
        Sentence("read the branches %(branches)s", branches=", ".join(map(repr, branches))),
        _query(aliases),
        {"owner": owner, "name": repository, "path": path, **variables},
        permission="contents: read",
    )
    answer = rest.ask(request, TipsAnswer)
    refs = answer.repository or {}
    return answer.viewer, {
        branch: tip_of(refs.get(alias), name, branch, path, blob) for alias, branch in aliases.items()
    }


def _query(aliases: Mapping[str, str]) -> str:
    declared = "".join(f", ${alias}: String!" for alias in aliases)
    asked = "".join(_TIP.replace("{alias}", alias) for alias in aliases)
    return f"""
query Tips($owner: String!, $name: String!, $path: String!{declared}) {{
  viewer {{ login databaseId }}
  repository(owner: $owner, name: $name) {{{asked}
  }}
}}
"""


def tip_of(ref: Ref | None, name: str, branch: str, path: str, blob: Callable[[str], bytes]) -> Tip:
    if ref is None or ref.target is None:
        raise GitHubFailed(
            "%(name)s has no branch %(branch)s",
            name=name,
            branch=repr(branch),
            next_step="check that the branch still exists, and that the token may read the repository",
        )
    file = ref.target.file
    if file is None:
        return Tip(sha=ref.target.oid, file=None)
    if file.mode not in _PLAIN_FILES or file.object is None:
        # What a link leads to would be somebody else's choice, and to go on without would be looser rules.
        raise BadConfig(
            "%(path)s on the branch %(branch)s is a link or a folder, not a file",
            path=path,
            branch=repr(branch),
            next_step="put the file itself there",
        )
    content = (file.object.text or "").encode("utf-8", "surrogatepass")
    if blob_sha(content) != file.object.oid:
        content = blob(file.object.oid)
    return Tip(sha=ref.target.oid, file=content)
