"""The ways out of the cage, tried in a container as Docker starts one; `make cage-in-a-container` runs this.

Docker's default seccomp profile and capabilities are what a job in a container gets, and they forbid some of
what a machine of one's own allows. podman has a laxer profile: there Docker's is named, and must be found.
"""

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from container_engine import Engine, container_engine

ROOT = Path(__file__).parent.parent
TAG = "localhost/dryrun-bot-cage:test"
SUITE = ("tests/outside/test_escapes.py", "tests/outside/test_command_cases.py", "tests/outside/cage")
# dockerd's own list, in `docker run`'s words.
CAPABILITIES = (
    "AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE NET_RAW SETFCAP SETGID SETPCAP"
    " SETUID SYS_CHROOT"
).split()
PROFILES = (
    Path("/usr/share/gocode/src/github.com/docker/docker/profiles/seccomp/default.json"),
    Path("/usr/share/gocode/src/github.com/moby/moby/profiles/seccomp/default.json"),
)
# What the suite needs and the base lacks: git, and the kernel's headers, which the tables are held to.
DOCKERFILE = """\
ARG PYTHON
FROM ${PYTHON}
RUN apt-get update && apt-get install --yes --no-install-recommends git linux-libc-dev
COPY pyproject.toml uv.lock uv.txt /deps/
WORKDIR /deps
ENV UV_PROJECT_ENVIRONMENT=/opt/tests UV_PYTHON_DOWNLOADS=never UV_NO_CACHE=1
RUN python -m venv /opt/tests \\
 && /opt/tests/bin/python -m pip install --no-cache-dir --require-hashes --requirement uv.txt \\
 && /opt/tests/bin/uv sync --quiet --frozen --no-config --no-install-project --inexact --system-certs
ENV PYTHONPATH=/src PYTHONDONTWRITEBYTECODE=1 HYPOTHESIS_STORAGE_DIRECTORY=/tmp/hypothesis
WORKDIR /src
"""
pytestmark = [pytest.mark.network, pytest.mark.timeout(3600)]


def dockers_profile() -> Path:
    named = os.environ.get("SECCOMP_PROFILE")
    found = next((it for it in ([Path(named)] if named else PROFILES) if it.is_file()), None)
    assert found is not None, (
        "needs Docker's default seccomp profile: apt-get install golang-github-docker-docker-dev, or name a "
        "copy of moby's profiles/seccomp/default.json in SECCOMP_PROFILE"
    )
    return found


def as_docker_starts_it(engine: Engine) -> list[str]:
    """Nothing for docker itself, whose defaults they are."""
    if Path(engine.command[0]).name == "docker":
        return []
    capabilities = ["--cap-drop=all", *(f"--cap-add={name}" for name in CAPABILITIES)]
    return [f"--security-opt=seccomp={dockers_profile()}", *capabilities]


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    folder = tmp_path_factory.mktemp("context")
    for name in ("pyproject.toml", "uv.lock", "uv.txt"):
        shutil.copy(ROOT / name, folder)
    (folder / "cage.Dockerfile").write_text(DOCKERFILE)
    with container_engine() as engine:
        engine.build(folder, TAG, file="cage.Dockerfile")
        yield engine


def inside(engine: Engine, *words: str) -> str:
    options = ["--rm", "--network=none", f"--volume={ROOT}:/src:ro", *as_docker_starts_it(engine)]
    ran = engine("run", *options, TAG, *words, check=False)
    return ran.stdout + ran.stderr


def test_the_container_is_one_as_docker_starts_it(engine: Engine) -> None:
    """Else what follows would show nothing: no new user namespace, a filter, and 14 capabilities."""
    assert "unshare failed" in inside(engine, "unshare", "--user", "true")
    status = inside(engine, "cat", "/proc/self/status")
    assert re.search(r"^Seccomp:\s+2$", status, re.MULTILINE)
    effective = re.search(r"^CapEff:\s+(\w+)$", status, re.MULTILINE)
    assert effective is not None
    assert int(effective[1], 16).bit_count() == len(CAPABILITIES)


def test_no_way_out_of_the_cage_is_open_in_a_container(engine: Engine) -> None:
    """What is skipped is said, and that the machine can't confine commands is no reason to skip."""
    told = inside(engine, "/opt/tests/bin/python", "-m", "pytest", "-rs", "-p", "no:cacheprovider", *SUITE)
    skipped = re.findall(r"^SKIPPED .*$", told, re.MULTILINE)
    print("", *skipped, told.rstrip().rpartition("\n")[2], sep="\n")
    counted = re.search(r"(\d+) passed", told)
    assert counted is not None, told[-6000:]
    assert " failed" not in told, told[-6000:]
    assert " error" not in told.rpartition("\n")[2], told[-6000:]
    assert not [it for it in skipped if "confine" in it or "Landlock" in it]
    assert int(counted[1]) > 100
