"""A child process and its three pipes, served by an event loop."""

from __future__ import annotations

import asyncio
import math
import subprocess
from collections.abc import Callable
from typing import cast

from ._launch import Launch, Tail

#: How long a host whose stdout ended may take to exit before it is killed.
EXIT_GRACE = 2.0

#: How long to keep reading the pipes of an exited host if another process holds them open.
DRAIN_GRACE = 1.0


class Process(asyncio.SubprocessProtocol):
    """Runs a host. ``heard`` and the tail get its output, ``ended`` its status."""

    transport: asyncio.SubprocessTransport

    def __init__(
        self,
        heard: Callable[[bytes], None],
        tail: Tail,
        ended: Callable[[int | None, BaseException | None], None],
    ) -> None:
        self._heard, self._tail, self._ended = heard, tail, ended
        self._fault: BaseException | None = None
        self._open: set[int] = {1, 2}
        self._has_exited = False
        self._timer: asyncio.TimerHandle | None = None

    async def start(self, launch: Launch) -> None:
        loop = asyncio.get_running_loop()
        #: The event loop that serves the pipes.
        self.loop = loop
        self._over: asyncio.Future[None] = loop.create_future()
        try:
            await loop.subprocess_exec(
                lambda: self,
                *launch.command,
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

    @property
    def pid(self) -> int:
        return self.transport.get_pid()

    # MARK: For the host

    def write(self, data: bytes) -> None:
        """Sends bytes. They are lost if the host does not read any more; its end is then reported."""
        if not self._input.is_closing():
            self._input.write(data)

    def close_input(self) -> None:
        """Closes the host's input after everything that was written is sent."""
        self._input.close()

    async def wait(self, timeout: float) -> bool:
        """Waits until the host is gone and its output is read; returns False if the time is over first."""
        await asyncio.wait([self._over], timeout=None if math.isinf(timeout) else timeout)
        return self._over.done()

    @property
    def _input(self) -> asyncio.WriteTransport:
        return cast(asyncio.WriteTransport, self.transport.get_pipe_transport(0))

    # MARK: Callbacks of the event loop

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.SubprocessTransport, transport)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if self._fault is not None:
            return
        try:
            if fd == 1:
                self._heard(data)
            else:
                self._tail.feed(data)
        except Exception as error:  # After any error the host is killed, so that no caller waits forever.
            self._fault = error
            self.transport.kill()

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        self._open.discard(fd)
        if self._has_exited:
            self._finish_if_drained()
        elif fd == 1:
            self._after(EXIT_GRACE, self.transport.kill)

    def process_exited(self) -> None:
        self._has_exited = True
        self._after(DRAIN_GRACE, self._finish)
        self._finish_if_drained()

    def _after(self, seconds: float, step: Callable[[], None]) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self.loop.call_later(seconds, step)

    def _finish_if_drained(self) -> None:
        if not self._open:
            self._finish()

    def _finish(self) -> None:
        if self._over.done():
            return
        if self._timer is not None:
            self._timer.cancel()
        self._ended(self.transport.get_returncode(), self._fault)
        self.transport.close()
        self._over.set_result(None)
