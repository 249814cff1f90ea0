from bot.shell.program_table import ALWAYS, CHECKED, READERS, SHELLS, STEERED_BY


def test_a_program_is_in_one_part_of_the_table() -> None:
    assert not ALWAYS.keys() & CHECKED.keys()
    assert not ALWAYS.keys() & READERS
    assert not STEERED_BY.keys() & READERS
    assert ALWAYS.keys() >= SHELLS


def test_every_reason_completes_a_sentence() -> None:
    for why in ALWAYS.values():
        assert why[0].islower()
        assert not why.endswith(".")
