import pytest
from pydantic import BaseModel, ConfigDict, ValidationError

from bot.config.config_error import told
from bot.config.yaml_tree import read_yaml


class Inner(BaseModel):
    model_config = ConfigDict(extra="forbid")

    colour: str = ""


class Outer(BaseModel):
    model_config = ConfigDict(extra="forbid")

    inner: Inner = Inner()
    named: dict[str, Inner] = {}
    several: tuple[Inner, ...] = ()
    maybe: Inner | None = None
    number: int = 0


NEAREST = {
    "iner: {}": "did you mean inner?",
    "inner: {color: x}": "did you mean colour?",
    "named: {a: {colr: x}}": "did you mean colour?",
    "several: [{}, {colur: x}]": "did you mean colour?",
    "maybe: {coloor: x}": "did you mean colour?",
    "inner: {zzz: x}": "write one of colour, or remove it",
}


@pytest.mark.parametrize(("text", "advice"), NEAREST.items())
def test_an_unknown_key_is_told_the_nearest_known_one(text: str, advice: str) -> None:
    tree = read_yaml(text.encode(), file="f")
    with pytest.raises(ValidationError) as raised:
        Outer.model_validate(tree.value)
    assert told(raised.value, tree, model=Outer).next_step == advice


def test_of_several_mistakes_the_one_further_up_is_told() -> None:
    tree = read_yaml(b"several: [{colour: 1}]\nnumber: x\ninner: 3\n", file="f")
    with pytest.raises(ValidationError) as raised:
        Outer.model_validate(tree.value)
    error = told(raised.value, tree, model=Outer)
    assert error.what == "f line 1 column 12: several.0.colour: 1 is not a text, in quotes if need be"


def test_a_long_value_is_cut() -> None:
    tree = read_yaml(b"inner: " + b"x" * 500, file="f")
    with pytest.raises(ValidationError) as raised:
        Outer.model_validate(tree.value)
    assert len(told(raised.value, tree, model=Outer).what) < 150
