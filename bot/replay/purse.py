"""A budget that many runs share: what one may spend at most is set aside before it begins."""

from dataclasses import field
from decimal import Decimal
from threading import Lock

from bot.dataclass import dataclass


@dataclass(slots=True)
class Purse:
    """`budget` in US dollars; None: there is no end to it."""

    budget: Decimal | None
    _taken: Decimal = Decimal(0)
    _lock: Lock = field(default_factory=Lock, repr=False)

    def take(self, most: Decimal) -> Decimal | None:
        """What a run may spend, and `most` at most; None where nothing is left."""
        with self._lock:
            left = most if self.budget is None else self.budget - self._taken
            if left <= 0:
                return None
            granted = min(most, left)
            self._taken += granted
            return granted

    def give_back(self, granted: Decimal, *, spent: Decimal | None) -> None:
        """The rest of it. Where a price is unknown, nothing comes back."""
        with self._lock:
            self._taken -= granted - (granted if spent is None else spent)
