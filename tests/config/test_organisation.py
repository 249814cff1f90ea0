import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.action import Action, Kind
from bot.config import DEFAULT, Config, read_config
from bot.config.organisation import tightened
from bot.errors import BadConfig
from bot.gate import judge, strictest
from bot.gate.facts import Earlier, How, Touch, facts_of
from bot.verdict import Outcome
from bot.workspace.empty_tree import EMPTY_TREE


def org(text: str) -> Config:
    return read_config(text.encode(), file="our-org/.github:dryrun-bot.yml@main")


def own(text: str) -> Config:
    return read_config(text.encode(), file=".github/dryrun-bot.yml")


def outcome_on(path: str, config: Config, how: How = How.WRITE) -> Outcome:
    action = Action(tool="write_file", kind=Kind.WRITE, arguments={})
    touches = (Touch(path=path, how=how),)
    facts = facts_of(action, touches=touches, command=None, tree=EMPTY_TREE, earlier=Earlier())
    return strictest(judge(action, facts, policy) for policy in config.policies).outcome


ORG = org(
    """\
limits: {steps: 20}
ad_hoc_tasks: false
model: {name: theirs}
policy:
  defaults: {delete: deny, external: ask}
  limits: {files: 5}
  paths:
    deny: ["infra/**"]
    ask: ["!Makefile"]
    allow: ["src/**", "docs/**", "infra/**"]
  commands: {allow: [{argv: [pytest, "**"]}]}
  tools: {create_issue: ask}
  hosts: [api.example.com]
apply: {permission: maintain, teams: [core], author_may_apply: false, expires_hours: 24}
advice: {required: true}
sandbox: {may_change: ["*.lock"]}
mcp: {tickets: {command: [x]}}
tasks: {theirs: {prompt: y}}
"""
)
TIGHTER = [
    "version: 1",
    "limits: {steps: 20, usd: 0.1}",
    "policy: {defaults: {write: ask, external: deny}}",
    "policy: {limits: {files: 4, commands: 0}}",
    "policy: {paths: {deny: ['lib/**'], secret: [x], ask: [y, '!Makefile'], allow: ['src/a/**']}}",
    "policy: {commands: {allow: [{argv: [pytest, '-q']}], deny: [{argv: [a]}]}}",
    "policy: {tools: {create_issue: deny, other: deny}}",
    "policy: {hosts: []}",
    "apply: {permission: admin, teams: [core], author_may_apply: false, expires_hours: 1}",
    "advice: {required: true}",
    "sandbox: {may_change: [poetry.lock]}",
    "mcp: {tickets: {command: [x]}}",
    "model: {name: theirs, advisor: another}",
    "tasks: {ours: {prompt: x}}",
    "language: es\ncommand_prefix: bot\ntemplate: a.j2\nchaos: {rate: 0.5}",
]


@pytest.mark.parametrize("text", TIGHTER)
def test_what_is_as_strict_or_stricter_is_taken(text: str) -> None:
    both = tightened(ORG, own(text))
    assert both.policies[0].limits.files == 5
    assert both.policy_digest not in {ORG.policy_digest, own(text).policy_digest}


LOOSER = {
    "limits.steps is 21, and at most 20": "limits: {steps: 21}",
    "limits.usd is 0.6, and at most 0.50": "limits: {usd: 0.6}",
    "ad_hoc_tasks is true, and false": "ad_hoc_tasks: true",
    "model.name is theirs": "model: {name: ours}",
    "policy.defaults.delete is ask, and deny": "policy: {defaults: {delete: ask}}",
    "policy.defaults.external is allow, and ask": "policy: {defaults: {external: allow}}",
    "policy.limits.files is 6, and at most 5": "policy: {limits: {files: 6}}",
    "policy.limits.actions is 61, and at most 60": "policy: {limits: {actions: 61}}",
    "policy.paths.deny.0 takes back 'infra/**'": "policy: {paths: {deny: ['!infra/**']}}",
    "policy.paths.secret.1 takes back '**/*.pem'": "policy: {paths: {secret: [x, '!**/*.pem']}}",
    "policy.paths.allow is empty": "policy: {paths: {allow: []}}",
    "policy.paths.allow.0 is not in the file": "policy: {paths: {allow: ['lib/**']}}",
    "policy.commands.allow.1 is not in the file": (
        "policy: {commands: {allow: [{argv: [pytest]}, {argv: [ls]}]}}"
    ),
    "policy.tools.create_issue is allow, and ask": "policy: {tools: {create_issue: allow}}",
    "policy.tools.other is ask, and deny": "policy: {tools: {other: ask}}",
    "policy.hosts has 'x', which is new": "policy: {hosts: [x]}",
    "apply.permission is write, and maintain": "apply: {permission: write}",
    "apply.teams is empty": "apply: {teams: []}",
    "apply.teams has 'all', which is new": "apply: {teams: [core, all]}",
    "apply.author_may_apply is true, and false": "apply: {author_may_apply: true}",
    "apply.expires_hours is 25, and at most 24": "apply: {expires_hours: 25}",
    "advice.required is false, and true": "advice: {required: false}",
    "sandbox.rehearse is true, and false": "sandbox: {rehearse: true}",
    "sandbox.required is false, and true": "sandbox: {required: false}",
    "sandbox.may_change.0 is not in the file": "sandbox: {may_change: [src/**]}",
    "mcp.tickets is not in the file": "mcp: {tickets: {command: [y]}}",
    "mcp.other is not in the file": "mcp: {other: {command: [x]}}",
}


@pytest.mark.parametrize(("what", "text"), LOOSER.items(), ids=LOOSER)
def test_what_loosens_is_an_error_that_names_the_key_and_its_line(what: str, text: str) -> None:
    with pytest.raises(BadConfig) as raised:
        tightened(ORG, own(text))
    assert raised.value.what.startswith(".github/dryrun-bot.yml line 1 column ")
    assert f": {what}" in raised.value.what


def test_what_is_left_out_is_the_organisations() -> None:
    both = tightened(ORG, own("limits: {seconds: 60}\ntasks: {ours: {prompt: x}}\nextends: a/b:c@d"))
    assert (both.limits.steps, both.limits.seconds) == (20, 60)
    assert set(both.tasks) == {"theirs", "ours"}
    assert both.policy.tools == {"create_issue": Outcome.ASK}
    assert both.apply.teams == ("core",)
    assert both.extends == "a/b:c@d"


def test_both_policies_judge() -> None:
    both = tightened(ORG, own("policy: {paths: {deny: ['src/gen/**'], allow: ['src/**']}}"))
    expected = {
        "src/a": Outcome.ALLOW,
        "src/gen/a": Outcome.DENY,
        "infra/a": Outcome.DENY,
        "docs/a": Outcome.ASK,
        "lib/a": Outcome.ASK,
    }
    assert {path: outcome_on(path, both) for path in expected} == expected
    assert outcome_on("src/a", both, How.DELETE) is Outcome.DENY


def test_nothing_is_inherited_twice() -> None:
    with pytest.raises(BadConfig, match="only one level"):
        tightened(org("extends: a/b:c@d"), own("extends: e/f:g@h"))


PATHS = st.sampled_from(["src/a", "docs/x.md", "infra/x", "lib/y", ".env", "Makefile", "package.json"])
PATTERNS = st.sampled_from(["src/**", "docs/*.md", "lib/**", "**", "*.md", "Makefile", "infra/**", "src/a"])
OUTCOMES = st.sampled_from(["allow", "ask", "deny"])
LISTS = st.fixed_dictionaries(
    {}, optional={name: st.lists(PATTERNS, max_size=2) for name in ("deny", "ask", "allow")}
)
POLICIES = st.fixed_dictionaries(
    {},
    optional={
        "paths": LISTS,
        "defaults": st.fixed_dictionaries({}, optional={"write": OUTCOMES, "delete": OUTCOMES}),
        "tools": st.fixed_dictionaries({}, optional={"write_file": OUTCOMES}),
    },
)


@given(POLICIES, POLICIES, PATHS, st.sampled_from([How.WRITE, How.DELETE]))
def test_a_repository_never_gets_more_than_its_organisation_gives(
    theirs: dict[str, object], ours: dict[str, object], path: str, how: How
) -> None:
    import json

    governing = org(json.dumps({"policy": theirs}))
    try:
        both = tightened(governing, own(json.dumps({"policy": ours})))
    except BadConfig:
        return
    assert outcome_on(path, both, how) >= outcome_on(path, governing, how)


def test_the_defaults_may_be_extended() -> None:
    assert tightened(DEFAULT, own("version: 1")).policies == (DEFAULT.policy, own("version: 1").policy)
