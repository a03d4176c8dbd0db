"""Saves that are sent again to the next host; each has an idempotency key, by which the suite recognizes it."""

from __future__ import annotations

import itertools
import secrets
import signal
from typing import Any

SAVES = frozenset({"saveCustomEvent", "saveCustomAttribute", "saveUserAttribute"})

#: After this many hosts in a row that answered nothing, no other host is started.
SILENT_STARTS = 3

#: Signals that ask a host to stop; a host that they ended is not started again.
REQUESTS = {signal.SIGHUP, signal.SIGINT, signal.SIGTERM}


class Repeats:
    """The lines that are sent again if the host dies before it answers them."""

    def __init__(self) -> None:
        # Keys that differ only in a growing number cost a suite least. The 72 random bits differ for each client.
        self._stem = secrets.token_urlsafe(9)
        self._numbers = itertools.count(1)
        self._lines: dict[int, bytes] = {}

    def __len__(self) -> int:
        return len(self._lines)

    def __contains__(self, id: int) -> bool:
        return id in self._lines

    def with_key(self, params: dict[str, Any]) -> dict[str, Any]:
        """The params of a save with an idempotency key: the caller's, or a new one."""
        if "idempotencyKey" in params:
            return params
        return {**params, "idempotencyKey": f"{self._stem}.{next(self._numbers)}"}

    def keep(self, id: int, line: bytes) -> None:
        self._lines[id] = line

    def drop(self, id: int) -> None:
        self._lines.pop(id, None)

    def clear(self) -> None:
        self._lines.clear()

    @property
    def lines(self) -> list[tuple[int, bytes]]:
        """The calls that were not answered, in the order in which they were sent."""
        return list(self._lines.items())


def was_killed(status: int | None) -> bool:
    """Whether the host crashed or was killed, that is, a signal ended it that does not ask a host to stop."""
    return status is not None and status < 0 and -status not in REQUESTS
