"""The filter's numbers are the kernel's, and its instructions lead where they should."""

import errno
import re
import struct
from pathlib import Path

import pytest

from bot.outside.cage.syscalls import (
    ASKED,
    ATTRIBUTES,
    AUDIT_ARCH,
    FORBIDDEN,
    JUDGED,
    NEWEST,
    OLD,
    OLD_ASKED,
    SIGNALS,
    program,
)

ALLOW, KILL, FAIL = 0x7FFF0000, 0x80000000, 0x00050000
REFUSED, MISSING, UNSUPPORTED = FAIL | errno.EPERM, FAIL | errno.ENOSYS, FAIL | errno.EOPNOTSUPP
ASK = 0x7FC00000
TABLES = FORBIDDEN | SIGNALS | JUDGED | ASKED | ATTRIBUTES
HEADERS = {
    "x86_64": Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": Path("/usr/include/asm-generic/unistd.h"),
}
MACHINES = ["x86_64", "aarch64"]


def answer(
    machine: str,
    number: int,
    *arguments: int,
    may_signal: bool = True,
    asks: bool = False,
    arch: int | None = None,
) -> int:
    """What the kernel would do: the filter, run by a few lines of the classic BPF machine."""
    code = program(machine, may_signal=may_signal, asks=asks)
    lines = list(struct.iter_unpack("=HBBI", code))
    padded = [*arguments, *[0] * (6 - len(arguments))]
    data = struct.pack("=iIQ6Q", number, AUDIT_ARCH[machine] if arch is None else arch, 0, *padded)
    at, value = 0, 0
    while True:
        operation, yes, no, operand = lines[at]
        at += 1
        if operation == 0x20:
            (value,) = struct.unpack_from("=I", data, operand)
        elif operation == 0x54:
            value &= operand
        elif operation == 0x06:
            return operand
        else:
            holds = {0x15: value == operand, 0x35: value >= operand, 0x45: bool(value & operand)}[operation]
            at += yes if holds else no


@pytest.mark.parametrize("machine", MACHINES)
def test_every_forbidden_call_is_refused(machine: str) -> None:
    for name, numbers in FORBIDDEN.items():
        assert answer(machine, numbers[MACHINES.index(machine)]) == REFUSED, name


@pytest.mark.parametrize("machine", MACHINES)
def test_signals_are_refused_where_nothing_else_keeps_them_inside(machine: str) -> None:
    for name, numbers in SIGNALS.items():
        number = numbers[MACHINES.index(machine)]
        assert answer(machine, number, may_signal=False) == REFUSED, name
        assert answer(machine, number, 1234, may_signal=True) == ALLOW, name


@pytest.mark.parametrize("machine", MACHINES)
def test_no_signal_goes_to_everybody(machine: str) -> None:
    number = SIGNALS["kill"][MACHINES.index(machine)]
    assert answer(machine, number, 2**32 - 1, 15) == answer(machine, number, 2**64 - 1, 15) == REFUSED
    assert answer(machine, number, 0, 15) == answer(machine, number, 2**32 - 1234, 15) == ALLOW


@pytest.mark.parametrize("machine", MACHINES)
def test_modes_and_times_are_asked_about_where_somebody_answers(machine: str) -> None:
    for numbers in ASKED.values():
        number = numbers[MACHINES.index(machine)]
        assert (answer(machine, number), answer(machine, number, asks=True)) == (ALLOW, ASK)


def test_calls_that_one_machine_alone_has_are_judged_there() -> None:
    assert {answer("x86_64", number) for number in OLD.values()} == {REFUSED}
    assert {answer("x86_64", number, asks=True) for number in OLD_ASKED.values()} == {ASK}


@pytest.mark.parametrize("machine", MACHINES)
def test_a_file_is_given_nothing_that_git_can_not_hold(machine: str) -> None:
    for numbers in ATTRIBUTES.values():
        assert answer(machine, numbers[MACHINES.index(machine)]) == UNSUPPORTED


JUDGEMENTS = {
    "a stream pair": ("socketpair", (1, 1), ALLOW),
    "a stream pair that closes on exec": ("socketpair", (1, 1 | 0o2000000), ALLOW),
    "a pair of datagrams": ("socketpair", (1, 2), REFUSED),
    "a pair of another family": ("socketpair", (30, 1), REFUSED),
    "a thread": ("clone", (0x3D0F00,), ALLOW),
    "a process": ("clone", (0x1200011,), ALLOW),
    "a user namespace": ("clone", (0x10000000 | 17,), REFUSED),
    "a network namespace": ("clone", (0x40000000 | 17,), REFUSED),
    "a mount namespace": ("clone", (0x00020000 | 17,), REFUSED),
    "the newer call for both": ("clone3", (), MISSING),
    "a lock": ("fcntl", (3, 6), ALLOW),
    "signals from a descriptor": ("fcntl", (3, 8), REFUSED),
    "signals from a descriptor, extended": ("fcntl", (3, 15), REFUSED),
    "which signal from a descriptor": ("fcntl", (3, 10), REFUSED),
    "the size of a terminal": ("ioctl", (1, 0x5413), ALLOW),
    "typing into a terminal": ("ioctl", (1, 0x5412), REFUSED),
    "typing into a terminal, with other upper bits": ("ioctl", (1, 0x5412 | 1 << 32), REFUSED),
    "limits of its own": ("prlimit64", (0, 7), ALLOW),
    "limits of another": ("prlimit64", (1234, 7), REFUSED),
    "a file's flags": ("ioctl", (1, 0x40086602), REFUSED),
    "its own priority": ("setpriority", (0, 0, 5), ALLOW),
    "the priority of another": ("setpriority", (0, 1234, 5), REFUSED),
    "the priority of a whole user": ("setpriority", (2, 0, 5), REFUSED),
    "the disk priority of a whole user": ("ioprio_set", (3, 0, 5), REFUSED),
    "its own processors": ("sched_setaffinity", (0, 8), ALLOW),
    "the processors of another": ("sched_setaffinity", (1234, 8), REFUSED),
}


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(("name", "arguments", "expected"), JUDGEMENTS.values(), ids=JUDGEMENTS)
def test_some_calls_are_judged_by_what_they_ask(
    machine: str, name: str, arguments: tuple[int, ...], expected: int
) -> None:
    assert answer(machine, JUDGED[name][MACHINES.index(machine)], *arguments) == expected


@pytest.mark.parametrize("machine", MACHINES)
def test_ordinary_calls_are_allowed(machine: str) -> None:
    known = {numbers[MACHINES.index(machine)] for numbers in TABLES.values()}
    known |= set(OLD.values()) if machine == "x86_64" else set()
    for number in range(NEWEST + 1):
        if number not in known:
            assert answer(machine, number) == ALLOW


@pytest.mark.parametrize("machine", MACHINES)
def test_what_came_after_the_tables_is_not_there(machine: str) -> None:
    assert answer(machine, NEWEST + 1) == MISSING
    assert answer(machine, 999) == MISSING


def test_calls_in_another_machines_way_end_the_process() -> None:
    assert answer("x86_64", 0, arch=0x40000003) == KILL
    assert answer("x86_64", 0x40000000 | 41) == KILL
    assert answer("aarch64", 0, arch=AUDIT_ARCH["x86_64"]) == KILL


@pytest.mark.parametrize("machine", MACHINES)
def test_the_numbers_are_those_of_the_kernels_headers(machine: str) -> None:
    if not HEADERS[machine].exists():
        pytest.skip("the kernel's headers are not installed")
    defined = re.findall(r"^#define __NR(?:3264)?_(\w+)\s+(\d+)$", HEADERS[machine].read_text(), re.MULTILINE)
    kernel = {name: int(number) for name, number in defined}
    ours = {name: numbers[MACHINES.index(machine)] for name, numbers in TABLES.items()}
    if machine == "x86_64":
        ours |= OLD | OLD_ASKED
    shared = kernel.keys() & ours.keys()
    # Headers may be older than the newest calls here
    assert len(shared) >= len(ours) - 5
    assert {name: kernel[name] for name in shared} == {name: ours[name] for name in shared}
