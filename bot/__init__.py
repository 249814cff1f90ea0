"""Terraform's plan and apply, for agents. Start reading in `bot/flows/`."""

__version__ = "0.1.0"
