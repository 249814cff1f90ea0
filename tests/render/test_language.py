import io
import re
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

import bot
from bot.render.language import LANGUAGES, catalogue

ROOT = Path(bot.__file__).parent
PO = ROOT / "locale/es/LC_MESSAGES/dryrun-bot.po"


@pytest.fixture(scope="module")
def spanish() -> Catalog:
    return read_po(io.BytesIO(PO.read_bytes()))


@pytest.fixture(scope="module")
def messages() -> set[object]:
    with (ROOT / "locale/babel.cfg").open() as config:
        methods, options = parse_mapping_cfg(config)
    found = extract_from_dir(ROOT, methods, options)
    return {(context, message) for _, _, message, _, context in found}


def test_every_message_is_translated(spanish: Catalog, messages: set[object]) -> None:
    translated = {
        (message.context, message.id if isinstance(message.id, str) else tuple(message.id))
        for message in spanish
        if message.id and all([message.string] if isinstance(message.string, str) else message.string)
    }
    assert len(messages) > 100
    assert messages == translated
    assert not [message for message in spanish if message.id and message.fuzzy]


def test_a_translation_names_what_its_message_names(spanish: Catalog) -> None:
    for message in spanish:
        ids = [message.id] if isinstance(message.id, str) else message.id
        strings = [message.string] if isinstance(message.string, str) else message.string
        named = set(re.findall(r"%\(\w+\)[sd]", ids[-1]))
        for string in strings if message.id else []:
            assert set(re.findall(r"%\(\w+\)[sd]", string)) == named


def test_the_compiled_catalogue_is_that_of_the_source(spanish: Catalog) -> None:
    compiled = io.BytesIO()
    write_mo(compiled, spanish)
    assert PO.with_suffix(".mo").read_bytes() == compiled.getvalue()


PLURALS = {
    0: ("Action plan (dry-run): 0 planned actions", "Plan de acciones (dry-run): 0 acciones planificadas"),
    1: ("Action plan (dry-run): 1 planned action", "Plan de acciones (dry-run): 1 acción planificada"),
    3: ("Action plan (dry-run): 3 planned actions", "Plan de acciones (dry-run): 3 acciones planificadas"),
}


@pytest.mark.parametrize("number", PLURALS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_plurals_are_right(number: int, language: str) -> None:
    one, many = (
        "Action plan (dry-run): %(num)d planned action",
        "Action plan (dry-run): %(num)d planned actions",
    )
    told = catalogue(language).ngettext(one, many, number) % {"num": number}
    assert told == PLURALS[number][LANGUAGES.index(language)]


def test_another_language_is_an_error() -> None:
    with pytest.raises(KeyError):
        catalogue("../../etc")
