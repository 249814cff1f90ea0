from dataclasses import fields

from markupsafe import Markup
from pydantic import BaseModel
from samples import mixed

from bot.render.plan_view import plan_view


def test_a_template_meets_no_record() -> None:
    seen = plan_view(mixed())
    values = [getattr(seen, field.name) for field in fields(seen)]
    assert not any(isinstance(value, BaseModel) for value in values)
    assert not hasattr(seen, "parse_file")


def test_only_digits_stand_unquoted() -> None:
    seen = plan_view(mixed())
    marked = {field.name for field in fields(seen) if isinstance(getattr(seen, field.name), Markup)}
    assert marked == {"base_sha", "head_sha", "since", "until", "digest", "short_digest"}
    assert all(set(getattr(seen, name)) <= set("0123456789abcdef-: ") for name in marked)
