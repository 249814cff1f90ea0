"""Commands rehearsed for real: on a pull request, from the plan to the commit."""

from pathlib import Path

import pytest
from journey import CONFIG, Journey, call

from bot.demo.model import Said, ToolCall
from bot.flows.replay import replay_tools
from bot.outside.past_ground import PastGround
from bot.plan import Step

REHEARSE = "sandbox: {rehearse: true}\n"
FORMAT = "sed -i 's/return 1/return  2/' src/app.py && sed -i 's/  2/ 2/' src/app.py"
TEST = (
    'python3 -c \'import sys; sys.path.append("src"); import app; assert app.main() == 2; print("1 passed")\''
)


@pytest.fixture(autouse=True)
def rehearsing(journey: Journey) -> None:
    config = {".github/dryrun-bot.yml": CONFIG + REHEARSE}
    journey.github.push(journey.repository, "main", config, message="x", by="acme")


def _command(line: str, **more: object) -> ToolCall:
    return call("run_command", command=line, **more)


def _planned(journey: Journey, *calls: ToolCall) -> tuple[Step, ...]:
    journey.model.script = [*(Said(calls=(one,)) for one in calls), Said(text="Done.")]
    assert journey.opened().reason == "planned"
    return journey.plan().steps


def _told(journey: Journey) -> list[str]:
    """What the model was told of its calls."""
    messages = journey.model.asked[-1].body["messages"]
    return [str(message["content"]) for message in messages if message["role"] == "tool"]


def _said(journey: Journey) -> str:
    return journey.bot_comments[-1].body


def test_the_plan_shows_what_a_formatter_really_does_and_what_tests_really_say(journey: Journey) -> None:
    formatted, tested = _planned(journey, _command(FORMAT), _command(TEST))
    assert [effect.path for effect in formatted.effects] == ["src/app.py"]
    assert "-    return 1\n+    return 2" in formatted.effects[0].diff
    assert formatted.rehearsed is not None
    assert (formatted.rehearsed.exit_code, formatted.rehearsed.unsteady) == (0, ())
    assert tested.effects == ()
    assert tested.rehearsed is not None
    assert tested.rehearsed.output == "1 passed\n"
    assert tested.conditional_on == ()
    comment = _said(journey)
    for part in ("+    return 2", "1 passed", "Rehearsed in the sandbox, on a copy: exit code 0", "🧪"):
        assert part in comment


def test_an_apply_makes_the_same_bytes(journey: Journey) -> None:
    formatted, _ = _planned(journey, _command(FORMAT), _command(TEST))
    assert journey.says("/apply --approve all").reason == "applied"
    assert journey.file("src/app.py") == b"def main():\n    return 2\n"
    blob = journey.repository.bare.git("rev-parse", f"{journey.head}:src/app.py").decode().strip()
    assert blob == formatted.effects[0].blob_after
    assert "1 passed" in _said(journey)


def test_the_model_is_told_the_truth_and_reads_what_the_command_made(journey: Journey) -> None:
    _planned(journey, _command(FORMAT), call("read_file", path="src/app.py"), _command("exit 3"))
    formatted, read, failed = _told(journey)
    assert '"rehearsed": true' in formatted
    assert "[exit code 0]" in formatted
    assert "return 2" in read
    assert '"failed": true, "rehearsed": true' in failed
    assert "[exit code 3]" in failed


def test_a_command_sees_the_edits_before_it_and_a_failed_one_leaves_nothing(journey: Journey) -> None:
    edit = call("edit_file", path="README.md", old="teh", new="the")
    steps = _planned(
        journey,
        edit,
        _command("grep -q 'the first' README.md && echo x > new.txt && rm crlf.txt && exit 1"),
        _command("grep -q 'the first' README.md && test ! -e new.txt && test -e crlf.txt"),
    )
    assert [step.is_performed for step in steps] == [True, False, True]
    assert journey.says("/apply --approve 3").reason == "applied"
    changed = journey.repository.bare.git("diff-tree", "-r", "--name-only", f"{journey.head}^", journey.head)
    assert changed == b"README.md\n"


def test_what_a_command_makes_is_built_on_by_edits_and_commands(journey: Journey) -> None:
    steps = _planned(
        journey,
        _command("mkdir made && echo one > made/a.txt && chmod +x made/a.txt"),
        call("edit_file", path="made/a.txt", old="one", new="two"),
        _command("cat made/a.txt && test -x made/a.txt && cp made/a.txt made/b.txt"),
    )
    assert steps[2].rehearsed is not None
    assert steps[2].rehearsed.output == "two\n"
    assert journey.says("/apply --approve all").reason == "applied"
    assert journey.file("made/b.txt") == b"two\n"


DENIED = {
    "what the policy protects": "echo x > .github/workflows/ci.yml",
    "a secret": "echo x > .env",
}


@pytest.mark.parametrize("line", DENIED.values(), ids=DENIED)
def test_a_command_that_does_what_is_denied_is_denied(journey: Journey, line: str) -> None:
    denied, after = _planned(
        journey,
        _command(f"mkdir -p .github/workflows; {line}"),
        _command("test -e .env -o -d .github/workflows"),
    )
    assert denied.verdict.outcome == "deny"
    assert denied.effects == ()
    assert not after.is_performed


def test_secrets_are_not_there_for_a_command(journey: Journey) -> None:
    (step,) = _planned(journey, _command("ls -A; ! grep -r TOKEN ."))
    assert step.rehearsed is not None
    assert step.rehearsed.exit_code == 0
    assert ".env" not in step.rehearsed.output


def test_what_comes_out_otherwise_the_second_time_is_said_and_refused_at_apply(journey: Journey) -> None:
    (step,) = _planned(journey, _command("date +%N > when.txt; echo same > same.txt"))
    assert step.rehearsed is not None
    assert step.rehearsed.unsteady == ("when.txt",)
    assert "A second try came out otherwise" in _said(journey)
    assert "`when.txt`" in _said(journey)
    assert '"came_out_otherwise_a_second_time": ["when.txt"]' in _told(journey)[0]
    before = journey.head
    assert journey.says("/apply --approve 1").reason == "prediction-missed"
    assert "when.txt" in _said(journey)
    assert "What differs from the plan" in _said(journey)
    assert journey.head == before


UNHELD = {
    "a new link": ("ln -s README.md link", "symbolic link link"),
    "a huge file": ("head -c 70M /dev/zero > big", "no plan can hold"),
    "a changed link": ("ln -sf /etc/passwd README.md", "symbolic link README.md"),
}


@pytest.mark.parametrize(("line", "said"), UNHELD.values(), ids=UNHELD)
def test_what_no_plan_can_hold_fails_and_is_gone(journey: Journey, line: str, said: str) -> None:
    failed, after = _planned(journey, _command(line), _command("test ! -e big -a ! -L link -a -f README.md"))
    assert failed.error is not None
    assert said in failed.error
    assert after.rehearsed is not None
    assert after.rehearsed.exit_code == 0


def test_what_git_ignores_stays_for_the_next_command_and_out_of_the_plan(journey: Journey) -> None:
    ignore = call("write_file", path=".gitignore", content="build/\n")
    steps = _planned(journey, ignore, _command("mkdir build && touch build/x"), _command("test -e build/x"))
    assert [len(step.effects) for step in steps] == [1, 0, 0]
    assert journey.says("/apply --approve all").reason == "applied"
    assert "build/x" in _said(journey)


def test_a_forks_commands_are_recorded_and_not_run(journey: Journey, tmp_path: Path) -> None:
    fork = journey.github.fork(journey.repository, "stranger")
    journey.github.push(fork, "theirs", {"a.txt": "x\n"}, message="x", by="stranger")
    journey.issue = journey.github.open_pull(journey.repository, "stranger:theirs", by="stranger", title="x")
    journey.model.script = [Said(calls=(_command(f"touch {tmp_path}/ran; echo ran"),)), Said(text="Done.")]
    assert journey.says("/plan tidy").reason == "planned"
    (step,) = journey.plan().steps
    assert step.rehearsed is None
    assert "[DRY-RUN] Would execute" in _told(journey)[0]


def test_a_rehearsal_leaves_no_trace(journey: Journey, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir(mode=0o777)
    head = journey.head
    _planned(
        journey,
        _command(f"touch {outside}/a; chmod 000 {outside}; setsid sleep 47 & echo x > /tmp/rehearsed; true"),
    )
    assert list(outside.iterdir()) == []
    assert outside.stat().st_mode & 0o777 != 0
    assert not Path("/tmp/rehearsed").exists()
    assert journey.head == head


def test_a_recorded_run_with_commands_comes_out_the_same_again(journey: Journey, tmp_path: Path) -> None:
    _planned(journey, _command("date +%N > when.txt"), _command(TEST.replace("== 2", "== 1")))
    transcripts = list((journey.folder / "run-1").rglob("*.jsonl*"))
    assert transcripts
    clone = tmp_path / "clone"
    journey.check_out_commit(journey.head, clone)
    ground = PastGround(folder=clone)
    impact = replay_tools(transcripts, ground)
    assert (impact.runs, impact.changed, impact.refused) == (1, 0, ())
