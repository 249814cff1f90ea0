"""The action hands the program what it reads, takes what it writes, and runs nothing of the checkout."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import yaml

from bot import __version__
from bot.outside.transcripts import NAMED
from bot.settings import read_settings

ROOT = Path(__file__).parent.parent
ACTION = yaml.safe_load((ROOT / "action.yml").read_text())
STEPS = ACTION["runs"]["steps"]


def test_every_output_of_the_action_is_one_that_the_run_sets() -> None:
    source = (ROOT / "bot/answer/outputs.py").read_text() + (ROOT / "bot/cli/event.py").read_text()
    for name, output in ACTION["outputs"].items():
        assert output["value"] == f"${{{{ steps.run.outputs.{name} }}}}"
        assert f'"{name}"' in source


def test_every_input_reaches_the_program(tmp_path: Path) -> None:
    environment = next(step for step in STEPS if step.get("id") == "run")["env"]
    given = {
        name: re.sub(r"^\$\{\{ inputs\.([a-z-]+).*", r"value-of-\1", value)
        for name, value in environment.items()
    }
    given["INPUT_PULL_REQUEST"] = "7"
    runner = {
        "GITHUB_ACTOR": "lee",
        "GITHUB_REPOSITORY": "acme/widgets",
        "GITHUB_EVENT_NAME": "workflow_dispatch",
        "GITHUB_EVENT_PATH": str(tmp_path / "event.json"),
        "GITHUB_WORKSPACE": str(tmp_path),
        "RUNNER_TEMP": str(tmp_path),
    }
    settings = read_settings(runner | given)
    assert settings.token.reveal() == "value-of-github-token"
    assert settings.inputs.pull_request == 7
    assert settings.inputs.task == "value-of-task"
    secrets = (settings.openai_api_key, settings.inputs.signing_key, settings.inputs.org_token)
    assert [secret and secret.reveal() for secret in secrets] == [
        "value-of-openai-api-key",
        "value-of-signing-key",
        "value-of-org-token",
    ]
    assert settings.openai_base_url == "value-of-openai-base-url"


def test_no_step_runs_in_the_checkout_or_takes_words_into_a_shell() -> None:
    """A pull request could bring a module named `venv`, a uv.toml, or a title that is a command."""
    for step in STEPS:
        if "run" in step:
            assert step["working-directory"] == "${{ runner.temp }}"
            assert "${{" not in step["run"]


def test_other_actions_are_pinned_to_a_commit() -> None:
    assert all(re.search(r"@[0-9a-f]{40}$", step["uses"]) for step in STEPS if "uses" in step)


def test_what_installs_the_rest_is_in_the_lock_with_the_same_hashes() -> None:
    locked = tomllib.loads((ROOT / "uv.lock").read_text())["package"]
    (uv,) = (package for package in locked if package["name"] == "uv")
    text = (ROOT / "uv.txt").read_text()
    assert f"uv=={uv['version']} " in text
    hashes = {file["hash"] for file in [uv["sdist"], *uv["wheels"]]}
    assert set(re.findall(r"sha256:[0-9a-f]{64}", text)) == hashes


def test_the_environment_is_made_of_what_the_lock_names_with_its_hash_and_of_nothing_else() -> None:
    install = next(step["run"] for step in STEPS if step["name"] == "Install dryrun-bot")
    assert "--require-hashes" in install
    assert "--frozen" in install
    # Its build backend would be fetched without a hash.
    assert "--no-install-project --no-build" in install
    assert not re.search(
        r"(?:(?:python|pip)\"|_PYTHON\")(?! -I )(?= )", install.replace('pip="$BOT_PYTHON"', "")
    )


def test_tools_of_others_come_with_their_hashes_and_alone() -> None:
    install = next(step["run"] for step in STEPS if step["name"] == "Install dryrun-bot")
    asked = install.partition('if [ -n "$BOT_TOOLS" ]; then')[2].partition("\nfi\n")[0]
    assert "--no-config --no-build --no-deps --require-hashes" in asked
    assert install.count("BOT_TOOLS") == 2, "its words are written into a file, and nowhere else"


def test_the_shell_that_was_given_the_keys_is_gone_while_the_bot_works() -> None:
    (run,) = (step["run"] for step in STEPS if step.get("id") == "run")
    assert run.startswith('exec "$RUNNER_TEMP/dryrun-bot-venv/bin/python" -I -m bot event')


def test_every_run_that_was_meant_keeps_its_transcript_under_a_name_that_fetching_knows() -> None:
    with_plan, without = (step for step in STEPS if step["name"].startswith("Keep the "))
    assert "steps.run.outputs.plan-digest != ''" in with_plan["if"]
    assert "steps.run.outputs.plan-digest == ''" in without["if"]
    for step in (with_plan, without):
        assert step["if"].startswith("always() && ")
        assert step["with"]["name"].startswith(NAMED)
        assert step["with"]["path"].split() == [
            word
            for kind in ("plan", "transcript")
            for word in ("${{", "runner.temp", f"}}}}/dryrun-bot/{kind}-*")
        ]
    # Two uploads of one name fail: attempts, jobs and the parts of a matrix each have their own.
    named = without["with"]["name"]
    assert all(f"github.{it}" in named for it in ("run_id", "run_attempt", "job"))
    assert "strategy.job-index" in named


def test_what_one_phase_leaves_is_taken_up_by_the_next_under_the_same_name() -> None:
    up = next(step for step in STEPS if step["name"].startswith("Take up"))
    left = next(step for step in STEPS if step["name"].startswith("Leave"))
    assert up["with"]["path"] == left["with"]["path"] == "${{ runner.temp }}/dryrun-bot/handover/"
    assert left["with"]["name"] == "dryrun-handover-${{ inputs.phase }}"
    assert up["with"]["name"] == "dryrun-handover-${{ inputs.phase == 'report' && 'plan' || 'perform' }}"
    # The bot tells of what is missing, and another attempt of a job leaves it once more.
    assert up["continue-on-error"] is True
    assert left["with"]["overwrite"] is True


def test_where_it_is_only_installed_it_is_on_the_path_and_nothing_else_is_done(tmp_path: Path) -> None:
    (onto_path,) = (step for step in STEPS if step.get("if") == "inputs.command == 'install'")
    python = tmp_path / "dryrun-bot-venv/bin/python"
    python.parent.mkdir(parents=True)
    # A link would lose the environment that it is in.
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    environ = {
        "PATH": os.environ["PATH"],
        "RUNNER_TEMP": str(tmp_path),
        "GITHUB_PATH": str(tmp_path / "path"),
    }
    subprocess.run(["bash", "-e", "-c", onto_path["run"]], env=environ, cwd=tmp_path, check=True)
    (folder,) = (tmp_path / "path").read_text().splitlines()
    said = subprocess.run(
        ["dryrun-bot", "--version"], env={"PATH": folder}, capture_output=True, text=True, check=True
    )
    assert said.stdout == f"dryrun-bot {__version__}\n"
    after = STEPS[STEPS.index(onto_path) + 1 :]
    assert all(
        "inputs.command != 'install'" in step["if"] or "plan-digest != ''" in step["if"] for step in after
    )
