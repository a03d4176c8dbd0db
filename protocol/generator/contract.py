"""What the contract offers to a client."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .documents import Deprecation, deprecation
from .names import check, pascal_case
from .shapes import Member, Named, Shape, Struct, TooLoose, described, parts, shape, without_objects


@dataclass(frozen=True)
class Method:
    name: str
    summary: str
    description: str
    deprecation: Deprecation | None
    params: tuple[Member, ...]
    result: Shape
    #: The reasons of the errors that the method lists.
    reasons: tuple[str, ...]


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
        document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        self.version: str = document["info"]["version"]
        #: The maximum length of a line in bytes.
        self.line_limit: int = document["x-transport"]["maxLineBytes"]
        self._errors: dict[str, Any] = document["components"]["errors"]
        self.reasons = [
            Reason(name, row["code"], row["message"]) for row in document["x-errors"] for name in row["reasons"]
        ]
        self.topics = [self._topic(each) for each in document["x-notifications"]]
        found: dict[str, Schema] = {}
        self.methods = [self._method(each, found) for each in document["methods"] if "client" in each["x-callers"]]
        self.schemas = self._reachable(document["components"]["schemas"], found)
        check(self)

    def _method(self, method: dict[str, Any], results: dict[str, Schema]) -> Method:
        name = method["name"]
        params = tuple(
            self._member(each, name) for each in method["params"] if "client" in each.get("x-callers", ["client"])
        )
        result = shape(method["result"]["schema"], f"{name}/result")
        if isinstance(result, Struct):
            own = pascal_case(name) + "Result"
            results[own] = Schema(own, f"What ``{name}`` answers.", result)
            result = Named(own)
        result = without_objects(result, f"{name}/result")
        deprecated, description = deprecation(method)
        return Method(name, method["summary"], description, deprecated, params, result, self._reasons(method))

    def _member(self, param: dict[str, Any], owner: str) -> Member:
        where = f"{owner}/{param['name']}"
        kind = without_objects(shape(param["schema"], where), where)
        return Member(param["name"], kind, param.get("required", False), described(param))

    def _reasons(self, method: dict[str, Any]) -> tuple[str, ...]:
        words: list[str] = []
        for error in method["errors"]:
            reason = self._errors[error["$ref"].rsplit("/", 1)[1]]["data"]["reason"]
            words += [reason] if isinstance(reason, str) else reason
        return tuple(words)

    def _topic(self, topic: dict[str, Any]) -> Topic:
        members = tuple(self._member(each, topic["name"]) for each in topic["params"])
        return Topic(topic["name"], topic["summary"], Struct(members, False))

    def _reachable(self, components: dict[str, Any], results: dict[str, Schema]) -> list[Schema]:
        """The components that clients use, in the document's order, and then the results."""
        waiting: list[Shape] = [member.shape for method in self.methods for member in method.params]
        waiting += [method.result for method in self.methods] + [topic.params for topic in self.topics]
        known: dict[str, Schema] = dict(results)
        waiting += [result.shape for result in results.values()]
        while waiting:
            for part in parts(waiting.pop()):
                if isinstance(part, Named) and part.name not in known:
                    if part.name not in components:
                        raise TooLoose(f"components/schemas/{part.name}: it is referred to, but is not there")
                    schema = components[part.name]
                    kind = shape(schema, part.name)
                    if not isinstance(kind, Struct):
                        without_objects(kind, part.name)
                    named = Schema(part.name, described(schema), kind)
                    known[part.name] = named
                    waiting.append(named.shape)
        clash = set(components) & set(results)
        if clash:
            raise TooLoose(f"components/schemas/{min(clash)}: a result has this name too; call it something else")
        return [known[name] for name in components if name in known] + list(results.values())

    def resolve(self, value: Shape) -> Shape:
        """The type that a name refers to."""
        if isinstance(value, Named):
            return self.resolve(next(each.shape for each in self.schemas if each.name == value.name))
        return value
