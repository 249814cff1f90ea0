"""Verdicts per second for paths and commands with 10, 100 and 1,000 rules, beside cedarpy and Rust CEL.

    python benchmarks/gate.py [--verdicts 200] [--rules 10 100 1000]

Every path and every command line is new, so no answer comes out of a cache. The paths lie in fifty folders,
for those of a repository share theirs, and what is known of a folder counts; "each in a new folder" is the
cost where nothing is. A verdict is the facts and the judgement together; the peers get the normal path, or
the words of a parsed command, for nothing. Their rules say the same in their language: `like` in Cedar,
`matches` in CEL, prepared once.

The peers are installed into an environment of their own. Fails if, with 100 rules, a path verdict takes more
than 20 microseconds or a command more than 150; if ten times the rules cost more than ten times the time; if
there are not 50, 50 and 300 times as many path verdicts as cedarpy's with 10, 100 and 1,000 rules; or if
those with 1,000 rules take more than twice as long as those with 10.
"""

import argparse
import gc
import importlib.util
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from typing import Any, TypeAlias, TypeVar

import yaml
from side_by_side import Row, peer_python, run, told

from bot.action import Action, Kind
from bot.config import read_config
from bot.gate import judge
from bot.gate.facts import Earlier, How, Touch, facts_of
from bot.gate.policy import Policy
from bot.paths.path_pattern import regex_of
from bot.verdict import Outcome
from bot.workspace.empty_tree import EMPTY_TREE

T = TypeVar("T")
# A question made from a number, which is not timed, and the verdict on it, which is.
Made: TypeAlias = tuple[Callable[[int], T], Callable[[T], bool]]

ROUNDS = 40
ALLOWED_US = {"path": 20.0, "command": 150.0}
# How many times as many path verdicts as cedarpy's, by the number of rules
TIMES = {10: 50, 100: 50, 1_000: 300}
NUMBERS = count()
NEW_PLAN = Earlier()


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--verdicts", type=int, default=200, help="in a round")
    options.add_argument("--rules", type=int, nargs="+", default=[10, 100, 1_000])
    chosen = options.parse_args()
    use_peers()
    print(f"{'':24}" + "".join(f"{rules:>10,} rules" for rules in chosen.rules))
    slow = False
    rows: list[Row] = []
    for kind, ours, peers in (
        ("path", our_paths, (("cedarpy", "cedarpy", cedar_paths), ("cel", "CEL (Rust)", cel_paths))),
        (
            "command",
            our_commands,
            (("cedarpy", "cedarpy", cedar_commands), ("cel", "CEL (Rust)", cel_commands)),
        ),
    ):
        rounds = [rounds_us(ours(rules), chosen.verdicts) for rules in chosen.rules]
        took = [min(one) for one in rounds]
        show(f"{kind}, dryrun-bot", took)
        for module, name, prepared in peers:
            if importlib.util.find_spec(module):
                peer = [rounds_us(prepared(rules), 20) for rules in chosen.rules]
                show(f"{kind}, {name}", [min(one) for one in peer])
                if (kind, name) == ("path", "cedarpy"):
                    alone = [rounds_us(our_path_rules(number), chosen.verdicts) for number in chosen.rules]
                    show("path rules alone", [min(one) for one in alone])
                    strange = [
                        rounds_us(our_path_rules(number, path_of=strange_path), chosen.verdicts)
                        for number in chosen.rules
                    ]
                    show("... each in a new folder", [min(one) for one in strange])
                    rows += goals("the path rules alone", chosen.rules, alone, peer)
                    rows += goals("a whole verdict on a path", chosen.rules, rounds, peer)
            else:
                print(f"{kind}, {name}: not installed")
        slow |= is_slow(kind, dict(zip(chosen.rules, took, strict=True)))
    return max(told("gate", rows, peer="cedarpy", unit=""), int(slow))


def use_peers() -> None:
    python = peer_python("gate", "cedarpy", "common-expression-language")
    where = run([str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"])
    sys.path.append(where.decode().strip())


def goals(
    what: str, rules: Sequence[int], ours: Sequence[list[float]], peer: Sequence[list[float]]
) -> Iterator[Row]:
    """In microseconds a verdict, the best of the rounds: they are too short for anything else."""
    for number, mine, theirs in zip(rules, ours, peer, strict=True):
        yield Row(
            what=f"{what}, {number:,} rules",
            ours=[min(mine)],
            peer=[min(theirs)],
            goal=1 / TIMES.get(number, 50),
        )
    yield Row(
        what=f"{what}, {rules[-1]:,} beside {rules[0]:,}", ours=[min(ours[-1])], peer=[min(ours[0])], goal=2.0
    )


def is_slow(kind: str, took: dict[int, float]) -> bool:
    slow = took.get(100, 0.0) > ALLOWED_US[kind]
    if slow:
        print(f"slow: a {kind} with 100 rules takes more than {ALLOWED_US[kind]:.0f} microseconds")
    for rules, us in took.items():
        if us > 10 * took.get(rules // 10, us):
            print(f"slow: a {kind} with {rules} rules takes more than ten times the time of a tenth of them")
            slow = True
    return slow


def show(name: str, took: Sequence[float]) -> None:
    print(f"{name:24}" + "".join(f"{us:9,.1f} us/{1e6 / us:>5,.0f}".rjust(16) for us in took))


def rounds_us(made: Made[Any], verdicts: int) -> list[float]:
    """Microseconds a verdict, of many short rounds: whatever else runs can only make one slower."""
    question, verdict = made
    rounds = []
    for _ in range(ROUNDS):
        questions = [question(next(NUMBERS)) for _ in range(verdicts)]
        # As timeit does: a collection of everything that the whole program holds is no part of a verdict.
        gc.disable()
        began = time.perf_counter()
        answers = [verdict(one) for one in questions]
        rounds.append((time.perf_counter() - began) / verdicts * 1e6)
        gc.enable()
        if not all(answers):
            raise SystemExit("a verdict is wrong, so its time means nothing")
    return rounds


def path_patterns(rules: int) -> Iterator[str]:
    """In turns: a folder, an ending, a file, a beginning, and one with a wildcard in its middle."""
    shapes = ("src/mod{}/**", "**/*.ext{}", "docs/file{}.md", "**/gen{}*", "lib/*/x{}.py")
    return (shapes[number % len(shapes)].format(number) for number in range(rules))


def path_number(number: int) -> str:
    return f"src/pkg{number % 50}/module_{number}.py"


def strange_path(number: int) -> str:
    return f"src/pkg{number}/module_{number}.py"


def command_number(number: int, rules: int) -> str:
    return f"tool{number % rules} -q tests/x{number % rules}/test_{number}.py"


def our_paths(rules: int) -> Made[Action]:
    policy = policy_with({"paths": {"deny": list(path_patterns(rules))}})

    def question(number: int) -> Action:
        return Action(tool="write_file", kind=Kind.WRITE, arguments={"path": path_number(number)})

    def verdict(action: Action) -> bool:
        touches = (Touch(path=str(action.arguments["path"]), how=How.WRITE),)
        facts = facts_of(action, touches=touches, command=None, tree=EMPTY_TREE, earlier=NEW_PLAN)
        return judge(action, facts, policy).outcome is Outcome.ALLOW

    return question, verdict


def our_path_rules(rules: int, *, path_of: Callable[[int], str] = path_number) -> Made[str]:
    """The rules alone, of a path that is normal already: what the peers are asked."""
    policy = policy_with({"paths": {"deny": list(path_patterns(rules))}})
    return path_of, lambda path: policy.listed.last_match(path) < 0


def our_commands(rules: int) -> Made[Action]:
    allow = [{"argv": [f"tool{number}", "-q", f"tests/x{number}/**"]} for number in range(rules)]
    policy = policy_with({"commands": {"allow": allow}})

    def question(number: int) -> Action:
        arguments = {"command": command_number(number, rules)}
        return Action(tool="run_command", kind=Kind.EXTERNAL, arguments=arguments)

    def verdict(action: Action) -> bool:
        command = str(action.arguments["command"])
        facts = facts_of(action, touches=(), command=command, tree=EMPTY_TREE, earlier=NEW_PLAN)
        return judge(action, facts, policy).outcome is Outcome.ALLOW

    return question, verdict


def policy_with(sections: dict[str, object]) -> Policy:
    return read_config(yaml.safe_dump({"policy": sections}).encode(), file="benchmark.yml").policy


def path_words(number: int, _: int) -> dict[str, str]:
    return {"path": path_number(number)}


def command_words(number: int, rules: int) -> dict[str, str]:
    program, first, second = command_number(number, rules).split()
    return {"program": program, "first": first, "second": second}


def cedar_paths(rules: int) -> Made[Any]:
    forbidden = (
        f'forbid(principal, action, resource) when {{ context.path like "{cedar_glob(pattern)}" }};'
        for pattern in path_patterns(rules)
    )
    return cedar(["permit(principal, action, resource);", *forbidden], path_words, rules)


def cedar_commands(rules: int) -> Made[Any]:
    permitted = (
        f'permit(principal, action, resource) when {{ context.program == "tool{number}" && '
        f'context.first == "-q" && context.second like "tests/x{number}/*" }};'
        for number in range(rules)
    )
    return cedar(list(permitted), command_words, rules)


def cedar(policies: Sequence[str], words: Callable[[int, int], dict[str, str]], rules: int) -> Made[Any]:
    import cedarpy

    prepared = cedarpy.PolicySet.from_str("\n".join(policies))
    entities = cedarpy.Entities.from_json_str("[]")

    def question(number: int) -> dict[str, Any]:
        return {
            "principal": 'User::"agent"',
            "action": 'Action::"write"',
            "resource": 'File::"file"',
            "context": words(number, rules),
        }

    def verdict(request: dict[str, Any]) -> bool:
        return bool(cedarpy.is_authorized(request, prepared, entities).decision is cedarpy.Decision.Allow)

    return question, verdict


def cel_paths(rules: int) -> Made[Any]:
    tests = [f"path.matches('{cel_regex(pattern)}')" for pattern in path_patterns(rules)]
    return cel(tests, path_words, rules, wanted=False)


def cel_commands(rules: int) -> Made[Any]:
    tests = [
        f"(program == 'tool{number}' && first == '-q' && second.startsWith('tests/x{number}/'))"
        for number in range(rules)
    ]
    return cel(tests, command_words, rules, wanted=True)


def cel(
    tests: Sequence[str], words: Callable[[int, int], dict[str, str]], rules: int, *, wanted: bool
) -> Made[Any]:
    """One program for each ten rules: its parser takes no much longer expression."""
    import cel

    programs = [cel.compile(" || ".join(tests[at : at + 10])) for at in range(0, len(tests), 10)]

    def verdict(given: dict[str, str]) -> bool:
        return any(program.execute(given) for program in programs) is wanted

    return lambda number: words(number, rules), verdict


def cedar_glob(pattern: str) -> str:
    return re.sub(r"\*+", "*", pattern.removeprefix("**/") if pattern.startswith("**/*") else pattern)


def cel_regex(pattern: str) -> str:
    return "^" + regex_of(pattern).replace(r"\Z", "$").replace("\\", "\\\\")


if __name__ == "__main__":
    sys.exit(main())
