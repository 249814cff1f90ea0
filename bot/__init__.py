"""Terraform's plan and apply, for agents. Start reading in `bot/flows/`."""

__version__ = "0.1.0"
# Where a repository keeps its configuration, and with it its policy.
CONFIG_PATH = ".github/dryrun-bot.yml"
