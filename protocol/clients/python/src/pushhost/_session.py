"""One connection's requests, answers and listeners, without any input or output."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Mapping
from typing import Any

from ._absent import given
from ._repeats import SAVES, SILENT_STARTS, Repeats
from ._unanswered import Lost, Unanswered
from ._wire import Lines, call_error, encode
from .errors import HostEndedError, PushhostError
from .types import MAX_LINE_BYTES, NOTIFICATIONS, Notification

#: Receives the outcome of a call: a result or an error.
Settle = Callable[[Any, PushhostError | None], None]


class Subscriber:
    """Receives notifications of these topics, or all notifications if there are no topics."""

    def __init__(self, topics: tuple[str, ...]) -> None:
        self.topics = topics

    def receive(self, notification: Notification) -> None:
        raise NotImplementedError

    def end(self, error: PushhostError | None) -> None:
        """Called at the end of the notifications, with an error if something went wrong."""
        raise NotImplementedError


class ProtocolError(Exception):
    """The host sent something that is not a message of the contract."""


class Session:
    """The protocol state that both kinds of host share. Not thread-safe; a threaded host must hold a lock."""

    def __init__(self, line_limit: int = MAX_LINE_BYTES, *, restarts: bool = False) -> None:
        self._line_limit = line_limit
        self._ids = itertools.count(1)
        self._waiting: dict[int, tuple[str, Settle]] = {}
        self._unanswered = Unanswered()
        #: The calls to repeat for the next host; None without restarts.
        self._repeats = Repeats() if restarts else None
        #: Whether the host is gone and the next one is being started.
        self._is_between = False
        #: Whether the host has answered anything, and how many hosts before it, in a row, had not.
        self._has_answered = False
        self._silent = 0
        self._lines = Lines()
        self._subscribers: list[Subscriber] = []
        #: The topics of the caller's last ``subscribe``, in addition to those of the listeners.
        self._chosen: set[str] = set()
        self._end: HostEndedError | None = None

    # MARK: Requests

    def request(
        self, method: str, params: Mapping[str, Any], settle: Settle, *, for_listener: bool = False
    ) -> tuple[int, bytes]:
        """The id and the line of a call; ``settle`` is called once with its outcome, unless it is forgotten first."""
        members = given(params)
        if method == "subscribe" and not for_listener:
            members = self._with_listener_topics(members)
        if self._end is not None:
            raise self._ended(method, self._end)
        repeats = self._repeats if self._is_between or method in SAVES else None
        if method == "$/cancelRequest":
            self._stop_repeating(members.get("id"))
        if repeats is not None and method in SAVES:
            members = repeats.with_key(members)
        id = next(self._ids)
        line = encode({"jsonrpc": "2.0", "id": id, "method": method, "params": members}, self._line_limit)
        self._waiting[id] = (method, settle)
        self._unanswered.sent(id, len(line) - 1)
        if repeats is not None:
            repeats.keep(id, line)
        return id, line

    def cancelling(self, id: int) -> bytes:
        """The line that cancels a call; the call is not repeated for a later host."""
        self._stop_repeating(id)
        return encode({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": id}})

    def _stop_repeating(self, id: Any) -> None:
        # While the next host is being started, the call is kept; that host then gets the call and its cancellation.
        if self._repeats is not None and not self._is_between and isinstance(id, int):
            self._repeats.drop(id)

    def forget(self, id: int) -> tuple[str, Settle] | None:
        """Stops waiting for a call; returns its method and callback, or None if it was already settled."""
        return self._settled(id)

    # MARK: Listeners

    def listen(self, subscriber: Subscriber) -> None:
        """Adds a listener; ``topics`` then has the topics to subscribe to."""
        if self._end is not None:
            raise self._ended("listen", self._end)
        self._subscribers.append(subscriber)

    def unlisten(self, subscriber: Subscriber) -> bytes | None:
        """Removes a listener; returns the line that updates the subscription, if it changes."""
        if subscriber not in self._subscribers:
            return None
        before = self.topics
        self._subscribers.remove(subscriber)
        subscriber.end(None)
        if self._end is not None or self.topics == before:
            return None
        return encode({"jsonrpc": "2.0", "method": "subscribe", "params": {"topics": self.topics}})

    @property
    def topics(self) -> list[str]:
        """The topics to subscribe to."""
        return sorted(self._chosen.union(*(subscriber.topics for subscriber in self._subscribers)))

    def _with_listener_topics(self, params: dict[str, Any]) -> dict[str, Any]:
        """The params of a caller's ``subscribe``, with the topics of listeners added."""
        topics = params.get("topics")
        if not isinstance(topics, (list, tuple)) or not set(topics) <= set(NOTIFICATIONS):
            return params
        self._chosen = set(topics)
        return {**params, "topics": self.topics}

    # MARK: Received messages

    def receive(self, data: bytes) -> None:
        """Handles a piece of the host's output: settles calls and notifies listeners."""
        for line in self._lines.feed(data):
            if line.strip():
                self._handle(line)

    def _handle(self, line: bytes) -> None:
        try:
            message = json.loads(line)
        except ValueError:
            raise ProtocolError(f"wrote a line that is not JSON: {excerpt(line)}") from None
        if not isinstance(message, dict):
            raise ProtocolError(f"wrote a line that is not a message: {excerpt(line)}")
        if "method" in message:
            self._notify(message)
        elif message.get("id") is None and isinstance(message.get("error"), dict):
            # The host could not read one of our lines, and cannot say which.
            self._lose(self._unanswered.refused(message["error"]))
        elif "id" in message and ("result" in message or isinstance(message.get("error"), dict)):
            # The late answer of a cancelled call is ignored.
            self._has_answered = True
            waiting = self._settled(message["id"])
            if waiting is not None:
                method, settle = waiting
                settle(message.get("result"), call_error(method, message["error"]) if "error" in message else None)
            self._lose(self._unanswered.answered(message["id"]))
        else:
            raise ProtocolError(f"wrote a line that is not a message: {excerpt(line)}")

    def _lose(self, lost: list[Lost]) -> None:
        for id, error in lost:
            waiting = self._settled(id)
            if waiting is not None:
                method, settle = waiting
                settle(None, call_error(method, error))

    def _settled(self, id: int) -> tuple[str, Settle] | None:
        """Removes and returns a call that waits for an answer, if it still waits."""
        if self._repeats is not None:
            self._repeats.drop(id)
        return self._waiting.pop(id, None)

    def _notify(self, message: Mapping[str, Any]) -> None:
        kind = NOTIFICATIONS.get(message["method"])
        if kind is None:
            return
        notification = kind(message["method"], message.get("params", {}))
        for subscriber in list(self._subscribers):
            if not subscriber.topics or notification.topic in subscriber.topics:
                subscriber.receive(notification)

    # MARK: The end

    def end(self, error: HostEndedError, *, is_failure: bool) -> None:
        """Fails every waiting and every later call; listeners get the error if it is a failure."""
        if self._end is not None:
            return
        if error.status == 0 and not self._has_answered:
            error = error.adding("it answered nothing: is the program pushhost?")
        self._end = error
        self._is_between = False
        if self._repeats is not None:
            self._repeats.clear()
        for method, settle in self._drain():
            settle(None, self._ended(method, error))
        subscribers, self._subscribers = self._subscribers, []
        for subscriber in subscribers:
            subscriber.end(self._ended("listen", error) if is_failure else None)

    @property
    def may_start_again(self) -> bool:
        """Whether to start another host: this one answered something, or few in a row have not."""
        return self._has_answered or self._silent + 1 < SILENT_STARTS

    @property
    def has_repeats(self) -> bool:
        """Whether there is anything to repeat for the next host."""
        return bool(self._repeats)

    def pause(self, error: HostEndedError) -> None:
        """Called when the host died and the next one is being started.

        Calls that must not be sent again fail, and listeners end, because the next host knows nothing of this host's
        notifications. Calls that are made in the meantime are kept for the next host.
        """
        kept = {id: call for id, call in self._waiting.items() if self._repeats is not None and id in self._repeats}
        lost = [call for id, call in self._waiting.items() if id not in kept]
        self._waiting, self._lines, self._unanswered = kept, Lines(), Unanswered()
        self._silent = 0 if self._has_answered else self._silent + 1
        self._is_between, self._has_answered, self._end = True, False, None
        self._chosen.clear()
        for method, settle in lost:
            settle(None, self._ended(method, error))
        subscribers, self._subscribers = self._subscribers, []
        for subscriber in subscribers:
            subscriber.end(self._ended("listen", error))

    def resume(self) -> list[bytes]:
        """Called when the next host runs; returns the lines to send to it first."""
        self._is_between = False
        lines = [] if self._repeats is None else self._repeats.lines
        for id, line in lines:
            self._unanswered.sent(id, len(line) - 1)
            if self._repeats is not None and self._waiting[id][0] not in SAVES:
                self._repeats.drop(id)
        return [line for _, line in lines]

    def _drain(self) -> list[tuple[str, Settle]]:
        waiting, self._waiting = list(self._waiting.values()), {}
        return waiting

    def _ended(self, what: str, error: HostEndedError) -> HostEndedError:
        """A new exception for each receiver, since raising an exception modifies it."""
        return HostEndedError(what, error.why, error.status, error.stderr)


def excerpt(line: bytes) -> str:
    text = line.decode("utf-8", "replace")
    return text if len(text) <= 200 else text[:200] + "…"
