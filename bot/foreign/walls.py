"""Linux: this process can change nothing any more, whatever code runs in it, and for good.

No file, folder, mode or time; no socket, no program, no other process. Landlock and a seccomp filter, by
the kernel's own headers; where a kernel has none, Python's audit hooks (see `restraint`) are all there is.
"""

import ctypes
import errno
import os
import struct
import sys
from typing import Any, Final

_SET_NO_NEW_PRIVS, _SET_SECCOMP, _SET_PDEATHSIG = 38, 22, 1
_SIGKILL: Final = 9
_FILTER: Final = 2
# linux/landlock.h
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_WRITE_FILE, _TRUNCATE = 1 << 1, 1 << 14
# Removing, making and moving whatever it is, truncating, and the ioctls of devices.
_CHANGES: Final = {3: 0x7FF2, 4: 0x7FF2, 5: 0xFFF2}
_LEAST_VERSION: Final = 3
_FIRST_WITH_NETWORK, _FIRST_WITH_SCOPES = 4, 6
_ARCH: Final = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_X32: Final = 0x40000000
# asm/unistd_64.h and asm-generic/unistd.h; None: that machine has it not.
_REFUSED: Final[tuple[tuple[int | None, int | None], ...]] = (
    # socket socketpair connect bind: so nothing but what is held already can be sent on
    *((41, 198), (53, 199), (42, 203), (49, 200)),
    # execve execveat fork vfork
    *((59, 221), (322, 281), (57, None), (58, None)),
    # kill tkill tgkill rt_sigqueueinfo rt_tgsigqueueinfo pidfd_send_signal pidfd_getfd
    *((62, 129), (200, 130), (234, 131), (129, 138), (297, 240), (424, 424), (438, 438)),
    # ptrace process_vm_writev process_madvise process_mrelease
    *((101, 117), (311, 271), (440, 440), (448, 448)),
    # chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat
    *((90, None), (91, 52), (268, 53), (452, 452), (92, None), (93, 55), (94, None), (260, 54)),
    # utime utimes futimesat utimensat
    *((132, None), (235, None), (261, None), (280, 88)),
    # setxattr lsetxattr fsetxattr setxattrat removexattr lremovexattr fremovexattr removexattrat
    *((188, 5), (189, 6), (190, 7), (463, 463), (197, 14), (198, 15), (199, 16), (466, 466)),
    # mount umount2 pivot_root chroot unshare setns move_mount fsopen open_tree mount_setattr
    *((165, 40), (166, 39), (155, 41), (161, 51), (272, 97), (308, 268), (429, 429), (430, 430)),
    *((428, 428), (442, 442)),
    # bpf perf_event_open io_uring_setup init_module finit_module kexec_load reboot
    *((321, 280), (298, 241), (425, 425), (175, 105), (313, 273), (246, 104), (169, 142)),
    # shmget semget msgget mq_open mq_unlink keyctl add_key
    *((29, 194), (64, 190), (68, 186), (240, 180), (241, 181), (250, 219), (248, 217)),
    # setpriority sched_setscheduler sched_setaffinity sched_setattr prlimit64 (getrlimit is there) ioprio_set
    *((141, 140), (144, 119), (203, 122), (314, 274), (251, 30)),
    # settimeofday clock_settime sethostname swapon swapoff acct syslog file_setattr
    *((164, 170), (227, 112), (170, 161), (167, 224), (168, 225), (163, 89), (103, 116), (469, 469)),
)
_CLONE, _CLONE3, _PRLIMIT = (56, 220), 435, (302, 261)
_CLONE_THREAD: Final = 0x00010000
_ALLOW, _FAIL, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_LOAD, _RETURN, _EQUAL, _AT_LEAST, _ANY_BIT = 0x20, 0x06, 0x15, 0x35, 0x45


def raise_walls() -> bool:
    """Whether they stand. Raises OSError if the kernel has them and refuses one."""
    machine = os.uname().machine
    if sys.platform != "linux" or machine not in _ARCH:
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    version = libc.syscall(_CREATE_RULESET, None, ctypes.c_long(0), ctypes.c_long(1))
    if version < _LEAST_VERSION:
        return False
    _done(libc.prctl(_SET_PDEATHSIG, _SIGKILL, 0, 0, 0))
    _done(libc.prctl(_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    network = 0b11 if version >= _FIRST_WITH_NETWORK else 0
    wanted = struct.pack("=QQ", _CHANGES.get(version, max(_CHANGES.values())), network)
    if version >= _FIRST_WITH_SCOPES:
        wanted += struct.pack("=Q", 0b11)
    ruleset = _done(libc.syscall(_CREATE_RULESET, wanted, ctypes.c_long(len(wanted)), ctypes.c_long(0)))
    _permit_nowhere(libc, ruleset)
    _done(libc.syscall(_RESTRICT_SELF, ctypes.c_long(ruleset), ctypes.c_long(0)))
    os.close(ruleset)
    code = _program(machine)
    buffer = ctypes.create_string_buffer(code, len(code))
    head = struct.pack("@HP", len(code) // 8, ctypes.addressof(buffer))
    _done(libc.prctl(_SET_SECCOMP, _FILTER, head, 0, 0))
    return True


def _permit_nowhere(libc: ctypes.CDLL, ruleset: int) -> None:
    """What is written to the null device is written nowhere."""
    null = os.open(os.devnull, os.O_PATH)
    rule = struct.pack("=Qi", _WRITE_FILE | _TRUNCATE, null)
    _done(libc.syscall(_ADD_RULE, ctypes.c_long(ruleset), ctypes.c_long(1), rule, ctypes.c_long(0)))
    os.close(null)


def _program(machine: str) -> bytes:
    at = 0 if machine == "x86_64" else 1
    refused = (_RETURN, 0, 0, _FAIL | errno.EPERM)
    allowed = (_RETURN, 0, 0, _ALLOW)
    lines = [
        (_LOAD, 0, 0, 4),
        (_EQUAL, 1, 0, _ARCH[machine]),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, 0),
        (_AT_LEAST, 0, 1, _X32),
        (_RETURN, 0, 0, _KILL),
    ]
    for number in (pair[at] for pair in _REFUSED):
        if number is not None:
            lines += [(_EQUAL, 0, 1, number), refused]
    # The C library falls back to clone, whose flags can be read here: a thread is no other process.
    lines += [(_EQUAL, 0, 1, _CLONE3), (_RETURN, 0, 0, _FAIL | errno.ENOSYS)]
    threads = [(_LOAD, 0, 0, 16), (_ANY_BIT, 1, 0, _CLONE_THREAD), refused, allowed]
    lines += [(_EQUAL, 0, len(threads), _CLONE[at]), *threads]
    # Of this process alone.
    own = [(_LOAD, 0, 0, 16), (_EQUAL, 1, 0, 0), refused, allowed]
    lines += [(_EQUAL, 0, len(own), _PRLIMIT[at]), *own, allowed]
    return b"".join(struct.pack("=HBBI", *line) for line in lines)


def _done(result: Any) -> int:  # noqa: ANN401 - a C int
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"a wall can't be raised: {os.strerror(number)}")
    return int(result)
