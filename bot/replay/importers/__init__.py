"""Runs that other programs recorded. One module a shape; `IMPORTERS` are asked in their order.

To add one, write a module with an `Importer` in it and list it here: see docs/replay.md.
"""

from typing import Final

from bot.replay.importers.importer import Called, Importer, Run, Unreadable
from bot.replay.importers.mini_swe_agent import MINI_SWE_AGENT
from bot.replay.importers.openai_log import OPENAI_LOG, OPENAI_MESSAGES
from bot.replay.importers.swe_agent import SWE_AGENT
from bot.replay.importers.tau_bench import TAU_BENCH

__all__ = ["IMPORTERS", "Called", "Importer", "Run", "Unreadable"]

# The most particular shapes first: those of the last two are in all others.
IMPORTERS: Final[tuple[Importer, ...]] = (SWE_AGENT, MINI_SWE_AGENT, TAU_BENCH, OPENAI_LOG, OPENAI_MESSAGES)
