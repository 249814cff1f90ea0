"""Whoever watches knows all that came of a process. What it does to them is in the escapes."""

import os
import subprocess
import sys
import time

from bot.outside.cage import warden


def _wait_for(count: int) -> list[int]:
    deadline = time.monotonic() + 20
    while len(found := warden.descendants(os.getpid())) < count and time.monotonic() < deadline:
        time.sleep(0.02)
    return found


def test_children_of_children_are_found_in_whatever_session() -> None:
    before = set(warden.descendants(os.getpid()))
    command = "sleep 60 & setsid sleep 60 & wait"
    with subprocess.Popen(["/bin/bash", "-c", command]) as process:
        found = set(_wait_for(len(before) + 3)) - before
        assert process.pid in found
        assert len(found) == 3
        for one in found:
            os.kill(one, 9)


def test_without_the_kernels_lists_parents_tell() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        parents = warden._parents()
        assert parents[process.pid] == os.getpid()
        assert process.pid in warden._children_in(parents)(os.getpid())
        process.communicate(b"\n")


def test_nothing_came_of_a_process_that_is_gone() -> None:
    process = subprocess.Popen(["/bin/true"])
    process.wait()
    assert warden.descendants(process.pid) == []
