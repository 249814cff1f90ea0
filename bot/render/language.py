"""The languages the bot speaks: English is in the templates, the others in the catalogues of `bot/locale`."""

import gettext
from functools import cache
from typing import Final

LANGUAGES: Final = ("en", "es")


@cache
def catalogue(language: str) -> gettext.NullTranslations:
    """Raises KeyError for a language the bot does not speak; the config allows no other."""
    if language not in LANGUAGES:
        raise KeyError(language)
    if language == "en":
        return gettext.NullTranslations()
    from importlib.resources import files

    with (files("bot") / "locale" / language / "LC_MESSAGES" / "dryrun-bot.mo").open("rb") as stream:
        return gettext.GNUTranslations(stream)
