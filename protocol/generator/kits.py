"""What the kits have of the contract, in Apple's names: the types of the wire, and the calls of an extension."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .documents import Document
from .shapes import Listed, Member, Named, Primitive, Shape, Struct, TooLoose, Words, described, shape
from .tables import DocumentError

#: The kits' names of the schemas.
NAMES = {
    "Content": "NotificationContent", "Request": "NotificationRequest", "Action": "NotificationAction",
    "Media": "MediaButton", "Frame": "Frame", "TextInput": "TextInput", "Attachment": "NotificationAttachment",
}  # fmt: skip
#: Members with another type in the kits, because authors use them in another way.
SPECIAL: dict[tuple[str, str], Shape] = {
    ("NotificationContent", "userInfo"): Named("UserInfo"),
    ("NotificationContent", "attachments"): Listed(Named("NotificationAttachment")),
}
DESCRIPTIONS = {
    ("NotificationAttachment", "url"): "The file: URL of the file.",
    ("NotificationAttachment", "type"): "The type of the file, as the extension of its name.",
}
#: Members with another name in the kits.
RENAMED = {("MediaButton", "button"): "kind"}
#: Params that are named options of a call. The kits fill in `notification`, and use the default suite.
OPTIONS = ("time", "user", "idempotencyKey")
FILLED_IN = ("notification", "suite")
#: Calls that the kits make in their own way: as notifications, and by the setters of the context.
LEFT_OUT = ("log", "setView", "setNotificationActions")
#: The order of the arguments where it is Apple's, not the contract's.
ORDER = {"store": ("value", "key")}
#: Calls whose value may be merged into the current one.
MERGED = ("saveCustomAttribute",)
#: The member of the result that a call returns.
RETURNED = {"retrieve": "value"}


@dataclass(frozen=True)
class Field:
    """A member of a type: its name in the kits, in camel case, and on the wire."""

    name: str
    wire: str
    shape: Shape
    required: bool
    description: str


@dataclass(frozen=True)
class Type:
    name: str
    description: str
    fields: tuple[Field, ...]


@dataclass(frozen=True)
class Value:
    """A word, and what it means."""

    word: str
    description: str


@dataclass(frozen=True)
class Call:
    """A call of an extension on the host."""

    name: str
    summary: str
    #: What the call returns, if it returns a member of the result.
    result: str
    arguments: tuple[Member, ...]
    options: tuple[Member, ...]

    @property
    def is_merged(self) -> bool:
        return self.name in MERGED

    @property
    def returned(self) -> str | None:
        return RETURNED.get(self.name)

    @property
    def optional(self) -> list[Member]:
        return [each for each in self.arguments + self.options if not each.required]

    @property
    def paragraphs(self) -> list[str]:
        merge = "With merge an object is merged into the current one instead of replacing it."
        return [self.summary] + [merge] * self.is_merged + [self.result] * bool(self.result)


class Kits:
    """The documents, as an author of an extension sees them."""

    def __init__(self, folder: Path) -> None:
        self.host, self.extension = Document(folder, "host"), Document(folder, "extension")
        try:
            self._read()
        except TooLoose as error:
            raise DocumentError(f"{self.extension.file}: {error}") from error

    def _read(self) -> None:
        schemas = self.extension.schemas
        self.request, self.attachment = self._type("Request", without=("date",)), self._type("Attachment")
        self.content, self.action = self._type("Content"), self._type("Action")
        self.text_input, self.media, self.frame = self._type("TextInput"), self._type("Media"), self._type("Frame")
        self.interaction = self._params("interact", "Interaction")
        date = str(schemas["Timestamp"]["description"])
        self.notification = Type(
            "DeliveredNotification",
            "A notification that was received, as Apple's UNNotification.",
            (
                Field("request", "request", Named(self.request.name), True, "What is shown."),
                Field("date", "date", Primitive("string"), True, f"The time of receipt: {date}"),
            ),
        )
        response = self._params("didReceiveResponse", "NotificationResponse")
        answered = Field("notification", "notification", Named(self.notification.name), True, "The notification that it answers.")
        self.response = Type(response.name, response.description, (answered, *response.fields))
        option = self.extension.named("didReceiveResponse")["result"]["schema"]["properties"]["option"]
        self.option_description = first_sentence(option["description"])
        # Of two words for the same option, the kits have Apple's.
        self.options = [each for each in values(option) if each.description]
        self.levels = values(self.host.schemas["LogLevel"])
        view = self.host.schemas["View"]["properties"]
        #: The words of nodes, each list with the name of its type and what it is.
        self.view_words = [
            ("TextStyle", "The role of a text, as in UIKit's `UIFont.TextStyle`.", values(view["style"])),
            ("TextAlignment", "The alignment of the lines of a text, as in UIKit's `NSTextAlignment`.", values(view["alignment"])),
            ("MediaKind", "Whether media have something to see.", values(view["kind"])),
            ("MediaState", "What media do.", values(view["state"])),
        ]
        self.codes = {
            reason: row["code"] for row in self.extension.json["x-errors"] if row["code"] < 0 for reason in row["reasons"]
        }
        self.calls = [
            self._call(each)
            for each in self.host.methods
            if "extension" in each["x-callers"] and each["name"] not in LEFT_OUT
        ]

    @property
    def types(self) -> list[Type]:
        """All types, each after those that it consists of."""
        return [
            self.attachment, self.content, self.request, self.notification, self.response, self.interaction, self.text_input,
            self.action, self.frame, self.media,
        ]  # fmt: skip

    def meanings(self, schema: str, member: str) -> list[Value]:
        """The words of a member, or of the elements of a member."""
        found = self.extension.schemas[schema]["properties"][member]
        return values(found.get("items", found))

    def _type(self, schema: str, without: tuple[str, ...] = ()) -> Type:
        struct = shape(self.extension.schemas[schema], schema)
        if not isinstance(struct, Struct):
            raise TooLoose(f"{schema}: it must be an object")
        members = [each for each in struct.members if each.name not in without]
        return self._named(NAMES[schema], self.extension.schemas[schema]["description"], members)

    def _params(self, method: str, name: str) -> Type:
        found = self.extension.named(method)
        members = [
            Member(each["name"], shape(each["schema"], method), each.get("required", False), each["description"])
            for each in found["params"]
            if each["name"] not in FILLED_IN
        ]
        return self._named(name, first_sentence(found["summary"]), members)

    def _named(self, name: str, description: str, members: list[Member]) -> Type:
        fields = []
        for each in members:
            place = (name, each.name)
            kind = SPECIAL.get(place, each.shape)
            if isinstance(kind, Named) and kind.name in self.extension.schemas:
                target = self.extension.schemas[kind.name]
                about = each.description or described(target)
                kind = Named(NAMES[kind.name]) if kind.name in NAMES else shape(target, kind.name)
            elif isinstance(kind, Listed) and isinstance(kind.items, Named) and place not in SPECIAL:
                raise TooLoose(f"{name}/{each.name}: the kits know no array of {kind.items.name}")
            else:
                about = each.description
            about = DESCRIPTIONS.get(place, about)
            fields.append(Field(RENAMED.get(place, each.name), each.name, kind, each.required, about))
        return Type(name, description, tuple(sorted(fields, key=lambda field: not field.required)))

    def _call(self, method: dict[str, Any]) -> Call:
        members = []
        for param in method["params"]:
            if param["name"] not in FILLED_IN:
                members.append(Member(param["name"], self._param(param), param.get("required", False), param["description"]))
        order = ORDER.get(method["name"], ())
        arguments = [each for each in members if each.name not in OPTIONS]
        arguments.sort(key=lambda each: (not each.required, order.index(each.name) if order else 0))
        options = tuple(each for each in members if each.name in OPTIONS)
        schema = self.host.resolved(method["result"]["schema"])
        result = schema["properties"][RETURNED[method["name"]]]["description"] if method["name"] in RETURNED else ""
        return Call(method["name"], method["summary"], result, tuple(arguments), options)

    def _param(self, param: dict[str, Any]) -> Shape:
        """The type of a param: a text, a time, an object or any value."""
        schema = self.host.resolved(param["schema"])
        if schema is True:
            return Primitive("any")
        if schema.get("format") == "date-time":
            return Named("Time")
        return Primitive("map" if schema.get("type") == "object" else "string")

    def option_texts(self) -> Iterator[Member]:
        """The named options of all calls, each once."""
        found = {each.name: each for call in self.calls for each in call.options}
        return iter(found.values())


def values(schema: dict[str, Any]) -> list[Value]:
    meanings = schema.get("x-values", {})
    return [Value(word, meanings.get(word, "")) for word in schema["enum"]]


def first_sentence(text: str) -> str:
    return text.split(". ")[0].rstrip(".") + "."
