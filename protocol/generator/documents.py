"""The OpenRPC documents, for the generation of pages."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .shapes import TooLoose

NAMES = {
    "host": "openrpc.json",
    "extension": "extension.openrpc.json",
    "destination": "destination.openrpc.json",
    "personalization": "personalization.openrpc.json",
    "source": "source.openrpc.json",
}


class Document:
    """One of the documents."""

    def __init__(self, folder: Path, name: str) -> None:
        self.name = name
        self.file = NAMES[name]
        self.json: dict[str, Any] = json.loads((folder / self.file).read_text(encoding="utf-8"))
        self.methods: list[dict[str, Any]] = self.json["methods"]
        self.schemas: dict[str, Any] = self.json["components"]["schemas"]

    def named(self, name: str) -> dict[str, Any]:
        """The method, or the notification to subscribers, of that name."""
        return next(each for each in self.methods + self.json.get("x-notifications", []) if each["name"] == name)

    def tagged(self, tag: str) -> list[dict[str, Any]]:
        """The methods with a tag, in the document's order."""
        return [each for each in self.methods if tag in [one["name"] for one in each.get("tags", [])]]

    def resolved(self, schema: Any) -> Any:
        """A schema, or the one that it refers to."""
        while isinstance(schema, dict) and "$ref" in schema:
            schema = self.schemas[reference(schema)]
        return schema

    def described(self, schema: Any) -> str:
        """The description of a schema, or of the schema that it refers to if it has none."""
        if not isinstance(schema, dict):
            return ""
        if "description" in schema:
            return str(schema["description"])
        target = self.schemas.get(reference(schema), {}) if "$ref" in schema else {}
        return str(target.get("description", ""))

    def errors(self, method: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """The errors of a method, with references resolved."""
        for error in method.get("errors", []):
            yield self.json["components"]["errors"][reference(error)] if "$ref" in error else error


@dataclass(frozen=True)
class Deprecation:
    """Since which version a method is deprecated, and what to do instead."""

    since: str
    advice: str

    def __str__(self) -> str:
        return f"Deprecated since {self.since}: {self.advice}"


def deprecation(method: dict[str, Any]) -> tuple[Deprecation | None, str]:
    """What a method's description says about its deprecation, if the method is deprecated, and the rest of it.

    It is part of the description, so that a reader of the document alone sees it too.
    """
    text = str(method.get("description", ""))
    if not method.get("deprecated"):
        return None, text
    found = re.match(r"Deprecated since (\d+\.\d+): (.+?\.)(?: |$)", text)
    if not found:
        raise TooLoose(f"{method['name']}/description: it must begin with 'Deprecated since <version>: <advice>.'")
    return Deprecation(found[1], found[2]), text[found.end() :]


def reference(schema: dict[str, Any]) -> str:
    """The name at the end of a reference."""
    return str(schema["$ref"]).rsplit("/", 1)[1]


def reasons(error: dict[str, Any]) -> list[str]:
    reason = error["data"]["reason"]
    return [reason] if isinstance(reason, str) else list(reason)
