"""How far long work has come, its rate and the time that is left. On stderr, and for a person's eyes only."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO

from bot.terminal.screen import screen


@contextmanager
def bar(stream: IO[str], *, total: int, what: str, is_plain: bool) -> Iterator[Callable[[], None]]:
    """Yields what is to be called each time that one of `total` is done. Silent where nobody looks."""
    if is_plain or not stream.isatty():
        yield lambda: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}", markup=False),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=screen(stream, is_plain=False), transient=True) as progress:
        task = progress.add_task(what, total=total, rate="")

        def one_done() -> None:
            speed = progress.tasks[0].speed
            progress.update(task, advance=1, rate="" if speed is None else f"{speed:,.0f}/s")

        yield one_done
