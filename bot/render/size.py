"""How long a comment is, as GitHub may count it, and how amounts of money and of steps are written."""

from collections.abc import Sequence
from decimal import ROUND_UP, Decimal


def units(text: str) -> int:
    """UTF-16 code units: never less than characters, and half the bytes at least."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le")) // 2


def usd(amount: Decimal) -> str:
    """Up to the next hundredth of a cent; what is less than that is given in full, so as not to look free."""
    shown = amount.quantize(Decimal("0.0001"), rounding=ROUND_UP)
    return format(amount.normalize(), "f") if 0 < amount < Decimal("0.0001") else format(shown, "f")


def listed(numbers: Sequence[int]) -> str:
    """The first fifty of them."""
    return ", ".join(map(str, numbers[:50])) + (" …" if len(numbers) > 50 else "")
