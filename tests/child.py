"""A program that a test starts and that ends with the test, whatever becomes of it."""

import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any


@contextmanager
def child(command: Sequence[str], **how: Any) -> Iterator["subprocess.Popen[Any]"]:
    """Killed and waited for at the end; one that is left would be another test's warning."""
    with subprocess.Popen(command, **how) as process:
        try:
            yield process
        finally:
            process.kill()
