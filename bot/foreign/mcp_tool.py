"""A tool of an MCP server, and what the configuration says of it -> a Tool that can be rehearsed.

The server describes its arguments; that they fit is checked here, in a rehearsal too. Its kind is the
configuration's to give: what a server says of its own harmlessness is not read.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from bot.action import Action, Json, Kind, canonical, storable
from bot.config import McpServer, McpTool, Simulated
from bot.dataclass import dataclass
from bot.errors import BadTool, ToolFailed
from bot.foreign.cell import look
from bot.foreign.schema_example import NoExample, example_of
from bot.gate.facts import How, Touch
from bot.sentence import Sentence
from bot.tools.tool import Arguments, Stage, Tool
from bot.words.sanitise import for_model

_MOST_DESCRIPTION: Final = 1_000
_NO_ID: Final = "dry-000000000000"
_MOST_SECONDS: Final = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """A tool as its server lists it: untrusted, all of it."""

    name: str
    description: str
    input_schema: Mapping[str, Any]
    output_schema: Mapping[str, Any] | None


class _OfServer(Arguments):
    """Whatever names the server's schema lets there be."""

    given: dict[str, Any]


def mcp_tool(
    server: str,
    listed: Listed,
    how: McpTool,
    *,
    behind: McpServer,
    call: Callable[[str, dict[str, Any]], str],
) -> Tool[Any]:
    """`call` makes the real call, and raises ToolFailed or OutcomeUnknown. Raises BadTool by name."""
    name = f"{server}.{listed.name}"
    if how.kind is not Kind.READ and "intent" in (listed.input_schema.get("properties") or {}):
        raise BadTool(
            "The tool %(name)s has an argument called intent, which this bot takes for its own",
            name=repr(name),
            next_step="leave the tool out, or give it kind: read if it changes nothing",
        )
    is_read = how.kind is Kind.READ
    return Tool(
        name=name,
        kind=how.kind,
        description=_description(server, listed),
        arguments=_arguments(name, listed.input_schema),
        execute=lambda arguments, _: call(listed.name, arguments.given),
        simulate=None if is_read else _simulate(name, listed, how),
        touches=_touches(name, listed, how),
        after_commit=not is_read,
        binding={
            "server": _storable(behind.model_dump(mode="json", exclude={"tools"})),
            "output": _storable(listed.output_schema),
            "simulate": _storable(how.model_dump(mode="json")),
        },
    )


def _touches(name: str, listed: Listed, how: McpTool) -> Callable[[Any], tuple[Touch, ...]]:
    """What the policy says of paths holds for those of its arguments that the configuration calls paths."""
    known = listed.input_schema.get("properties") or {}
    for path in how.paths:
        if path.partition(".")[0] not in known:
            raise BadTool(
                "The tool %(name)s has no argument %(argument)s to hold a path",
                name=repr(name),
                argument=repr(path.partition(".")[0]),
                known=", ".join(sorted(known)[:20]) or Sentence("none"),
                next_step="write in its `paths` some of: %(known)s",
            )
    does = How.READ if how.kind is Kind.READ else How.WRITE

    def touches(arguments: Any) -> tuple[Touch, ...]:  # noqa: ANN401 - the server's
        found = [text for path in how.paths for text in _texts_at(arguments.given, path.split("."), path)]
        return tuple(Touch(path=text, how=does) for text in found)

    return touches


def _texts_at(value: Json, names: Sequence[str], path: str) -> Iterator[str]:
    """Of a list, each; ToolFailed for what is no text, for then nobody knows where it leads."""
    match value, names:
        case None, _:
            return
        case list(), _:
            for item in value:
                yield from _texts_at(item, names, path)
        case dict(), [name, *rest]:
            yield from _texts_at(value.get(name), rest, path)
        case str(), []:
            yield value
        case _:
            raise ToolFailed(f"{path} is to be a path of the repository, or a list of them")


def _description(server: str, listed: Listed) -> str:
    said = " ".join(for_model(listed.description).text.split())
    if len(said) > _MOST_DESCRIPTION:
        said = f"{said[:_MOST_DESCRIPTION]}…"
    return f"Of the server {server}, in its own words: {said}" if said else f"Of the server {server}."


def _arguments(name: str, schema: Mapping[str, Any]) -> type[Arguments]:
    fits = _checked(name, Sentence("input schema"), schema)
    offered = json.loads(json.dumps(storable(schema)))
    if offered.get("type", "object") != "object":
        raise BadTool(
            "The tool %(name)s takes no object as its arguments",
            name=repr(name),
            next_step="leave it out of the configuration",
        )

    class Fitting(_OfServer):
        @classmethod
        def model_validate_json(cls, json_data: Any, **_: Any) -> "Fitting":  # noqa: ANN401
            fields = json.loads(json_data)
            if why := fits(fields):
                raise ToolFailed(why)
            return cls.model_construct(given=fields)

        @classmethod
        def model_json_schema(cls, *_: Any, **__: Any) -> dict[str, Any]:  # noqa: ANN401
            made = {"type": "object", "properties": {}, **json.loads(json.dumps(offered))}
            made.pop("$schema", None)
            return made

    return Fitting


def _simulate(name: str, listed: Listed, how: McpTool) -> Callable[[Any, Stage], str]:
    assert how.simulate is not None  # noqa: S101 - the configuration's own rule
    simulated: Simulated = how.simulate
    fits = (
        None
        if listed.output_schema is None
        else _checked(name, Sentence("output schema"), listed.output_schema)
    )
    if simulated.from_output_schema and listed.output_schema is None:
        raise BadTool(
            "The tool %(name)s has no output schema to make a result from",
            name=repr(name),
            next_step="give it simulate: {result: ...}",
        )

    def result(action_id: str) -> Json:
        if not simulated.from_output_schema:
            return storable(simulated.result)
        return _bounded(lambda: _example(listed.output_schema, name=action_id))

    try:
        why = fits(result(_NO_ID)) if fits else None
    except ToolFailed as none:
        why = str(none)
    if why is not None:
        raise BadTool(
            "No result of the tool %(name)s can be simulated: %(why)s",
            name=repr(name),
            why=why,
            next_step="give it simulate: {result: ...} that fits its output schema",
        )

    def simulate(arguments: Any, _: Stage) -> str:  # noqa: ANN401 - the server's
        action = Action(tool=name, kind=how.kind, arguments=_storable(arguments.given) or {})
        made = result(action.id)
        return made if isinstance(made, str) else canonical(made).decode()

    return simulate


def _example(schema: object, *, name: str) -> Json:
    try:
        return example_of(schema, name=name)
    except NoExample as none:
        raise ToolFailed(str(none)) from none


def _checked(name: str, what: Sentence, schema: Mapping[str, Any]) -> Callable[[Any], str | None]:
    """(Value) -> why it doesn't fit. A schema may refer to nothing but itself: nothing is fetched."""
    import jsonschema
    import referencing

    kind = jsonschema.validators.validator_for(schema, default=jsonschema.Draft202012Validator)
    try:
        kind.check_schema(dict(schema))
    except (jsonschema.SchemaError, RecursionError) as error:
        raise BadTool(
            "The %(what)s of the tool %(name)s is no JSON Schema: %(why)s",
            what=what,
            name=repr(name),
            why=str(error).splitlines()[0],
            next_step="leave the tool out, or mend the server",
        ) from error
    validator = kind(schema, registry=referencing.Registry())

    def why(value: Any) -> str | None:  # noqa: ANN401 - JSON
        try:
            found = jsonschema.exceptions.best_match(validator.iter_errors(value))
        except (referencing.exceptions.Unresolvable, RecursionError):
            return f"the {what} of {name} refers to something that is not in it"
        if found is None:
            return None
        where = ".".join(str(part) for part in found.absolute_path)
        return f"{where}: {found.message[:300]}" if where else found.message[:300]

    def why_not(value: Any) -> str | None:  # noqa: ANN401 - JSON
        said = _bounded(lambda: why(value))
        return said if said is None else str(said)

    return why_not


def _bounded(work: Callable[[], Json]) -> Json:
    """What a server's schema makes us do: its patterns and references can take for ever, or all memory."""
    seen = look(lambda _: work(), None, timeout_s=_MOST_SECONDS)
    if seen.no is not None or seen.failed is not None:
        raise ToolFailed(f"the server's schema can't be followed: {seen.no or seen.failed}")
    return seen.value


def _storable(value: object) -> Any:  # noqa: ANN401 - JSON, whose shape the caller knows
    return storable(value)
