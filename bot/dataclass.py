"""`dataclass` as the standard library has it, at a tenth of its cost: a start makes a hundred of them.

The standard library writes up to six functions for each class, and compiles every one while the module is
loaded. Here it lays out fields and slots, and no more. An initialiser is compiled for the first instance,
which most classes of a command never have, and a comparison or a hash where one is first asked for. Instances
are as they were, and so is what `dataclasses` says of them. Not for a class with an `InitVar`.
"""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from reprlib import recursive_repr
from types import MemberDescriptorType
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeVar

__all__ = ["dataclass"]

T = TypeVar("T")
# A function's text, and what its words stand for.
_Text = tuple[str, dict[str, Any]]


def _dataclass(cls: type[T] | None = None, /, **options: bool) -> type[T] | Callable[[type[T]], type[T]]:
    """`frozen`, `slots` and `kw_only` are all that may be asked for."""
    return partial(_made, **options) if cls is None else _made(cls, **options)


def _made(cls: type[T], /, *, frozen: bool = False, slots: bool = False, kw_only: bool = False) -> type[T]:
    own = set(vars(cls))
    if cls.__doc__ is None:
        # Else one is made of its signature, which takes longer than all the rest.
        cls.__doc__ = cls.__name__
    made = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots, kw_only=kw_only)(cls)
    for name, function in _functions(made, is_frozen=frozen).items():
        if name not in own:
            setattr(made, name, function)
    return made


def _functions(cls: type, *, is_frozen: bool) -> Mapping[str, Callable[..., Any] | None]:
    made: dict[str, Callable[..., Any] | None] = {
        "__init__": _late(cls, "__init__", partial(_initialiser, is_frozen=is_frozen)),
        "__repr__": _repr,
        "__eq__": _late(cls, "__eq__", _comparison),
        "__hash__": None,
    }
    return {**made, "__hash__": _late(cls, "__hash__", _hash), **_FROZEN} if is_frozen else made


def _late(cls: type, name: str, write: Callable[[type], _Text]) -> Callable[..., Any]:
    """Stands for the function until that is first called."""

    def compiled(self: object, *args: object, **kwargs: object) -> object:
        text, known = write(cls)
        # Text of nothing but the names of fields; what they hold is looked up by these.
        exec(text, known)  # noqa: S102
        function = known[name]
        function.__qualname__ = f"{cls.__qualname__}.{name}"
        setattr(cls, name, function)
        return function(self, *args, **kwargs)

    return compiled


def _comparison(cls: type) -> _Text:
    ours, others = _compared(cls, "self"), _compared(cls, "other")
    same = "if other.__class__ is self.__class__"
    return f"def __eq__(self, other):\n  return {ours} == {others} {same} else NotImplemented", {}


def _hash(cls: type) -> _Text:
    return f"def __hash__(self):\n  return hash({_compared(cls, 'self')})", {}


def _compared(cls: type, name: str) -> str:
    """The text of a tuple."""
    return f"({''.join(f'{name}.{one.name},' for one in dataclasses.fields(cls) if one.compare)})"


@recursive_repr()
def _repr(self: Any) -> str:  # noqa: ANN401 - any dataclass
    told = ", ".join(
        f"{one.name}={getattr(self, one.name)!r}" for one in dataclasses.fields(self) if one.repr
    )
    return f"{type(self).__qualname__}({told})"


def _refuse_change(_: object, name: str, __: object) -> NoReturn:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_deletion(_: object, name: str) -> NoReturn:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> Sequence[object]:  # noqa: ANN401 - any dataclass
    return [getattr(self, one.name) for one in dataclasses.fields(self)]


def _set_state(self: Any, state: Sequence[object]) -> None:  # noqa: ANN401 - any dataclass
    for one, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, one.name, value)


_FROZEN: Final[Mapping[str, Callable[..., Any]]] = {
    "__setattr__": _refuse_change,
    "__delattr__": _refuse_deletion,
    # What a copy and another process are given; else they would be refused, too.
    "__getstate__": _state,
    "__setstate__": _set_state,
}


def _initialiser(cls: type, *, is_frozen: bool) -> _Text:
    fields = dataclasses.fields(cls)
    parameters = ["self", *(_parameter(one) for one in fields if one.init and not one.kw_only)]
    if keyword := [_parameter(one) for one in fields if one.init and one.kw_only]:
        parameters += ["*", *keyword]
    lines = [_setting(one, cls, is_frozen=is_frozen) for one in fields if one.init or _is_filled(one)]
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    text = "\n  ".join([f"def __init__({', '.join(parameters)}):", *(lines or ["pass"])])
    return text, _known(fields, cls)


def _is_filled(field: "dataclasses.Field[Any]") -> bool:
    return field.default is not dataclasses.MISSING or field.default_factory is not dataclasses.MISSING


def _parameter(field: "dataclasses.Field[Any]") -> str:
    if field.default_factory is not dataclasses.MISSING:
        return f"{field.name}=__missing__"
    return field.name if field.default is dataclasses.MISSING else f"{field.name}=__default_{field.name}"


def _setting(field: "dataclasses.Field[Any]", cls: type, *, is_frozen: bool) -> str:
    name = field.name
    value = name if field.init else f"__default_{name}"
    if field.default_factory is not dataclasses.MISSING:
        made = f"__factory_{name}()"
        value = f"{made} if {name} is __missing__ else {name}" if field.init else made
    if not is_frozen:
        return f"self.{name} = {value}"
    return f"__slot_{name}(self, {value})" if _is_slot(cls, name) else f"__set__(self, {name!r}, {value})"


def _is_slot(cls: type, name: str) -> bool:
    return isinstance(getattr(cls, name, None), MemberDescriptorType)


def _known(fields: "Sequence[dataclasses.Field[Any]]", cls: type) -> dict[str, Any]:
    known: dict[str, Any] = {"__missing__": dataclasses.MISSING, "__set__": object.__setattr__}
    for one in fields:
        known[f"__default_{one.name}"] = one.default
        known[f"__factory_{one.name}"] = one.default_factory
        if _is_slot(cls, one.name):
            # Half the time of `object.__setattr__`, which would look the slot up by its name.
            known[f"__slot_{one.name}"] = getattr(cls, one.name).__set__
    return known


if TYPE_CHECKING:
    # What a reader of types is told is true, and he knows that name.
    from dataclasses import dataclass
else:
    dataclass = _dataclass
