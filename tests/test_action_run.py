"""The action itself, as a workflow runs it: the documented workflow, by `act`, against the embedded GitHub.

It installs the bot from the package index, so it is left out of `make test`: `make action` runs it.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from journey import Journey

ROOT = Path(__file__).parent.parent
STUB = """\
name: stands in for an action of GitHub's
inputs: {name: {}, path: {}, if-no-files-found: {}, persist-credentials: {}}
runs:
  using: composite
  steps:
    - shell: bash
      env: {NAME: "${{ inputs.name }}", FOLDER: "${{ inputs.path }}"}
      run: |
        echo "uploads $NAME"
        ls "${FOLDER:-.}"
"""


def _repository(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    identity = ["-c", "user.name=x", "-c", "user.email=x@localhost"]
    for command in (["init", "--quiet"], ["add", "."], [*identity, "commit", "--quiet", "-m", "x"]):
        subprocess.run(["git", *command], cwd=folder, check=True)
    return folder


@pytest.mark.network
@pytest.mark.timeout(600)
def test_the_documented_workflow_plans_a_pull_request(journey: Journey, tmp_path: Path) -> None:
    event = journey.github.pull_request_event(journey.repository, journey.issue, "opened")
    event.write(tmp_path / "event.json")
    workflow = (ROOT / "examples/single-job.yml").read_text()
    checkout = _repository(tmp_path / "checkout", {".github/workflows/dryrun-bot.yml": workflow})
    stub = _repository(tmp_path / "stub", {"action.yml": STUB})
    used = {line.split("uses: ")[1].split()[0] for line in workflow.splitlines() if "uses: " in line}
    used |= {
        line.split("uses: ")[1].split()[0]
        for line in (ROOT / "action.yml").read_text().splitlines()
        if "uses: " in line
    }
    replaced = {name: ROOT if name.startswith("dryrun-bot/") else stub for name in used}
    given = {
        "GITHUB_API_URL": journey.github.url,
        "GITHUB_GRAPHQL_URL": f"{journey.github.url}/graphql",
        "GITHUB_SERVER_URL": journey.github.url,
        "GITHUB_REPOSITORY": "acme/widgets",
        "OPENAI_BASE_URL": journey.model.base_url,
    }
    command = [
        str(Path(sys.executable).with_name("act")),
        "pull_request_target",
        "--eventpath",
        str(tmp_path / "event.json"),
        "--platform",
        "ubuntu-latest=-self-hosted",
        "--pull=false",
        "--actor",
        "mona",
        "--secret",
        f"GITHUB_TOKEN={journey.github.workflow_token(journey.repository)}",
        "--secret",
        "OPENAI_API_KEY=not-needed",
        *(word for name, value in given.items() for word in ("--env", f"{name}={value}")),
        *(word for name, where in replaced.items() for word in ("--local-repository", f"{name}={where}")),
    ]
    environment = dict(os.environ) | {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    ran = subprocess.run(
        command,
        cwd=checkout,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout[-4000:] + ran.stderr[-1000:]
    plan = journey.plan()
    assert [step.description for step in plan.steps] == ["edit_file → README.md"]
    assert f"plan-digest={plan.digest}" in ran.stdout
    assert f"uploads dryrun-plan-{plan.digest}" in ran.stdout
