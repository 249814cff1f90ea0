import pytest
from pydantic import ValidationError

from bot.config import DEFAULT, read_config
from bot.gate.policy import DEFAULT_PATHS, CommandRule, CommandRules, PathRules, Policy


def test_a_secret_is_known_by_any_spelling() -> None:
    for path in (".env", "a/.ENV", "x/../.env", "\uff0eenv", "a.pem", "a/id_rsa.pub"):
        assert DEFAULT.policy.is_secret(path)
    for path in ("env", "README.md", ".env.example", "a.pem.md", ""):
        assert not DEFAULT.policy.is_secret(path)


def test_a_maintainer_may_have_more_secrets_or_fewer() -> None:
    policy = Policy(paths=PathRules(secret=("vault/**", "!**/*.pem")))
    assert policy.is_secret("vault/a")
    assert not policy.is_secret("a.pem")
    assert policy.is_secret(".env")


def test_lists_begin_with_the_defaults() -> None:
    policy = Policy(paths=PathRules(deny=("a",), ask=("b",), allow=("c",)))
    for name, patterns in (("deny", policy.denied), ("ask", policy.asked), ("secret", policy.secret)):
        texts = [pattern.text for pattern in patterns.patterns]
        assert tuple(texts[: len(DEFAULT_PATHS[name])]) == DEFAULT_PATHS[name]
    assert policy.denied.patterns[-1].text == "a"
    assert policy.asked.patterns[-1].text == "b"
    assert [pattern.text for pattern in policy.allowed.patterns] == ["c"]


def test_the_rule_that_allows_a_command_is_known_by_its_number() -> None:
    rules = [("ls",), ("g*", "a"), ("git", "**"), ("git", "a")]
    policy = Policy(commands=CommandRules(allow=tuple(CommandRule(argv=argv) for argv in rules)))
    expected = {("ls",): 0, ("git", "a"): 1, ("git", "b"): 2, ("gi", "a"): 1, ("ls", "a"): None, (): None}
    assert {argv: policy.allowing(argv) for argv in expected} == expected
    assert policy.allowing(("git", None)) is None
    assert policy.allowing((None,)) is None


def test_a_source_is_a_line_of_the_file_or_the_default() -> None:
    policy = read_config(b"policy:\n  limits:\n    files: 3\n", file="dir/f.yml").policy
    assert policy.source("limits", "files") == "dir/f.yml:3"
    assert policy.source("limits", "actions") == "default"
    assert Policy().source("limits", "files") == "default"


def test_another_value_leaves_nothing_compiled_from_the_old_one() -> None:
    policy = read_config(b"policy: {paths: {deny: [a]}}\n", file="f").policy
    assert policy.denied.hit("a")
    other = policy.replaced(paths=PathRules(deny=("b",)))
    assert (other.denied.hit("a"), bool(other.denied.hit("b"))) == (None, True)
    assert other.source("paths", "deny", 0) == "f:1"
    assert policy.denied.hit("a")


WRONG = ["", "#", "[", "a\\b", "../a", "a\0b", "!", "a/../../b", "~/a", "-a"]


@pytest.mark.parametrize("pattern", WRONG)
def test_a_pattern_that_could_never_match_is_an_error(pattern: str) -> None:
    with pytest.raises(ValidationError):
        PathRules(deny=(pattern,))
