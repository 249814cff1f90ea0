"""The JSON Schema of `.github/dryrun-bot.yml`, for editors. Made from the models, shipped beside them."""

import json

from bot.action import Json
from bot.config import Config


def config_schema() -> dict[str, Json]:
    schema: dict[str, Json] = Config.model_json_schema()
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **schema,
        "title": "dryrun-bot: .github/dryrun-bot.yml",
        "description": "What the bot may do in this repository.",
    }


def schema_text() -> str:
    return json.dumps(config_schema(), indent=2, sort_keys=True, ensure_ascii=False) + "\n"
