"""What a phase has no door to, it can't do; and no flow needs it to."""

from pathlib import Path

import pytest
from journey import CONFIG, Journey, call
from phases import applied, planned

from bot.demo.model import Said
from bot.errors import BadUsage, NoSandbox
from bot.outside import open_outside
from bot.outside.closed import ClosedShell
from bot.phase import Phase
from bot.settings import read_settings

# Of each phase, whether it may run commands, and ask a model.
DOORS = {
    Phase.ALL: (True, True),
    Phase.PLAN: (True, True),
    Phase.REPORT: (False, False),
    Phase.PERFORM: (True, False),
    Phase.COMMIT: (False, False),
}


@pytest.mark.parametrize("phase", Phase)
def test_each_phase_has_the_doors_that_it_needs(journey: Journey, phase: Phase) -> None:
    settings = read_settings(journey.environment(journey.commented("/plan")))
    outside = open_outside(settings, occasion=1, phase=phase)
    may_run, may_ask = DOORS[phase]
    assert isinstance(outside.shell, ClosedShell) is not may_run
    if may_ask:
        assert outside.llm("gpt-5.4-mini").model == "gpt-5.4-mini"
    else:
        with pytest.raises(BadUsage, match="asks no model"):
            outside.llm("gpt-5.4-mini")


def test_a_closed_shell_runs_nothing_leniently_either(tmp_path: Path) -> None:
    shell = ClosedShell(phase=Phase.COMMIT)
    with pytest.raises(NoSandbox), shell.lenient().folder():
        pass
    with pytest.raises(NoSandbox):
        shell.lenient().run("touch x", folder=tmp_path, timeout_s=1)
    assert list(tmp_path.iterdir()) == []


def test_commands_that_were_rehearsed_by_one_job_are_reported_and_committed_by_jobs_that_run_none(
    journey: Journey,
) -> None:
    config = {".github/dryrun-bot.yml": CONFIG + "sandbox: {rehearse: true}\n"}
    journey.github.push(journey.repository, "main", config, message="x", by="acme")
    change = call("run_command", command="sed -i 's/teh/the/' README.md")
    journey.model.script = [Said(calls=(change,)), Said(text="Done.")]
    chain = planned(journey, journey.commented("/plan tidy"))
    assert chain.answer.reason == "planned"
    assert [effect.path for effect in journey.plan().steps[0].effects] == ["README.md"]
    done = applied(journey, journey.commented("/apply --approve all"))
    assert (done.first.reason, done.answer.reason) == ("performed", "applied")
    assert journey.file("README.md") == b"# Sample\n\nthe first line\n"
