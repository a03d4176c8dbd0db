"""Lines of JSON: what the host reads and writes."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any

from .errors import CallError, UnsendableError
from .reasons import REASONS

#: How many levels of nesting the host accepts.
DEPTH = 2048

#: Finds what is valid JSON but may be unreadable for the host: integers beyond 64 bits, U+0000 in a member's name.
SUSPICIOUS = re.compile(rb"\d{19}|\\u0000")


def encode(message: Mapping[str, Any], limit: int | None = None) -> bytes:
    """A message as a line of at most ``limit`` bytes without its end.

    Raises UnsendableError if the host could not read the line, because the host's error would have no id.
    """
    try:
        text = json.dumps(message, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=plain)
        line = text.encode("utf-8") + b"\n"
    except (TypeError, ValueError, RecursionError) as error:
        raise UnsendableError(find_unsendable(message.get("params")) or str(error)) from error
    params = message.get("params")
    if SUSPICIOUS.search(line) or line.count(b"[") + line.count(b"{") >= DEPTH or not has_names(params):
        found = find_unsendable(params)
        if found:
            raise UnsendableError(found)
    if limit is not None and len(line) - 1 > limit:
        raise UnsendableError(f"/params makes a line of {len(line) - 1} bytes; the host accepts at most {limit}")
    return line


def has_names(params: Any) -> bool:
    """Whether all member names are strings. The module json converts some other keys, so that names may repeat."""
    waiting = [params]
    while waiting:
        value = waiting.pop()
        if value is None or isinstance(value, (str, int, float)):
            continue
        if isinstance(value, Mapping):
            if not all(isinstance(name, str) for name in value):
                return False
            waiting += value.values()
        else:
            waiting += value
    return True


def plain(value: Any) -> Any:
    """Converts mappings and sequences that the module json does not know to types that it knows."""
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray, memoryview)):
        return list(value)
    raise TypeError(f"{type(value).__name__} is not a JSON type")


def find_unsendable(params: Any) -> str | None:
    """The first value that the host could not read, with its path; None if it can read all."""
    waiting: list[tuple[str, Any, int]] = [("/params", params, 2)]
    while waiting:
        path, value, depth = waiting.pop()
        found = describe_invalid(value, depth)
        if found:
            return f"{path if len(path) < 200 else path[:200] + '…'} {found}"
        if isinstance(value, Mapping):
            waiting += [(f"{path}/{name}", each, depth + 1) for name, each in value.items()]
        elif isinstance(value, Sequence) and not isinstance(value, str):
            waiting += [(f"{path}/{index}", each, depth + 1) for index, each in enumerate(value)]
    return None


def describe_invalid(value: Any, depth: int) -> str | None:
    """Why the host could not read a value, without looking at the values in it; None if it can."""
    if value is None or isinstance(value, bool):
        return None
    if isinstance(value, int):
        return None if -(2**63) <= value < 2**63 else f"is {value}, which needs more than 64 bits"
    if isinstance(value, float):
        return None if math.isfinite(value) else f"is {value}, which JSON does not have"
    if isinstance(value, str):
        return None if is_text(value) else "has half of a surrogate pair"
    if depth > DEPTH:
        return f"nests deeper than {DEPTH} levels"
    if isinstance(value, Mapping):
        for name in value:
            if not isinstance(name, str):
                return f"has a member {name!r}, whose name is {type(name).__name__}, not a string"
            if "\0" in name or not is_text(name):
                return f"has a member {name!r}, whose name holds U+0000 or half of a surrogate pair"
        return None
    if isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray, memoryview)):
        return None
    return f"is {type(value).__name__}, which is not a JSON type{hint(value)}"


def hint(value: Any) -> str:
    """What to pass instead of a value that is not a JSON type, if there is a usual way to write it."""
    if isinstance(value, datetime):
        # The contract's times have an offset, which isoformat() writes only if it is known.
        return "; pass .isoformat() of it" if value.tzinfo else "; pass .astimezone().isoformat() of it"
    return "; pass .isoformat() of it" if isinstance(value, date) else ""


def is_text(value: str) -> bool:
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


class Lines:
    """Splits a stream into lines. It works on bytes, so that a read may end within a character."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def feed(self, data: bytes) -> list[bytes]:
        """The lines that are complete now, without their ends."""
        *lines, rest = data.split(b"\n")
        if lines:
            lines[0] = b"".join(self._parts) + lines[0]
            self._parts.clear()
        if rest:
            self._parts.append(rest)
        return lines


def call_error(method: str, error: Mapping[str, Any]) -> CallError:
    """The exception for an error object."""
    data = error.get("data")
    members: dict[str, Any] = data if isinstance(data, dict) else {}
    kind = REASONS.get(str(members.get("reason")), CallError)
    return kind(method, int(error.get("code", 0)), str(error.get("message", "")), members)
