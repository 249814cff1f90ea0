"""What a task is called for in words now, and what of its old words stays."""

from dataclasses import replace

import pytest
from recorded import config_of, situation_of

from bot.assignment import Assignment
from bot.noted.given import Given
from bot.replay.wording import Wording

THEN = b"version: 1\ntasks: {tidy: {prompt: Tidy up.}, other: {prompt: Others.}}\n"
NOW = b"version: 1\ntasks: {tidy: {prompt: Tidy up well.}}\n"


def _given(name: str, words: str) -> Given:
    return Given(
        repository="acme/widgets",
        assignment=Assignment(name=name, words=words),
        situation=situation_of(config_of(THEN)),
        version="0.1.0",
    )


CASES = {
    "its prompt": (_given("tidy", "Tidy up."), "Tidy up well."),
    "its prompt and further words": (_given("tidy", "Tidy up.\n\nOnly docs."), "Tidy up well.\n\nOnly docs."),
    "a task that is not there any more": (_given("other", "Others."), "Others."),
    "free words": (_given("ad-hoc", "Do this."), "Do this."),
    "words of some other time": (_given("tidy", "Clean."), "Tidy up well."),
}


@pytest.mark.parametrize(("given", "words"), CASES.values(), ids=CASES)
def test_a_configuration_s_prompt_takes_the_place_of_the_old_one(given: Given, words: str) -> None:
    assert Wording.of(config_of(NOW)).words(given) == words


def test_one_prompt_is_for_all_and_none_changes_nothing() -> None:
    given = _given("tidy", "Tidy up.")
    assert Wording(prompt="New.").words(given) == "New."
    assert Wording().words(given) == "Tidy up."
    assert replace(given, version="0.2").assignment.words == "Tidy up."
