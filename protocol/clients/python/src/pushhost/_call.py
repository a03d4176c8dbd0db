"""A call whose answer is awaited later."""

from __future__ import annotations

import concurrent.futures
import threading
import time
from typing import Any, Callable, Generic, Optional, TypeVar, cast

from .errors import DeadlineExceededError, PushhostError

Result = TypeVar("Result")


class Call(Generic[Result]):
    """A call that was sent. Any thread may ask for its result, as often as it likes."""

    def __init__(
        self,
        method: str,
        deadline: float,
        cancel: Callable[["Call[Any]"], None],
        forget: Callable[["Call[Any]"], bool],
    ) -> None:
        #: The method that was called.
        self.method = method
        #: The id of the request, as ``cancel_request`` takes it.
        self.id = 0
        self._cancel, self._forget = cancel, forget
        self._deadline = deadline
        #: When its deadline comes, by the clock of ``time.monotonic``.
        self.expiry = time.monotonic() + deadline
        self._future: "concurrent.futures.Future[Any]" = concurrent.futures.Future()

    @property
    def done(self) -> bool:
        """Whether its outcome is there."""
        return self._future.done()

    def result(self) -> Result:
        """The answer, awaited until the deadline; raises where the call failed."""
        # The thread of the pipes keeps the deadline too, unless a log callback holds it up.
        left = max(0.0, self.expiry - time.monotonic())
        try:
            self._future.exception(left if left < threading.TIMEOUT_MAX else None)
        except concurrent.futures.TimeoutError:
            if self._forget(self):
                self._settle(None, DeadlineExceededError(self.method, self._deadline))
        return cast(Result, self._future.result())

    def cancel(self) -> None:
        """Asks the host to take the call back.

        It is then answered RequestCancelledError at once, or with its result where that was there before. What it did
        already stays.
        """
        self._cancel(self)

    def _settle(self, result: Any, error: Optional[PushhostError]) -> None:
        if error is None:
            self._future.set_result(result)
        else:
            self._future.set_exception(error)
