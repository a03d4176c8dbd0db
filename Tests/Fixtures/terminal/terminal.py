"""Runs a command in a pseudo-terminal: terminal.py COLUMNS ROWS COMMAND…

What is read from stdin is typed, and what the command draws goes to stdout, with LF after each frame (ESC [ J). The exit code is the command's. SIGTERM is
passed on to the command, and SIGUSR1 makes the terminal 40 columns narrower.
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
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[3], sys.argv[3:])


def resize():
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def narrow(*_):
    global columns
    columns -= 40
    resize()


resize()
os.kill(pid, signal.SIGWINCH)
signal.signal(signal.SIGUSR1, narrow)
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
