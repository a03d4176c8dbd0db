"""A child process and its three pipes, served by a thread."""

from __future__ import annotations

import math
import os
import selectors
import subprocess
import threading
from collections import deque
from collections.abc import Callable
from typing import IO

from ._launch import Launch

CHUNK = 1 << 16

#: How long a host whose stdout ended may take to exit before it is killed.
EXIT_GRACE = 2.0


class Pipes:
    """Runs a host. ``heard`` and ``logged`` get its output, ``ended`` its status; all on this object's thread.

    Data is written to the pipe at once if it has room; the thread sends the rest, so a host that does
    not read keeps nobody waiting.
    """

    def __init__(
        self,
        launch: Launch,
        heard: Callable[[bytes], None],
        logged: Callable[[bytes], None],
        ended: Callable[[int | None, BaseException | None], None],
    ) -> None:
        self._heard, self._logged, self._ended = heard, logged, ended
        try:
            self.process = subprocess.Popen(
                launch.command,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=launch.env,
                cwd=launch.cwd,
                # Control-C in a terminal must reach only this program; the host ends with its input.
                start_new_session=True,
            )
        except OSError as error:
            raise launch.failure(error) from error
        try:
            self._begin()
        except BaseException:
            # Nobody would read the host's output.
            self.process.kill()
            self.process.wait()
            raise

    def _begin(self) -> None:
        self._input, self._output, self._errors = map(detach, self._streams())
        for descriptor in (self._input, self._output, self._errors):
            os.set_blocking(descriptor, False)
        self._wake_read, self._wake_write = os.pipe()
        os.set_blocking(self._wake_write, False)
        self._lock = threading.Lock()
        self._backlog: deque[memoryview] = deque()
        self._is_closing = False
        self._is_input_open = True
        self._has_exited = threading.Event()
        self._is_over = threading.Event()
        self.thread = threading.Thread(target=self._serve, name="pushhost", daemon=True)
        threading.Thread(target=self._await_exit, name="pushhost-exit", daemon=True).start()
        self.thread.start()

    def _streams(self) -> list[IO[bytes] | None]:
        return [self.process.stdin, self.process.stdout, self.process.stderr]

    # MARK: For callers

    def write(self, data: bytes) -> None:
        """Sends bytes. They are lost if the host does not read any more; its end is then reported."""
        with self._lock:
            if self._is_closing or not self._is_input_open:
                return
            rest = memoryview(data)
            if not self._backlog:
                rest = self._push(rest)
            if rest:
                self._backlog.append(rest)
                self._wake()

    def close_input(self) -> None:
        """Closes the host's input after everything that was written is sent."""
        with self._lock:
            self._is_closing = True
            self._wake()

    def wait(self, timeout: float) -> bool:
        """Waits until the host is gone and its output is read; returns False if the time is over first."""
        return self._is_over.wait(None if math.isinf(timeout) else timeout)

    # MARK: The thread

    def _serve(self) -> None:
        fault: BaseException | None = None
        try:
            self._pump()
        except BaseException as error:  # After any error the host is killed, so that no caller waits forever.
            fault = error
            self.process.kill()
        if fault is None and not self._has_exited.wait(EXIT_GRACE):
            self.process.kill()
        self._has_exited.wait()
        with self._lock:
            self._backlog.clear()
            self._shut_input()
        try:
            self._ended(self.process.returncode, fault)
        finally:
            with self._lock:
                for descriptor in (self._output, self._errors, self._wake_read, self._wake_write):
                    os.close(descriptor)
                self._wake_write = -1
            self._is_over.set()

    def _pump(self) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(self._wake_read, selectors.EVENT_READ)
            selector.register(self._output, selectors.EVENT_READ)
            selector.register(self._errors, selectors.EVENT_READ)
            is_writing = False
            while True:
                ready = {key.fd for key, _ in selector.select()}
                if self._wake_read in ready:
                    os.read(self._wake_read, CHUNK)
                if self._errors in ready and not self._drain(self._errors, self._logged):
                    selector.unregister(self._errors)
                # Checked before the output is read, so that the last output of the host is read too.
                has_exited = self._has_exited.is_set()
                if self._output in ready or has_exited:
                    if not self._drain(self._output, self._heard) or has_exited:
                        self._drain(self._errors, self._logged)
                        return
                with self._lock:
                    is_writing = self._flush(selector, is_writing)

    def _flush(self, selector: selectors.BaseSelector, is_writing: bool) -> bool:
        """Sends the backlog; returns whether some of it is left."""
        while self._backlog and self._is_input_open:
            rest = self._push(self._backlog[0])
            if rest:
                self._backlog[0] = rest
                break
            self._backlog.popleft()
        wants = bool(self._backlog) and self._is_input_open
        if wants and not is_writing:
            selector.register(self._input, selectors.EVENT_WRITE)
        elif is_writing and not wants:
            selector.unregister(self._input)
        if self._is_closing and not wants:
            self._shut_input()
        return wants

    def _drain(self, descriptor: int, handle: Callable[[bytes], None]) -> bool:
        """Reads the available data, but not more than a pipe holds, so that writing gets a turn too.

        Returns whether more data may follow.
        """
        for _ in range(16):
            try:
                data = os.read(descriptor, CHUNK)
            except BlockingIOError:
                return True
            except OSError:
                return False
            if not data:
                return False
            handle(data)
        return True

    def _await_exit(self) -> None:
        self.process.wait()
        self._has_exited.set()
        with self._lock:
            self._wake()

    # MARK: Under the lock

    def _push(self, data: memoryview) -> memoryview:
        """Writes as much as the pipe accepts; returns the rest, or nothing if the pipe is closed."""
        try:
            return data[os.write(self._input, data) :]
        except BlockingIOError:
            return data
        except OSError:
            return data[:0]

    def _shut_input(self) -> None:
        # Only called on the thread, because its selector may be using the descriptor.
        if self._is_input_open:
            self._is_input_open = False
            os.close(self._input)

    def _wake(self) -> None:
        if self._wake_write < 0:
            return
        try:
            os.write(self._wake_write, b"x")
        except BlockingIOError:
            pass  # The pipe is full, so the thread is already woken.


def detach(stream: IO[bytes] | None) -> int:
    """A copy of the stream's descriptor, which the caller must close; the stream is closed."""
    assert stream is not None
    descriptor = os.dup(stream.fileno())
    stream.close()
    return descriptor
