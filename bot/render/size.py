"""How long a comment is, as GitHub may count it."""


def units(text: str) -> int:
    """UTF-16 code units: never less than characters, never more than half the bytes of the worst case."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le")) // 2
