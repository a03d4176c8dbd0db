"""Derives the names in the clients from the names in the contract."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from .shapes import Struct, TooLoose

if TYPE_CHECKING:
    from .contract import Contract

#: The members that the hosts of the clients have besides generated methods.
METHODS = {"call", "close", "constructor", "listen", "notify", "pid", "start", "stderr", "then"}

#: The names that generated methods use besides their arguments.
ARGUMENTS = {"absent", "cast", "deadline", "params", "self"}

#: The names that the generated files import, or define besides the contract's types.
TYPES = {
    "Any", "AsyncHost", "AsyncListener", "CallError", "CallOptions", "Callable", "DeadlineExceededError",
    "Host", "HostEndedError", "HostError", "HostOptions", "HostStartError", "HostStatus", "Listener", "Literal",
    "Mapping", "Methods", "NamedTuple", "NotRequired", "Notification", "Promise", "PushhostError", "Sequence",
    "TypedDict", "Union", "UnsendableError",
}  # fmt: skip


def words(name: str) -> list[str]:
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


# MARK: What can be a name


def is_name(text: str) -> bool:
    """Whether a text is a valid name in Python and a valid member name in JavaScript."""
    return text.isascii() and text.isidentifier() and not keyword.iskeyword(text) and not text.startswith("__")


def check(contract: Contract) -> None:
    """Raises TooLoose for a name from which no name in the clients can be derived."""
    distinct([(method.name, snake_case(method.name)) for method in contract.methods], METHODS)
    for method in contract.methods:
        places = [(f"{method.name}/{member.name}", snake_case(member.name)) for member in method.params]
        distinct(places, ARGUMENTS)
    types = [(schema.name, schema.name) for schema in contract.schemas]
    types += [(topic.name, pascal_case(topic.name) + end) for topic in contract.topics for end in ("", "Params")]
    types += [(method.name, pascal_case(method.name) + "Params") for method in contract.methods if method.params]
    types += [(f"x-errors/{reason.name}", error_class(reason.name)) for reason in contract.reasons]
    distinct(types, TYPES)
    distinct([(f"x-errors/{reason.name}", reason.name) for reason in contract.reasons], set())
    structs = [(schema.name, schema.shape) for schema in contract.schemas]
    for name, shape in structs + [(topic.name, topic.params) for topic in contract.topics]:
        members = shape.members if isinstance(shape, Struct) else ()
        for member in members:
            if not is_name(member.name) and any(each.required for each in members):
                raise TooLoose(f"{name}/{member.name}: that is no name in Python, so no member here can be required")


def distinct(names: Iterable[tuple[str, str]], taken: Iterable[str]) -> None:
    """Refuses names that are invalid, reserved or duplicate, with their places."""
    places: dict[str, str] = dict.fromkeys(taken, "the clients themselves")
    for place, name in names:
        if not is_name(name):
            raise TooLoose(f"{place}: {name!r} is no name in Python and JavaScript; call it something else")
        if name in places:
            raise TooLoose(f"{place}: the name {name} is that of {places[name]}; call it something else")
        places[name] = place
