"""Tracks the calls that the host has not answered, and finds those that it will never answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple


class Refusal(NamedTuple):
    """An error without an id. The host could not read one of the suspects, and answers all other calls."""

    suspects: set[int]
    error: Mapping[str, Any]


#: The id of a call that will not be answered, and the error.
Lost = tuple[int, Mapping[str, Any]]


class Unanswered:
    """Finds the call that an error without an id is about.

    It is one of the calls that were not answered when the error arrived, cancelled or not. The host
    answers the others, in any order. When only as many calls are left as lines were refused, these
    are the refused ones.
    """

    def __init__(self) -> None:
        #: How many bytes each line has.
        self._lengths: dict[int, int] = {}
        self._refusals: list[Refusal] = []

    def sent(self, id: int, length: int) -> None:
        self._lengths[id] = length

    def answered(self, id: int) -> list[Lost]:
        """Handles an answer; returns the calls that will not get one."""
        self._clear([id])
        return self._found() if self._refusals else []

    def refused(self, error: Mapping[str, Any]) -> list[Lost]:
        """Handles an error without an id; returns the calls that will not get an answer."""
        limit = line_limit(error)
        suspects = {id for id, length in self._lengths.items() if limit is None or length > limit}
        self._refusals.append(Refusal(suspects, error))
        return self._found()

    def _found(self) -> list[Lost]:
        found: list[Lost] = []
        while True:
            # No call is left if the error was about a notification.
            self._refusals = [each for each in self._refusals if each.suspects]
            lost = next((pairs for pairs in map(self._lost, self._refusals) if pairs), [])
            if not lost:
                return found
            found += lost
            self._clear([id for id, _ in lost])

    def _lost(self, refusal: Refusal) -> list[Lost]:
        """The suspects, if as many lines were refused as there are suspects."""
        if len(self._refusals) < len(refusal.suspects):
            return []
        among = [each.error for each in self._refusals if each.suspects <= refusal.suspects]
        return list(zip(sorted(refusal.suspects), among)) if len(among) >= len(refusal.suspects) else []

    def _clear(self, ids: list[int]) -> None:
        for id in ids:
            self._lengths.pop(id, None)
        for refusal in self._refusals:
            refusal.suspects.difference_update(ids)


def line_limit(error: Mapping[str, Any]) -> int | None:
    """The maximum length of a line, if the error is about a longer one."""
    data = error.get("data")
    if not isinstance(data, dict) or data.get("reason") != "lineTooLong":
        return None
    limit = data.get("limit")
    return limit if isinstance(limit, int) else None
