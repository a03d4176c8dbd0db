"""A schema in words, with links to the types of the same page."""

from __future__ import annotations

import json
from typing import Any

from .documents import reference
from .markdown import code, link

LIMITS = {
    "minLength": "at least {} characters", "maxLength": "at most {} characters", "minimum": "at least {}",
    "maximum": "at most {}", "minProperties": "at least {} members", "maxProperties": "at most {} members",
    "maxItems": "at most {} elements", "default": "{} by default",
}  # fmt: skip
#: Shorter forms of some limits.
SHORT = {"at least 1 characters": "not empty", "at least 1 members": "not empty", "at most 0 members": "empty"}


def type_text(schema: Any) -> str:
    """The type of a schema in Markdown, then its limits in parentheses."""
    if schema is True:
        return "any value"
    limits = [LIMITS[keyword].format(json.dumps(schema[keyword])) for keyword in LIMITS if keyword in schema]
    limits = [SHORT.get(limit, limit) for limit in limits]
    if "pattern" in schema:
        limits.append(code(schema["pattern"]))
    return kind(schema) + (f" ({', '.join(limits)})" if limits else "")


def kind(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return link(reference(schema), reference(schema))
    if "const" in schema:
        return code(json.dumps(schema["const"]))
    if "enum" in schema:
        return "one of " + ", ".join(code(str(each) if isinstance(each, str) else json.dumps(each)) for each in schema["enum"])
    # An `allOf` has one member in these documents: a reference that has a description of its own.
    for keyword in ("anyOf", "allOf"):
        if keyword in schema:
            return " or ".join(type_text(each) for each in schema[keyword])
    types: list[str] = schema.get("type", [])
    if isinstance(types, str):
        types = [types]
    if not types:
        return "any value"
    return " or ".join(f"array of {plural(schema['items'])}" if each == "array" and "items" in schema else each for each in types)


def plural(items: Any) -> str:
    text = type_text(items)
    return text + "s" if text in ("string", "integer", "number", "object", "array", "boolean") else text
