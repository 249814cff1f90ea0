"""The five forms of the manuals, in both languages."""

import pytest

from bot.description import describe, would_execute

FORMS = {
    "a path": ("write_file", {"path": "src/main.py", "content": "x"}, "write_file → src/main.py", None),
    "a short command": ("run_command", {"command": "pytest tests/"}, "run_command → pytest tests/", None),
    "a command of 60 characters": ("run_command", {"command": "x" * 60}, f"run_command → {'x' * 60}", None),
    "a long command": (
        "run_command",
        {"command": "y" * 60 + "z"},
        f"run_command → {'y' * 60}... (truncated)",
        f"run_command → {'y' * 60}... (truncado)",
    ),
    # The manual shows the beginning and the end of it.
    "the manual's long command": (
        "run_command",
        {"command": "pytest tests/test_auth.py tests/test_session.py tests/test_tokens.py -x"},
        "run_command → pytest tests/test_auth.py tests/test_session.py tests/test_t... (truncated)",
        "run_command → pytest tests/test_auth.py tests/test_session.py tests/test_t... (truncado)",
    ),
    # As the manual has it: the path is named, so it can't have been one.
    "other arguments": (
        "edit_file",
        {"old_str": "a", "new_str": "b", "path": None},
        "edit_file → old_str, new_str, path",
        None,
    ),
    "a command that is none": ("other", {"command": ["ls"]}, "other → command", None),
    "no arguments": ("delete_file", {}, "delete_file → (no arguments)", "delete_file → (sin argumentos)"),
    "a path before a command": ("other", {"command": "ls", "path": "a"}, "other → a", None),
}


@pytest.mark.parametrize(("tool", "arguments", "english", "spanish"), FORMS.values(), ids=FORMS)
def test_a_call_is_described_in_one_of_five_forms(
    tool: str, arguments: dict[str, object], english: str, spanish: str | None
) -> None:
    assert describe(tool, arguments) == english
    assert describe(tool, arguments, language="es") == (spanish or english)


def test_the_model_is_told_what_would_be_executed() -> None:
    assert would_execute("f(a=1)") == "[DRY-RUN] Would execute: f(a=1)"
    assert would_execute("f(a=1)", language="es") == "[DRY-RUN] Se ejecutaría: f(a=1)"


def test_a_language_that_the_bot_does_not_speak_is_an_error() -> None:
    with pytest.raises(KeyError):
        describe("f", {}, language="fr")
