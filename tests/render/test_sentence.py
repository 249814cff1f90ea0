import re
from typing import Any

import pytest
from hostile import HOSTILE
from hypothesis import given
from hypothesis import strategies as st
from judging import COMMANDS, PATHS, verdict_on_command, verdict_on_path

from bot.render.language import LANGUAGES
from bot.render.sentence import translated
from bot.sentence import Sentence

SPOKEN = {
    "a whole sentence": ("It only reads.", "Solo lee."),
    "a part stays": ("a b.md is denied (**/*.md).", "a b.md está denegado (**/*.md)."),
    "what is said of a part": (
        "/etc/pass wd is absolute, and only paths inside the repository can be touched.",
        "/etc/pass wd es absoluta, y solo se pueden tocar rutas dentro del repositorio.",
    ),
    "a phrase in a phrase": (
        "Only a person can tell what this does: the command has a redirect to a file.",
        "Solo una persona puede saber qué hace esto: el comando tiene una redirección a un archivo.",
    ),
    "a program and what it does": (
        "Only a person can tell what this does: pip installs programs, and runs what they bring.",
        "Solo una persona puede saber qué hace esto: pip instala programas, y ejecuta lo que traen.",
    ),
    "an outcome": (
        "Step 3 was allow and is now deny: x.md is denied (*.md).",
        "El paso 3 era «permitir» y ahora es «denegar»: x.md está denegado (*.md).",
    ),
    "a number of things": ("stopped after 1 step", "se detuvo tras 1 paso"),
    "a limit": (
        "The plan's commands would be 16, and the limit is 15.",
        "Los comandos del plan serían 16, y el límite es 15.",
    ),
    "a sentence that somebody made whole": (
        "The pull request is closed.",
        "El pull request está cerrado.",
    ),
    "a fragment": ("the pull request is closed", "el pull request está cerrado"),
    "a path that says what we say is not said again": (
        "It deletes a file. is denied (x).",
        "It deletes a file. está denegado (x).",
    ),
    "no sentence of ours": ("rm: cannot remove 'x': no", "rm: cannot remove 'x': no"),
    "nothing": ("", ""),
    "a percent sign": ("100 %(x)s is denied (50 %).", "100 %(x)s está denegado (50 %)."),
}


@pytest.mark.parametrize(("english", "spanish"), SPOKEN.values(), ids=SPOKEN)
def test_our_sentences_are_said_in_spanish_and_their_parts_stay(english: str, spanish: str) -> None:
    assert translated(english, "es") == spanish
    assert translated(english, "en") == english


ENGLISH = re.compile(
    r"\b(?:the|and|which|has|is|are|of|it|its|that|this|may|would|not|runs|only|names|leads)\b", re.IGNORECASE
)


def english_in(reason: str, *, own: str) -> set[str]:
    """English words in the Spanish of a reason that are not those of the action itself."""
    told = translated(reason, "es")
    return {word.lower() for word in ENGLISH.findall(told)} - set(re.findall(r"\w+", own.lower()))


@pytest.mark.parametrize("case", PATHS["cases"], ids=lambda case: case["id"])
def test_no_verdict_on_a_path_is_half_in_english(case: dict[str, Any]) -> None:
    verdict = verdict_on_path(case["path"])
    assert english_in(verdict.reason, own=case["path"]) == set()
    assert translated(verdict.reason, "es") != verdict.reason


@pytest.mark.parametrize("case", COMMANDS["cases"], ids=lambda case: case["id"])
def test_no_verdict_on_a_command_is_half_in_english(case: dict[str, Any]) -> None:
    verdict = verdict_on_command(case["command"])
    assert english_in(verdict.reason, own=case["command"]) == set()
    assert translated(verdict.reason, "es") != verdict.reason


@given(st.text(max_size=80), st.text(max_size=80))
def test_no_part_is_lost_or_changed(path: str, pattern: str) -> None:
    told = translated(f"{path} is a secret, and is never read or written ({pattern}).", "es")
    assert path in told
    assert pattern in told


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_parts_pass_as_they_are(text: str) -> None:
    assert text in translated(f"There is no tool {text}.", "es")
    assert translated(text, "es") == text


@pytest.mark.timeout(10)
@pytest.mark.parametrize(
    "piece", [" is denied (", " ", "In a second model's opinion: ", "x, and ", " is now "]
)
def test_hostile_repetition_costs_little(piece: str) -> None:
    translated("Step " + piece * (60_000 // len(piece)), "es")


def test_a_sentence_is_said_by_its_template_whatever_its_parts_say() -> None:
    why = "x line 3 column 4: it is empty"
    said = Sentence("%(file)s line %(line)s: %(why)s", file="a line 9: b", line=2, why=why)
    assert translated(said, "es") == f"a line 9: b, línea 2: {why}"
    assert translated(said, "en") == said


def test_parts_that_are_sentences_are_said_too() -> None:
    inner = Sentence("read pull request %(number)s", number=7)
    fault = Sentence("status %(status)s: %(message)s", status=403, message="Resource not accessible")
    said = Sentence("GitHub could not %(what)s (%(fault)s)", what=inner, fault=fault)
    assert translated(said, "es") == (
        "GitHub no pudo leer el pull request 7 (estado 403: Resource not accessible)"
    )


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_somebodys_words_in_a_sentence_stay_as_they_are(text: str) -> None:
    said = translated(Sentence("Nothing was changed: %(why)s", why=text), "es")
    assert said == f"No se cambió nada: {text}"


def test_what_is_english_is_not_looked_up() -> None:
    assert all(translated("It only reads.", language) for language in LANGUAGES)
