"""Notifications as an iterator."""

from __future__ import annotations

import math
import queue
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any, Generic, TypeVar, cast

from ._launch import check_deadline
from ._session import Subscriber
from .errors import DeadlineExceededError, PushhostError
from .types import Notification

Heard = TypeVar("Heard")


class Listener(Subscriber, Generic[Heard]):
    """Iterates over notifications as they arrive; each is a ``topic`` and its ``params``.

    It keeps notifications until they are read. It ends when it or the host is closed, and raises HostEndedError if the
    host died. Close it with ``with`` or ``close()``. Several threads may share it; each notification goes to one.
    """

    def __init__(self, topics: tuple[str, ...], unlisten: Callable[[Listener[Any]], None]) -> None:
        super().__init__(topics)
        self._unlisten = unlisten
        self._queue: queue.SimpleQueue[Notification | None] = queue.SimpleQueue()
        self._error: PushhostError | None = None

    def next(self, deadline: float = math.inf) -> Heard:
        """The next notification; raises DeadlineExceededError if none arrives in time, StopIteration at the end."""
        limit = None if math.isinf(check_deadline(deadline)) else deadline
        try:
            heard = self._queue.get(timeout=limit)
        except queue.Empty:
            raise DeadlineExceededError(
                f"a notification of {', '.join(self.topics) or 'any topic'}", deadline
            ) from None
        if heard is not None:
            return cast(Heard, heard)
        self._queue.put(None)  # Put back for the next call, and for other threads.
        if self._error is not None:
            raise self._error
        raise StopIteration

    def close(self) -> None:
        """Ends the listener; notifications that it has received can still be read."""
        self._unlisten(self)

    def __iter__(self) -> Iterator[Heard]:
        return self

    def __next__(self) -> Heard:
        return self.next()

    def __enter__(self) -> Listener[Heard]:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # MARK: Callbacks of the session

    def receive(self, notification: Notification) -> None:
        self._queue.put(notification)

    def end(self, error: PushhostError | None) -> None:
        self._error = error
        self._queue.put(None)
