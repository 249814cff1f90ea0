import pytest

from bot.render.address import safe_address

SAFE = [
    "https://github.com/acme/site/actions/runs/1",
    "https://github.com/acme/site/commit/" + "a" * 40,
    "http://127.0.0.1:8080/acme/site/pull/7#issuecomment-12",
    "https://ghe.example/o/r",
]
UNSAFE = {
    "nothing": None,
    "another scheme": "javascript:alert(1)",
    "a scheme in another": "https:javascript:x",
    "a parenthesis": "https://github.com/a) [x](https://evil.example",
    "a blank": "https://github.com/a b",
    "a quote": 'https://github.com/"x',
    "an angle": "https://github.com/<x>",
    "a line": "https://github.com/a\nb",
    "a name and a word": "https://user:pw@evil.example/",
    "a query": "https://github.com/?x=1",
    "a pipe": "https://github.com/a|b",
    "a hidden character": "https://github.com/a\u200bb",
    "a backtick": "https://github.com/`",
}


@pytest.mark.parametrize("url", SAFE)
def test_a_plain_address_may_be_a_link(url: str) -> None:
    assert safe_address(url) == url


@pytest.mark.parametrize("url", UNSAFE.values(), ids=UNSAFE)
def test_anything_else_is_no_link(url: str | None) -> None:
    assert safe_address(url) is None
