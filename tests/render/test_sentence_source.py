from io import BytesIO

import pytest

from bot.render.sentence import CONTEXT
from bot.render.sentence_source import extract

SOURCES = {
    "a text with a blank": ('x = "It only reads."', {}, ["It only reads."]),
    "a word is no sentence": ('x = "reads"', {}, []),
    "a docstring is none": ('"""It only reads."""', {}, []),
    "a part is named by its last name": ('f"{a.b} is {c(d.e)[:4]}"', {}, ["%(b)s is %(e)s"]),
    "two parts of one name": ('x = f"{a.n} of {b.n}"', {}, ["%(n)s of %(n2)s"]),
    "a part without a name": ('x = f"{1} is one"', {}, ["%(part)s is one"]),
    "a format is no part": ('x = f"{a:,} is a lot"', {}, ["%(a)s is a lot"]),
    "a percent sign": ('x = f"{a} is 5 %"', {}, ["%(a)s is 5 %%"]),
    "texts in a part are taken too": (
        "x = f\"{a or 'Its address'} is far\"",
        {},
        ["%(a)s is far", "Its address"],
    ),
    "what is left out": ('x = ["not this", "but this"]', {"except": "not\nnever"}, ["but this"]),
    "what alone is taken": ('x = ["not this", "but this"]', {"only": "\nbut"}, ["but this"]),
    "what errors say": (
        'log("not this")\nraise Bad(f"{a} is bad", next_step="mend it now" if b else "ask for help")',
        {"of": "errors"},
        ["%(a)s is bad", "mend it now", "ask for help"],
    ),
}


@pytest.mark.parametrize(("source", "options", "messages"), SOURCES.values(), ids=SOURCES)
def test_sentences_are_found_in_source(source: str, options: dict[str, str], messages: list[str]) -> None:
    if source.startswith("f"):
        source = f"x = {source}"
    found = list(extract(BytesIO(source.encode()), (), (), options))
    assert sorted(message for _, _, (_, message), _ in found) == sorted(messages)
    assert {context for _, _, (context, _), _ in found} <= {CONTEXT}
