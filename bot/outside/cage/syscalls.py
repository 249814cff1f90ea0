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
# filter.
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
    # What belongs to whom, and what a file's other settings are
    "fchown": (93, 55),
    "fchownat": (260, 54),
    "file_setattr": (469, 469),
    # Memory that no file system's bounds hold, and no count of a process's own memory shows.
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
}
# x86-64 alone still has them, and no C library calls them any more.
OLD: Final = {"chown": 92, "lchown": 94, "utime": 132, "utimes": 235, "futimesat": 261}
# Landlock doesn't guard modes and times: whoever watches over the command does it for it, where it may.
ASKED: Final = {"fchmod": (91, 52), "fchmodat": (268, 53), "fchmodat2": (452, 452), "utimensat": (280, 88)}
OLD_ASKED: Final = {"chmod": 90}
# What git can't hold, and what no copy of a file would show; said as a file system says that has none.
ATTRIBUTES: Final = {
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "setxattrat": (463, 463),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
    "removexattrat": (466, 466),
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
    "sched_setaffinity": (203, 122),
    "sched_setscheduler": (144, 119),
    "sched_setparam": (142, 118),
    "sched_setattr": (314, 274),
    "setpriority": (141, 140),
    "ioprio_set": (251, 30),
}
# What they set is set for one process, 0 being the caller; and these two can mean a group or a user as well.
_OF_ONE: Final = ("prlimit64", "sched_setaffinity", "sched_setscheduler", "sched_setparam", "sched_setattr")
_OF_MANY: Final = {"setpriority": 2, "ioprio_set": 3}

_ALLOW: Final = 0x7FFF0000
_KILL: Final = 0x80000000
_FAIL: Final = 0x00050000
_ASK: Final = 0x7FC00000
_LOAD, _AND, _RETURN = 0x20, 0x54, 0x06
_EQUAL, _AT_LEAST, _ANY_BIT = 0x15, 0x35, 0x45
_NEW_NAMESPACES: Final = 0x7E020000
_X32: Final = 0x40000000
# F_SETSIG, F_SETOWN, F_SETOWN_EX: they make the kernel send signals to others
_FCNTL: Final = (10, 8, 15)
# TIOCSTI and TIOCLINUX type into a terminal; FIOSETOWN and SIOCSPGRP are F_SETOWN again; FS_IOC_SETFLAGS,
# FS_IOC32_SETFLAGS and FS_IOC_FSSETXATTR change a file that need only be readable
_IOCTL: Final = (0x5412, 0x541C, 0x8901, 0x8902, 0x40086602, 0x40046602, 0x401C5820)

Instruction = tuple[int, int, int, int]


def program(machine: str, *, may_signal: bool, asks: bool = False) -> bytes:
    """The filter for a machine that `AUDIT_ARCH` knows; KeyError for another.

    With `asks`, calls that change a file's mode or times wait for somebody who answers for them.
    """
    at = 0 if machine == "x86_64" else 1
    forbidden = [numbers[at] for numbers in (FORBIDDEN if may_signal else FORBIDDEN | SIGNALS).values()]
    asked = [numbers[at] for numbers in ASKED.values()] if asks else []
    if machine == "x86_64":
        forbidden += OLD.values()
        asked += OLD_ASKED.values() if asks else []
    lines: list[Instruction] = [
        (_LOAD, 0, 0, 4),
        (_EQUAL, 1, 0, AUDIT_ARCH[machine]),
        _returns(_KILL),
        (_LOAD, 0, 0, 0),
        *_when((_AT_LEAST, _X32), [_returns(_KILL)]),
        *_when((_AT_LEAST, NEWEST + 1), [_returns(_FAIL | errno.ENOSYS)]),
    ]
    for number in forbidden:
        lines += _when((_EQUAL, number), [_REFUSED])
    for number in asked:
        lines += _when((_EQUAL, number), [_returns(_ASK)])
    for numbers in ATTRIBUTES.values():
        lines += _when((_EQUAL, numbers[at]), [_returns(_FAIL | errno.EOPNOTSUPP)])
    for name, body in _judgements().items():
        lines += _when((_EQUAL, (JUDGED | SIGNALS)[name][at]), [*body, _allowed()])
    lines.append(_allowed())
    return b"".join(struct.pack("=HBBI", *line) for line in lines)


def _judgements() -> dict[str, list[Instruction]]:
    """Of calls that are judged by what they ask: what comes before they are allowed."""
    zero = (_EQUAL, 1, 0, 0)
    return {
        # Without clone3 the C library falls back to clone, whose flags can be read here
        "clone3": [_returns(_FAIL | errno.ENOSYS)],
        "clone": [*_argument(0), (_ANY_BIT, 0, 1, _NEW_NAMESPACES), _REFUSED],
        "fcntl": [*_argument(1), *_any_of(_FCNTL)],
        "ioctl": [*_argument(1), *_any_of(_IOCTL)],
        # -1 means everybody
        "kill": [*_argument(0), *_any_of((0xFFFFFFFF,))],
        # Of others nothing may be changed: a CPU limit can kill
        **{name: [*_argument(0), zero, _REFUSED] for name in _OF_ONE},
        **{
            name: [*_argument(0), *_any_of((users,)), *_argument(1), zero, _REFUSED]
            for name, users in _OF_MANY.items()
        },
        # Stream pairs (AF_UNIX, SOCK_STREAM) only: one of datagrams could be sent elsewhere
        "socketpair": [
            *_argument(0),
            (_EQUAL, 1, 0, 1),
            _REFUSED,
            *_argument(1),
            (_AND, 0, 0, 0xF),
            (_EQUAL, 1, 0, 1),
            _REFUSED,
        ],
    }


def _when(test: tuple[int, int], body: list[Instruction]) -> list[Instruction]:
    """`body` if the test holds for the loaded value, else what comes after it."""
    return [(test[0], 0, len(body), test[1]), *body]


def _any_of(values: Iterable[int]) -> list[Instruction]:
    return [line for value in values for line in _when((_EQUAL, value), [_REFUSED])]


def _argument(number: int) -> list[Instruction]:
    # The lower half: these arguments are ints to the kernel, on little-endian machines
    return [(_LOAD, 0, 0, 16 + 8 * number)]


def _returns(value: int) -> Instruction:
    return (_RETURN, 0, 0, value)


def _allowed() -> Instruction:
    return _returns(_ALLOW)


_REFUSED: Final = _returns(_FAIL | errno.EPERM)
