"""The host for programs with threads."""

from __future__ import annotations

import math
import threading
from collections.abc import Mapping, Sequence
from concurrent import futures
from types import TracebackType
from typing import Any

from ._launch import GRACE, SIGTERM_GRACE, Launch, Location, Log, Tail, check_deadline, line_limit, print_log
from ._listener import Listener
from ._methods import Methods
from ._pipes import Pipes
from ._repeats import SAVES, was_killed
from ._session import ProtocolError, Session
from .errors import DeadlineExceededError, HostEndedError, PushhostError, ended


class Host(Methods):
    """Starts and runs a pushhost; any thread may call it.

    ``with Host(…) as host`` stops it at the end. ``plugins`` is a bundle, a folder of bundles, or a list of these;
    ``data`` is the folder of the suites; ``clock`` and ``seed`` fix time and random numbers. ``arguments`` are further
    options of the command line. The default of ``program`` is the environment variable PUSHHOST, then the program
    that came with the package, then the pushhost in PATH.

    With ``restart`` a save starts the host again if the host has crashed or was killed. Each save has an idempotency
    key. Saves that were not answered are sent to the next host, which saves none of them twice. Other calls in flight
    fail with HostEndedError, and the next host knows none of the notifications.

    ``deadline`` is the limit in seconds for calls without a deadline of their own. ``log`` receives each line of the
    host's stderr and must not call the host. By default the lines are printed to stderr; None drops them.

    Raises HostStartError if the host cannot be started.
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
        self._session = Session(line_limit(arguments), restarts=restart)
        self._restarts = restart
        #: Why the host died, if the next save starts another one.
        self._death: HostEndedError | None = None
        self._lock = threading.RLock()
        self._tail = Tail(log)
        self._is_closing = False
        self._launch = Launch(program, options, plugins, arguments, env, cwd)
        self._pipes = self._start()

    def _start(self) -> Pipes:
        return Pipes(self._launch, self._receive, self._tail.feed, self._ended)

    @property
    def pid(self) -> int:
        """The number of the host's process."""
        return self._pipes.process.pid

    @property
    def stderr(self) -> str:
        """The end of what the host wrote to stderr."""
        return self._tail.text

    def call(self, method: str, params: Mapping[str, Any] = {}, *, deadline: float | None = None) -> Any:
        """Calls any method by its name in the contract, such as one that this client does not know yet."""
        return self._call(method, dict(params), deadline)

    def close(self, grace: float = GRACE) -> int:
        """Stops the host and waits until it is gone; returns its exit code, or the negative number of a signal.

        The host first finishes and answers the calls in flight. After ``grace`` seconds it gets SIGTERM, then SIGKILL.
        """
        with self._lock:
            self._is_closing = True
            pipes = self._pipes
        pipes.close_input()
        if not pipes.wait(grace):
            pipes.process.terminate()
            if not pipes.wait(SIGTERM_GRACE):
                pipes.process.kill()
                pipes.wait(math.inf)
        return int(pipes.process.returncode)

    def __enter__(self) -> Host:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # MARK: Calls

    def _call(self, method: str, params: dict[str, Any], deadline: float | None) -> Any:
        if threading.current_thread() is self._pipes.thread:
            raise RuntimeError("the log callback must not call the host: it would wait for itself")
        seconds = self._deadline if deadline is None else check_deadline(deadline)
        return self._result(method, seconds, *self._send(method, params))

    def _send(
        self, method: str, params: Mapping[str, Any], *, for_listener: bool = False
    ) -> tuple[int, futures.Future[Any]]:
        future: futures.Future[Any] = futures.Future()

        def settle(result: Any, error: PushhostError | None) -> None:
            if error is None:
                future.set_result(result)
            else:
                future.set_exception(error)

        with self._lock:
            if self._is_closing:
                raise HostEndedError(method, "the host was closed", None, "")
            if self._death is not None and method in SAVES:
                self._start_again(self._death)
            id, line = self._session.request(method, params, settle, for_listener=for_listener)
            self._pipes.write(line)
        return id, future

    def _result(self, method: str, deadline: float, id: int, future: futures.Future[Any]) -> Any:
        """Waits for the result of a call; cancels the call if the deadline passes or the wait is interrupted."""
        try:
            future.exception(deadline if deadline <= threading.TIMEOUT_MAX else None)
        except futures.TimeoutError:
            if self._cancel(id):
                raise DeadlineExceededError(method, deadline) from None
        except BaseException:
            self._cancel(id)
            raise
        return future.result()

    def _cancel(self, id: int) -> bool:
        """Cancels a call; returns False if its outcome was already known."""
        with self._lock:
            if self._session.forget(id) is None:
                return False
            self._pipes.write(self._session.cancelling(id))
            return True

    # MARK: Listeners

    def _listen(self, topics: tuple[str, ...]) -> Listener[Any]:
        listener: Listener[Any] = Listener(topics, self._unlisten)
        with self._lock:
            self._session.listen(listener)
        try:
            if topics:
                with self._lock:
                    call = self._send("subscribe", {"topics": self._session.topics}, for_listener=True)
                self._result("subscribe", self._deadline, *call)
        except BaseException:
            listener.close()
            raise
        return listener

    def _unlisten(self, listener: Listener[Any]) -> None:
        with self._lock:
            line = self._session.unlisten(listener)
            if line is not None:
                self._pipes.write(line)

    # MARK: On the thread of the pipes

    def _receive(self, data: bytes) -> None:
        with self._lock:
            self._session.receive(data)

    def _ended(self, status: int | None, fault: BaseException | None) -> None:
        self._tail.finish()
        why = f"the host {fault}" if isinstance(fault, ProtocolError) else f"{fault!r} on the thread of the pipes"
        with self._lock:
            is_failure = fault is not None or not (self._is_closing or status == 0)
            text = ended(status) if fault is None else why
            error = HostEndedError("", text, status, self._tail.text)
            is_restarted = self._restarts and fault is None and was_killed(status) and not self._is_closing
            if is_restarted and self._session.may_start_again:
                self._death = error
                if self._session.has_repeats:
                    return self._start_again(error)
            self._session.end(error, is_failure=is_failure)

    def _start_again(self, death: HostEndedError) -> None:
        """Starts the next host and sends it the calls that the last one left unanswered."""
        self._death = None
        self._session.pause(death)
        self._launch = self._launch.for_restart()
        try:
            self._pipes = self._start()
        except BaseException as error:  # After any error the session ends, so that no caller waits forever.
            self._session.end(death.adding(str(error) or repr(error)), is_failure=True)
            if not isinstance(error, Exception):
                raise
            return
        for line in self._session.resume():
            self._pipes.write(line)
