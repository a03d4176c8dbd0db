"""The host for programs with asyncio."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, cast

from ._async_listener import AsyncListener, check_loop
from ._async_methods import AsyncMethods
from ._async_process import Process
from ._launch import GRACE, SIGTERM_GRACE, Launch, Location, Log, Tail, check_deadline, line_limit, print_log
from ._repeats import SAVES, was_killed
from ._session import ProtocolError, Session
from .errors import DeadlineExceededError, HostEndedError, HostStartError, PushhostError, ended


class AsyncHost(AsyncMethods):
    """A pushhost for one event loop: ``async with AsyncHost(…) as host``, or ``await host.start()``.

    In another event loop, each method raises RuntimeError. The parameters are those of ``Host``. Calls are sent in the
    order in which they start; start several with ``asyncio.gather`` to send them together. Cancelling a task cancels
    its call.
    """

    def __init__(
        self,
        *,
        program: Location | None = None,
        plugins: Location | Sequence[Location] = (),
        data: Location | None = None,
        suite: str | None = None,
        clock: str | None = None,
        seed: int | None = None,
        locale: str | None = None,
        arguments: Sequence[str] = (),
        env: Mapping[str, str] | None = None,
        cwd: Location | None = None,
        restart: bool = False,
        deadline: float = math.inf,
        log: Log | None = print_log,
    ) -> None:
        self._deadline = check_deadline(deadline)
        options = {"data": data, "suite": suite, "clock": clock, "seed": seed, "locale": locale}
        self._options = (program, options, plugins, arguments, env, cwd)
        #: The launch parameters, which a restart must reuse.
        self._launch: Launch | None = None
        self._session = Session(line_limit(arguments), restarts=restart)
        self._restarts = restart
        #: Why the host died, if the next save starts another one.
        self._death: HostEndedError | None = None
        #: The task that starts the next host; None if there is none.
        self._restarting: asyncio.Task[None] | None = None
        self._tail = Tail(log)
        self._has_begun = False
        self._is_closing = False
        self._process: Process | None = None

    async def start(self) -> AsyncHost:
        """Starts the host; raises HostStartError if that fails."""
        if self._has_begun:
            raise RuntimeError("this host was already started; create another one")
        launch = Launch(*self._options)
        process = Process(self._receive, self._tail, self._ended)
        self._has_begun = True
        try:
            await process.start(launch)
        except HostStartError:
            self._has_begun = False
            raise
        self._process, self._launch = process, launch
        return self

    @property
    def pid(self) -> int:
        """The number of the host's process."""
        return (self._process or self._running("pid")).pid

    @property
    def stderr(self) -> str:
        """The end of what the host wrote to stderr."""
        return self._tail.text

    async def call(self, method: str, params: Mapping[str, Any] = {}, *, deadline: float | None = None) -> Any:
        """Calls any method by its name in the contract, such as one that this client does not know yet."""
        return await self._call(method, dict(params), deadline)

    async def close(self, grace: float = GRACE) -> int:
        """Stops the host and waits until it is gone; returns its exit code, or the negative number of a signal.

        The host first finishes and answers the calls in flight. After ``grace`` seconds it gets SIGTERM, then SIGKILL.
        Does nothing if the host was not started.
        """
        if self._process is None:
            return 0
        self._running("close")
        self._is_closing = True
        if self._restarting is not None:
            await asyncio.wait([self._restarting])
        process = self._running("close")
        process.close_input()
        if not await process.wait(grace):
            process.transport.terminate()
            if not await process.wait(SIGTERM_GRACE):
                process.transport.kill()
                await process.wait(math.inf)
        return cast(int, process.transport.get_returncode())

    async def __aenter__(self) -> AsyncHost:
        return await self.start()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def _running(self, what: str) -> Process:
        if self._process is None:
            raise HostEndedError(what, "the host was not started; use async with, or await host.start()", None, "")
        check_loop(self._process.loop, what)
        return self._process

    # MARK: Calls

    async def _call(self, method: str, params: dict[str, Any], deadline: float | None) -> Any:
        seconds = self._deadline if deadline is None else check_deadline(deadline)
        id, future = self._send(method, params)
        timer: asyncio.TimerHandle | None = None
        if not math.isinf(seconds):
            error = DeadlineExceededError(method, seconds)
            timer = asyncio.get_running_loop().call_later(seconds, self._expire, id, future, error)
        try:
            return await future
        except asyncio.CancelledError:
            self._cancel_call(id)
            raise
        finally:
            if timer is not None:
                timer.cancel()

    def _send(
        self, method: str, params: Mapping[str, Any], *, for_listener: bool = False
    ) -> tuple[int, asyncio.Future[Any]]:
        self._running(method)
        if self._is_closing:
            raise HostEndedError(method, "the host was closed", None, "")
        if self._death is not None and method in SAVES:
            self._start_again(self._death)
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

        def settle(result: Any, error: PushhostError | None) -> None:
            if future.done():
                return
            if error is None:
                future.set_result(result)
            else:
                future.set_exception(error)

        id, line = self._session.request(method, params, settle, for_listener=for_listener)
        self._write(line)
        return id, future

    def _write(self, line: bytes) -> None:
        # While the next host is being started, calls are kept and sent to it later.
        if self._process is not None and self._restarting is None:
            self._process.write(line)

    def _expire(self, id: int, future: asyncio.Future[Any], error: DeadlineExceededError) -> None:
        if self._cancel_call(id) and not future.done():
            future.set_exception(error)

    def _cancel_call(self, id: int) -> bool:
        """Cancels a call; returns False if its outcome was already known."""
        if self._session.forget(id) is None:
            return False
        self._write(self._session.cancelling(id))
        return True

    # MARK: Listeners

    def _listen(self, topics: tuple[str, ...]) -> AsyncListener[Any]:
        self._running("listen")
        listener: AsyncListener[Any] = AsyncListener(topics, self._unlisten)
        self._session.listen(listener)
        if topics:
            try:
                _, answer = self._send("subscribe", {"topics": self._session.topics}, for_listener=True)
            except BaseException:
                listener.close()
                raise
            listener.subscribed = answer
            # The outcome is read here, so that asyncio does not report it as unread if the listener is never used.
            answer.add_done_callback(lambda done: listener.close() if done.cancelled() or done.exception() else None)
        return listener

    def _unlisten(self, listener: AsyncListener[Any]) -> None:
        line = self._session.unlisten(listener)
        if line is not None:
            self._write(line)

    # MARK: Callbacks of the process

    def _receive(self, data: bytes) -> None:
        self._session.receive(data)

    def _ended(self, status: int | None, fault: BaseException | None) -> None:
        self._tail.finish()
        is_failure = fault is not None or not (self._is_closing or status == 0)
        why = ended(status)
        if fault is not None:
            why = f"the host {fault}" if isinstance(fault, ProtocolError) else f"{fault!r} while its output was read"
        error = HostEndedError("", why, status, self._tail.text)
        is_restarted = self._restarts and fault is None and was_killed(status) and not self._is_closing
        if is_restarted and self._session.may_start_again:
            self._death = error
            if self._session.has_repeats:
                return self._start_again(error)
        self._session.end(error, is_failure=is_failure)

    def _start_again(self, death: HostEndedError) -> None:
        """Starts the next host, and then sends it the calls that the last one left unanswered."""
        self._death = None
        self._session.pause(death)
        assert self._launch is not None
        self._launch = self._launch.for_restart()
        task = asyncio.get_running_loop().create_task(self._restart(self._launch))
        self._restarting = task
        # Not done in the task itself, which may be cancelled before its first step.
        task.add_done_callback(lambda task: self._give_up(task, death))

    async def _restart(self, launch: Launch) -> None:
        early: list[tuple[int | None, BaseException | None]] = []

        def end(status: int | None, fault: BaseException | None) -> None:
            if self._process is process:
                self._ended(status, fault)
            else:
                early.append((status, fault))

        process = Process(self._receive, self._tail, end)
        await process.start(launch)
        self._process, self._restarting = process, None
        for line in self._session.resume():
            process.write(line)
        for status, fault in early:
            self._ended(status, fault)

    def _give_up(self, task: asyncio.Task[None], death: HostEndedError) -> None:
        """Ends the session if the next host could not be started, so that no caller waits forever."""
        error = None if task.cancelled() else task.exception()
        if self._restarting is task:
            self._restarting = None
            why = "the start of the next host was cancelled" if error is None else str(error) or repr(error)
            self._session.end(death.adding(why), is_failure=True)
