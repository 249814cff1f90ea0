"""(What a machine is told) -> whether the model's server and GitHub answer it, each with the next step."""

from typing import Final

from bot.config import DEFAULT, Config
from bot.errors import BotError
from bot.outside.answers import RepositoryAnswer
from bot.outside.llm import OpenAiModel
from bot.outside.patience import Patience
from bot.outside.rest import Request, path_of, rest
from bot.own_machine.workflow_checkup import Check
from bot.sentence import Sentence
from bot.settings import is_repository_name
from bot.terminal.surroundings import Surroundings

_TIMEOUT_S: Final = 15
_SHOWN_MODELS: Final = 5


def model_check(surroundings: Surroundings, config: Config | BotError | None, *, is_offline: bool) -> Check:
    """The server is asked for its list of models. A key alone says nothing of the server behind it."""
    what = "Model"
    if surroundings.api_key is None and surroundings.base_url is None:
        return Check(
            what=what,
            found="no key on this machine; pull requests use the repository's secret",
            next_step="set OPENAI_API_KEY, or OPENAI_BASE_URL for a server without keys",
            is_needed=False,
        )
    if is_offline:
        given = "OPENAI_API_KEY" if surroundings.base_url is None else "OPENAI_BASE_URL"
        return Check(what=what, found=f"{given} is set (not tried)")
    name = (config if isinstance(config, Config) else DEFAULT).model.name
    key = "none" if surroundings.api_key is None else surroundings.api_key.reveal()
    model = OpenAiModel(model=name, api_key=key, base_url=surroundings.base_url, timeout_s=_TIMEOUT_S)
    try:
        names = model.names()
    except BotError as error:
        return Check(what=what, found=error.what, next_step=error.next_step, is_needed=False)
    if names is None or name in names:
        found = f"the server has {name}" if names else "the server answers, and lists no models"
        return Check(what=what, found=found)
    shown = ", ".join(names[:_SHOWN_MODELS]) or "none at all"
    return Check(
        what=what,
        found=f"the server answers, and has no {name}",
        next_step=f"set model.name to one that it has: {shown}",
        is_needed=False,
    )


def github_check(surroundings: Surroundings, name: str, *, is_offline: bool) -> Check:
    """What the token in the environment may do in the repository that the remote `origin` names."""
    what = "GitHub"
    if not is_repository_name(name):
        step = "git remote add origin https://github.com/OWNER/NAME"
        return Check(what=what, found="no remote names a repository there", next_step=step, is_needed=False)
    if surroundings.github_token is None or is_offline:
        if is_offline:
            return Check(what=what, found="not asked")
        found, step = "not asked: GITHUB_TOKEN is not set", "GITHUB_TOKEN=$(gh auth token) dryrun-bot doctor"
        return Check(what=what, found=found, next_step=step, is_needed=False)
    door = rest(
        surroundings.github_token, api_url=surroundings.api_url, patience=Patience(tries=1, longest_wait_s=0)
    )
    request = Request(
        what=Sentence("read %(name)s", name=name), permission="metadata: read", path=path_of("repos", name)
    )
    try:
        answer = door.ask(request, RepositoryAnswer)
    except BotError as error:
        return Check(what=what, found=error.what, next_step=error.next_step, is_needed=False)
    if not answer.permissions.get("push"):
        return Check(
            what=what,
            found=f"the token may not push to {name}, so the bot would not listen to you",
            next_step="ask for the role `write` there, or use a token that may write contents",
            is_needed=False,
        )
    return Check(what=what, found=f"the token may push to {answer.full_name}")
