"""Does a request, an answer or a webhook payload agree with what GitHub published? A list of what does not.

Stricter than the schemas in one way: a property that GitHub does not describe is a problem too, in what we
send and in what the embedded GitHub answers, since the bot could come to rely on it.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from jsonschema import Draft7Validator, Draft202012Validator, FormatChecker

HERE = Path(__file__).parent
_MOST_LETTERS = 160
# By a schema that stays what it is, and a value.
_asked: dict[tuple[int, bytes], tuple[Any, tuple[str, ...]]] = {}
_FORMATS = FormatChecker([])
# Where GitHub does more than it says.
_SAID_TOO_LITTLE = (
    # The repository of a fork that was deleted.
    r"answer: (\d+/)?head/repo: None is not of type 'object'",
    # The status again, as a string, in every error.
    r"answer: /status: not described",
    # Labels as a bare list, which clients have always sent.
    r"/issues/\d+/labels: request: : \[.*\] is not of type 'object'",
)


@_FORMATS.checks("date-time")
def _is_moment(value: object) -> bool:
    return not isinstance(value, str) or re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", value) is not None


def problems(method: str, path: str, request_body: Any, status: int | None, answer: Any) -> list[str]:
    """One exchange over REST or GraphQL. `path` may carry a query; `status` is None where none came."""
    split = urlsplit(path)
    if split.path == "/graphql":
        return graphql_problems(request_body, answer if status == 200 else None)
    operation = _operation(method, split.path)
    if operation is None:
        return [f"{method} {split.path}: no such operation in GitHub's description"]
    found = [*_query_problems(operation, split.query), *_request_problems(operation, request_body)]
    if status is not None and status < 500:
        found += _answer_problems(operation, status, answer)
    return _without_gaps(f"{method} {split.path}: {one}" for one in found)


def _without_gaps(found: Iterable[str]) -> list[str]:
    return [one for one in found if not any(re.search(gap, one) for gap in _SAID_TOO_LITTLE)]


def problems_in(log: Iterable[Any]) -> list[str]:
    """Of every exchange of an embedded GitHub's log.

    What was refused need not have been a good request; git's own protocol and the storage of artifacts are no
    part of the description.
    """
    found = []
    for one in log:
        if one.status is not None and one.status >= 500:
            # A gateway that fails keeps to no description.
            continue
        if "/git-" in one.path or one.path.endswith("/info/refs") or one.path.startswith("/storage/"):
            continue
        if one.status is not None and one.status >= 400 and one.path != "/graphql":
            operation = _operation(one.method, one.path)
            wrong = [] if operation is None else list(_answer_problems(operation, one.status, one.answer))
        else:
            query = f"?{one.query}" if one.query else ""
            wrong = problems(one.method, one.path + query, one.body, one.status, one.answer)
        found += [f"#{one.number} {one.method} {one.path}: {text}" for text in wrong]
    return _without_gaps(found)


def webhook_problems(name: str, payload: Mapping[str, Any]) -> list[str]:
    """`name` as in GITHUB_EVENT_NAME."""
    definitions = _read("webhooks.json")["definitions"]
    whole = f"{name}${payload['action']}" if "action" in payload else f"{name}$event"
    if whole not in definitions:
        return [f"{whole}: no such event in GitHub's description"]
    schema = {"$ref": f"#/definitions/{whole}", "definitions": definitions}
    return [f"{whole}: {_told(error)}" for error in Draft7Validator(schema).iter_errors(payload)]


def graphql_problems(request_body: Any, answer: Any) -> list[str]:
    """The query against GitHub's schema; and the answer, by asking the same query of the answer."""
    import graphql

    schema = _graphql_schema()
    document, wrong = _graphql_query(request_body["query"])
    found = [*wrong]
    data = answer.get("data") if isinstance(answer, dict) else None
    if found or not data or "errors" in answer:
        return found
    again = graphql.execute_sync(
        schema,
        document,
        root_value=data,
        variable_values=request_body.get("variables") or {},
        field_resolver=lambda source, info, **_: source.get(info.path.key),
        type_resolver=_type_of,
    )
    found += [f"graphql answer: {error.message}" for error in again.errors or ()]
    if not found and again.data != data:
        found.append(f"graphql answer: {data} reads back as {again.data}")
    return found


def _type_of(value: Mapping[str, Any], info: Any, abstract: Any) -> str:
    """What the answer says it is; where it was not asked, any type that has these fields will do."""
    if "__typename" in value:
        return value["__typename"]
    fitting = [one for one in info.schema.get_possible_types(abstract) if set(value) <= set(one.fields)]
    return fitting[0].name if fitting else "(no type has these fields)"


@cache
def _graphql_schema() -> Any:
    import graphql

    return graphql.build_schema((HERE / "graphql.graphql").read_text("utf-8"))


@cache
def _graphql_query(text: str) -> tuple[Any, tuple[str, ...]]:
    """As parsed, and what GitHub's schema has against it."""
    import graphql

    document = graphql.parse(text)
    return document, tuple(f"graphql: {one.message}" for one in graphql.validate(_graphql_schema(), document))


@cache
def _read(name: str) -> Any:
    return json.loads((HERE / name).read_text("utf-8"))


@cache
def _rest() -> Any:
    return _as_json_schema(_read("rest.json"))


def _as_json_schema(value: Any) -> Any:
    """OpenAPI 3.0's `nullable` in JSON Schema's words; and the choices in GitHub's `oneOf` overlap."""
    if isinstance(value, list):
        return [_as_json_schema(item) for item in value]
    if not isinstance(value, dict):
        return value
    value = {"anyOf" if name == "oneOf" else name: _as_json_schema(item) for name, item in value.items()}
    if value.get("nullable") is not True:
        return value
    del value["nullable"]
    return {"anyOf": [value, {"type": "null"}]}


@cache
def _routes() -> list[tuple[str, re.Pattern[str], Any]]:
    routes = []
    for path, methods in _rest()["paths"].items():
        pattern = re.sub(r"\{(?:ref|path|basehead|branch)\}", "(?:.*)", path)
        pattern = re.compile(re.sub(r"\{[^}]+\}", "[^/]+", pattern))
        routes += [(method.upper(), pattern, operation) for method, operation in methods.items()]
    # The narrow ones first: `/commits/{ref}` would swallow `/commits/{ref}/status`.
    return sorted(routes, key=lambda route: (".*" in route[1].pattern, -len(route[1].pattern)))


def _operation(method: str, path: str) -> Any:
    for known, pattern, operation in _routes():
        if known == method and pattern.fullmatch(path):
            return operation
    return None


def _query_problems(operation: Any, query: str) -> Iterator[str]:
    known = {
        one["name"]: one for one in map(_followed, operation.get("parameters", ())) if one["in"] == "query"
    }
    for name, text in parse_qsl(query, keep_blank_values=True):
        if name not in known:
            yield f"query: {name} is not described"
            continue
        schema = _followed(known[name]["schema"])
        value = int(text) if schema.get("type") == "integer" and text.lstrip("-").isdigit() else text
        yield from (f"query: {name}: {one}" for one in _schema_problems(schema, value))


def _request_problems(operation: Any, body: Any) -> Iterator[str]:
    described = _followed(operation.get("requestBody") or {})
    if not described:
        if body:
            yield "request: a body is not described"
        return
    content = described["content"]["application/json"]
    if body is None and not described.get("required"):
        return
    yield from (f"request: {one}" for one in _schema_problems(content["schema"], body))


def _answer_problems(operation: Any, status: int, answer: Any) -> Iterator[str]:
    responses = operation["responses"]
    if str(status) not in responses:
        # A broken body, being nobody, or having to wait can happen to every request and is described for few.
        if status not in (400, 401, 403, 404, 422, 429):
            yield f"answer: status {status} is not described"
        return
    content = _followed(responses[str(status)]).get("content") or {}
    if "application/json" not in content or isinstance(answer, bytes):
        if answer and not isinstance(answer, bytes) and not content and status < 400:
            yield "answer: a body is not described"
        return
    yield from (f"answer: {one}" for one in _schema_problems(content["application/json"]["schema"], answer))


def _schema_problems(schema: Any, value: Any) -> tuple[str, ...]:
    """Most of what journeys say was said before: of each value a schema is asked once."""
    known = id(schema), sha256(repr(value).encode("utf-8", "surrogatepass")).digest()
    if known not in _asked:
        whole = {"allOf": [schema], "components": _rest()["components"]}
        checker = Draft202012Validator(whole, format_checker=_FORMATS)
        told = (_told(error) for error in checker.iter_errors(value))
        _asked[known] = schema, (*told, *_undescribed(schema, value, ""))
    return _asked[known][1]


def _told(error: Any) -> str:
    where = "/".join(str(part) for part in error.absolute_path)
    deepest = error
    while deepest.context:
        deepest = max(deepest.context, key=lambda one: len(one.absolute_path))
    return f"{where}: {deepest.message[:_MOST_LETTERS]}"


def _undescribed(schema: Any, value: Any, where: str) -> Iterator[str]:
    """Properties of `value` that no branch of the schema names."""
    branches = list(_branches(schema))
    if isinstance(value, list):
        for number, item in enumerate(value):
            for branch in branches:
                if "items" in branch:
                    yield from _undescribed(branch["items"], item, f"{where}/{number}")
                    break
        return
    if not isinstance(value, dict):
        return
    named = [branch for branch in branches if "properties" in branch]
    is_free = any(branch.get("additionalProperties") for branch in branches) or not named
    for name, item in value.items():
        below = [branch["properties"][name] for branch in named if name in branch["properties"]]
        if below:
            yield from _undescribed({"anyOf": below}, item, f"{where}/{name}")
        elif not is_free:
            yield f"{where}/{name}: not described"


def _branches(schema: Any) -> Iterator[Any]:
    schema = _followed(schema)
    yield schema
    for word in ("allOf", "anyOf", "oneOf"):
        for branch in schema.get(word, ()):
            yield from _branches(branch)


def _followed(value: Any) -> Any:
    while isinstance(value, dict) and "$ref" in value:
        found = _rest()
        for part in value["$ref"].removeprefix("#/").split("/"):
            found = found[part]
        value = found
    return value
