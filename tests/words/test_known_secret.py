import base64

import pytest

from bot.words.known_secret import places

SECRET = "p@ss/w0rd+very-secret=value ü"
SHORT = "hunter2"
DULL = "0" * 30

CASES = {
    "nothing": ("", []),
    "text without any": ("a text\n" * 100, []),
    "a secret": (f"[{SECRET}]", [(1, 30)]),
    "a piece of eleven characters": (f"[{SECRET[3:14]}]", []),
    "a piece of twelve characters": (f"[{SECRET[3:15]}]", [(1, 13)]),
    "its last twelve characters, at the end": ("x" * 100 + SECRET[-12:], [(100, 112)]),
    "two that touch": (SECRET + SECRET, [(0, 58)]),
    "two that do not touch": (f"{SECRET} {SECRET}", [(0, 29), (30, 59)]),
    "two pieces, the other way round": (SECRET[12:24] + SECRET[:12], [(0, 24)]),
    "a short one, in each place": (f"{SHORT}, {SHORT}{SHORT}", [(0, 7), (9, 23)]),
    "a part of a short one": (SHORT[:-1], []),
    "one that tells nothing by its pieces": (f"{DULL[1:]} {DULL}", [(30, 60)]),
    "both kinds": (f"{SHORT}: {SECRET}", [(0, 7), (9, 38)]),
}


@pytest.mark.parametrize(("text", "found"), CASES.values(), ids=CASES)
def test_a_secret_is_found_where_it_is(text: str, found: list[tuple[int, int]]) -> None:
    assert places(text, (SECRET, SHORT, DULL)) == found


@pytest.mark.parametrize("before", range(13))
def test_a_piece_is_found_wherever_in_the_text_it_begins(before: int) -> None:
    around = "~" * before
    for at in range(len(SECRET) - 11):
        assert places(around + SECRET[at : at + 12] + "~" * 50, (SECRET,)) == [(before, before + 12)]


@pytest.mark.parametrize("before", range(4))
def test_it_is_found_inside_other_base64(before: int) -> None:
    whole = base64.b64encode(b"x" * before + SECRET.encode() + b"tail").decode()
    assert len(places(whole, (SECRET,))) == 1


@pytest.mark.timeout(20)
@pytest.mark.parametrize("text", [SECRET[:11], SHORT[:-1], "0", "00000001", SECRET[::-1][:11]])
def test_hostile_repetition_costs_little(text: str) -> None:
    places(text * (100_000 // len(text)), (SECRET, SHORT, *(f"{at:08}-{SECRET}" for at in range(50))))
