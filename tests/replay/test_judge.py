"""A recorded run judged again by the policy of that day gets the very verdicts of that day, words and all."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from fakes import ScriptedLlm, call, turn
from recorded import POLICY, config_of, record

from bot.action import Kind
from bot.gate import judge, strictest
from bot.gate.facts import Earlier, facts_after
from bot.gate.policy import Policy
from bot.replay.foreign_run import Strangers
from bot.replay.judge import Judge
from bot.replay.policy_replay import Past
from bot.replay.result import Result
from bot.replay.sight import Sights
from bot.replay.source import Source, files_in
from bot.verdict import Outcome, Verdict

NARROW = POLICY.replace(
    b"policy:\n", b"policy:\n  limits: {actions: 5, files: 2, added_lines: 30, commands: 2}\n"
)
LOOSE = b"version: 1\npolicy:\n  defaults: {delete: allow, command: allow, external: allow}\n"
CAUTIOUS = (
    b"version: 1\npolicy:\n  defaults: {read: ask, write: ask, delete: deny, command: ask, external: deny}\n"
)


def pasts(folder: Path) -> list[Past]:
    source = Source(shard=None, unfinished=False, sights=Sights(), strangers=Strangers())
    found = [past for file in files_in([folder]) for past in source.pasts(file)]
    assert not any(isinstance(past, Result) for past in found)
    return [past for past in found if not isinstance(past, Result)]


def verdicts(judge: Judge, past: Past) -> list[Verdict]:
    judge.begin()
    return [judge.verdict(sight) for sight in past.sights]


def slowly(policies: Sequence[Policy], past: Past) -> list[Verdict]:
    """By all facts of each action and every rule, as a dry run does it, with nothing kept."""
    found, earlier, steps = [], Earlier(), 0
    for look in (sight.look for sight in past.sights):
        facts = facts_after(earlier, look.after)
        verdict = strictest(judge(look.action, facts, policy) for policy in policies)
        if verdict.outcome is Outcome.DENY:
            before = facts_after(earlier, look.before)
            at_first = strictest(judge(look.action, before, policy) for policy in policies)
            if at_first.outcome is Outcome.DENY:
                verdict, facts = at_first, before
        if look.kind is not Kind.READ:
            steps += 1
            changed = () if verdict.outcome is Outcome.DENY else [effect.path for effect in look.effects]
            earlier = earlier.with_step(steps, facts.size, changed)
        found.append(verdict)
    return found


LIMITS = [
    b"{actions: 3}",
    b"{files: 1}",
    b"{files: 0}",
    b"{added_lines: 10}",
    b"{file_bytes: 20}",
    b"{commands: 1, files: 3}",
]


def test_what_is_kept_and_skipped_changes_no_verdict_and_no_word_of_one(tmp_path: Path) -> None:
    for seed in range(60):
        record(tmp_path, seed, policy=LOOSE if seed % 2 else POLICY, actions=16)
    recorded = pasts(tmp_path)
    texts = [POLICY, NARROW, LOOSE, CAUTIOUS]
    texts += [POLICY.replace(b"policy:\n", b"policy:\n  limits: %b\n" % limits) for limits in LIMITS]
    policies = [config_of(text).policies for text in texts]
    rules = set()
    for judging in [
        *policies,
        policies[0] + policies[2],
        policies[4] + policies[1],
        policies[3] + policies[6],
    ]:
        judge_of_all = Judge(judging)
        for past in recorded:
            expected = slowly(judging, past)
            assert verdicts(judge_of_all, past) == expected
            rules.update(verdict.rule for verdict in expected)
    assert {"limit-actions", "limit-files", "limit-added-lines", "limit-file-bytes", "limit-commands"} < rules
    assert {"command-runs-plan", "path-denied", "path-link", "invalid-arguments", "default-write"} < rules


@pytest.mark.parametrize("policy", [POLICY, NARROW, LOOSE, CAUTIOUS])
def test_the_same_policy_gives_the_same_verdicts_to_the_letter(tmp_path: Path, policy: bytes) -> None:
    for seed in range(30):
        record(tmp_path, seed, policy=policy)
    of_then = Judge(config_of(policy).policies)
    recorded = pasts(tmp_path)
    assert sum(len(past.sights) for past in recorded) > 150
    for past in recorded:
        assert verdicts(of_then, past) == [sight.look.verdict for sight in past.sights]


def test_what_is_known_of_equal_actions_changes_no_verdict(tmp_path: Path) -> None:
    for seed in range(30):
        record(tmp_path, seed)
    policies = config_of(NARROW).policies
    one_for_all = Judge(policies)
    for past in pasts(tmp_path):
        for sight in past.sights:
            sight.known.clear()
        alone = verdicts(Judge(policies), past)
        assert verdicts(one_for_all, past) == alone
        assert verdicts(one_for_all, past) == alone


def test_a_step_that_is_denied_now_leaves_nothing_for_the_steps_after_it(tmp_path: Path) -> None:
    """A command is asked about because it may run what the plan changed; when that is denied, nothing is."""
    policy = b"version: 1\npolicy:\n  commands: {allow: [{argv: [pytest, -q, tests]}]}\n"
    planted = [
        call("write_file", path="tests/test_new.py", content="x = 1\n"),
        call("run_command", command="pytest -q tests"),
    ]
    record(tmp_path, 1, policy=policy, llm=ScriptedLlm(turn(*planted), turn(text="Done.")))
    (past,) = pasts(tmp_path)
    assert [it.rule for it in verdicts(Judge(config_of(policy).policies), past)] == [
        "default-write",
        "command-runs-plan",
    ]
    stricter = policy.replace(b"policy:\n", b'policy:\n  paths: {deny: ["tests/**"]}\n')
    assert [it.rule for it in verdicts(Judge(config_of(stricter).policies), past)] == [
        "path-denied",
        "path-denied",
    ]
    elsewhere = policy.replace(b"policy:\n", b'policy:\n  paths: {deny: ["tests/test_new.py"]}\n')
    assert [it.rule for it in verdicts(Judge(config_of(elsewhere).policies), past)] == [
        "path-denied",
        "command-allowed",
    ]
