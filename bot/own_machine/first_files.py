"""(What somebody wants the bot for) -> the workflow and the configuration to begin with, as text."""

import re
from collections.abc import Mapping
from importlib.resources import files
from typing import Final
from urllib.parse import urlsplit

from bot import CONFIG_PATH
from bot.dataclass import dataclass
from bot.errors import BadUsage

WORKFLOW_PATH: Final = ".github/workflows/dryrun-bot.yml"
# The name of a file in bot/starter/recipes -> what it is for, in the order in which it is asked.
RECIPES: Final[Mapping[str, str]] = {
    "docs-only": "mend documents, and touch nothing else",
    "test-writer": "write tests for what pull requests change",
    "dependencies": "bump a dependency, and mend the code that it breaks",
    "code-mods": "make one mechanical change over many files, on demand",
}
# The workflow's file in bot/starter -> what it is.
WORKFLOWS: Final[Mapping[str, str]] = {
    "four-jobs": "none of them has the model's key and the right to write at once",
    "one-job": "quicker, for a small private repository",
}
_FILES: Final = {"four-jobs": "workflow.yml", "one-job": "single-job.yml"}
_MODEL: Final = "# model: {name: gpt-5.4-mini, advisor: gpt-5.4-mini}\n"
_KEY: Final = re.compile(r"^( +)openai-api-key: .*\n", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """`recipe` None: no task yet, every setting as a comment. `model` None: the default one.

    `base_url` None: OpenAI's own server. Raises BadUsage for what can't stand in the files.
    """

    recipe: str | None = None
    workflow: str = "four-jobs"
    model: str | None = None
    base_url: str | None = None

    def __post_init__(self) -> None:
        if self.model is not None and not re.fullmatch(r"[A-Za-z0-9][\w./:@+-]{0,200}", self.model, re.ASCII):
            raise BadUsage(
                "%(model)s is no model's name",
                model=repr(self.model),
                next_step="use letters, digits and . / : @ + - _, as the server spells it",
            )
        if self.base_url is not None and not _is_address(self.base_url):
            raise BadUsage(
                "%(base_url)s is no address of a server",
                base_url=repr(self.base_url),
                next_step="write it whole, often with /v1 at the end: https://models.example.com/v1",
            )


def first_files(wanted: Wanted) -> Mapping[str, str]:
    """Each file's path, below the repository's root, and its text."""
    folder = files("bot") / "starter"
    workflow = (folder / _FILES[wanted.workflow]).read_text("utf-8")
    recipe = "config.yml" if wanted.recipe is None else f"recipes/{wanted.recipe}.yml"
    config = (folder / recipe).read_text("utf-8")
    if wanted.model is not None:
        config = config.replace(_MODEL, f"model: {{name: {wanted.model}, advisor: {wanted.model}}}\n")
    if wanted.base_url is not None:
        workflow = _KEY.sub(rf"\g<0>\g<1>openai-base-url: {wanted.base_url}\n", workflow)
    return {WORKFLOW_PATH: workflow, CONFIG_PATH: config}


def _is_address(text: str) -> bool:
    """Over http or https, without a password, and without anything that YAML or the runner would read."""
    if not re.fullmatch(r"https?://[\w.:\[\]/~%-]{1,500}", text, re.ASCII) or text.endswith(":"):
        return False
    try:
        return bool(urlsplit(text).hostname)
    except ValueError:
        return False
