"""What the contract offers to a client."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, List, Tuple

from .shapes import Member, Named, Shape, Struct, described, parts, shape


@dataclass(frozen=True)
class Method:
    name: str
    summary: str
    description: str
    params: Tuple[Member, ...]
    result: Shape
    #: The reasons of the errors that are its own.
    reasons: Tuple[str, ...]


@dataclass(frozen=True)
class Topic:
    name: str
    summary: str
    params: Struct


@dataclass(frozen=True)
class Reason:
    """A stable word for why a call failed."""

    name: str
    code: int
    message: str


@dataclass(frozen=True)
class Schema:
    name: str
    description: str
    shape: Shape


class Contract:
    """The document of the host, as a client sees it."""

    def __init__(self, path: Path) -> None:
        document: Dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        self.version: str = document["info"]["version"]
        #: How long a line the host takes, in bytes.
        self.line_limit: int = document["x-transport"]["maxLineBytes"]
        self._errors: Dict[str, Any] = document["components"]["errors"]
        self.reasons = [
            Reason(name, row["code"], row["message"]) for row in document["x-errors"] for name in row["reasons"]
        ]
        self.topics = [self._topic(each) for each in document["x-notifications"]]
        found: Dict[str, Schema] = {}
        self.methods = [self._method(each, found) for each in document["methods"] if "client" in each["x-callers"]]
        self.schemas = self._reachable(document["components"]["schemas"], found)

    def _method(self, method: Dict[str, Any], results: Dict[str, Schema]) -> Method:
        name = method["name"]
        params = tuple(
            Member(
                each["name"],
                shape(each["schema"], f"{name}/{each['name']}"),
                each.get("required", False),
                described(each),
            )
            for each in method["params"]
            if "client" in each.get("x-callers", ["client"])
        )
        result = shape(method["result"]["schema"], f"{name}/result")
        if isinstance(result, Struct):
            own = pascal_case(name) + "Result"
            results[own] = Schema(own, f"What ``{name}`` answers.", result)
            result = Named(own)
        return Method(name, method["summary"], method.get("description", ""), params, result, self._reasons(method))

    def _reasons(self, method: Dict[str, Any]) -> Tuple[str, ...]:
        words: List[str] = []
        for error in method["errors"]:
            reason = self._errors[error["$ref"].rsplit("/", 1)[1]]["data"]["reason"]
            words += [reason] if isinstance(reason, str) else reason
        return tuple(words)

    def _topic(self, topic: Dict[str, Any]) -> Topic:
        members = tuple(
            Member(
                each["name"],
                shape(each["schema"], f"{topic['name']}/{each['name']}"),
                each.get("required", False),
                described(each),
            )
            for each in topic["params"]
        )
        return Topic(topic["name"], topic["summary"], Struct(members, False))

    def _reachable(self, components: Dict[str, Any], results: Dict[str, Schema]) -> List[Schema]:
        """The components that a client meets, in the document's order, then the results."""
        waiting: List[Shape] = [member.shape for method in self.methods for member in method.params]
        waiting += [method.result for method in self.methods] + [topic.params for topic in self.topics]
        known: Dict[str, Schema] = dict(results)
        waiting += [result.shape for result in results.values()]
        while waiting:
            for part in parts(waiting.pop()):
                if isinstance(part, Named) and part.name not in known:
                    schema = components[part.name]
                    named = Schema(part.name, described(schema), shape(schema, part.name))
                    known[part.name] = named
                    waiting.append(named.shape)
        clash = set(components) & set(results)
        if clash:
            raise ValueError(f"a schema and a result have one name: {', '.join(sorted(clash))}")
        return [known[name] for name in components if name in known] + list(results.values())

    def resolve(self, value: Shape) -> Shape:
        """What a name stands for."""
        if isinstance(value, Named):
            return self.resolve(next(each.shape for each in self.schemas if each.name == value.name))
        return value


# MARK: Names


def words(name: str) -> List[str]:
    """The words of a name of the contract: ``$/`` is left out, other marks and capitals begin a new one."""
    return [word for part in re.split(r"[^A-Za-z0-9]+", name) for word in re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+", part)]


def snake_case(name: str) -> str:
    return "_".join(word.lower() for word in words(name))


def pascal_case(name: str) -> str:
    return "".join(word[0].upper() + word[1:] for word in words(name))


def camel_case(name: str) -> str:
    pascal = pascal_case(name)
    return pascal[0].lower() + pascal[1:]


def error_class(reason: str) -> str:
    """The class of an error with a reason; both languages have the same."""
    name = pascal_case(reason)
    return name if name.endswith("Error") else name + "Error"
