import json
from importlib.resources import files

import jsonschema
import pytest
import yaml

from bot.config.config_schema import config_schema, schema_text


def test_the_shipped_schema_is_that_of_the_models() -> None:
    assert files("bot").joinpath("dryrun-bot.schema.json").read_text("utf-8") == schema_text(), (
        "make it anew: dryrun-bot policy schema > bot/dryrun-bot.schema.json"
    )


def test_it_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(json.loads(schema_text()))


DOCUMENTS = {
    "version: 1": True,
    "policy: {defaults: {write: ask}, paths: {deny: [a]}}": True,
    "limits: {usd: 0.5}": True,
    "tasks: {a: {prompt: x, on: [opened]}}": True,
    "version: 2": False,
    "polices: {}": False,
    "policy: {defaults: {write: maybe}}": False,
    "limits: {steps: many}": False,
    "apply: {permission: read}": False,
}


@pytest.mark.parametrize(("text", "is_valid"), DOCUMENTS.items())
def test_an_editor_sees_the_same_mistakes(text: str, *, is_valid: bool) -> None:
    validator = jsonschema.Draft202012Validator(config_schema())
    # In YAML 1.1, which PyYAML reads, `on` is true: the keys are told apart before editors come to them.
    document = yaml.load(text, Loader=yaml.BaseLoader) if " on:" in text else yaml.safe_load(text)
    assert validator.is_valid(document) is is_valid
