import pytest

from bot.shell.program_option import Harmful, Harmless

SORT = Harmless(short="nk:", long=frozenset({"numeric-sort"}), words=frozenset({"-name"}), most_operands=1)
FINE = [
    "",
    "a",
    "-n",
    "-nn",
    "-k2",
    "-nk2n",
    "-5",
    "--numeric-sort",
    "--numeric-sort=x",
    "-name",
    "-- a",
    "- ",
]
ASKS = ["-o", "-no", "-n:", "--num", "--output=a", "a b", "-x", "-name2", "a -"]


@pytest.mark.parametrize("words", FINE)
def test_options_that_are_listed_are_harmless(words: str) -> None:
    assert SORT(words.split()) is None


@pytest.mark.parametrize("words", ASKS)
def test_every_other_option_asks(words: str) -> None:
    assert SORT(words.split())


def test_without_short_options_none_is_taken() -> None:
    for option in ("-5", "-x", "-", "--"):
        assert (Harmless(words=frozenset({"-name"}))([option]) is None) is (option in {"-", "--"})


PYTEST = Harmful(options=("-p", "-exec", "--rootdir"), first_words=frozenset({"run"}))
CAUGHT = [
    "-p x",
    "-px",
    "-qp x",
    "--rootdir=a",
    "--rootdir a",
    "--root",
    "--r",
    "-exec a",
    "--exec a",
    "-exec=a",
    "run",
    "a -p",
]
MISSED = ["", "-q", "--rootdirs", "--", "--p", "a", "a run", "p", "--x-p", "-ex", "rootdir"]


@pytest.mark.parametrize("words", CAUGHT)
def test_harmful_options_are_caught_however_they_are_written(words: str) -> None:
    assert PYTEST(words.split())


@pytest.mark.parametrize("words", MISSED)
def test_harmless_words_beside_them_are_not(words: str) -> None:
    assert PYTEST(words.split()) is None
