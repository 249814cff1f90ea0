"""The line in a commit's list of checks."""

import pytest
from plans import plan

from bot.render.checks import check_title


@pytest.mark.parametrize(
    ("language", "title"),
    [
        ("en", "Action plan (dry-run): 0 planned actions"),
        ("es", "Plan de acciones (dry-run): 0 acciones planificadas"),
    ],
)
def test_it_is_the_plan_s_headline(language: str, title: str) -> None:
    assert check_title(plan(), language=language) == title
