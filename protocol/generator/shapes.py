"""The types of the contract, independent of a language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Primitive:
    """``string``, ``integer``, ``number``, ``boolean``, ``null``; ``any``; ``map``: an object of any members."""

    name: str


@dataclass(frozen=True)
class Named:
    """A schema of the components."""

    name: str


@dataclass(frozen=True)
class Listed:
    """An array."""

    items: Shape


@dataclass(frozen=True)
class Words:
    """One of these values."""

    values: tuple[str | bool | int, ...]


@dataclass(frozen=True)
class Choice:
    """One of these types."""

    shapes: tuple[Shape, ...]


@dataclass(frozen=True)
class Member:
    name: str
    shape: Shape
    required: bool
    description: str


@dataclass(frozen=True)
class Struct:
    """An object of these members; an open one may have others too."""

    members: tuple[Member, ...]
    is_open: bool


Shape = Primitive | Named | Listed | Words | Choice | Struct

PRIMITIVES = {"string", "integer", "number", "boolean", "null"}

#: Members that only limit the size of a value, or that are for people.
IGNORED = {
    "description", "default", "examples", "format", "minLength", "maxLength", "pattern", "minimum", "maximum",
    "minProperties", "maxProperties",
}  # fmt: skip


class TooLoose(Exception):
    """An error for a schema that is not precise enough to become a type."""


def shape(schema: Any, where: str) -> Shape:
    """The type that a schema describes."""
    if schema is True:
        return Primitive("any")
    if not isinstance(schema, dict):
        raise TooLoose(f"{where}: {schema!r} is no schema")
    rest = {key: value for key, value in schema.items() if key not in IGNORED and not key.startswith("x-")}
    if "$ref" in rest:
        only(rest, {"$ref"}, where)
        return Named(rest["$ref"].rsplit("/", 1)[1])
    if "enum" in rest:
        only(rest, {"enum"}, where)
        return Words(tuple(rest["enum"]))
    if "const" in rest:
        only(rest, {"const"}, where)
        return Words((rest["const"],))
    if "anyOf" in rest:
        only(rest, {"anyOf"}, where)
        return choice([shape(each, f"{where}/anyOf/{index}") for index, each in enumerate(rest["anyOf"])])
    if "allOf" in rest:
        only(rest, {"allOf"}, where)
        if len(rest["allOf"]) != 1:
            raise TooLoose(f"{where}: allOf of several schemas has no name; make one schema of them")
        return shape(rest["allOf"][0], where)
    types = rest.get("type", [])
    if isinstance(types, str):
        return typed(types, rest, where)
    if not types:
        only(rest, set(), where)
        return Primitive("any")
    return choice([typed(each, rest, where) for each in types])


def typed(name: str, schema: Mapping[str, Any], where: str) -> Shape:
    """The type of a schema whose values have one of JSON's types."""
    if name in PRIMITIVES:
        return Primitive(name)
    if name == "array":
        return Listed(shape(schema.get("items", True), f"{where}/items"))
    if name != "object":
        raise TooLoose(f"{where}: {name!r} is no type")
    # oneOf of required members says which belong together, which no type here can express.
    only(schema, {"type", "required", "properties", "additionalProperties", "oneOf"}, where)
    properties: dict[str, Any] = schema.get("properties", {})
    required = schema.get("required", [])
    if not properties:
        if required:
            raise TooLoose(f"{where}: required members need schemas")
        return Primitive("map")
    members = [
        Member(key, shape(value, f"{where}/{key}"), key in required, described(value))
        for key, value in properties.items()
    ]
    for member in members:
        without_objects(member.shape, f"{where}/{member.name}")
    return Struct(tuple(members), schema.get("additionalProperties", False) is True)


def without_objects(whole: Shape, where: str) -> Shape:
    """A type that can be written inline, since no part of it needs a name."""
    if any(isinstance(part, Struct) for part in parts(whole)):
        raise TooLoose(f"{where}: give the object a name under components/schemas")
    return whole


def choice(shapes: list[Shape]) -> Shape:
    return shapes[0] if len(shapes) == 1 else Choice(tuple(shapes))


def only(schema: Mapping[str, Any], known: set[str], where: str) -> None:
    unknown = sorted(set(schema) - known)
    if unknown:
        raise TooLoose(f"{where}: the generator does not know what {', '.join(unknown)} means here")


def described(schema: Any) -> str:
    return schema.get("description", "") if isinstance(schema, dict) else ""


def parts(whole: Shape | None) -> Iterator[Shape]:
    """A type and the types that it consists of, without following named types."""
    if whole is None:
        return
    yield whole
    if isinstance(whole, Listed):
        yield from parts(whole.items)
    elif isinstance(whole, Choice):
        for each in whole.shapes:
            yield from parts(each)
    elif isinstance(whole, Struct):
        for member in whole.members:
            yield from parts(member.shape)


def is_nullable(value: Shape) -> bool:
    """Whether null is one of the values of an unnamed type."""
    if isinstance(value, Choice):
        return any(is_nullable(each) for each in value.shapes)
    return value in (Primitive("null"), Primitive("any"))
