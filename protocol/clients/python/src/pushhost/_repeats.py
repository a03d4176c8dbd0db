"""Saves that a later host may be sent again: each has a key by which a suite knows it."""

from __future__ import annotations

import itertools
import secrets
import signal
from typing import Any, Dict, List, Optional, Tuple

SAVES = frozenset({"saveCustomEvent", "saveCustomAttribute", "saveUserAttribute"})

#: How many hosts in a row may die before they answer anything; no other one is started then.
SILENT_STARTS = 3

#: Signals that ask a host to leave; one that got them is not started again.
REQUESTS = {signal.SIGHUP, signal.SIGINT, signal.SIGTERM}


class Repeats:
    """The lines that are sent again if the host dies before it answers them."""

    def __init__(self) -> None:
        # Keys that differ in a growing number alone cost a suite least. 72 random bits make the others' differ.
        self._stem = secrets.token_urlsafe(9)
        self._numbers = itertools.count(1)
        self._lines: Dict[int, bytes] = {}

    def __len__(self) -> int:
        return len(self._lines)

    def __contains__(self, id: int) -> bool:
        return id in self._lines

    def keyed(self, params: Dict[str, Any]) -> Dict[str, Any]:
        """The params of a save with a key: the caller's own, else the next one."""
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
    def lines(self) -> List[Tuple[int, bytes]]:
        """The calls that were not answered, in the order in which they were sent."""
        return list(self._lines.items())


def was_killed(status: Optional[int]) -> bool:
    """Whether a signal ended the host that did not ask it to leave: it crashed, or was killed."""
    return status is not None and status < 0 and -status not in REQUESTS
