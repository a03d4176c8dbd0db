"""An argument that was not given, for parameters for which None is a value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class Absent:
    def __repr__(self) -> str:
        return "ABSENT"


#: Leaves an argument out if None would be sent as null.
ABSENT: Any = Absent()


def absent(value: Any) -> Any:
    """The value of an argument that None leaves out."""
    return ABSENT if value is None else value


def given(params: Mapping[str, Any]) -> dict[str, Any]:
    """The params without those that were left out."""
    return {name: value for name, value in params.items() if value is not ABSENT}
