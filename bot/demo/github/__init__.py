"""An embedded GitHub: the API the bot uses, on loopback, over real git. Nothing in it leaves this machine."""

from bot.demo.github.call import Answer
from bot.demo.github.embedded import WORKFLOW_PERMISSIONS, GitHub
from bot.demo.github.misbehaviour import Fault, bad_gateway, error, primary_rate_limit, secondary_rate_limit
from bot.demo.github.push import File
from bot.demo.github.server import Exchange
from bot.demo.github.state import Account, Comment, Issue, Repository
from bot.demo.github.webhook import Event

__all__ = [
    "WORKFLOW_PERMISSIONS",
    "Account",
    "Answer",
    "Comment",
    "Event",
    "Exchange",
    "Fault",
    "File",
    "GitHub",
    "Issue",
    "Repository",
    "bad_gateway",
    "error",
    "primary_rate_limit",
    "secondary_rate_limit",
]
