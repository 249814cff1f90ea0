from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.config.yaml_tree import Place, read_yaml
from bot.errors import BadConfig

VALUES = {
    "a: on": "on",
    "a: no": "no",
    "a: true": True,
    "a: False": False,
    "a: 'true'": "true",
    "a: 12": 12,
    "a: -3": -3,
    "a: 012": 12,
    "a: 0.50": Decimal("0.50"),
    "a: .5": Decimal("0.5"),
    "a: 1e3": "1e3",
    "a: 1_000": "1_000",
    "a: 0x1f": "0x1f",
    "a: 2020-01-01": "2020-01-01",
    "a: .inf": ".inf",
    "a: 9999999999999999999999": "9999999999999999999999",
    "a:": None,
    "a: ~": None,
    "a: ''": "",
    "a: [1, x]": [1, "x"],
    "a: {b: c}": {"b": "c"},
    "a: |\n  x\n  y\n": "x\ny\n",
    "a: ! x": "x",
}


@pytest.mark.parametrize(("text", "value"), VALUES.items(), ids=VALUES)
def test_words_are_words(text: str, value: object) -> None:
    assert read_yaml(text.encode(), file="f").value == {"a": value}


def test_keys_are_always_words() -> None:
    assert read_yaml(b"on: 1\n1: 2\ntrue: 3\n'': 4\n", file="f").value == {"on": 1, "1": 2, "true": 3, "": 4}


def test_every_value_has_its_place() -> None:
    tree = read_yaml(b"a:\n  b: [x, y]\n  c:\n    - d: 1\n", file="f")
    assert tree.place(("a",)) == Place(line=1, column=1)
    assert tree.place(("a", "b", 1)) == Place(line=2, column=10)
    assert tree.place(("a", "c", 0, "d")) == Place(line=4, column=7)
    assert tree.place(("a", "c", 0, "nothing", 5)) == Place(line=4, column=7)
    assert tree.place(("z",)) == Place(line=1, column=1)


def test_an_empty_file_has_no_value() -> None:
    for text in (b"", b"\n", b"# x\n", b"\xef\xbb\xbf", b"---\n", b"null"):
        assert read_yaml(text, file="f").value is None


BAD = {
    "a duplicate key": (
        b"a: 1\nb:\n  c: 1\n  c: 2\n",
        4,
        3,
        "the key 'c' is here a second time, after line 3",
    ),
    "a tab": (b"a:\n\tb: 1\n", 2, 1, "it is not YAML"),
    "an anchor": (b"a: &x 1\n", 1, 4, "anchors and aliases are not read"),
    "an alias": (b"a: *x\n", 1, 4, "anchors and aliases are not read"),
    "an anchor on a list": (b"a: &x [1]\n", 1, 4, "anchors and aliases are not read"),
    "an anchor on a key": (b"&x a: 1\n", 1, 1, "a key is not a plain word"),
    "a merge of an anchor": (b"a: &x {b: 1}\nc:\n  <<: *x\n", 1, 4, "anchors and aliases are not read"),
    "a tag": (b"a: !!python/object:os.system x\n", 1, 4, "the tag tag:yaml.org,2002:python/object:os.system"),
    "a harmless tag": (b"a: !!str 1\n", 1, 4, "the tag tag:yaml.org,2002:str is not read"),
    "a tag on a list": (b"a: !x [1]\n", 1, 4, "the tag !x is not read"),
    "a list as a key": (b"? [a]\n: b\n", 1, 3, "a key is not a plain word"),
    "a second document": (b"a: 1\n---\nb: 1\n", 2, 1, "it starts a second document"),
    "not UTF-8": (b"a: 1\nb: \xff\n", 2, 4, "it is not UTF-8"),
    "a control character": (b"a: 1\nb: x\x01\n", 2, 5, "it has the character U+0001"),
    "an unclosed quote": (b"a: 'x\n", 2, 1, "it is not YAML"),
    "an unclosed bracket": (b"a: [x\n", 2, 1, "it is not YAML"),
    "a star without quotes": (b"a: [**/x]\n", 1, 6, "it is not YAML"),
    "a colon too many": (b"a: b: c\n", 1, 5, "it is not YAML"),
    "too deep": (b"[" * 30, 1, 22, "it is nested too deeply"),
    "much too deep": (b"[" * 100_000, 1, 22, "it is nested too deeply"),
    "deep by indentation": (
        b"".join(b" " * n + b"a:\n" for n in range(60)),
        22,
        22,
        "it is nested too deeply",
    ),
    "too large": (b"a: " + b"x" * 10_000_000, 1, 1, "it has 10,000,003 bytes"),
}


@pytest.mark.parametrize(("text", "line", "column", "what"), BAD.values(), ids=BAD)
def test_a_mistake_is_told_with_its_place(text: bytes, line: int, column: int, what: str) -> None:
    with pytest.raises(BadConfig) as raised:
        read_yaml(text, file="dir/f.yml")
    assert raised.value.what.startswith(f"dir/f.yml line {line} column {column}: {what}")
    assert raised.value.next_step


ADVICE = {
    b"a:\n\tb: 1\n": "indent with spaces",
    b"a: [**/x]\n": "put a text that begins with * in quotes",
    b"a: 'x\n": "check the indentation",
}


@pytest.mark.parametrize(("text", "advice"), ADVICE.items())
def test_a_mistake_that_many_make_gets_its_own_advice(text: bytes, advice: str) -> None:
    with pytest.raises(BadConfig) as raised:
        read_yaml(text, file="f")
    assert raised.value.next_step.startswith(advice)


@given(
    st.binary(max_size=60)
    | st.text(st.sampled_from("ab:-[]{}&*!|>'\"#%@`,?\n\t 01~<="), max_size=60).map(str.encode)
)
def test_any_bytes_are_read_or_told(text: bytes) -> None:
    try:
        read_yaml(text, file="f")
    except BadConfig as error:
        told = error
    else:
        return
    assert told.what.startswith("f line ")
