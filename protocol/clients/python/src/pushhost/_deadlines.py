"""When calls must have been answered."""

from __future__ import annotations

import heapq
import math
from typing import Callable, List, Tuple


class Deadlines:
    """The deadlines of calls, for the one thread that keeps them all."""

    def __init__(self) -> None:
        self._heap: List[Tuple[float, int, float]] = []
        #: When the thread looks again; not put off when a call is answered, so that the next call need not wake it.
        self.next = math.inf

    def add(self, expiry: float, id: int, seconds: float) -> bool:
        """Takes a call with the moment of its deadline; whether that is before ``next``, so that the thread must know."""
        heapq.heappush(self._heap, (expiry, id, seconds))
        is_first = expiry < self.next
        self.next = min(self.next, expiry)
        return is_first

    def due(self, now: float, is_waiting: Callable[[int], bool]) -> List[Tuple[int, float]]:
        """The calls that wait and whose deadline has come, each with how many seconds it had; forgets them."""
        late: List[Tuple[int, float]] = []
        while self._heap:
            expiry, id, seconds = self._heap[0]
            if is_waiting(id):
                if expiry > now:
                    break
                late.append((id, seconds))
            heapq.heappop(self._heap)
        if self.next <= now:
            self.next = self._heap[0][0] if self._heap else math.inf
        return late

    def __len__(self) -> int:
        return len(self._heap)
