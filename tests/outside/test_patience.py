import pytest

from bot.outside.fault import Fault, Kind
from bot.outside.patience import Patience

PATIENCE = Patience(sleep=lambda _: None, now=lambda: 0.0, tries=4, longest_wait_s=300)


def fault(kind: Kind, wait_s: float = 0.0) -> Fault:
    return Fault(kind=kind, status=None, message="", wait_s=wait_s)


PAUSES = {
    "GitHub's trouble, once": (fault(Kind.SERVER), 1, 0, False, 1),
    "GitHub's trouble, twice": (fault(Kind.SERVER), 2, 1, False, 2),
    "GitHub's trouble, three times": (fault(Kind.SERVER), 3, 3, False, 4),
    "GitHub's trouble, too often": (fault(Kind.SERVER), 4, 7, False, None),
    "GitHub's trouble with a time": (fault(Kind.SERVER, 20), 1, 0, False, 20),
    "a limit": (fault(Kind.LIMITED, 60), 1, 0, False, 60),
    "a limit of no time": (fault(Kind.LIMITED, 0), 1, 0, False, 1),
    "a limit up to the cap": (fault(Kind.LIMITED, 60), 5, 240, False, 60),
    "a limit beyond the cap": (fault(Kind.LIMITED, 61), 5, 240, False, None),
    "a limit of an hour": (fault(Kind.LIMITED, 3600), 1, 0, False, None),
    "nothing there": (fault(Kind.MISSING), 1, 0, False, None),
    "nothing there yet": (fault(Kind.MISSING), 1, 0, True, 1),
    "nothing there for too long": (fault(Kind.MISSING), 4, 7, True, None),
    "no permission": (fault(Kind.FORBIDDEN), 1, 0, True, None),
    "a wrong token": (fault(Kind.TOKEN), 1, 0, True, None),
    "a refusal": (fault(Kind.REFUSED), 1, 0, True, None),
}


@pytest.mark.parametrize(("said", "tries", "waited_s", "is_new", "expected"), PAUSES.values(), ids=PAUSES)
def test_only_what_may_pass_is_waited_for_and_not_for_ever(said, tries, waited_s, is_new, expected) -> None:
    assert PATIENCE.pause_s(said, tries=tries, waited_s=waited_s, is_new=is_new) == expected
