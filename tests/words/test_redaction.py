import base64
import html
import json
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.words.redaction import redact, secret_rules

SECRET = "p@ss/w0rd+very-secret=value ü"

SPELLINGS = {
    "as it is": SECRET,
    "in base64": base64.b64encode(SECRET.encode()).decode(),
    "in base64 for addresses": base64.urlsafe_b64encode(SECRET.encode()).decode(),
    "in hexadecimal": SECRET.encode().hex(),
    "in hexadecimal capitals": SECRET.encode().hex().upper(),
    "quoted for an address": quote(SECRET, safe=""),
    "quoted for an address in small letters": quote(SECRET, safe="")
    .replace("%2F", "%2f")
    .replace("%2B", "%2b"),
    "quoted for a form": quote_plus(SECRET),
    "reversed": SECRET[::-1],
    "in JSON": json.dumps(SECRET),
    "in HTML": html.escape(SECRET),
}


@pytest.mark.parametrize("spelled", SPELLINGS.values(), ids=SPELLINGS)
def test_a_secret_is_gone_in_every_spelling(spelled: str) -> None:
    shown = redact(f"before {spelled} after", [SECRET])
    assert shown.startswith("before ")
    assert shown.endswith(" after")
    assert "***" in shown
    pieces = {spelled[at : at + 12] for at in range(len(spelled) - 11)}
    assert not [piece for piece in pieces if piece in shown]


@pytest.mark.parametrize("spelled", SPELLINGS.values(), ids=SPELLINGS)
def test_every_piece_of_twelve_is_found_in_a_long_text_as_in_a_short_one(spelled: str) -> None:
    around = "\n" + "~ ~ ~ " * 40 + "\n"
    for at in range(len(spelled) - 11):
        piece = spelled[at : at + 12]
        assert redact(around + piece + around, [SECRET]) == around + redact(piece, [SECRET]) + around


def test_a_short_secret_goes_as_a_whole_and_a_tiny_one_stays() -> None:
    assert redact("the hunter2 of words", ["hunter2"]) == "the *** of words"
    assert redact("a in a text", ["a", ""]) == "a in a text"


def test_two_secrets_side_by_side_are_gone() -> None:
    assert redact("onesecret1twosecret2", ["onesecret1", "twosecret2"]) in {"***", "******"}


@given(st.text(max_size=80), st.lists(st.text(min_size=6, max_size=30), max_size=3))
def test_redacting_leaves_no_secret_and_is_done_once(text: str, secrets: list[str]) -> None:
    stars = [secret for secret in secrets if secret.strip() and set(secret.strip()) != {"*"}]
    shown = redact(text + "".join(secrets), stars)
    for secret in stars:
        if len(secret.strip()) >= 6 and "*" not in secret:
            assert secret.strip() not in shown


SHAPES = {
    "GitHub Token": "ghp_" + "a1B2" * 9,
    "GitHub Token, fine-grained": "github_pat_" + "a1B2" * 10,
    "AWS Access Key": "AKIA" + "ABCD1234" * 2,
    "Anthropic Key": "sk-ant-api03-" + "aB3-" * 10,
    "OpenAI Token": "sk-proj-" + "aB3_" * 12,
    "Google API Key": "AIza" + "aB3-_" * 7,
    "Slack Token": "xoxb-123456789012-123456789012-abcdefghijkl",
    "Stripe Access Key": "sk_live_" + "aB3d" * 6,
    "PyPI Token": "pypi-AgEIcHlwaS5vcmc" + "aB3d" * 20,
    "NPM tokens": "npm_" + "aB3d" * 9,
    "JSON Web Token": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.aBcDeFgHiJ_k-1",
    "Basic Auth Credentials": "postgres://admin:hunter2@db.example/x",
    "Private Key": "-----BEGIN EC PRIVATE KEY-----\nb3BlbnNza\nC1rZXkt\n-----END EC PRIVATE KEY-----",
}


@pytest.mark.parametrize(("name", "text"), SHAPES.items(), ids=SHAPES)
def test_what_is_shaped_like_a_secret_is_named_and_gone(name: str, text: str) -> None:
    assert name.partition(",")[0] in secret_rules(f"token = {text}\n")
    shown = redact(f"token = {text}\nafter")
    assert shown.startswith("token = ")
    assert shown.endswith("\nafter")
    assert not any(text[at : at + 10] in shown for at in range(8, len(text) - 12))


HARMLESS = {
    "a commit": "3f2a9c1d4e5f60718293a4b5c6d7e8f901234567",
    "a lock file's hash": "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kx==",
    "a UUID": "123e4567-e89b-12d3-a456-426614174000",
    "an address": "127.0.0.1 and 8.8.8.8",
    "a licence in capitals": "APACHE2LICENSE APPLICATION",
    "a variable": "//registry.example/:_authToken=${NPM_TOKEN}",
    "a word": "password = get_password()",
    "a skein of words": "task-proj-management sk-learn",
}


@pytest.mark.parametrize("text", HARMLESS.values(), ids=HARMLESS)
def test_what_is_no_secret_stays(text: str) -> None:
    assert secret_rules(text) == ()
    assert redact(text) == text


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "piece", ["sk-", "eyJ", "//", "://a:", "xoxb-1-", "-----BEGIN PRIVATE KEY-----", "npm_", "aws key '"]
)
def test_hostile_repetition_costs_little(piece: str) -> None:
    redact(piece * (100_000 // len(piece)), [SECRET])
