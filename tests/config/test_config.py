from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.config import DEFAULT, Config, read_config
from bot.errors import BadConfig
from bot.permission import Permission
from bot.verdict import Outcome

WHOLE = b"""\
version: 1
language: es
model: {name: gpt-5.4-mini, advisor: null}
limits: {steps: 40, tokens: 1000000, usd: 0.50, seconds: 600}
tasks:
  tidy-docs:
    prompt: Fix typos in the documents this pull request touches.
    on: [opened, synchronize, reopened, ready_for_review]
    paths: ["docs/**"]
ad_hoc_tasks: false
policy:
  defaults: {read: allow, write: allow, delete: ask, command: ask, external: deny}
  limits: {actions: 60, files: 20, added_lines: 800, file_bytes: 262144, commands: 15}
  paths:
    secret: ["**/.env*", "**/*.env", "**/*.pem", "**/id_rsa*", "!**/.env.example"]
    deny: ["**/.git", "**/.git/**", ".github/workflows/**"]
    ask: [".gitattributes", "**/package.json"]
    allow: []
  commands:
    allow:
      - argv: [pytest, "-q", "tests/**"]
        match: ["pytest -q tests/test_a.py"]
        not_match: ["pytest -q -p evil", "python -m pytest"]
    deny: []
  tools: {create_issue: ask, tickets.search: allow}
  hosts: [api.example.com]
apply: {permission: maintain, teams: [our-org/core], author_may_apply: true, expires_hours: 72}
advice: {required: false}
chaos: {rate: 0, seed: 0}
sandbox: {rehearse: false, required: true, may_change: ["*.lock"]}
mcp:
  tickets:
    command: [uvx, our-tickets-mcp==1.2.0]
    env: [TICKETS_TOKEN]
    tools: {search: {kind: read}, create: {kind: external, simulate: {result: {id: dry}}}}
extends: our-org/.github:dryrun-bot.yml@main
template: .github/dryrun-bot/plan.md.j2
command_prefix: dryrun
"""


def read(text: str | bytes) -> Config:
    return read_config(text.encode() if isinstance(text, str) else text, file=".github/dryrun-bot.yml")


def test_every_key_is_read() -> None:
    config = read(WHOLE)
    assert (config.language, config.model.advisor, config.ad_hoc_tasks) == ("es", None, False)
    assert config.limits.usd == Decimal("0.50")
    assert config.tasks["tidy-docs"].on == ("opened", "synchronize", "reopened", "ready_for_review")
    assert config.policy.tools == {"create_issue": Outcome.ASK, "tickets.search": Outcome.ALLOW}
    assert config.apply.permission is Permission.MAINTAIN
    assert config.mcp["tickets"].tools["create"].simulate is not None
    assert config.sandbox.may_change == ("*.lock",)
    assert config.extends == "our-org/.github:dryrun-bot.yml@main"


def test_no_file_and_an_empty_one_are_the_defaults() -> None:
    assert read("") is DEFAULT
    assert read("version: 1").model_dump() == DEFAULT.model_dump()
    assert DEFAULT.limits.steps == 40
    assert DEFAULT.policy.defaults.external is Outcome.DENY
    assert read("").policy_digest == DEFAULT.policy_digest


MISTAKES = {
    "not a mapping": ("- a", 1, 1, "it is not a mapping of keys", "begin with: version: 1"),
    "another version": ("version: 2", 1, 1, "version: 2 is none of its values", "write 1"),
    "a word for a number": (
        "limits: {steps: x}",
        1,
        10,
        "limits.steps: 'x' is not a whole number",
        "write a whole number",
    ),
    "a boolean for a number": (
        "limits: {steps: true}",
        1,
        10,
        "limits.steps: true is not a whole number",
        "write a whole",
    ),
    "a fraction for a number": (
        "limits: {steps: 1.5}",
        1,
        10,
        "limits.steps: 1.5 is not a whole number",
        "write a whole",
    ),
    "zero steps": (
        "limits: {steps: 0}",
        1,
        10,
        "limits.steps: 0 should be greater than or equal to 1",
        "see docs",
    ),
    "a word for money": (
        "limits:\n  usd: lots",
        2,
        3,
        "limits.usd: 'lots' is not a number",
        "write a number",
    ),
    "yes for true": (
        "ad_hoc_tasks: yes",
        1,
        1,
        "ad_hoc_tasks: 'yes' is not true or false",
        "write true or false",
    ),
    "a number for a text": ("model: {name: 5}", 1, 9, "model.name: 5 is not a text", "write a text"),
    "a text for a list": (
        "policy:\n  paths:\n    deny: x",
        3,
        5,
        "policy.paths.deny: 'x' is not a list",
        "write a list",
    ),
    "a list for a mapping": (
        "policy: [a]",
        1,
        1,
        "policy: a list is not a mapping of keys",
        "write a mapping",
    ),
    "nothing for a mapping": ("policy:", 1, 1, "policy: nothing is not a mapping of keys", "write a mapping"),
    "an unknown key": ("polices: {}", 1, 1, "polices: there is no such key", "did you mean policy?"),
    "an unknown key within": (
        "policy:\n  path: {}",
        2,
        3,
        "policy.path: there is no such key",
        "did you mean paths?",
    ),
    "an unknown key in a named thing": (
        "tasks:\n  a:\n    prompt: x\n    promt: y",
        4,
        5,
        "tasks.a.promt: there is no such key",
        "did you mean prompt?",
    ),
    "a key like no other": (
        "zzz: 1",
        1,
        1,
        "zzz: there is no such key",
        "write one of ad_hoc_tasks, advice,",
    ),
    "an unknown verdict": (
        "policy: {defaults: {read: maybe}}",
        1,
        21,
        "policy.defaults.read: 'maybe'",
        "write 'allow', 'ask'",
    ),
    "an unknown event": (
        "tasks: {a: {prompt: x, on: [closed]}}",
        1,
        29,
        "tasks.a.on.0: 'closed' is none",
        "write 'opened'",
    ),
    "no prompt": ("tasks:\n  a: {on: [opened]}", 2, 3, "tasks.a: the key prompt is missing", "add prompt:"),
    "a task's odd name": (
        "tasks: {'a b': {prompt: x}}",
        1,
        9,
        "tasks.a b: 'a b' has not the right form",
        "write a text",
    ),
    "too low a permission": (
        "apply: {permission: read}",
        1,
        9,
        "apply.permission: 'read' is none",
        "write 'write', 'm",
    ),
    "a bad pattern": (
        "policy: {paths: {ask: ['[']}}",
        1,
        24,
        "policy.paths.ask.0: '[' matches nothing",
        "see docs",
    ),
    "a pattern with a backslash": (
        "policy: {paths: {ask: ['a\\b']}}",
        1,
        24,
        "policy.paths.ask.0: 'a\\\\b' has a",
        "see",
    ),
    "an empty rule": (
        "policy: {commands: {allow: [{argv: []}]}}",
        1,
        30,
        "policy.commands.allow.0.argv: it is empty",
        "write something",
    ),
    "too many rules": (
        "policy: {commands: {allow: [" + "{argv: [a]}," * 1_001 + "]}}",
        1,
        21,
        "policy.commands.allow: it has more than 1000 entries",
        "keep to 1000",
    ),
    "a text that is too long": (
        "model: {name: " + "a" * 501 + "}",
        1,
        9,
        "model.name: it has more than 500",
        "keep",
    ),
    "a side effect that can't be rehearsed": (
        "mcp:\n  a:\n    command: [b]\n    tools:\n      c: {kind: write}",
        5,
        7,
        "mcp.a.tools.c: a tool of kind write needs simulate",
        "see docs",
    ),
    "a server without a way to it": ("mcp: {a: {}}", 1, 7, "mcp.a: give either command or url", "see docs"),
    "a server with two ways": (
        "mcp: {a: {command: [b], url: 'https://c'}}",
        1,
        7,
        "mcp.a: give either command",
        "see",
    ),
    "a result twice": (
        "mcp: {a: {command: [b], tools: {c: {kind: read, simulate: {result: 1, from_output_schema: true}}}}}",
        1,
        49,
        "mcp.a.tools.c.simulate: give either result or from_output_schema: true",
        "see docs",
    ),
    "another server's address": (
        "mcp: {a: {url: 'ftp://x'}}",
        1,
        11,
        "mcp.a.url: 'ftp://x' has not the right",
        "write",
    ),
    "a template outside": ("template: ../x", 1, 1, "template: '../x' leads outside", "see docs"),
    "a template by a detour": ("template: ./x", 1, 1, "template: './x' is written 'x'", "see docs"),
    "an odd source": (
        "extends: main",
        1,
        1,
        "extends: 'main' has not the right form",
        "write a text of the form",
    ),
    "a wrong example": (
        "policy:\n  commands:\n    allow:\n    - argv: [ls]\n      match: [ls, ls -a]",
        5,
        19,
        "policy.commands.allow.0.match.1: the verdict on 'ls -a' is ask, and the example says allow",
        "change the rule or the example",
    ),
    "an example that is allowed after all": (
        "policy:\n  commands:\n    allow:\n    - argv: [ls, '**']\n      not_match: [ls -a]",
        5,
        19,
        "policy.commands.allow.0.not_match.0: the verdict on 'ls -a' is allow, and the example says",
        "change the rule or the example",
    ),
    "an example of another rule's": (
        "policy:\n  commands:\n    allow:\n    - argv: [ls, '**']\n      match: [ls .env]",
        5,
        15,
        "policy.commands.allow.0.match.0: the verdict on 'ls .env' is deny, and the example says allow",
        "change the rule or the example",
    ),
    "a wrong example of what is denied": (
        "policy:\n  commands:\n    deny:\n    - argv: [ls]\n      match: [cat]",
        5,
        15,
        "policy.commands.deny.0.match.0: the verdict on 'cat' is ask, and the example says deny",
        "change the rule or the example",
    ),
}


@pytest.mark.parametrize(("text", "line", "column", "what", "next_step"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_told_with_its_place_and_what_to_write(
    text: str, line: int, column: int, what: str, next_step: str
) -> None:
    with pytest.raises(BadConfig) as raised:
        read(text)
    assert raised.value.what.startswith(f".github/dryrun-bot.yml line {line} column {column}: {what}")
    assert raised.value.next_step.startswith(next_step)


def test_the_first_of_several_mistakes_is_told() -> None:
    with pytest.raises(BadConfig) as raised:
        read("language: fr\nzzz: 1\nversion: 3\n")
    assert "line 1" in raised.value.what


SAME = [
    "language: en\nversion: 1",
    "# a comment\nversion: 1\n",
    "model: {advisor: gpt-5.4-mini, name: gpt-5.4-mini}",
    "policy: {defaults: {}}",
    "limits: {usd: 0.50}",
]


@pytest.mark.parametrize("text", SAME)
def test_the_digest_is_of_what_is_decided_not_of_how_it_is_written(text: str) -> None:
    assert read(text).policy_digest == DEFAULT.policy_digest


OTHER = [
    "language: es",
    "limits: {usd: 0.51}",
    "policy: {paths: {deny: [a]}}",
    "policy: {commands: {allow: [{argv: [a]}]}}",
    "tasks: {a: {prompt: x}}",
    "model: {advisor: null}",
    "model: {window: 8192}",
    "apply: {expires_hours: 71}",
    "mcp: {a: {command: [b]}}",
    "sandbox: {may_change: [a]}",
    "advice: {required: true}",
    "chaos: {rate: 0.1}",
]


@pytest.mark.parametrize("text", OTHER)
def test_every_key_counts_for_the_digest(text: str) -> None:
    digest = read(text).policy_digest
    assert digest != DEFAULT.policy_digest
    assert len(digest) == 64


def test_the_organisation_counts_for_the_digest_and_judges() -> None:
    own, org = read("language: es"), read("policy: {paths: {deny: [a]}}")
    both = own.extending(org)
    assert both.policies == (org.policy, own.policy)
    assert len({own.policy_digest, org.policy_digest, both.policy_digest}) == 3
    assert own.policies == (own.policy,)


def test_a_window_is_that_of_the_model_that_is_named_and_no_other() -> None:
    choice = read("model: {name: ours, window: 8192}").model
    assert (choice.window_of("ours"), choice.window_of("another"), DEFAULT.model.window) == (8192, None, None)
    for wrong in ("2047", "many", "1e5", "-1"):
        with pytest.raises(BadConfig, match=r"model\.window"):
            read(f"model: {{window: {wrong}}}")


def test_an_error_about_the_defaults_has_a_place_too() -> None:
    assert DEFAULT.bad(("limits",), "x", next_step="y").what == "the defaults line 1 column 1: x"


KEYS = st.sampled_from(
    ["version", "policy", "paths", "deny", "commands", "allow", "argv", "match", "tasks", "on", "mcp"]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.sampled_from(["ls", "**", "allow"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)


@given(VALUES)
def test_any_value_is_read_or_told(value: object) -> None:
    import yaml

    try:
        read(yaml.safe_dump(value))
    except BadConfig as error:
        told = error
    else:
        return
    assert told.what.startswith(".github/dryrun-bot.yml line ")
    assert told.next_step
