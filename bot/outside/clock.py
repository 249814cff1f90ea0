"""The machine's own clock."""

import time
from datetime import UTC, datetime


class SystemClock:
    def now(self) -> datetime:
        """Whole seconds: a record needs no finer time, and reads better without."""
        return datetime.now(UTC).replace(microsecond=0)

    def elapsed_s(self) -> float:
        return time.monotonic()
