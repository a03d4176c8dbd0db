"""Runs the command that follows as on a kernel without Landlock: a filter answers its system calls with ENOSYS."""

import ctypes
import errno
import os
import struct
import sys

LOAD, JUMP_FROM, RETURN = 0x20, 0x35, 0x06
ALLOW, FAIL = 0x7FFF0000, 0x00050000 | errno.ENOSYS
# The number of the call; from 447 on allow; from 444 on fail.
code = b"".join(
    struct.pack("HBBI", *line)
    for line in [(LOAD, 0, 0, 0), (JUMP_FROM, 1, 0, 447), (JUMP_FROM, 1, 0, 444), (RETURN, 0, 0, ALLOW), (RETURN, 0, 0, FAIL)]
)
buffer = ctypes.create_string_buffer(code)
program = struct.pack("HxxxxxxQ", 5, ctypes.addressof(buffer))
libc = ctypes.CDLL(None, use_errno=True)
assert libc.prctl(38, 1, 0, 0, 0) == 0 and libc.prctl(22, 2, ctypes.c_char_p(program), 0, 0) == 0, ctypes.get_errno()
os.execv(sys.argv[1], sys.argv[1:])
