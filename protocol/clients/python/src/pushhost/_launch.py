"""How a host is started: its program, its command line, and the handling of its stderr."""

from __future__ import annotations

import contextlib
import copy
import os
import shutil
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from .errors import HostStartError
from .types import MAX_LINE_BYTES

Location = str | os.PathLike[str]

#: Receives a line that the host wrote to stderr.
Log = Callable[[str], None]

#: How much of stderr is kept for errors.
TAIL = 16 * 1024

#: How long a host that was asked to leave may take before the next, harder step.
GRACE = 30.0
SIGTERM_GRACE = 10.0


def print_log(line: str) -> None:
    """Writes a line of the host's log to our own stderr; it is lost if stderr is closed."""
    # With file=None, print would write to stdout.
    if sys.stderr is None:
        return
    with contextlib.suppress(OSError, ValueError):
        print(line, file=sys.stderr)


class Launch:
    """The program, command line, environment and folder with which a host is started."""

    def __init__(
        self,
        program: Location | None,
        options: Mapping[str, None | str | int | Location],
        plugins: Location | Sequence[Location],
        arguments: Sequence[str],
        env: Mapping[str, str] | None,
        cwd: Location | None,
    ) -> None:
        # Copied here, so that the next host gets the same even if the program has changed them.
        self.env: dict[str, str] = dict(os.environ if env is None else env)
        self.cwd: str = os.path.abspath(os.getcwd() if cwd is None else cwd)
        self.program = find_program(program)
        folders = [plugins] if isinstance(plugins, (str, os.PathLike)) else plugins
        self.command: list[str] = [self.program]
        for folder in folders:
            self.command += ["--plugins", os.fspath(folder)]
        for name, value in options.items():
            if value is not None:
                self.command += [f"--{name}", str(value)]
        self.command += arguments

    def for_restart(self) -> Launch:
        """The launch of the next host: without ``--record``, which would overwrite the recording."""
        launch = copy.copy(self)
        launch.command = list(without_record(self.command))
        return launch

    def failure(self, error: OSError) -> HostStartError:
        """The error for a host that the system could not start: why, and what to do."""
        if not Path(self.cwd).is_dir():
            return HostStartError(f"the host cannot be started in {self.cwd}, which is not a folder")
        hint = "name the program with program=…, or in the environment variable PUSHHOST"
        return HostStartError(f"the host cannot be started from {self.program}: {error.strerror or error}; {hint}")


def find_program(program: Location | None = None) -> str:
    """The program with that name or path, or the one that is used if none is named."""
    if program is None:
        program = os.environ.get("PUSHHOST") or packed_program() or shutil.which("pushhost")
    if program is None:
        raise HostStartError(
            "there is no pushhost in PATH; name the program with program=…, or in the environment variable PUSHHOST"
        )
    text = os.fspath(program)
    # A relative path starts at this program's folder, not at the folder in which the host works.
    return os.path.abspath(text) if os.sep in text else text


def packed_program() -> str | None:
    """The program that came with this package, whose version it has; None if the package has only the client."""
    program = Path(__file__).parent / "_program/bin/pushhost"
    return str(program) if program.is_file() else None


def without_record(command: Sequence[str]) -> Iterator[str]:
    """A command line without the option ``--record`` and its value."""
    words = iter(command)
    for word in words:
        if word == "--record":
            next(words, None)
        elif not word.startswith("--record="):
            yield word


def line_limit(arguments: Sequence[str]) -> int:
    """The line limit of a host with these arguments; the last ``--line-limit`` wins, as for the host."""
    limit, words = MAX_LINE_BYTES, iter(arguments)
    for word in words:
        name, mark, value = word.partition("=")
        if name == "--line-limit":
            value = value if mark else next(words, "")
            # If it is not a number, the host reports that itself.
            limit = int(value) if value.isdecimal() else limit
    return limit


class Tail:
    """Keeps the end of stderr, and passes its lines to the log callback."""

    def __init__(self, log: Log | None) -> None:
        self._log = log
        self._kept = b""
        self._rest = b""

    def feed(self, data: bytes) -> None:
        self._kept = (self._kept + data)[-TAIL:]
        if self._log is None:
            return
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            self._emit(line)

    def finish(self) -> None:
        """Passes on a last line that has no line end."""
        if self._rest:
            self._emit(self._rest)
        self._rest = b""

    def _emit(self, line: bytes) -> None:
        if self._log is None:
            return
        try:
            self._log(line.decode("utf-8", "replace"))
        except Exception:  # An error of the log callback must not end the host.
            self._log = None
            print_log(f"pushhost: the log callback failed and gets no more lines:\n{traceback.format_exc().rstrip()}")

    @property
    def text(self) -> str:
        return self._kept.decode("utf-8", "replace")


def check_deadline(deadline: Any) -> float:
    """A valid deadline in seconds; raises ValueError for others."""
    if isinstance(deadline, bool) or not isinstance(deadline, (int, float)) or not deadline > 0:
        raise ValueError(f"a deadline is a number of seconds greater than 0, or math.inf; {deadline!r} is not")
    return float(deadline)
