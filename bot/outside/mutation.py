"""Changes over GraphQL, several in one request: (field, input) each -> what came of each.

GitHub does them one after the other, in the order of the document; where one fails the others are done all
the same, and the answer tells by its alias which it was. Only what may be done twice is sent here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pydantic import BaseModel

from bot.action import Json
from bot.dataclass import dataclass
from bot.outside.fault import Fault, graphql_fault
from bot.outside.rest import Request, Rest
from bot.sentence import Sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutation:
    """`field` is one of GitHub's mutations: each takes one `input`, of the type that bears its name."""

    field: str
    input: Mapping[str, Json]


class _Told(BaseModel, defer_build=True):
    """Whose errors have paths that begin with an alias."""

    data: dict[str, object]
    errors: tuple[dict[str, object], ...] = ()


def mutate(
    rest: Rest, mutations: Sequence[Mutation], *, what: Sentence, permission: str
) -> Sequence[Fault | None]:
    """The fault of each that failed, once all patience was had with it. The rest is as in `Request`."""
    faults: dict[int, Fault | None] = {}
    left, tries, waited_s = list(range(len(mutations))), 0, 0.0
    while left:
        request = _request(rest, {number: mutations[number] for number in left}, what, permission)
        answer = rest.settle(request, _Told)
        if isinstance(answer, Fault):
            faults |= dict.fromkeys(left, answer)
            break
        came = {number: _fault(answer, f"m{number}") for number in left}
        faults |= came
        tries += 1
        pauses = {
            number: pause_s
            for number, fault in came.items()
            if fault is not None
            and (pause_s := rest.patience.pause_s(fault, tries=tries, waited_s=waited_s, is_new=False))
            is not None
        }
        if pauses:
            rest.patience.sleep(max(pauses.values()))
            waited_s += max(pauses.values())
        left = list(pauses)
    return [faults[number] for number in range(len(mutations))]


def _request(rest: Rest, mutations: Mapping[int, Mutation], what: Sentence, permission: str) -> Request:
    declared = ", ".join(f"$m{number}: {_input_type(one)}!" for number, one in mutations.items())
    fields = "\n".join(
        f"  m{number}: {one.field}(input: $m{number}) {{ clientMutationId }}"
        for number, one in mutations.items()
    )
    document = f"mutation Mutations({declared}) {{\n{fields}\n}}\n"
    variables: Mapping[str, Json] = {f"m{number}": dict(one.input) for number, one in mutations.items()}
    return replace(rest.graphql(what, document, variables, permission=permission), has_parts=True)


def _input_type(mutation: Mutation) -> str:
    return f"{mutation.field[0].upper()}{mutation.field[1:]}Input"


def _fault(told: _Told, alias: str) -> Fault | None:
    for error in told.errors:
        path = error.get("path")
        if isinstance(path, list) and path[0] == alias:
            return graphql_fault([error])
    # Null and not a word why: not done, as far as anybody can tell.
    return None if told.data.get(alias) is not None else graphql_fault([])
