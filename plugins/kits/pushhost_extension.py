"""Authoring kit for content extensions of pushhost, for Python 3.11 or later, without dependencies.

Copy or link this file into the bundle, beside the executable. README.md of this folder has a complete example.
The names are those of Apple's UNNotificationContentExtension and of ExtensionKit, written as Python writes names.
"""

from __future__ import annotations

import enum
import fcntl
import itertools
import json
import os
import queue
import re
import secrets
import sys
import threading
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

__all__ = [
    "DEFAULT_ACTION_IDENTIFIER", "DISMISS_ACTION_IDENTIFIER", "Completion", "ExtensionContext", "ExtensionError",
    "Interaction", "MediaButton", "Node", "Notification", "NotificationAction", "NotificationContent",
    "NotificationContentExtension", "NotificationContentExtensionResponseOption", "NotificationRequest",
    "NotificationResponse", "PresentationRandom", "TextInput", "UserInfo", "View", "main",
]  # fmt: skip

#: The action of a tap on the notification itself.
DEFAULT_ACTION_IDENTIFIER = "com.apple.UNNotificationDefaultActionIdentifier"
#: The action of a swipe. The host sends it only if the category has the option ``customDismissAction``.
DISMISS_ACTION_IDENTIFIER = "com.apple.UNNotificationDismissActionIdentifier"

Node = dict[str, Any]
Element = TypeVar("Element")


class ExtensionError(Exception):
    """An error with which an extension refuses a call; the caller receives it unchanged.

    ``reason`` is a stable word for programs, ``message`` a sentence for people, and ``path`` a JSON Pointer
    to the invalid value in the request, if there is one. The kit also raises it if the host refuses a request.
    """

    def __init__(self, reason: str, message: str, path: str | None = None) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.path = path


# MARK: Notifications


class UserInfo(dict[str, Any]):
    """The payload's members, with methods whose errors name the key, its value and the expected type.

    The dashboard sends all key-value pairs as strings, even numbers.
    """

    def string(self, key: str) -> str:
        """A required string."""
        if key not in self:
            raise self.wrong(key, "a string")
        return self.optional_string(key) or ""

    def optional_string(self, key: str) -> str | None:
        """A string, or None if the key is absent."""
        value = self.get(key)
        if key in self and not isinstance(value, str):
            raise self.wrong(key, "a string")
        return value

    def integer(self, key: str, minimum: int, maximum: int) -> int:
        """The integer that a string spells, from ``minimum`` to ``maximum``."""
        value = self.get(key)
        if isinstance(value, str) and re.fullmatch(r"[+-]?[0-9]{1,18}", value) and minimum <= int(value) <= maximum:
            return int(value)
        raise self.wrong(key, f"a string that spells an integer from {minimum} to {maximum}")

    def wrong(self, key: str, needed: str) -> ExtensionError:
        """The error for a missing or invalid member; ``needed`` says what is expected, with its article."""
        value = self.get(key)
        found = f"is {_dumps(value)} ({_type_name(value)})" if key in self else "is missing"
        return ExtensionError(
            "invalidUserInfo",
            f"the key-value pair {key} must be {needed}, it {found}",
            "/params/request/content/userInfo/" + key.replace("~", "~0").replace("/", "~1"),
        )


@dataclass(frozen=True)
class NotificationContent:
    """The content of a notification; ``user_info`` is the whole payload, ``attachments`` are URLs."""

    title: str
    subtitle: str
    body: str
    category_identifier: str
    thread_identifier: str
    attachments: list[str]
    user_info: UserInfo


@dataclass(frozen=True)
class NotificationRequest:
    """A request to show a notification; ``locale`` is None if the sender named none.

    ``vertical_size_class`` is ``compact`` or ``regular``, or None if the sender gave none.
    """

    identifier: str
    content: NotificationContent
    locale: str | None
    vertical_size_class: str | None = None


@dataclass(frozen=True)
class Notification:
    """A notification that was received; ``date`` is RFC 3339."""

    request: NotificationRequest
    date: str


@dataclass(frozen=True)
class NotificationResponse:
    """A press of a button; ``user_text`` is the entered text, if the button has a text input."""

    action_identifier: str
    user_text: str | None


@dataclass(frozen=True)
class Interaction:
    """A touch of the node with the id ``element``; ``value`` is the entered value, if the node takes one."""

    element: str
    value: Any


# MARK: What is shown


class View:
    """Creates the nodes of a view: dictionaries, as on the wire.

    A touch names the id of a node, so the ids in a view must be unique.
    """

    @staticmethod
    def _node(type: str, id: str | None, **members: Any) -> Node:
        return {"type": type, **({} if id is None else {"id": id}), **members}

    @staticmethod
    def stack(children: Sequence[Node], *, id: str | None = None) -> Node:
        """Nodes from top to bottom."""
        return View._node("stack", id, children=list(children))

    @staticmethod
    def row(children: Sequence[Node], *, id: str | None = None) -> Node:
        """Nodes from left to right."""
        return View._node("row", id, children=list(children))

    @staticmethod
    def carousel(pages: Sequence[Node], *, id: str, page: int) -> Node:
        """Pages, of which the one at position ``page`` is shown, counted from 0.

        A swipe is an interaction with the carousel's id, and with the number of the page as value. It changes
        nothing until the extension shows that page.
        """
        return View._node("carousel", id, page=page, children=list(pages))

    @staticmethod
    def grid(children: Sequence[Node], *, columns: int, id: str | None = None) -> Node:
        """Nodes row by row."""
        return View._node("grid", id, columns=columns, children=list(children))

    @staticmethod
    def text(
        text: str, *, id: str | None = None, style: str | None = None, alignment: str | None = None
    ) -> Node:
        """A text; ``style`` is title, body or caption, ``alignment`` is start, center or end."""
        members = {"text": text, "style": style, "alignment": alignment}
        return View._node("text", id, **{name: value for name, value in members.items() if value is not None})

    @staticmethod
    def image(url: str, *, id: str | None = None, alt: str | None = None) -> Node:
        """A picture; ``alt`` describes it for people who do not see it."""
        return View._node("image", id, url=url, **({} if alt is None else {"alt": alt}))

    @staticmethod
    def card(*, id: str, face: str | None, is_matched: bool = False) -> Node:
        """A playing card; without a face it lies face down."""
        members = {"faceUp": face is not None, **({} if face is None else {"face": face}), "matched": is_matched}
        return View._node("card", id, **members)

    @staticmethod
    def button(title: str, *, id: str) -> Node:
        """A button."""
        return View._node("button", id, title=title)

    @staticmethod
    def field(*, id: str, value: str = "", placeholder: str = "") -> Node:
        """A text field."""
        return View._node("field", id, value=value, placeholder=placeholder)

    @staticmethod
    def progress(value: int, total: int, *, id: str | None = None) -> Node:
        """A progress bar: ``value`` of ``total`` is done."""
        return View._node("progress", id, value=value, total=total)


@dataclass(frozen=True)
class TextInput:
    """The text input of a button, as in Apple's UNTextInputNotificationAction."""

    button_title: str = ""
    placeholder: str = ""


@dataclass(frozen=True)
class NotificationAction:
    """A button of the notification.

    ``options`` may contain ``authenticationRequired``, ``destructive`` and ``foreground``. If there is a
    ``text_input``, the response has ``user_text``.
    """

    identifier: str
    title: str
    options: Sequence[str] = ()
    text_input: TextInput | None = None

    @classmethod
    def _read(cls, value: dict[str, Any]) -> NotificationAction:
        field = value.get("textInput")
        text_input = TextInput(field.get("buttonTitle", ""), field.get("placeholder", "")) if field else None
        return cls(value.get("identifier", ""), value.get("title", ""), tuple(value.get("options", ())), text_input)

    def _json(self) -> dict[str, Any]:
        members: dict[str, Any] = {"identifier": self.identifier, "title": self.title, "options": list(self.options)}
        if self.text_input is not None:
            field = {"buttonTitle": self.text_input.button_title, "placeholder": self.text_input.placeholder}
            members["textInput"] = field
        return members


@dataclass(frozen=True)
class MediaButton:
    """The system's button that plays and pauses media: ``none``, ``default`` or ``overlay``.

    ``frame`` is x, y, width and height in points. The client that draws the button uses ``tint_color``.
    """

    kind: str
    frame: tuple[float, float, float, float] | None = None
    tint_color: str | None = None

    def _json(self) -> dict[str, Any]:
        members: dict[str, Any] = {"button": self.kind}
        if self.frame is not None:
            members["frame"] = dict(zip(("x", "y", "width", "height"), self.frame))
        if self.tint_color is not None:
            members["tintColor"] = self.tint_color
        return members


class NotificationContentExtensionResponseOption(str, enum.Enum):
    """What happens to a notification after a response."""

    #: The notification stays.
    DO_NOT_DISMISS = "doNotDismiss"
    #: The notification is dismissed.
    DISMISS = "dismiss"
    #: The notification is dismissed, and the app is opened with the action.
    DISMISS_AND_FORWARD_ACTION = "dismissAndForwardAction"


#: Answers a response with an option or its name on the wire. Call it exactly once, from any thread.
Completion = Callable[[NotificationContentExtensionResponseOption | str], None]


class PresentationRandom:
    """The random numbers of one presentation. They depend only on the seed, if there is one, and the notification."""

    def __init__(self, seed: int | None, notification: str) -> None:
        if seed is None:
            self._state = secrets.randbits(64)
            return
        # FNV-1a, as in ExtensionKit: Python's own hash differs in each run.
        self._state = (seed ^ 0xCBF29CE484222325) & _WORD
        for byte in notification.encode():
            self._state = ((self._state ^ byte) * 0x100000001B3) & _WORD

    def next(self) -> int:
        """The next 64-bit number (SplitMix64)."""
        self._state = (self._state + 0x9E3779B97F4A7C15) & _WORD
        word = self._state
        word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
        word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & _WORD
        return word ^ (word >> 31)

    def below(self, bound: int) -> int:
        """A number from 0 to ``bound`` - 1, all equally likely."""
        if not 0 < bound <= _WORD:
            raise ValueError(f"the bound must be from 1 to {_WORD}, it is {bound}")
        end = _WORD - _WORD % bound
        word = self.next()
        while word >= end:
            word = self.next()
        return word % bound

    def random(self) -> float:
        """A number from 0 to 1, without 1."""
        return (self.next() >> 11) / (1 << 53)

    def choice(self, elements: Sequence[Element]) -> Element:
        """One of the elements, all equally likely."""
        return elements[self.below(len(elements))]

    def shuffle(self, elements: list[Any]) -> None:
        """Shuffles a list in place."""
        for last in range(len(elements) - 1, 0, -1):
            other = self.below(last + 1)
            elements[last], elements[other] = elements[other], elements[last]


_WORD = (1 << 64) - 1


# MARK: The extension


class ExtensionContext:
    """The interface of one presentation to the host: Apple's NSExtensionContext and the suite of Braze's guide in one.

    A value that is set during a call is sent with the answer, and is reset if the call fails. A view or actions
    that another thread sets between calls are shown at once.
    """

    def __init__(self, notification: str, host: _Host) -> None:
        self._notification = notification
        self._host = host
        self._values: dict[str, Any] = {"actions": ()}
        self._set: list[str] = []
        #: The URL that the app opens if the current response forwards; reset after the call.
        self.application_url: str | None = None
        # What the host shows, as JSON, to detect a change inside the view and to undo the changes of a failed call.
        self._shown: dict[str, str] = {}
        # The context is created during the first call about its notification.
        self._in_call = True
        # The completion of the last response, which may still be called a second time, after completions whose
        # diagnostics are not yet sent.
        self._completions: list[_Completion] = []
        self._diagnostics: list[dict[str, str]] = []
        #: The presentation's random numbers; with ``--seed`` the same in each run.
        self.random = PresentationRandom(host.seed, notification)
        #: The locale of the latest notification, or of the host if the notification has none.
        self.locale = host.locale
        self._texts = host.texts

    @property
    def view(self) -> Node | None:
        """The view that the host shows; it stays until it is set again."""
        return self._values.get("view")

    @view.setter
    def view(self, view: Node) -> None:
        if not isinstance(view, dict):
            raise TypeError(f"a view is a node such as View.text(…), this is {view!r}")
        self._change("view", view, "setView")

    @property
    def notification_actions(self) -> tuple[NotificationAction, ...]:
        """The buttons; initially those that the host sent with the notification."""
        actions: tuple[NotificationAction, ...] = self._values["actions"]
        return actions

    @notification_actions.setter
    def notification_actions(self, actions: Sequence[NotificationAction]) -> None:
        self._change("actions", tuple(actions), "setNotificationActions")

    @property
    def title(self) -> str | None:
        """The title that replaces the notification's title.

        The host shows it only if the Info.plist sets UNNotificationExtensionOverridesDefaultTitle.
        """
        return self._values.get("title")

    @title.setter
    def title(self, title: str) -> None:
        self._change("title", title)

    @property
    def media(self) -> MediaButton | None:
        """The system's button that plays and pauses media; None until it is set."""
        return self._values.get("media")

    @media.setter
    def media(self, media: MediaButton) -> None:
        self._change("media", media)

    @property
    def now(self) -> datetime:
        """The time in UTC; with ``--clock`` the same in each run."""
        return self._host.now()

    def localized(self, key: str, *args: Any) -> str:
        """The text of a key in the bundle's table Localizable, with ``%@`` and ``%1$@`` replaced by the arguments.

        The host chooses the language by the notification's locale, and sends the texts; of a plural, the number in an
        argument chooses the form. If no text has the key, the text is the key.
        """
        return _localize(self._texts[key], args) if key in self._texts else key

    def add_diagnostic(self, reason: str, message: str) -> None:
        """Reports in the reply to the client what was left out or changed although the call succeeded.

        ``reason`` is a stable word for programs, ``message`` one sentence for people. If the call raises an error,
        the diagnostic is dropped.
        """
        self._diagnostics.append({"reason": reason, "message": message})

    # MARK: Saving

    def save_custom_event(self, name: str, properties: dict[str, Any] | None = None) -> None:
        """Saves a custom event; on return it survives a power loss. Raises ExtensionError if it is not stored."""
        self._request("saveCustomEvent", name=name, **({"properties": properties} if properties else {}))

    def save_custom_attribute(self, key: str, value: Any, merge: bool = False) -> None:
        """Saves a custom attribute, like ``save_custom_event``; None removes it from the profile.

        With ``merge`` a dict is merged into the current one instead of replacing it.
        """
        self._request("saveCustomAttribute", key=key, value={"$merge": value} if merge else value)

    def save_user_attribute(self, field: str, value: Any) -> None:
        """Saves a standard field of the user's profile, such as ``email``, like ``save_custom_event``."""
        self._request("saveUserAttribute", field=field, value=value)

    # MARK: Storage

    def store(self, value: Any, key: str) -> None:
        """Sets the value of a key in the extension's suite."""
        self._request("store", key=key, value=value)

    def retrieve(self, key: str) -> Any:
        """The value of a key in the extension's suite, or None if the key has no value."""
        return self._request("retrieve", key=key).get("value")

    def remove_object(self, key: str) -> None:
        """Removes a key and its value from the extension's suite."""
        self._request("removeObject", key=key)

    # MARK: The notification

    def perform_notification_default_action(self, url: str | None = None) -> None:
        """Opens the app as if the notification was tapped, and dismisses the notification.

        ``url`` is an absolute URL that the app opens.
        """
        self._request("performNotificationDefaultAction", **({} if url is None else {"url": url}))

    def dismiss_notification_content_extension(self) -> None:
        """Dismisses the notification."""
        self._request("dismissNotificationContentExtension")

    def media_playing_started(self) -> None:
        """Reports that media started to play, unless the media button started it."""
        self._request("mediaPlayingStarted")

    def media_playing_paused(self) -> None:
        """Reports that media stopped playing, unless the media button stopped it."""
        self._request("mediaPlayingPaused")

    def log(self, message: str, level: str = "info") -> None:
        """Writes to the host's log; the levels are trace, debug, info, notice, warning, error and critical."""
        self._host.notify("log", {"notification": self._notification, "level": level, "message": message})

    def _request(self, method: str, **params: Any) -> dict[str, Any]:
        return self._host.request(method, {"notification": self._notification, **params})

    # MARK: The answer

    def _change(self, name: str, value: Any, method: str | None = None) -> None:
        self._values[name] = value
        if self._in_call or method is None:
            self._set.append(name)
            return
        self._shown[name] = _dumps(self._json(name))
        self._host.notify(method, {"notification": self._notification, name: self._json(name)})

    def _json(self, name: str) -> Any:
        value = self._values[name]
        if name == "actions":
            return [action._json() for action in value]
        return value._json() if name == "media" else value

    def _set_offered_actions(self, actions: list[dict[str, Any]]) -> None:
        """Sets the buttons that the host sent, before the author's code runs."""
        self._values["actions"] = tuple(NotificationAction._read(action) for action in actions)
        self._shown["actions"] = _dumps(self._json("actions"))

    def _run(self, body: Callable[[], Any]) -> dict[str, Any]:
        """Runs the author's code and returns what it changed; if it raises, all its changes are reset."""
        before = {name: value for name, value in self._values.items() if name != "view"}
        self._in_call = True
        try:
            result = body() or {}
            shown = {name: _dumps(self._json(name)) for name in self._values}
        except BaseException:
            if "view" in self._shown:
                before["view"] = json.loads(self._shown["view"])
            self._values = before
            raise
        finally:
            changed, self._set, self._in_call = self._set, [], False
            diagnostics, self._diagnostics = self._diagnostics, []
            self.application_url = None
        for name, text in shown.items():
            if name in changed or (name in self._shown or name == "view") and self._shown.get(name) != text:
                result[name] = self._json(name)
        self._shown = shown
        mistakes = [mistake for completion in self._completions for mistake in completion.drain_diagnostics()]
        self._completions = self._completions[-1:]
        if mistakes or diagnostics:
            result["diagnostics"] = mistakes + diagnostics
        return result


class NotificationContentExtension:
    """The base class of a content extension. Each presentation has one object of the subclass.

    A subclass may also have these methods. Without ``did_receive_response``, responses go to the app. Without
    ``interact``, ``media_play`` or ``media_pause``, the calls of that method are refused::

        def did_receive_response(self, response: NotificationResponse, completion: Completion) -> None: ...
        def interact(self, interaction: Interaction) -> None: ...
        def media_play(self) -> None: ...
        def media_pause(self) -> None: ...
        def did_dismiss(self) -> None: ...

    An ``ExtensionError`` refuses the call, and what was shown stays.
    """

    #: The lowest version of the contract that the extension needs; an older host refuses it.
    #: ``row``, ``carousel``, and the style, alignment and alt of nodes came with 1.1.
    contract_version = "1.0"

    def __init__(self, context: ExtensionContext) -> None:
        self.context = context

    def did_receive(self, notification: Notification) -> None:
        """Called for the notification, and again for each later notification of the same thread."""
        raise NotImplementedError(f"{type(self).__name__} needs did_receive(self, notification)")


def main(extension: Callable[[ExtensionContext], Any], *, completion_limit: float = 5.0) -> None:
    """Serves the host on stdin and stdout, until the host no longer needs the process.

    Descriptor 1 is redirected to stderr, so that no print reaches the host, and descriptor 0 to an empty input.
    ``completion_limit`` is how many seconds the kit waits for a response's completion after its handler returned.
    """
    if os.isatty(0):
        sys.exit(f"{os.path.basename(sys.argv[0])} is an extension that pushhost starts: pushhost --plugins <bundle>")
    _Main(extension, completion_limit).run()


# MARK: The process


class _Completion:
    """The completion of a response, which any thread may call."""

    def __init__(self, action: str) -> None:
        self._action = action
        self._condition = threading.Condition()
        self._option: NotificationContentExtensionResponseOption | None = None
        self._count = 0
        self._is_missing = False

    def __call__(self, option: NotificationContentExtensionResponseOption | str) -> None:
        option = NotificationContentExtensionResponseOption(option)
        with self._condition:
            self._count += 1
            if self._option is None and not self._is_missing:
                self._option = option
            self._condition.notify_all()

    def wait(self, seconds: float) -> NotificationContentExtensionResponseOption:
        with self._condition:
            self._condition.wait_for(lambda: self._option is not None, seconds)
            self._is_missing = self._option is None
            return self._option or NotificationContentExtensionResponseOption.DO_NOT_DISMISS

    def drain_diagnostics(self) -> list[dict[str, str]]:
        """Diagnostics of the author's mistakes since the last call; each mistake is reported once."""
        with self._condition:
            is_missing, count = self._is_missing, self._count
            self._is_missing, self._count = False, min(count, 1)
        what = f"the completion handler for {self._action}"
        if is_missing:
            message = f"{what} was not called in time, so the notification stays"
            return [{"reason": "completionMissing", "message": message}]
        if count > 1:
            return [{"reason": "completionTwice", "message": f"{what} was called {count} times; the first counts"}]
        return []


class _CallError(Exception):
    """An error for a call that reaches no handler."""

    def __init__(self, code: int, reason: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.reason = reason


def _notification(identifier: str, request: dict[str, Any]) -> Notification:
    content = request.get("content", {})
    return Notification(
        NotificationRequest(
            request.get("identifier", identifier),
            NotificationContent(
                title=content.get("title", ""),
                subtitle=content.get("subtitle", ""),
                body=content.get("body", ""),
                category_identifier=content.get("categoryIdentifier", ""),
                thread_identifier=content.get("threadIdentifier", ""),
                attachments=[attachment["url"] for attachment in content.get("attachments", ()) if "url" in attachment],
                user_info=UserInfo(content.get("userInfo", {})),
            ),
            request.get("locale"),
            request.get("verticalSizeClass"),
        ),
        request.get("date", ""),
    )


class _Main:
    """An extension's process: passes each call of the host to the object of its presentation."""

    def __init__(self, extension: Callable[[ExtensionContext], Any], completion_limit: float) -> None:
        self._extension = extension
        self._completion_limit = completion_limit
        self._host = _Host()
        self._presentations: dict[str, tuple[Any, ExtensionContext]] = {}
        self._methods: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
            "activate": self._activate,
            "didReceive": self._did_receive,
            "didReceiveResponse": self._did_receive_response,
            "interact": self._interact,
            "mediaPlay": lambda params: self._media(params, "media_play"),
            "mediaPause": lambda params: self._media(params, "media_pause"),
            "didDismiss": self._did_dismiss,
            "deactivate": lambda params: {},
        }

    def run(self) -> None:
        for call in self._host.calls():
            self._answer(call)
            if call["method"] == "deactivate":
                return

    def _answer(self, call: dict[str, Any]) -> None:
        answer: dict[str, Any] = {"jsonrpc": "2.0", "id": call.get("id")}
        try:
            method = self._methods.get(call["method"])
            if method is None:
                raise _CallError(-32601, "methodNotFound", f"Method not found: {call['method']}")
            params = call.get("params", {})
            if not isinstance(params, dict):
                raise _CallError(-32602, "invalidParamsType", "Invalid params: this kit takes params by name")
            line = _encode({**answer, "result": method(params)})
        except Exception as exception:
            error = _describe(exception)
            line = _encode({**answer, "error": error})
            if "id" not in call:
                print(f"{call['method']} failed: {error['message']}", file=sys.stderr)
        if "id" in call:
            self._host.write(line)

    def _activate(self, params: dict[str, Any]) -> dict[str, Any]:
        self._host.activate(params)
        # Any callable may create the objects, so it may lack the class's default.
        return {"version": getattr(self._extension, "contract_version", "1.0")}

    def _did_receive(self, params: dict[str, Any]) -> dict[str, Any]:
        identifier = _member(params, "notification", str)
        request = _member(params, "request", dict)
        if identifier in self._presentations:
            shown, context = self._presentations[identifier]
        else:
            context = ExtensionContext(identifier, self._host)
            shown = self._extension(context)
        # A host with an older version of the contract does not send the buttons.
        if isinstance(params.get("actions"), list):
            context._set_offered_actions(params["actions"])
        former = context.locale, context._texts
        context.locale = request.get("locale") or self._host.locale
        # Present if they differ from those for the host's locale; a host before version 1.2 sends none.
        context._texts = params.get("texts", self._host.texts)
        try:
            notification = _notification(identifier, request)
            result = context._run(lambda: _nothing(shown.did_receive(notification)))
        except BaseException:
            context.locale, context._texts = former
            raise
        # Reached only if the call succeeded: a refused notification is not shown, so its object is dropped.
        self._presentations[identifier] = (shown, context)
        return result

    def _did_receive_response(self, params: dict[str, Any]) -> dict[str, Any]:
        handler, context = self._handler(params, "did_receive_response")
        action = _member(params, "actionIdentifier", str)
        response = NotificationResponse(action, params.get("userText"))
        completion = _Completion(action)

        def respond() -> dict[str, Any]:
            context._completions.append(completion)
            handler(response, completion)
            option = completion.wait(self._completion_limit)
            is_forwarded = option is NotificationContentExtensionResponseOption.DISMISS_AND_FORWARD_ACTION
            link = {"url": context.application_url} if is_forwarded and context.application_url is not None else {}
            return {"option": option.value, **link}

        return context._run(respond)

    def _interact(self, params: dict[str, Any]) -> dict[str, Any]:
        handler, context = self._handler(params, "interact")
        interaction = Interaction(_member(params, "element", str), params.get("value"))
        return context._run(lambda: _nothing(handler(interaction)))

    def _media(self, params: dict[str, Any], name: str) -> dict[str, Any]:
        handler, context = self._handler(params, name)
        return context._run(lambda: _nothing(handler()))

    def _did_dismiss(self, params: dict[str, Any]) -> dict[str, Any]:
        shown, _ = self._presentations.pop(_member(params, "notification", str), (None, None))
        handler = getattr(shown, "did_dismiss", None)
        if handler is not None:
            handler()
        return {}

    def _handler(self, params: dict[str, Any], name: str) -> tuple[Callable[..., Any], ExtensionContext]:
        identifier = _member(params, "notification", str)
        if identifier not in self._presentations:
            raise ExtensionError("unknownNotification", f"the notification {identifier} is not shown here")
        shown, context = self._presentations[identifier]
        handler = getattr(shown, name, None)
        if handler is None:
            raise _CallError(-32601, "methodNotFound", f"Method not found: the extension has no {name}")
        return handler, context


def _take_over_standard_streams() -> tuple[int, int]:
    """Redirects descriptors 0 and 1; returns copies of the old ones, which no child process inherits."""
    wire = fcntl.fcntl(0, fcntl.F_DUPFD_CLOEXEC, 3), fcntl.fcntl(1, fcntl.F_DUPFD_CLOEXEC, 3)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    try:
        os.dup2(2, 1)
    except OSError:  # The process has no stderr.
        os.dup2(nothing, 1)
    os.close(nothing)
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(line_buffering=True)
    return wire


def _runs_bundle() -> bool:
    """Whether this process runs the executable of a bundle, not a test of its modules."""
    try:
        folder, name = os.path.split(os.path.realpath(sys.argv[0]))
        with open(os.path.join(folder, "Info.plist"), "rb") as file:
            return not os.isatty(0) and os.fsencode(name) in file.read()
    except (IndexError, OSError):
        return False


# Redirected at import, so that what other modules print while they are loaded does not reach the host either.
_wire = _take_over_standard_streams() if _runs_bundle() else None


class _Host:
    """The connection to the host: stdin and stdout as they were before the kit redirected them."""

    def __init__(self) -> None:
        self._input, self._output = _wire or _take_over_standard_streams()
        self._inbox: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._write_lock = threading.Lock()
        # Guarded by the lock: where to put the answer to each request; None after the end of the input.
        self._waiting: dict[int, queue.SimpleQueue[dict[str, Any] | None]] | None = {}
        self._last_id = 0
        self._clock: datetime | None = None
        self.seed: int | None = None
        self.locale = "en"
        self.texts: dict[str, Any] = {}
        # Ends a line that may have been started before the redirection.
        self.write(b"\n")
        threading.Thread(target=self._read, name="pushhost", daemon=True).start()

    def activate(self, params: dict[str, Any]) -> None:
        self.locale = params.get("locale", self.locale)
        self.texts = params.get("texts", {})
        self.seed = params.get("seed")
        if "clock" in params:
            self._clock = datetime.fromisoformat(params["clock"].replace("Z", "+00:00"))

    def now(self) -> datetime:
        if self._clock is None:
            return datetime.now(UTC)
        time, self._clock = self._clock, self._clock + timedelta(milliseconds=1)
        return time

    def calls(self) -> Any:
        """The host's calls, until it closes the pipe."""
        return iter(self._inbox.get, None)

    def request(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Sends a request to the host and waits for the answer, on any thread."""
        answer: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        with self._lock:
            self._last_id += 1
            id = self._last_id
            line = _encode({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
            if self._waiting is None:
                answer.put(None)
            else:
                self._waiting[id] = answer
        self.write(line)
        message = answer.get()
        if message is None:
            raise ExtensionError("hostGone", f"the host closed the pipe before it answered {method}")
        if "error" in message:
            error = message["error"]
            data = error.get("data") or {}
            raise ExtensionError(data.get("reason", "hostError"), error.get("message", ""), data.get("path"))
        return message.get("result") or {}

    def notify(self, method: str, params: dict[str, Any]) -> None:
        self.write(_encode({"jsonrpc": "2.0", "method": method, "params": params}))

    def write(self, line: bytes) -> None:
        rest = memoryview(line)
        with self._write_lock:
            try:
                while rest:
                    rest = rest[os.write(self._output, rest) :]
            except BrokenPipeError:
                pass  # The host has exited, so the end of the input follows.

    def _read(self) -> None:
        """Reads messages on a separate thread, so that any other thread may wait for an answer."""
        with os.fdopen(self._input, "rb") as lines:
            for line in lines:
                if line.strip():
                    self._receive(line)
        with self._lock:
            waiting, self._waiting = self._waiting or {}, None
        for answer in waiting.values():
            answer.put(None)
        self._inbox.put(None)

    def _receive(self, line: bytes) -> None:
        try:
            message = json.loads(line)
        except (ValueError, RecursionError) as error:
            return self._write_error(-32700, "parseError", f"Parse error: {error}")
        if isinstance(message, dict) and isinstance(message.get("method"), str):
            self._inbox.put(message)
        elif isinstance(message, dict) and "method" not in message and isinstance(message.get("id"), int):
            with self._lock:
                answer = (self._waiting or {}).pop(message["id"], None)
            if answer is not None:
                answer.put(message)
        else:
            self._write_error(-32600, "invalidRequest", "Invalid Request: this is neither a call nor a response")

    def _write_error(self, code: int, reason: str, message: str) -> None:
        self.write(_encode({"jsonrpc": "2.0", "id": None, "error": _error(code, message, reason=reason)}))


# MARK: Localisation


def _localize(text: Any, args: Sequence[Any]) -> str:
    """Fills a text of the bundle; of one with several forms, that which the number in an argument chooses."""
    while isinstance(text, dict):
        argument = str(args[text["argument"] - 1]) if text["argument"] <= len(args) else ""
        number = abs(int(argument)) if re.fullmatch("-?[0-9]{1,18}", argument) else None
        # The numbers of the forms are below 200; a greater number has the form of one with the same last two digits.
        if number is not None and number >= 200:
            number = 100 + number % 100
        text = next((case["text"] for case in text["cases"] if number in case["numbers"]), text["other"])
    return _format(text, args)


#: A placeholder with the syntax of printf(3). All arguments are texts, so each stands for a text.
_PLACEHOLDER = re.compile(
    r"%%|%(?:(0*[1-9][0-9]*)\$)?[-+ #0']*[0-9]*(?:\.[0-9]*)?[hlqLztj]*[@dDiuUxXoOfFeEgGaAcCsSp]", re.ASCII
)


def _format(text: str, args: Sequence[Any]) -> str:
    place = itertools.count()

    def replace(match: re.Match[str]) -> str:
        if match.group() == "%%":
            return "%"
        index = int(match.group(1)) - 1 if match.group(1) else next(place)
        return str(args[index]) if index < len(args) else match.group()

    return _PLACEHOLDER.sub(replace, text)


# MARK: JSON


def _dumps(value: Any) -> str:
    """Encodes a value as JSON; raises an error for a value that the host cannot read."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    if re.search(r"[0-9]{19}", text):
        json.loads(text, parse_int=_int64)
    text.encode()  # Fails for half of a surrogate pair.
    return text


def _int64(text: str) -> int:
    if not -(1 << 63) <= int(text) < 1 << 63:
        raise ValueError(f"the host accepts integers of 64 bits, not {text}")
    return int(text)


def _encode(message: dict[str, Any]) -> bytes:
    """A message as a line."""
    return _dumps(message).encode() + b"\n"


def _error(code: int, message: str, **data: str | None) -> dict[str, Any]:
    def readable(text: str) -> str:
        return str(text).encode("utf-8", "replace").decode()

    members = {name: readable(text) for name, text in data.items() if text is not None}
    return {"code": code, "message": readable(message), "data": members}


def _describe(exception: Exception) -> dict[str, Any]:
    """The error object for an exception; the traceback of an unexpected one is written to stderr."""
    if isinstance(exception, ExtensionError):
        return _error(1, exception.message, reason=exception.reason, path=exception.path)
    if isinstance(exception, _CallError):
        return _error(exception.code, str(exception), reason=exception.reason)
    traceback.print_exception(type(exception), exception, exception.__traceback__)
    return _error(-32603, f"{type(exception).__name__}: {exception}", reason="internalError")


def _member(params: dict[str, Any], name: str, kind: type) -> Any:
    if not isinstance(params.get(name), kind):
        needed = "an object" if kind is dict else "a string"
        raise _CallError(-32602, "invalidParams", f"Invalid params: {name} must be {needed}")
    return params[name]


def _type_name(value: Any) -> str:
    names = {bool: "boolean", int: "integer", float: "number", str: "string", list: "array", dict: "object"}
    return names.get(type(value), "null")


def _nothing(_: Any) -> None:
    """Ignores what a handler returns."""
