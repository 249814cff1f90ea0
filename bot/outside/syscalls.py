"""A seccomp filter, as bytes for the kernel: what a confined command can't ask of it (x86-64, aarch64).

Numbers are from the kernel's asm/unistd_64.h and asm-generic/unistd.h.
"""

import errno
import struct
from collections.abc import Iterable
from typing import Final

# Beyond the kernel these tables were written for: not there is a safe answer to what nobody has judged.
NEWEST: Final = 470

AUDIT_ARCH: Final = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

# Sockets reach the network, and through docker.sock and its like other processes; pairs are judged below.
# Keys, shared memory and queues are shared with whoever else the user runs. io_uring would go round this
# filter. A command that can't leave its session and process group can be killed as a whole.
FORBIDDEN: Final = {
    "socket": (41, 198),
    "connect": (42, 203),
    "bind": (49, 200),
    "listen": (50, 201),
    "accept": (43, 202),
    "accept4": (288, 242),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "process_mrelease": (448, 448),
    "pidfd_getfd": (438, 438),
    "kcmp": (312, 272),
    "move_pages": (279, 239),
    "migrate_pages": (256, 238),
    "perf_event_open": (298, 241),
    "bpf": (321, 280),
    "userfaultfd": (323, 282),
    "fanotify_init": (300, 262),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "shmget": (29, 194),
    "semget": (64, 190),
    "msgget": (68, 186),
    "mq_open": (240, 180),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "open_tree_attr": (467, 467),
    "unshare": (272, 97),
    "setns": (308, 268),
    "open_by_handle_at": (304, 265),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "settimeofday": (164, 170),
    "adjtimex": (159, 171),
    "clock_settime": (227, 112),
    "clock_adjtime": (305, 266),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "acct": (163, 89),
    "syslog": (103, 116),
    "vhangup": (153, 58),
    "setsid": (112, 157),
    "setpgid": (109, 154),
}
# Where Landlock can't keep signals inside yet (before its version 6), none may be sent at all.
SIGNALS: Final = {
    "kill": (62, 129),
    "tkill": (200, 130),
    "tgkill": (234, 131),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "pidfd_send_signal": (424, 424),
}
JUDGED: Final = {
    "socketpair": (53, 199),
    "clone": (56, 220),
    "clone3": (435, 435),
    "fcntl": (72, 25),
    "ioctl": (16, 29),
    "prlimit64": (302, 261),
}

_ALLOW: Final = 0x7FFF0000
_KILL: Final = 0x80000000
_FAIL: Final = 0x00050000
_LOAD, _AND, _RETURN = 0x20, 0x54, 0x06
_EQUAL, _AT_LEAST, _ANY_BIT = 0x15, 0x35, 0x45
_NEW_NAMESPACES: Final = 0x7E020000
_X32: Final = 0x40000000
# F_SETSIG, F_SETOWN, F_SETOWN_EX: they make the kernel send signals to others
_FCNTL: Final = (10, 8, 15)
# TIOCSTI and TIOCLINUX type into a terminal; FIOSETOWN and SIOCSPGRP are F_SETOWN again
_IOCTL: Final = (0x5412, 0x541C, 0x8901, 0x8902)

Instruction = tuple[int, int, int, int]


def program(machine: str, *, may_signal: bool) -> bytes:
    """The filter for a machine that `AUDIT_ARCH` knows; KeyError for another."""
    at = 0 if machine == "x86_64" else 1
    forbidden = FORBIDDEN if may_signal else FORBIDDEN | SIGNALS
    judged = {name: numbers[at] for name, numbers in JUDGED.items()}
    refused = _returns(_FAIL | errno.EPERM)
    lines: list[Instruction] = [
        (_LOAD, 0, 0, 4),
        (_EQUAL, 1, 0, AUDIT_ARCH[machine]),
        _returns(_KILL),
        (_LOAD, 0, 0, 0),
        *_when((_AT_LEAST, _X32), [_returns(_KILL)]),
        *_when((_AT_LEAST, NEWEST + 1), [_returns(_FAIL | errno.ENOSYS)]),
    ]
    for numbers in forbidden.values():
        lines += _when((_EQUAL, numbers[at]), [refused])
    # Without clone3 the C library falls back to clone, whose flags can be read here
    lines += _when((_EQUAL, judged["clone3"]), [_returns(_FAIL | errno.ENOSYS)])
    lines += _when(
        (_EQUAL, judged["clone"]), [*_argument(0), (_ANY_BIT, 0, 1, _NEW_NAMESPACES), refused, _allowed()]
    )
    lines += _when((_EQUAL, judged["fcntl"]), [*_argument(1), *_any_of(_FCNTL), _allowed()])
    lines += _when((_EQUAL, judged["ioctl"]), [*_argument(1), *_any_of(_IOCTL), _allowed()])
    # Everything is in one group, so a program that signals its own group means others: `timeout` does
    everybody = [*_argument(0), *_any_of((0,)), *_when((_AT_LEAST, 1 << 31), [refused]), _allowed()]
    lines += _when((_EQUAL, SIGNALS["kill"][at]), everybody)
    # The limits of other processes may not be changed: a CPU limit can kill
    lines += _when((_EQUAL, judged["prlimit64"]), [*_argument(0), (_EQUAL, 1, 0, 0), refused, _allowed()])
    # Stream pairs (AF_UNIX, SOCK_STREAM) only: one of datagrams could be sent elsewhere
    pair = [
        *_argument(0),
        (_EQUAL, 1, 0, 1),
        refused,
        *_argument(1),
        (_AND, 0, 0, 0xF),
        (_EQUAL, 1, 0, 1),
        refused,
    ]
    lines += _when((_EQUAL, judged["socketpair"]), [*pair, _allowed()])
    lines.append(_allowed())
    return b"".join(struct.pack("=HBBI", *line) for line in lines)


def _when(test: tuple[int, int], body: list[Instruction]) -> list[Instruction]:
    """`body` if the test holds for the loaded value, else what comes after it."""
    return [(test[0], 0, len(body), test[1]), *body]


def _any_of(values: Iterable[int]) -> list[Instruction]:
    return [line for value in values for line in _when((_EQUAL, value), [_returns(_FAIL | errno.EPERM)])]


def _argument(number: int) -> list[Instruction]:
    # The lower half: these arguments are ints to the kernel, on little-endian machines
    return [(_LOAD, 0, 0, 16 + 8 * number)]


def _returns(value: int) -> Instruction:
    return (_RETURN, 0, 0, value)


def _allowed() -> Instruction:
    return _returns(_ALLOW)
