"""Notifications as an asynchronous iterator."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from types import TracebackType
from typing import Any, Generic, TypeVar, cast

from ._session import Subscriber
from .errors import PushhostError
from .types import Notification

Heard = TypeVar("Heard")


def check_loop(loop: asyncio.AbstractEventLoop, what: str) -> None:
    """Raises RuntimeError in another event loop than that of the host's pipes, which would wait for ever."""
    if loop is not asyncio.get_running_loop():
        raise RuntimeError(
            f"{what}: this host was started in another event loop; asyncio.run and pytest-asyncio use a new loop for each"
            " run or test: start a host in this loop, or use Host, which any thread may call"
        )


class AsyncListener(Subscriber, Generic[Heard]):
    """Iterates over notifications as they arrive; each is a ``topic`` and its ``params``.

    It receives notifications from the call of ``listen`` on and keeps them until they are read. It ends when it or the
    host is closed, and raises HostEndedError if the host died. Close it with ``async with`` or ``close()``.
    """

    def __init__(self, topics: tuple[str, ...], unlisten: Callable[[AsyncListener[Any]], None]) -> None:
        super().__init__(topics)
        #: The answer to its subscription, until it was checked.
        self.subscribed: asyncio.Future[Any] | None = None
        self._unlisten = unlisten
        self._heard: deque[Notification] = deque()
        self._wakers: deque[asyncio.Future[None]] = deque()
        self._is_over = False
        self._error: PushhostError | None = None
        self._loop = asyncio.get_running_loop()

    def close(self) -> None:
        """Ends the listener; notifications that it has received can still be read."""
        self._unlisten(self)

    def __aiter__(self) -> AsyncIterator[Heard]:
        return self

    async def __anext__(self) -> Heard:
        await self._subscription()
        while not self._heard:
            if self._error is not None:
                raise self._error
            if self._is_over:
                raise StopAsyncIteration
            check_loop(self._loop, "listen")
            waker: asyncio.Future[None] = self._loop.create_future()
            self._wakers.append(waker)
            await waker
        return cast(Heard, self._heard.popleft())

    async def __aenter__(self) -> AsyncListener[Heard]:
        await self._subscription()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    async def _subscription(self) -> None:
        if self.subscribed is not None:
            check_loop(self._loop, "listen")
            await asyncio.shield(self.subscribed)
            self.subscribed = None

    # MARK: Callbacks of the session

    def receive(self, notification: Notification) -> None:
        self._heard.append(notification)
        self._wake()

    def end(self, error: PushhostError | None) -> None:
        self._is_over, self._error = True, error
        self._wake()

    def _wake(self) -> None:
        """Wakes all waiters, since one that was cancelled would consume nothing."""
        while self._wakers:
            waker = self._wakers.popleft()
            if not waker.done():
                waker.set_result(None)
