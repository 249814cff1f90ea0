"""How long a comment is, as GitHub may count it, and how an amount of money is written."""

from decimal import ROUND_UP, Decimal


def units(text: str) -> int:
    """UTF-16 code units: never less than characters, and half the bytes at least."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le")) // 2


def usd(amount: Decimal) -> str:
    """Up to the next hundredth of a cent; what is less than that is given in full, so as not to look free."""
    shown = amount.quantize(Decimal("0.0001"), rounding=ROUND_UP)
    return format(amount.normalize(), "f") if 0 < amount < Decimal("0.0001") else format(shown, "f")
