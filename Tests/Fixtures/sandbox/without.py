"""Runs a command on a system that lacks something: `without.py landlock|namespaces|privileges command arguments...`

A filter fails system calls: those of Landlock as a kernel without it does, and those that make namespaces as a system does
that allows none, or as it does for users other than root.
"""

import ctypes
import errno
import os
import struct
import sys

LOAD, JUMP_EQUAL, JUMP_FROM, JUMP_BITS, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
NUMBER, LOW_HALF_OF_FIRST = 0, 16
UNSHARE, CLONE = (272, 56) if os.uname().machine == "x86_64" else (97, 220)
NEW_USER, NEW_PROCESSES = 0x10000000, 0x20000000
ALLOW = (RETURN, 0, 0, 0x7FFF0000)


def fail(error):
    return RETURN, 0, 0, 0x00050000 | error


# Loads the flags, if it is one of these calls.
MAKING_NAMESPACES = [(LOAD, 0, 0, NUMBER), (JUMP_EQUAL, 2, 0, UNSHARE), (JUMP_EQUAL, 1, 0, CLONE), ALLOW,
                     (LOAD, 0, 0, LOW_HALF_OF_FIRST)]
FILTERS = {
    # From 447 on allow; from 444 on fail.
    "landlock": [(LOAD, 0, 0, NUMBER), (JUMP_FROM, 1, 0, 447), (JUMP_FROM, 1, 0, 444), ALLOW, fail(errno.ENOSYS)],
    "namespaces": [*MAKING_NAMESPACES, (JUMP_BITS, 0, 1, NEW_USER | NEW_PROCESSES), fail(errno.EPERM), ALLOW],
    "privileges": [*MAKING_NAMESPACES, (JUMP_BITS, 2, 0, NEW_USER), (JUMP_BITS, 0, 1, NEW_PROCESSES), fail(errno.EPERM), ALLOW],
}

lines = FILTERS[sys.argv[1]]
buffer = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *line) for line in lines))
program = struct.pack("HxxxxxxQ", len(lines), ctypes.addressof(buffer))
libc = ctypes.CDLL(None, use_errno=True)
assert libc.prctl(38, 1, 0, 0, 0) == 0 and libc.prctl(22, 2, ctypes.c_char_p(program), 0, 0) == 0, ctypes.get_errno()
os.execv(sys.argv[2], sys.argv[2:])
