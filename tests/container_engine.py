"""A container engine for the tests of the image: docker where it is, or podman, started for the test alone.

podman gets a base image of Debian's own packages, made by debootstrap, so that no image registry is needed.
It is a stand-in: it shows that the Dockerfile's steps, user, entry point and environment work, not the base.
"""

import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
# Kept between runs: making the stand-in takes minutes.
STORE = ROOT / ".image"
STAND_IN = "localhost/python-stand-in:latest"
PROGRAMS = ("buildah", "podman", "crun", "debootstrap")
SETTINGS = """\
[containers]
cgroups = "disabled"
netns = "host"
pids_limit = 0
default_ulimits = ["nofile=1024:1024", "nproc=4096:4096"]
volumes = ["/etc/ssl/certs:/etc/ssl/certs:ro"]
log_driver = "k8s-file"
[engine]
cgroup_manager = "cgroupfs"
events_logger = "file"
runtime = "crun"
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """`command` takes docker's words; `host` is what DOCKER_HOST has to be; `base` the image to build on."""

    command: tuple[str, ...]
    host: str
    base: str

    def __call__(self, *words: str, check: bool = True) -> "subprocess.CompletedProcess[str]":
        done = subprocess.run(
            [*self.command, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0 or not check, f"{words}: {done.stdout[-2000:]}{done.stderr[-4000:]}"
        return done

    def build(self, folder: Path, tag: str, *, file: str = "Dockerfile") -> None:
        """`file` is one of the folder's. podman takes its own folder's where that has one of the name."""
        named = f"--file={folder / file}"
        self("build", "--build-arg", f"PYTHON={self.base}", named, "--tag", tag, str(folder))

    def size_bytes(self, tag: str) -> int:
        return int(self("image", "inspect", "--format", "{{.Size}}", tag).stdout)


@contextmanager
def container_engine() -> Iterator[Engine]:
    docker = shutil.which("docker")
    if docker and subprocess.run([docker, "info"], capture_output=True, check=False).returncode == 0:
        host = os.environ.get("DOCKER_HOST", "unix:///var/run/docker.sock")
        yield Engine(command=(docker,), host=host, base=default_base())
        return
    missing = [program for program in PROGRAMS if shutil.which(program) is None]
    assert not missing, (
        f"needs docker, or as root: apt-get install {' '.join(PROGRAMS)} fuse-overlayfs uidmap"
    )
    STORE.mkdir(exist_ok=True)
    _stand_in()
    with _podman() as engine:
        yield engine


def default_base() -> str:
    found = re.search(r"^ARG PYTHON=(\S+)$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    assert found is not None
    return found[1]


def _store() -> list[str]:
    return ["--root", str(STORE / "store"), "--runroot", str(STORE / "run"), "--storage-driver", "overlay"]


def _stand_in() -> None:
    buildah = ["buildah", *_store()]
    if (
        subprocess.run(
            [*buildah, "inspect", "--type=image", STAND_IN], capture_output=True, check=False
        ).returncode
        == 0
    ):
        return
    tree = STORE / "rootfs"
    if not (tree / "usr/local/bin/pip").is_symlink():
        packages = "ca-certificates,python3,python3-pip,python3-venv"
        made = ["debootstrap", "--variant=minbase", f"--include={packages}", "bookworm", str(tree), _mirror()]
        subprocess.run(made, check=True, stdout=subprocess.DEVNULL)
        for kept in ("var/cache/apt", "var/lib/apt/lists"):
            shutil.rmtree(tree / kept)
        for marker in tree.glob("usr/lib/python3*/EXTERNALLY-MANAGED"):
            marker.unlink()
        for name in ("python", "pip"):
            (tree / f"usr/local/bin/{name}").symlink_to(f"/usr/bin/{name}3")
    made = subprocess.run([*buildah, "from", "scratch"], capture_output=True, text=True, check=True)
    container = made.stdout.strip()
    path = "PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"
    for words in (
        ["add", "--quiet", container, str(tree), "/"],
        ["config", "--env", path, "--cmd", "python3", container],
        ["commit", "--quiet", container, STAND_IN],
        ["rm", container],
    ):
        subprocess.run([*buildah, *words], check=True, capture_output=True)


def _mirror() -> str:
    """The one that this machine's own packages come from."""
    places = [Path("/etc/apt/sources.list"), *sorted(Path("/etc/apt/sources.list.d").glob("*"))]
    for place in places:
        for line in place.read_text().splitlines() if place.is_file() else ():
            if found := re.search(r"^(?:URIs:|deb)\s+(?:\[.*\]\s+)?(https?://\S+/debian)/?(?:\s|$)", line):
                return found[1]
    raise AssertionError("no Debian mirror in /etc/apt/sources.list")


@contextmanager
def _podman() -> Iterator[Engine]:
    """podman's Docker-compatible socket; mounts of its own, so that it sees no hybrid cgroups."""
    settings, socket = STORE / "containers.conf", STORE / "podman.sock"
    settings.write_text(SETTINGS)
    service = ["podman", *_store(), "system", "service", "--time=0", f"unix://{socket}"]
    script = 'umount /sys/fs/cgroup/unified 2>/dev/null; exec "$@"'
    process = subprocess.Popen(
        ["unshare", "--mount", "--propagation", "private", "sh", "-c", script, "sh", *service],
        env={**os.environ, "CONTAINERS_CONF": str(settings), "BUILDAH_ISOLATION": "chroot"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    engine = Engine(command=("podman", "--url", f"unix://{socket}"), host=f"unix://{socket}", base=STAND_IN)
    try:
        for _ in range(100):
            if engine("version", check=False).returncode == 0:
                break
            time.sleep(0.1)
        yield engine
    finally:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=20)
        socket.unlink(missing_ok=True)
