"""A model's server that is busy or out of reach -> how long to wait before the next try."""

import math
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Final

_LONGEST_S: Final = 120.0
_LONGEST_OWN_S: Final = 8.0


def may_pass(status: int, headers: Mapping[str, str]) -> bool:
    """Whether the same request may well be answered a little later."""
    if headers.get("x-should-retry") == "false":
        return False
    return status in {408, 409, 429} or status >= 500


def pause_s(headers: Mapping[str, str], *, tries: int) -> float | None:
    """After the `tries`th try; None where the server wants more patience than there is."""
    told = _told(headers)
    if told is None:
        return min(0.5 * 2.0 ** (tries - 1), _LONGEST_OWN_S)
    return max(told, 0.0) if told <= _LONGEST_S else None


def _told(headers: Mapping[str, str]) -> float | None:
    for name, unit_s in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            told = float(headers[name]) * unit_s
        except (KeyError, ValueError):
            continue
        # "nan" is a float, and no time.
        return None if math.isnan(told) else told
    try:
        return parsedate_to_datetime(headers.get("retry-after", "")).timestamp() - time.time()
    except (ValueError, OverflowError, OSError):
        return None
