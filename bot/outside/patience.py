"""How long to wait for GitHub before a request is tried again, and when to give up."""

import time
from collections.abc import Callable

from bot.dataclass import dataclass
from bot.outside.fault import Fault, Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """`longest_wait_s` caps what one request waits for limits altogether: a runner's minutes cost money."""

    sleep: Callable[[float], None] = time.sleep
    now: Callable[[], float] = time.time
    tries: int = 4
    longest_wait_s: float = 300.0

    def pause_s(self, fault: Fault, *, tries: int, waited_s: float, is_new: bool) -> float | None:
        """Seconds to wait after the `tries`th try, or None to give up.

        `is_new`: it was only just made, and GitHub may not know it everywhere yet.
        """
        if fault.kind is Kind.LIMITED:
            pause = max(fault.wait_s, 1.0)
        elif fault.kind is Kind.SERVER or (fault.kind is Kind.MISSING and is_new):
            pause = max(fault.wait_s, float(2 ** (tries - 1)))
            if tries >= self.tries:
                return None
        else:
            return None
        return pause if waited_s + pause <= self.longest_wait_s else None
