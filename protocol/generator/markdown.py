"""Markdown that people read as text too."""

from __future__ import annotations

import re
from collections.abc import Sequence

START = re.compile(r"<!-- generated: (.+) -->")
END = "<!-- end -->"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table. A vertical bar inside a cell is escaped."""
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(cell(each) for each in row) + " |" for row in rows]
    # An empty cell is one space, as people write it.
    return "\n".join(lines).replace("|  |", "| |").replace("|  |", "| |") + "\n"


def cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def code(text: str) -> str:
    return f"`{text}`"


def anchor(heading: str) -> str:
    """The anchor that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def link(text: str, heading: str) -> str:
    """A link to a heading of the same page."""
    return f"[{text}](#{anchor(heading)})"


class MarkerError(Exception):
    """A marker is unknown, repeated, missing or without an end."""


def filled(pages: dict[str, str], parts: dict[str, str]) -> dict[str, str]:
    """The pages with each generated part between its markers, ``<!-- generated: name -->`` and ``<!-- end -->``.

    Each part has exactly one place in all pages together.
    """
    missing = dict(parts)
    result = {name: filled_page(name, text, missing) for name, text in pages.items()}
    if missing:
        raise MarkerError(f"no page has a place for {', '.join(sorted(missing))}")
    return result


def filled_page(page: str, text: str, missing: dict[str, str]) -> str:
    """One page with its parts, which are removed from ``missing``."""
    lines: list[str] = []
    name = ""
    for line in text.split("\n"):
        marker = START.fullmatch(line)
        if marker and name:
            raise MarkerError(f"{page}: the part {name!r} has no {END}")
        if marker:
            name = marker[1]
            if name not in missing:
                raise MarkerError(f"{page}: nothing is generated for {name!r}, or another marker names it too")
            lines += [line, missing.pop(name).rstrip("\n")]
        if not name:
            lines.append(line)
        elif line == END:
            lines.append(line)
            name = ""
    if name:
        raise MarkerError(f"{page}: the part {name!r} has no {END}")
    return "\n".join(lines)
