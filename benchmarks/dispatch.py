"""10,000 calls of tools: gate, record and tracker beside those of architect-ai-cli 1.1.0, in the same run.

    python benchmarks/dispatch.py [--repeat 5] [--peer FOLDER]

Both get the same calls, in runs of 50. Theirs is what `architect run --dry-run` does with each: guardrails,
code rules, the engine in its dry run, and its tracker; logging is set up as its command line does. Ours, to
be compared with that, is the proposal, its facts, the verdict, the recorded step with its id, the tracker.

Two more rows are told and not compared, for the other program has nothing of the kind: the whole dispatch,
which rehearses each change on an overlay and diffs it; and the same with every word of it chained in a
transcript on disk. Fails if the compared part is not faster than theirs. Times are of the processor, the best
of all rounds, in turns. The peer is installed once, into an environment of its own.
"""

import argparse
import gc
import json
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bot.gate.policy import Policy

PEER = "architect-ai-cli==1.1.0"
RUNS, CALLS = 200, 50
SECRET = ["**/.env*", "*.env", "*.pem", "id_rsa*"]
PROTECTED = [
    ".git/*",
    ".github/workflows/*",
    ".github/actions/*",
    ".github/dryrun-bot.yml",
    "CODEOWNERS",
    ".claude/*",
    ".cursor/*",
    ".vscode/*",
]
Calls = list[tuple[str, dict[str, Any]]]


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--repeat", type=int, default=5)
    options.add_argument("--peer", type=Path, default=Path(sys.prefix) / "peers" / "architect")
    options.add_argument("--as-peer", action="store_true", help=argparse.SUPPRESS)
    chosen = options.parse_args()
    if chosen.as_peer:
        print(json.dumps(theirs(json.load(sys.stdin))))
        return 0
    runs = [run(number) for number in range(RUNS)]
    python = installed(chosen.peer)
    parts = {
        "theirs: guardrails, engine, tracker": lambda: asked(python, runs),
        "ours: gate, record, tracker": lambda: gate_record_tracker(runs),
        "ours, whole: rehearsed and diffed as well": lambda: whole(runs, on_disk=False),
        "ours, whole, and in a transcript on disk": lambda: whole(runs, on_disk=True),
    }
    took: dict[str, list[float]] = {name: [] for name in parts}
    for _ in range(chosen.repeat):
        for name, part in parts.items():
            took[name].append(part())
    best = {name: min(times) for name, times in took.items()}
    peer, ours, *_ = best.values()
    for name, seconds in best.items():
        spread = max(took[name]) / seconds
        print(f"{name:44} {seconds:6.3f} s   {seconds / peer:5.2f} times theirs   spread {spread:.2f}")
    print(json.dumps({"benchmark": "dispatch", "calls": RUNS * CALLS, "seconds": list(best.values())}))
    return 0 if ours < peer else 1


def run(number: int) -> Calls:
    """An agent's work in small: files made, read, edited away, commands."""
    calls: Calls = []
    for at in range(number * CALLS, (number + 1) * CALLS):
        match at % 5:
            case 0:
                calls.append(("write_file", {"path": f"src/file_{at}.py", "content": f"value = {at}\n"}))
            case 1:
                calls.append(("read_file", {"path": f"src/file_{at - 1}.py"}))
            case 2:
                calls.append(("write_file", {"path": f"docs/{at}.md", "content": f"# {at}\n\nWords.\n"}))
            case 3:
                calls.append(("delete_file", {"path": f"docs/{at - 1}.md"}))
            case _:
                calls.append(("run_command", {"command": f"pytest -q tests/test_{at % 50}.py"}))
    return calls


def timed(work: Callable[[], None]) -> float:
    # What was loaded before is nobody's to sweep through again and again.
    gc.collect()
    gc.freeze()
    began = time.process_time()
    work()
    return time.process_time() - began


def gate_record_tracker(runs: Sequence[Calls]) -> float:
    from bot.action import Call
    from bot.dispatcher.rehearsed import Rehearsed
    from bot.dryrun import DryRunTracker
    from bot.gate import judge
    from bot.gate.facts import Earlier, facts_of
    from bot.proposal import propose
    from bot.tools import TOOLS
    from bot.workspace.empty_tree import EMPTY_TREE

    policy, batches = _policy(), _spelled(runs)

    def work() -> None:
        for calls in batches:
            earlier, steps = Earlier(), []
            for call in calls:
                proposal = propose(Call(id="c", tool=call[0], arguments=call[1]), TOOLS)
                facts = facts_of(
                    proposal.action,
                    touches=proposal.touches,
                    command=proposal.command,
                    tree=EMPTY_TREE,
                    earlier=earlier,
                )
                verdict = judge(proposal.action, facts, policy)
                number = len(steps) + 1
                earlier = earlier.after(number, proposal.action, facts, ())
                rehearsed = Rehearsed(verdict=verdict, facts=facts)
                steps.append(rehearsed.step(number, proposal, conditional_on=(), redact=str))
            tracker = DryRunTracker.of(steps)
            assert tracker.action_count == CALLS
            tracker.get_plan_summary()

    return timed(work)


def whole(runs: Sequence[Calls], *, on_disk: bool) -> float:
    from bot.action import Call
    from bot.dispatcher import Dispatcher
    from bot.dryrun import DryRunTracker
    from bot.outside.search import Ripgrep
    from bot.tools import TOOLS
    from bot.transcript import Transcript
    from bot.workspace.empty_tree import EMPTY_TREE
    from bot.workspace.overlay import Overlay

    class Unwritten(Transcript):
        def note(self, event: str, **facts: object) -> None:
            """Nothing."""

    policy, batches = _policy(), _spelled(runs)
    with tempfile.TemporaryDirectory() as folder:

        def work() -> None:
            for number, calls in enumerate(batches):
                file = Path(folder) / f"{number}.jsonl"
                dispatcher = Dispatcher.rehearsing(
                    tools=TOOLS,
                    overlay=Overlay(EMPTY_TREE, Ripgrep()),
                    policies=[policy],
                    transcript=Transcript.begin(file) if on_disk else Unwritten(file=file),
                )
                for tool, arguments in calls:
                    dispatcher.dispatch(Call(id="c", tool=tool, arguments=arguments))
                assert not any(step.error for step in dispatcher.steps)
                DryRunTracker.of(dispatcher.steps).get_plan_summary()

        return timed(work)


def _policy() -> "Policy":
    from bot.gate.policy import Policy

    return Policy.model_validate(
        {
            "commands": {"allow": [{"argv": ["pytest", "-q", "tests/**"]}]},
            "limits": {"files": 100, "commands": 100},
        }
    )


def _spelled(runs: Sequence[Calls]) -> list[list[tuple[str, str]]]:
    """As a model sends them; spelling them is not ours to pay for."""
    return [[(tool, json.dumps(arguments)) for tool, arguments in calls] for calls in runs]


def installed(folder: Path) -> Path:
    python = folder / "bin" / "python"
    if not python.exists():
        print(f"installing {PEER} into {folder} ...", file=sys.stderr)
        venv.create(folder, with_pip=True)
    # It asks for Python 3.12, and runs on 3.11.
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    if subprocess.run([str(python), "-c", "import architect"], capture_output=True, check=False).returncode:
        subprocess.run([*pip, "--ignore-requires-python", PEER], check=True)
    return python


def asked(python: Path, runs: Sequence[Calls]) -> float:
    done = subprocess.run(
        [str(python), __file__, "--as-peer"],
        input=json.dumps(runs),
        capture_output=True,
        text=True,
        check=True,
        # Else its client fetches a list of prices while it is imported.
        env={"PATH": "/usr/bin:/bin", "LITELLM_LOCAL_MODEL_COST_MAP": "True", "HOME": tempfile.gettempdir()},
    )
    return float(json.loads(done.stdout.strip().splitlines()[0]))


def theirs(runs: Sequence[Calls]) -> float:
    from architect.config.schema import AppConfig, GuardrailsConfig, LoggingConfig
    from architect.core.guardrails import GuardrailsEngine
    from architect.execution.engine import ExecutionEngine
    from architect.features.dryrun import DryRunTracker
    from architect.logging.setup import configure_logging
    from architect.tools.registry import ToolRegistry
    from architect.tools.setup import register_all_tools

    configure_logging(LoggingConfig())
    config, registry = AppConfig(), ToolRegistry()
    with tempfile.TemporaryDirectory() as folder:
        config.workspace.root = Path(folder)
        register_all_tools(registry, config.workspace, config.commands)
        rules = GuardrailsConfig(
            enabled=True,
            sensitive_files=SECRET,
            protected_files=PROTECTED,
            max_files_modified=100,
            max_lines_changed=10_000,
            max_commands_executed=100,
        )

        def work() -> None:
            for calls in runs:
                guardrails = GuardrailsEngine(rules, folder)
                engine = ExecutionEngine(registry, config, confirm_mode="yolo", guardrails=guardrails)
                engine.set_dry_run(True)
                tracker = DryRunTracker()
                for step, (tool, arguments) in enumerate(calls):
                    assert engine.check_guardrails(tool, arguments) is None
                    engine.check_code_rules(tool, arguments)
                    assert engine.execute_tool_call(tool, arguments).success
                    tracker.record(step, tool, arguments)
                tracker.get_plan_summary()

        return timed(work)


if __name__ == "__main__":
    sys.exit(main())
