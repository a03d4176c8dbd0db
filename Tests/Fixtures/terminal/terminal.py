"""Runs a command in a pseudo-terminal: terminal.py COLUMNS ROWS COMMAND…

What is read from stdin is typed, and what the command draws goes to stdout, with LF after each frame (ESC [ J). The exit code is the command's. SIGTERM is
passed on to the command. If the command stops, "stopped" is drawn, and it is continued, as a shell's fg
does.
"""

import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios

columns, rows = int(sys.argv[1]), int(sys.argv[2])


def shell(arguments):
    """Runs the command as the foreground job of this terminal."""
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    job = os.fork()
    if job == 0:
        os.setpgid(0, 0)
        os.tcsetpgrp(0, os.getpid())
        signal.signal(signal.SIGTTOU, signal.SIG_DFL)
        os.execvp(arguments[0], arguments)
    signal.signal(signal.SIGTERM, lambda *_: os.kill(job, signal.SIGTERM))
    while True:
        status = os.waitpid(job, os.WUNTRACED)[1]
        if not os.WIFSTOPPED(status):
            os._exit(os.waitstatus_to_exitcode(status) % 256)
        os.write(1, b"stopped\n")
        os.kill(job, signal.SIGCONT)


pid, terminal = pty.fork()
if pid == 0:
    shell(sys.argv[3:])


def resize():
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


resize()
os.kill(pid, signal.SIGWINCH)
signal.signal(signal.SIGTERM, lambda *_: os.kill(pid, signal.SIGTERM))

sources = [terminal, 0]
while terminal in sources:
    for source in select.select(sources, [], [])[0]:
        try:
            data = os.read(source, 65536)
        except OSError:  # Linux reports the end of a terminal like this.
            data = b""
        if not data:
            sources.remove(source)
        elif source == terminal:
            os.write(1, data.replace(b"\x1b[J", b"\x1b[J\n"))
        else:
            os.write(terminal, data)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) % 256)
