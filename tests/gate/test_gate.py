"""The rules of the gate by table. Commands, and properties of all verdicts, have files of their own."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from judging import (
    FEW,
    FILE,
    NO_PUSH,
    PATHS,
    PYTEST,
    change,
    policy,
    verdict_on,
    verdict_on_command,
    verdict_on_path,
)

from bot.action import Action, Kind
from bot.config import read_config
from bot.gate import in_plan, judge, standing, strictest
from bot.gate.content import Content
from bot.gate.facts import Earlier, Facts, How, Size, Touched, facts_of
from bot.gate.policy import DEFAULT_PATHS
from bot.outside.plain_folder import PlainFolder
from bot.outside.search import Ripgrep
from bot.paths.path import path_of
from bot.shell.invocation import invocation_of
from bot.verdict import Outcome, Verdict
from bot.workspace import Change, Mode
from bot.workspace.empty_tree import EMPTY_TREE
from bot.workspace.overlay import Overlay


@pytest.fixture
def linked(tmp_path: Path) -> Overlay:
    """A real folder with the links that the cases speak of."""
    (tmp_path / "link-to-env").symlink_to(".env")
    (tmp_path / "linkdir").symlink_to("/etc")
    (tmp_path / "plain.txt").write_text("plain\n")
    return Overlay(PlainFolder(tmp_path), Ripgrep())


@pytest.mark.parametrize("case", PATHS["cases"], ids=lambda case: case["id"])
def test_a_path_gets_its_verdict_or_a_stricter_one(case: dict[str, Any], linked: Overlay) -> None:
    outcome = verdict_on_path(case["path"], tree=linked).outcome
    if case["verdict"] == "allow":
        assert outcome is Outcome.ALLOW
    else:
        assert outcome >= Outcome(case["verdict"])


RULES = {
    "an unknown tool": (Facts(kind=Kind.EXTERNAL, known=False), Outcome.DENY, "unknown-tool"),
    "invalid arguments": (Facts(kind=Kind.READ, problem="x"), Outcome.DENY, "invalid-arguments"),
    "a read": (Facts(kind=Kind.READ), Outcome.ALLOW, "default-read"),
    "a write": (Facts(kind=Kind.WRITE), Outcome.ALLOW, "default-write"),
    "an external call": (Facts(kind=Kind.EXTERNAL), Outcome.DENY, "default-external"),
    "60 actions": (Facts(kind=Kind.WRITE, size=Size(actions=60)), Outcome.ALLOW, "default-write"),
    "61 actions": (Facts(kind=Kind.WRITE, size=Size(actions=61)), Outcome.DENY, "limit-actions"),
    "20 files": (Facts(kind=Kind.WRITE, size=Size(files=20)), Outcome.ALLOW, "default-write"),
    "21 files": (Facts(kind=Kind.WRITE, size=Size(files=21)), Outcome.DENY, "limit-files"),
    "800 lines": (Facts(kind=Kind.WRITE, size=Size(added_lines=800)), Outcome.ALLOW, "default-write"),
    "801 lines": (Facts(kind=Kind.WRITE, size=Size(added_lines=801)), Outcome.DENY, "limit-added-lines"),
    "15 commands": (Facts(kind=Kind.WRITE, size=Size(commands=15)), Outcome.ALLOW, "default-write"),
    "16 commands": (Facts(kind=Kind.WRITE, size=Size(commands=16)), Outcome.DENY, "limit-commands"),
    "a read in a full plan": (Facts(kind=Kind.READ, size=Size(actions=99)), Outcome.ALLOW, "default-read"),
}


@pytest.mark.parametrize(("facts", "outcome", "rule"), RULES.values(), ids=RULES)
def test_each_rule_says_its_name(facts: Facts, outcome: Outcome, rule: str) -> None:
    verdict = verdict_on(facts)
    assert (verdict.outcome, verdict.rule, verdict.source) == (outcome, rule, "default")
    assert verdict.reason.endswith(".")


PATH_RULES = {
    "a secret is not read": (".env", How.READ, Outcome.DENY, "path-secret"),
    "a secret may be listed": (".env", How.LIST, Outcome.ALLOW, "default-read"),
    "a workflow may be read": (".github/workflows/ci.yml", How.READ, Outcome.ALLOW, "default-read"),
    "a workflow is not written": (".github/workflows/ci.yml", How.WRITE, Outcome.DENY, "path-denied"),
    "a workflow is not deleted": (".github/workflows/ci.yml", How.DELETE, Outcome.DENY, "path-denied"),
    "git's folder is not even read": (".git/config", How.READ, Outcome.DENY, "path-floor"),
    "git's folder is not even listed": (".git", How.LIST, Outcome.DENY, "path-floor"),
    "the policy may be read": (".github/dryrun-bot.yml", How.READ, Outcome.ALLOW, "default-read"),
    "the policy is not written": (".github/dryrun-bot.yml", How.WRITE, Outcome.DENY, "path-floor"),
    "the policy is not deleted": (".github/dryrun-bot.yml", How.DELETE, Outcome.DENY, "path-floor"),
    "a package is asked for": ("web/package.json", How.WRITE, Outcome.ASK, "path-asked"),
    "a deletion is asked for": ("a.txt", How.DELETE, Outcome.ASK, "default-delete"),
    "the root may be listed": (".", How.LIST, Outcome.ALLOW, "default-read"),
    "the root is not a file": (".", How.WRITE, Outcome.DENY, "path-shape"),
    "the root is not deleted": ("a/..", How.DELETE, Outcome.DENY, "path-shape"),
    "nothing outside is read": ("../x", How.READ, Outcome.DENY, "path-shape"),
    "nothing outside is listed": ("/", How.LIST, Outcome.DENY, "path-shape"),
}


@pytest.mark.parametrize(("path", "how", "outcome", "rule"), PATH_RULES.values(), ids=PATH_RULES)
def test_what_counts_is_what_is_done_with_a_path(path: str, how: How, outcome: Outcome, rule: str) -> None:
    verdict = verdict_on_path(path, how)
    assert (verdict.outcome, verdict.rule) == (outcome, rule)


LINKS = {
    "is not read through": ("linkdir/passwd", How.READ, Outcome.DENY, "path-link"),
    "is not read itself": ("link-to-env", How.READ, Outcome.DENY, "path-link"),
    "may be listed": ("link-to-env", How.LIST, Outcome.ALLOW, "default-read"),
    "may be deleted, if somebody approves": ("link-to-env", How.DELETE, Outcome.ASK, "default-delete"),
    "is not deleted through": ("linkdir/x", How.DELETE, Outcome.DENY, "path-link"),
    "is not reached by a detour": ("a/../linkdir/x", How.WRITE, Outcome.DENY, "path-link"),
}


@pytest.mark.parametrize(("path", "how", "outcome", "rule"), LINKS.values(), ids=LINKS)
def test_a_link_is_listed_or_deleted_and_never_followed(
    path: str, how: How, outcome: Outcome, rule: str, linked: Overlay
) -> None:
    verdict = verdict_on_path(path, how, tree=linked)
    assert (verdict.outcome, verdict.rule) == (outcome, rule)


def test_what_a_link_leads_to_is_said(linked: Overlay) -> None:
    assert verdict_on_path("linkdir/x", tree=linked).reason == (
        "linkdir/x leads to the symbolic link linkdir, and links are never followed."
    )
    assert verdict_on_command("ls linkdir/x", tree=linked).reason == (
        "The command names linkdir/x, behind the symbolic link linkdir."
    )


def test_an_effect_behind_a_link_is_denied_and_the_end_of_a_link_is_a_deletion(linked: Overlay) -> None:
    behind = verdict_on_path("a", tree=linked, effects=(change("linkdir/x", b"x"),))
    assert (behind.outcome, behind.rule) == (Outcome.DENY, "path-link")
    gone = verdict_on_path("a", tree=linked, effects=(change("link-to-env", None, b".env"),))
    assert (gone.outcome, gone.rule) == (Outcome.ASK, "default-delete")


def test_a_command_that_names_a_link_asks(linked: Overlay) -> None:
    for command in ("cat link-to-env", "ls linkdir", "cd linkdir && cat passwd"):
        verdict = verdict_on_command(command, tree=linked)
        assert (verdict.outcome, verdict.rule) == (Outcome.ASK, "path-link")
    assert verdict_on_command("cat plain.txt", tree=linked).outcome is Outcome.ALLOW


AWS = b"key = AKIAIOSFODNN7EXAMPLE\n"
EFFECTS = {
    "an empty file": (change("a", b""), Outcome.ALLOW, "default-write"),
    "text": (change("a", "größe\r\n".encode()), Outcome.ALLOW, "default-write"),
    "a large file": (change("a", b"x" * 262_144), Outcome.ALLOW, "default-write"),
    "a larger file": (change("a", b"x" * 262_145), Outcome.DENY, "limit-file-bytes"),
    "many lines": (change("a", b"x\n" * 801), Outcome.DENY, "limit-added-lines"),
    "lines that were there": (change("a", b"x\n" * 900, b"x\n" * 899), Outcome.ALLOW, "default-write"),
    "a link": (change("a", b".env", mode=Mode.LINK), Outcome.DENY, "path-link"),
    "a submodule": (change("a", b"", mode=Mode.SUBMODULE), Outcome.DENY, "path-link"),
    "bytes": (change("a", b"\xff\xfe"), Outcome.ASK, "content-binary"),
    "a zero byte": (change("a", b"a\0b"), Outcome.ASK, "content-binary"),
    "bytes that go": (change("a", None, b"\xff"), Outcome.ASK, "default-delete"),
    "a secret": (change("a", AWS), Outcome.DENY, "content-secret"),
    "a secret that was there": (change("a", AWS + b"x\n", AWS), Outcome.ALLOW, "default-write"),
    "turned text": (change("a", "a\u202eb\n".encode()), Outcome.ASK, "content-hidden"),
    "turned text that was there": (
        change("a", "a\u202eb\nx\n".encode(), "a\u202eb\n".encode()),
        Outcome.ALLOW,
        "default-write",
    ),
    "a path that nothing named": (change(".env", b"x"), Outcome.DENY, "path-secret"),
    "a deletion that nothing named": (change("CLAUDE.md", None, b"x"), Outcome.ASK, "path-asked"),
}


@pytest.mark.parametrize(("effect", "outcome", "rule"), EFFECTS.values(), ids=EFFECTS)
def test_what_a_rehearsal_shows_is_judged_too(effect: Change, outcome: Outcome, rule: str) -> None:
    verdict = verdict_on_path("a", effects=(effect,))
    assert (verdict.outcome, verdict.rule) == (outcome, rule)


OWN = {
    "a list continues the default one": (
        {"paths": {"deny": ["infra/**"]}},
        {"infra/a": Outcome.DENY, ".github/workflows/a": Outcome.DENY, "src/a": Outcome.ALLOW},
    ),
    "a negation takes a default back": (
        {"paths": {"deny": ["!.github/workflows/**"]}},
        {".github/workflows/a": Outcome.ALLOW, ".github/actions/a": Outcome.DENY},
    ),
    "the last match decides": (
        {"paths": {"deny": ["docs/**", "!docs/a/**", "docs/a/b"]}},
        {"docs/x": Outcome.DENY, "docs/a/x": Outcome.ALLOW, "docs/a/b": Outcome.DENY},
    ),
    "nothing takes the floor back": (
        {"paths": {"deny": ["!**/.git", "!**/.git/**", "!.github/dryrun-bot.yml"]}},
        {".git/config": Outcome.DENY, ".github/dryrun-bot.yml": Outcome.DENY},
    ),
    "a negation speaks of its own list only": (
        {"paths": {"secret": ["!.env"], "deny": [".env"]}},
        {".env": Outcome.DENY, "a.env": Outcome.DENY},
    ),
    "an allow list makes the rest ask": (
        {"paths": {"allow": ["src/**", "docs/*.md"]}},
        {
            "src/a/b": Outcome.ALLOW,
            "docs/a.md": Outcome.ALLOW,
            "docs/a/b.md": Outcome.ASK,
            "README.md": Outcome.ASK,
            "src/.env": Outcome.DENY,
        },
    ),
    "a spelling that only folds into the allow list asks": (
        {"paths": {"allow": ["src/**"]}},
        {"src:x/a": Outcome.ASK, "src./a": Outcome.ASK, "SRC/a": Outcome.ALLOW},
    ),
    "a spelling that only folds into a negation stays denied": (
        {},
        {".env.example": Outcome.ASK, ".env.example.": Outcome.DENY, ".env.example ": Outcome.DENY},
    ),
    "a folder's pattern is not a file's": (
        {"paths": {"deny": ["build/"]}},
        {"build": Outcome.ALLOW, "build/x": Outcome.DENY},
    ),
    "patterns ignore case": ({"paths": {"deny": ["Docs/**"]}}, {"docs/A": Outcome.DENY}),
    "a tool of its own": ({"tools": {"write_file": "deny"}}, {"a": Outcome.DENY}),
    "a default of its own": ({"defaults": {"write": "ask"}}, {"a": Outcome.ASK}),
    "a tool's verdict stands for its kind's": (
        {"defaults": {"write": "deny"}, "tools": {"write_file": "ask"}},
        {"a": Outcome.ASK},
    ),
    "a tool's verdict opens no denied path": ({"tools": {"write_file": "allow"}}, {".env": Outcome.DENY}),
}


@pytest.mark.parametrize(("sections", "expected"), OWN.values(), ids=OWN)
def test_what_ones_own_policy_writes_counts(
    sections: dict[str, object], expected: dict[str, Outcome]
) -> None:
    own = policy(**sections)
    assert {path: verdict_on_path(path, by=own).outcome for path in expected} == expected


def test_a_default_of_the_file_is_named_by_its_line() -> None:
    own = policy(
        defaults={"command": "deny", "write": "ask"},
        hosts=["x"],
        commands={"allow": [{"argv": ["ls"]}, {"argv": ["cat"]}]},
    )
    assert verdict_on_path("a", by=own).source == f"{FILE}:10"
    assert verdict_on_command("mine", own).source == f"{FILE}:9"
    assert verdict_on_command("ls", own).source == f"{FILE}:4"
    assert verdict_on_command("cat", own).source == f"{FILE}:6"
    request = Action(tool="http_request", kind=Kind.EXTERNAL, arguments={"url": "https://y"})
    facts = facts_of(request, touches=(), command=None, tree=EMPTY_TREE, earlier=Earlier())
    assert judge(request, facts, own).source == f"{FILE}:11"


def test_a_deletion_asks_whatever_its_tool_may_do() -> None:
    own = policy(tools={"delete_file": "allow"})
    assert verdict_on_path("a", How.DELETE, by=own, tool="delete_file").outcome is Outcome.ASK
    free = policy(defaults={"delete": "allow"})
    assert verdict_on_path("a", How.DELETE, by=free).outcome is Outcome.ALLOW


def test_reads_and_listings_ask_nothing_of_an_allow_list() -> None:
    own = policy(paths={"allow": ["src/**"]})
    assert verdict_on_path("README.md", How.READ, by=own).outcome is Outcome.ALLOW


def test_a_verdict_names_the_line_that_decided() -> None:
    own = read_config(
        b"policy:\n  paths:\n    deny:\n    - a\n    - b\n    ask: [c]\n    allow: [d]\n"
        b"  limits:\n    file_bytes: 1\n  defaults:\n    delete: deny\n  tools:\n    write_file: allow\n",
        file=FILE,
    ).policy
    lines = {
        "a": verdict_on_path("a", by=own),
        "b": verdict_on_path("b", by=own),
        "c": verdict_on_path("c", by=own),
        "x": verdict_on_path("x", by=own),
        "bytes": verdict_on_path("d", by=own, effects=(change("d", b"12"),)),
        "delete": verdict_on_path("d", How.DELETE, by=own),
        "d": verdict_on_path("d", by=own),
    }
    assert {name: verdict.source for name, verdict in lines.items()} == {
        "a": f"{FILE}:4",
        "b": f"{FILE}:5",
        "c": f"{FILE}:6",
        "x": f"{FILE}:7",
        "bytes": f"{FILE}:9",
        "delete": f"{FILE}:11",
        "d": f"{FILE}:13",
    }


HOSTS = policy(defaults={"external": "allow"}, hosts=["api.example.com", "*.example.org"])
ADDRESSES = {
    "https://api.example.com/x": Outcome.ALLOW,
    "https://API.example.com.:443/x": Outcome.ALLOW,
    "https://a.b.example.org": Outcome.ALLOW,
    "https://example.org": Outcome.DENY,
    "https://evil.com/api.example.com": Outcome.DENY,
    "https://api.example.com@evil.com/": Outcome.DENY,
    "https://api.example.com.evil.com/": Outcome.DENY,
    "https://evilexample.org": Outcome.DENY,
    "not an address": Outcome.DENY,
    "https://[": Outcome.DENY,
}


@pytest.mark.parametrize(("url", "outcome"), ADDRESSES.items(), ids=range(len(ADDRESSES)))
def test_a_web_request_goes_to_listed_hosts_only(url: str, outcome: Outcome) -> None:
    action = Action(tool="http_request", kind=Kind.EXTERNAL, arguments={"url": url})
    facts = facts_of(action, touches=(), command=None, tree=EMPTY_TREE, earlier=Earlier())
    assert judge(action, facts, HOSTS).outcome is outcome


NO_COMMAND = policy(defaults={"command": "deny"})
REASONS = {
    "path-floor": (
        lambda: verdict_on_path(".git/a"),
        ".git/a is git's own, and is never touched.",
    ),
    "path-floor ": (
        lambda: verdict_on_path(".github/dryrun-bot.yml"),
        ".github/dryrun-bot.yml is this bot's policy, and is never changed.",
    ),
    "path-secret": (
        lambda: verdict_on_path("a.pem"),
        "a.pem is a secret, and is never read or written (**/*.pem).",
    ),
    "path-denied": (lambda: verdict_on_path("CODEOWNERS"), "CODEOWNERS is denied (**/CODEOWNERS)."),
    "path-asked": (lambda: verdict_on_path("Makefile"), "Makefile needs a person's approval (Makefile)."),
    "path-shape": (lambda: verdict_on_path("../a"), "../a leads outside the repository."),
    "default-delete": (lambda: verdict_on_path("a", How.DELETE), "It deletes a file."),
    "default-write": (lambda: verdict_on_path("a"), "It changes files, and no rule speaks against it."),
    "default-read": (lambda: verdict_on_path("a", How.READ), "It only reads."),
    "default-external": (lambda: verdict_on(Facts(kind=Kind.EXTERNAL)), "It reaches beyond the repository."),
    "limit-files": (
        lambda: verdict_on(Facts(kind=Kind.WRITE, size=Size(files=1_021))),
        "The files that the plan changes would be 1,021, and the limit is 20.",
    ),
    "limit-actions": (
        lambda: verdict_on(Facts(kind=Kind.WRITE, size=Size(actions=61))),
        "The plan's actions would be 61, and the limit is 60.",
    ),
    "limit-added-lines": (
        lambda: verdict_on(Facts(kind=Kind.WRITE, size=Size(added_lines=801))),
        "The lines that the plan adds would be 801, and the limit is 800.",
    ),
    "limit-file-bytes": (
        lambda: verdict_on(Facts(kind=Kind.WRITE, content=Content(largest_bytes=262_145))),
        "The file's bytes would be 262,145, and the limit is 262,144.",
    ),
    "limit-commands": (
        lambda: verdict_on(Facts(kind=Kind.WRITE, size=Size(commands=16))),
        "The plan's commands would be 16, and the limit is 15.",
    ),
    "path-not-allowed": (
        lambda: verdict_on_path("a", by=policy(paths={"allow": ["b"]})),
        "a is not among the paths that the policy allows.",
    ),
    "path-shape ": (lambda: verdict_on_path("."), ". is the repository itself."),
    "path-shape  ": (lambda: verdict_on_path(""), "The empty path is the repository itself."),
    "path-link": (
        lambda: verdict_on_path("a", effects=(change("a", b"x", mode=Mode.LINK),)),
        "a would become a symbolic link or a submodule.",
    ),
    "host-not-listed": (
        lambda: verdict_on(Facts(kind=Kind.EXTERNAL, host="x.org"), HOSTS),
        "x.org is not among the hosts that the policy allows.",
    ),
    "host-not-listed ": (
        lambda: verdict_on(Facts(kind=Kind.EXTERNAL, host=""), HOSTS),
        "Its address is not among the hosts that the policy allows.",
    ),
    "default-command ": (
        lambda: verdict_on(Facts(kind=Kind.EXTERNAL, command=invocation_of("")), NO_COMMAND),
        "This is not among the commands that the policy allows.",
    ),
    "default-command  ": (
        lambda: verdict_on_command("mine $a", NO_COMMAND),
        "mine ? is not among the commands that the policy allows.",
    ),
    "content-binary": (
        lambda: verdict_on_path("a", effects=(change("a", b"\xff"),)),
        "a would not be text, so nobody could read what they approve.",
    ),
    "content-hidden": (
        lambda: verdict_on_path("a", effects=(change("a", "\u202e\u202d\u202c\u202b\u202a".encode()),)),
        "The added lines hold characters that nobody can see (U+202E, U+202D, U+202C, U+202B).",
    ),
    "content-secret": (
        lambda: verdict_on_path("a", effects=(change("a", AWS),)),
        "The added lines hold what looks like a secret (AWS Access Key).",
    ),
    "command-allowed": (
        lambda: verdict_on_command("ls"),
        "Every command in it is among those that the policy allows.",
    ),
    "default-command": (
        lambda: verdict_on_command("ls; mine a"),
        "mine a is not among the commands that the policy allows.",
    ),
    "command-caution": (
        lambda: verdict_on_command("ls $a"),
        "Only a person can tell what this does: the command has a variable.",
    ),
    "command-outside": (
        lambda: verdict_on_command("ls /etc"),
        "The command names /etc, outside the repository.",
    ),
    "command-shape": (
        lambda: verdict_on_command("ls\0"),
        "The command has invisible or control characters (U+0000).",
    ),
    "command-denied": (
        lambda: verdict_on_command("env git push", NO_PUSH),
        "The policy denies the command git push **, and this may run it.",
    ),
    "command-runs-plan": (
        lambda: verdict_on_command("pytest", PYTEST, wrote=("a.py",)),
        "It may run or load a.py, which step 1 of this plan changes.",
    ),
    "tool": (
        lambda: verdict_on_path("a", by=policy(tools={"write_file": "ask"})),
        "The policy says ask for the tool write_file.",
    ),
}


@pytest.mark.parametrize(
    ("rule", "verdict", "reason"), [(rule, *row) for rule, row in REASONS.items()], ids=REASONS
)
def test_a_reason_is_a_plain_sentence(rule: str, verdict: Callable[[], Verdict], reason: str) -> None:
    assert (verdict().rule, verdict().reason) == (rule.strip(), reason)
    assert verdict().source == "default" or verdict().source.startswith(f"{FILE}:")


LARGE = Size(actions=99, files=99, added_lines=9_999, commands=99)
# Where the reasons of the plan stand among the others: what comes first among equals is told.
PLACES: dict[str, tuple[Facts, str]] = {
    "an unknown tool before a limit": (Facts(kind=Kind.WRITE, known=False, size=LARGE), "unknown-tool"),
    "a path before a limit": (
        Facts(kind=Kind.WRITE, touched=(Touched(path=path_of("../a"), how=How.WRITE),), size=LARGE),
        "path-shape",
    ),
    "a limit before a command's shape": (
        Facts(kind=Kind.EXTERNAL, command=invocation_of("a\u200bb"), size=LARGE),
        "limit-actions",
    ),
    "a limit before the content": (
        Facts(kind=Kind.WRITE, content=Content(secrets=("key",)), size=LARGE),
        "limit-actions",
    ),
    "a limit before the default": (Facts(kind=Kind.EXTERNAL, size=LARGE), "limit-actions"),
    "a caution before what the command may run": (
        Facts(kind=Kind.EXTERNAL, command=invocation_of("echo $A"), runs=(("a", 1),)),
        "command-caution",
    ),
    "what a command may run before the content": (
        Facts(
            kind=Kind.EXTERNAL, command=invocation_of("ls"), content=Content(binary=("a",)), runs=(("a", 1),)
        ),
        "command-runs-plan",
    ),
    "no limit for a read": (Facts(kind=Kind.READ, size=LARGE), "default-read"),
}


@pytest.mark.parametrize(("facts", "rule"), PLACES.values(), ids=PLACES)
def test_the_reasons_of_the_plan_have_their_places_among_the_others(facts: Facts, rule: str) -> None:
    action = Action(tool="tool", kind=facts.kind, arguments={})
    assert judge(action, facts, FEW).rule == rule
    alone = standing(action, facts, FEW)
    assert in_plan(alone, facts, FEW, size=facts.size, runs=facts.runs) == judge(action, facts, FEW)
    assert in_plan(alone, facts, FEW, size=Size(), runs=()) == alone.verdict


def test_the_strictest_of_several_verdicts_counts_and_the_first_of_equals() -> None:
    one = Verdict(outcome=Outcome.ASK, rule="one", reason="One.", source="default")
    two = Verdict(outcome=Outcome.ASK, rule="two", reason="Two.", source="default")
    no = Verdict(outcome=Outcome.DENY, rule="no", reason="No.", source="default")
    assert strictest([one, two]) is one
    assert strictest(iter([one, no, two])) is no


def test_a_reason_stays_a_sentence_whatever_an_action_holds() -> None:
    for verdict in (
        verdict_on_path("../" + "x" * 5_000),
        verdict_on_path("x" * 5_000 + "/.env"),
        verdict_on(Facts(kind=Kind.READ, known=False), tool="t" * 5_000),
        verdict_on_command("x" * 5_000),
        verdict_on_command("cat /" + "x" * 5_000),
    ):
        assert len(verdict.reason) < 300
    whole, longer = "x" * 117 + "/..", "x" * 118 + "/.."
    assert verdict_on_path(whole).reason == f"{whole} is the repository itself."
    assert verdict_on_path(longer).reason == f"{longer[:120]}… is the repository itself."


MANUAL = (Path(__file__).parents[2] / "docs" / "policy.md").read_text("utf-8")


def test_every_rule_is_in_the_manual() -> None:
    rules = {rule.strip() for rule in REASONS} | {row[-1] for row in (*RULES.values(), *PATH_RULES.values())}
    rules |= {row[-1] for row in (*LINKS.values(), *EFFECTS.values())}
    assert {rule for rule in rules if f"`{rule}`" not in MANUAL} == set()


def test_the_manual_shows_the_defaults() -> None:
    blocks = [yaml.safe_load(block.split("```")[0]) for block in MANUAL.split("```yaml\n")[1:]]
    (shown,) = (block["policy"] for block in blocks if "defaults" in block["policy"])
    assert shown["defaults"] == FEW.defaults.model_dump(mode="json")
    assert shown["limits"] == FEW.limits.model_dump()
    assert {name: tuple(patterns) for name, patterns in shown["paths"].items()} == dict(DEFAULT_PATHS)
    for block in blocks:
        read_config(yaml.safe_dump(block).encode(), file=FILE)
