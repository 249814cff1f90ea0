import copy
import dataclasses
import json
import pickle
import traceback
from pathlib import Path

import pytest

from bot.errors import BadUsage
from bot.settings import Secret, is_repository_name, read_settings

ENVIRON = {
    "GITHUB_REPOSITORY": "acme/widgets",
    "GITHUB_EVENT_NAME": "issue_comment",
    "GITHUB_EVENT_PATH": "/runner/event.json",
    "GITHUB_WORKSPACE": "/runner/work",
    "RUNNER_TEMP": "/runner/temp",
    "GITHUB_TOKEN": "ghs_correcthorse",
    "GITHUB_ACTOR": "maya",
}


def test_what_the_runner_says_is_read() -> None:
    settings = read_settings(
        ENVIRON
        | {
            "GITHUB_API_URL": "https://ghe.example/api/v3/",
            "GITHUB_SERVER_URL": "https://ghe.example/",
            "GITHUB_TRIGGERING_ACTOR": "noor",
            "GITHUB_RUN_ID": "77",
            "GITHUB_RUN_ATTEMPT": "2",
            "OPENAI_API_KEY": "sk-battery",
            "OPENAI_BASE_URL": "http://127.0.0.1:11434/v1",
            "INPUT_PULL-REQUEST": " 12 ",
            "INPUT_TASK": "tidy-docs",
            "INPUT_SIGNING_KEY": "staple",
            "LANG": "es_ES.UTF-8",
        }
    )
    assert settings.repository == "acme/widgets"
    assert settings.out == Path("/runner/temp/dryrun-bot")
    assert settings.api_url == "https://ghe.example/api/v3"
    assert settings.graphql_url == "https://ghe.example/api/graphql"
    assert settings.run_url == "https://ghe.example/acme/widgets/actions/runs/77"
    assert settings.triggering_actor == "noor"
    assert settings.is_rerun
    assert settings.openai_base_url == "http://127.0.0.1:11434/v1"
    assert settings.inputs.pull_request == 12
    assert settings.inputs.task == "tidy-docs"
    assert settings.inputs.signing_key is not None
    assert settings.inputs.signing_key.reveal() == "staple"
    assert settings.inputs.org_token is None
    assert settings.locale == "es_ES"


def test_what_the_runner_leaves_out_has_githubs_own_values() -> None:
    settings = read_settings(ENVIRON)
    assert settings.api_url == "https://api.github.com"
    assert settings.graphql_url == "https://api.github.com/graphql"
    assert settings.triggering_actor == "maya"
    assert not settings.is_rerun
    assert settings.openai_api_key is None
    assert settings.locale is None


@pytest.mark.parametrize("variable", ENVIRON)
def test_a_missing_variable_is_named(variable: str) -> None:
    without = {name: value for name, value in ENVIRON.items() if name != variable}
    with pytest.raises(BadUsage, match=variable):
        read_settings(without)
    with pytest.raises(BadUsage, match=variable):
        read_settings(ENVIRON | {variable: ""})


UNUSABLE = {
    "a repository with a path": {"GITHUB_REPOSITORY": "acme/widgets/../secrets"},
    "a repository without an owner": {"GITHUB_REPOSITORY": "widgets"},
    "a repository made of dots": {"GITHUB_REPOSITORY": "acme/.."},
    "a run id that is no number": {"GITHUB_RUN_ID": "1; rm"},
    "an attempt in Arabic digits": {"GITHUB_RUN_ATTEMPT": "\u0662"},
    "a pull request that is a title": {"INPUT_PULL-REQUEST": "the first"},
    "a token with a line end": {"GITHUB_TOKEN": "ghs_correct\nhorse"},
    "a token with a space": {"GITHUB_TOKEN": "ghs_correct horse"},
}


@pytest.mark.parametrize("change", UNUSABLE.values(), ids=UNUSABLE)
def test_an_unusable_value_is_named_with_its_variable(change: dict[str, str]) -> None:
    with pytest.raises(BadUsage) as caught:
        read_settings(ENVIRON | change)
    assert next(iter(change)) in caught.value.what
    assert "horse" not in caught.value.what


NAMES = {
    "acme/widgets": True,
    "acme/.github": True,
    "dev_corp/a.b-c_d": True,
    "acme/...": True,
    "acme": False,
    "acme/": False,
    "/widgets": False,
    "acme/..": False,
    "acme/.": False,
    "acme/widgets/x": False,
    "acme/wid gets": False,
    "acme/w\u00eddgets": False,
    "acme/widgets\n": False,
    "acme/widgets?x": False,
}


@pytest.mark.parametrize("name", NAMES)
def test_a_repository_name_can_stand_in_a_url_as_it_is(name: str) -> None:
    assert is_repository_name(name) is NAMES[name]


def test_a_secret_never_prints() -> None:
    settings = read_settings(ENVIRON | {"OPENAI_API_KEY": "sk-battery", "INPUT_ORG-TOKEN": "ghp_staple"})
    error = ValueError(settings.token, settings)
    shown = [
        repr(settings),
        str(settings),
        f"{settings.token}",
        f"{settings.token!r:>40}",
        "".join(traceback.format_exception(error)),
        json.dumps({"token": settings.token}, default=str),
    ]
    assert not [text for text in shown if "horse" in text or "battery" in text or "staple" in text]


def test_every_secret_is_known_so_that_it_can_be_kept_out_of_what_leaves() -> None:
    assert read_settings(ENVIRON).secrets == ("ghs_correcthorse",)
    more = {"OPENAI_API_KEY": "sk-battery", "INPUT_ORG-TOKEN": "ghp_staple", "INPUT_SIGNING-KEY": "key"}
    assert sorted(read_settings(ENVIRON | more).secrets) == [
        "ghp_staple",
        "ghs_correcthorse",
        "key",
        "sk-battery",
    ]


@pytest.mark.parametrize("leak", [pickle.dumps, copy.deepcopy, copy.copy], ids=["pickle", "deepcopy", "copy"])
def test_a_secret_is_not_copied_to_anywhere(leak) -> None:
    with pytest.raises(TypeError):
        leak(Secret("horse"))
    with pytest.raises(TypeError):
        dataclasses.asdict(read_settings(ENVIRON))
