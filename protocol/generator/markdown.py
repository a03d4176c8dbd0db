"""Markdown that people read as text too."""

from __future__ import annotations

import re
from typing import List, Sequence

START = re.compile(r"<!-- generated: (.+) -->")
END = "<!-- end -->"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table; a bar within a cell is escaped."""
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(cell(each) for each in row) + " |" for row in rows]
    # An empty cell is a space, as people write it.
    return "\n".join(lines).replace("|  |", "| |").replace("|  |", "| |") + "\n"


def cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def code(text: str) -> str:
    return f"`{text}`"


class Unknown(Exception):
    """A marker that is unknown or has no end."""


def filled(page: str, parts: dict[str, str]) -> str:
    """A page with what is generated between its marks, ``<!-- generated: name -->`` and ``<!-- end -->``."""
    lines: List[str] = []
    missing = set(parts)
    name = ""
    for line in page.split("\n"):
        mark = START.fullmatch(line)
        if mark and name:
            raise Unknown(f"the part {name!r} has no {END}")
        if mark:
            name = mark[1]
            if name not in missing:
                raise Unknown(f"nothing is generated for {name!r}, or it is there twice")
            missing.remove(name)
            lines += [line, parts[name].rstrip("\n")]
        if not name:
            lines.append(line)
        elif line == END:
            lines.append(line)
            name = ""
    if name:
        raise Unknown(f"the part {name!r} has no {END}")
    if missing:
        raise Unknown(f"the page has no place for {', '.join(sorted(missing))}")
    return "\n".join(lines)
