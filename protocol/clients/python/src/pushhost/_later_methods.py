# Generated from protocol/openrpc.json by protocol/generate.py; do not edit.
"""The methods of the contract; each gives a :class:`Call`, whose ``result()`` waits for the answer."""

from __future__ import annotations

from typing import Any, Dict, Literal, Mapping, Optional, Sequence, Union

from ._absent import ABSENT, absent
from ._call import Call
from .types import (
    AcknowledgeResult,
    CancelRequestResult,
    Categories,
    Category,
    DeadLettersResult,
    DidReceiveResponseResult,
    DidReceiveResult,
    DiscardDeadLettersResult,
    DismissResult,
    Display,
    ExportSuiteResult,
    ExtensionsResult,
    FlushPendingResult,
    ImportSuiteResult,
    NotificationID,
    NotificationsResult,
    Payload,
    PendingResult,
    PingResult,
    Profile,
    RecordKind,
    ReloadExtensionsResult,
    Removed,
    RequestID,
    RetrieveResult,
    RetryDeadLettersResult,
    Saved,
    StandardField,
    StatusResult,
    StoreResult,
    SubscribeResult,
    SuiteName,
    SuitesResult,
    Topic,
    User,
    ZonedTimestamp,
)


class LaterMethods:
    """The methods of the contract; each gives a :class:`Call`, whose ``result()`` waits for the answer.

    ``deadline`` is in seconds; the host's own default where it is None, none at all where it is ``math.inf``.
    An optional argument that is None is left out.
    """

    def _send(self, method: str, params: Dict[str, Any], deadline: Optional[float]) -> Call[Any]:
        raise NotImplementedError

    def did_receive(
        self,
        *,
        payload: Union[Payload, Mapping[str, Any]],
        identifier: Optional[str] = None,
        date: Optional[ZonedTimestamp] = None,
        locale: Optional[str] = None,
        vertical_size_class: Optional[Literal["compact", "regular"]] = None,
        profile: Optional[Union[Profile, Mapping[str, Any]]] = None,
        deadline: Optional[float] = None,
    ) -> Call[DidReceiveResult]:
        """Shows a notification: in the extension that registered its category, otherwise in the system's own view."""
        params: Dict[str, Any] = {
            "payload": payload,
            "identifier": absent(identifier),
            "date": absent(date),
            "locale": absent(locale),
            "verticalSizeClass": absent(vertical_size_class),
            "profile": absent(profile),
        }
        return self._send("didReceive", params, deadline)

    def did_receive_response(
        self,
        *,
        notification: NotificationID,
        action_identifier: str,
        user_text: Optional[str] = None,
        deadline: Optional[float] = None,
    ) -> Call[DidReceiveResponseResult]:
        """Presses a button, taps the notification, or swipes it away."""
        params: Dict[str, Any] = {
            "notification": notification,
            "actionIdentifier": action_identifier,
            "userText": absent(user_text),
        }
        return self._send("didReceiveResponse", params, deadline)

    def interact(
        self,
        *,
        notification: NotificationID,
        element: str,
        value: Any = ABSENT,
        deadline: Optional[float] = None,
    ) -> Call[Display]:
        """Touches an element of the view."""
        params: Dict[str, Any] = {
            "notification": notification,
            "element": element,
            "value": value,
        }
        return self._send("interact", params, deadline)

    def media_play(
        self,
        *,
        notification: NotificationID,
        deadline: Optional[float] = None,
    ) -> Call[Display]:
        """Plays the media of the view: presses the system's media button."""
        params: Dict[str, Any] = {
            "notification": notification,
        }
        return self._send("mediaPlay", params, deadline)

    def media_pause(
        self,
        *,
        notification: NotificationID,
        deadline: Optional[float] = None,
    ) -> Call[Display]:
        """Pauses the media of the view: presses the system's media button."""
        params: Dict[str, Any] = {
            "notification": notification,
        }
        return self._send("mediaPause", params, deadline)

    def dismiss(
        self,
        *,
        notification: NotificationID,
        deadline: Optional[float] = None,
    ) -> Call[DismissResult]:
        """Removes a notification from the screen and informs its extension."""
        params: Dict[str, Any] = {
            "notification": notification,
        }
        return self._send("dismiss", params, deadline)

    def notifications(
        self,
        *,
        notification: Optional[NotificationID] = None,
        deadline: Optional[float] = None,
    ) -> Call[NotificationsResult]:
        """Lists the notifications that are shown, the oldest first."""
        params: Dict[str, Any] = {
            "notification": absent(notification),
        }
        return self._send("notifications", params, deadline)

    def set_notification_categories(
        self,
        *,
        categories: Sequence[Category],
        deadline: Optional[float] = None,
    ) -> Call[Categories]:
        """Registers the app's categories and replaces those registered before."""
        params: Dict[str, Any] = {
            "categories": categories,
        }
        return self._send("setNotificationCategories", params, deadline)

    def get_notification_categories(
        self,
        *,
        deadline: Optional[float] = None,
    ) -> Call[Categories]:
        """Returns every registered category: the built-in ones of Braze's SDK, then those that were set."""
        params: Dict[str, Any] = {}
        return self._send("getNotificationCategories", params, deadline)

    def save_custom_event(
        self,
        *,
        name: str,
        suite: Optional[SuiteName] = None,
        properties: Optional[Mapping[str, Any]] = None,
        time: Optional[ZonedTimestamp] = None,
        user: Optional[User] = None,
        notification: Optional[NotificationID] = None,
        idempotency_key: Optional[str] = None,
        deadline: Optional[float] = None,
    ) -> Call[Saved]:
        """Saves a custom event until it is flushed. After the reply the event survives a power loss."""
        params: Dict[str, Any] = {
            "name": name,
            "suite": absent(suite),
            "properties": absent(properties),
            "time": absent(time),
            "user": absent(user),
            "notification": absent(notification),
            "idempotencyKey": absent(idempotency_key),
        }
        return self._send("saveCustomEvent", params, deadline)

    def save_custom_attribute(
        self,
        *,
        key: str,
        value: Any,
        suite: Optional[SuiteName] = None,
        user: Optional[User] = None,
        notification: Optional[NotificationID] = None,
        idempotency_key: Optional[str] = None,
        deadline: Optional[float] = None,
    ) -> Call[Saved]:
        """Saves a custom attribute until it is flushed."""
        params: Dict[str, Any] = {
            "key": key,
            "value": value,
            "suite": absent(suite),
            "user": absent(user),
            "notification": absent(notification),
            "idempotencyKey": absent(idempotency_key),
        }
        return self._send("saveCustomAttribute", params, deadline)

    def save_user_attribute(
        self,
        *,
        field: StandardField,
        value: Any,
        suite: Optional[SuiteName] = None,
        user: Optional[User] = None,
        notification: Optional[NotificationID] = None,
        idempotency_key: Optional[str] = None,
        deadline: Optional[float] = None,
    ) -> Call[Saved]:
        """Saves a standard field of the user's profile until it is flushed."""
        params: Dict[str, Any] = {
            "field": field,
            "value": value,
            "suite": absent(suite),
            "user": absent(user),
            "notification": absent(notification),
            "idempotencyKey": absent(idempotency_key),
        }
        return self._send("saveUserAttribute", params, deadline)

    def pending(
        self,
        *,
        suite: Optional[SuiteName] = None,
        kind: Optional[RecordKind] = None,
        after: Optional[int] = None,
        limit: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> Call[PendingResult]:
        """Returns pending records in the order of their ids, one page at a time, and deletes nothing."""
        params: Dict[str, Any] = {
            "suite": absent(suite),
            "kind": absent(kind),
            "after": absent(after),
            "limit": absent(limit),
        }
        return self._send("pending", params, deadline)

    def flush_pending(
        self,
        *,
        suite: Optional[SuiteName] = None,
        to: Optional[str] = None,
        user: Optional[User] = None,
        limit: Optional[int] = None,
        lease: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> Call[FlushPendingResult]:
        """Flushes pending records: to the caller as the calls of Braze's SDK, or to a destination."""
        params: Dict[str, Any] = {
            "suite": absent(suite),
            "to": absent(to),
            "user": absent(user),
            "limit": absent(limit),
            "lease": absent(lease),
        }
        return self._send("flushPending", params, deadline)

    def dead_letters(
        self,
        *,
        suite: Optional[SuiteName] = None,
        after: Optional[int] = None,
        limit: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> Call[DeadLettersResult]:
        """Returns dead letters in the order of their ids."""
        params: Dict[str, Any] = {
            "suite": absent(suite),
            "after": absent(after),
            "limit": absent(limit),
        }
        return self._send("deadLetters", params, deadline)

    def retry_dead_letters(
        self,
        *,
        suite: Optional[SuiteName] = None,
        ids: Optional[Sequence[int]] = None,
        deadline: Optional[float] = None,
    ) -> Call[RetryDeadLettersResult]:
        """Makes dead letters pending again, each at its old place in the order."""
        params: Dict[str, Any] = {
            "suite": absent(suite),
            "ids": absent(ids),
        }
        return self._send("retryDeadLetters", params, deadline)

    def discard_dead_letters(
        self,
        *,
        suite: Optional[SuiteName] = None,
        ids: Optional[Sequence[int]] = None,
        deadline: Optional[float] = None,
    ) -> Call[DiscardDeadLettersResult]:
        """Deletes dead letters permanently."""
        params: Dict[str, Any] = {
            "suite": absent(suite),
            "ids": absent(ids),
        }
        return self._send("discardDeadLetters", params, deadline)

    def acknowledge(
        self,
        *,
        lease: str,
        suite: Optional[SuiteName] = None,
        deadline: Optional[float] = None,
    ) -> Call[AcknowledgeResult]:
        """Deletes the records of a lease after the caller has handled them."""
        params: Dict[str, Any] = {
            "lease": lease,
            "suite": absent(suite),
        }
        return self._send("acknowledge", params, deadline)

    def store(
        self,
        *,
        key: str,
        value: Any,
        suite: Optional[SuiteName] = None,
        deadline: Optional[float] = None,
    ) -> Call[StoreResult]:
        """Sets the value of a key in a suite."""
        params: Dict[str, Any] = {
            "key": key,
            "value": value,
            "suite": absent(suite),
        }
        return self._send("store", params, deadline)

    def retrieve(
        self,
        *,
        key: str,
        suite: Optional[SuiteName] = None,
        deadline: Optional[float] = None,
    ) -> Call[RetrieveResult]:
        """Returns the value of a key in a suite."""
        params: Dict[str, Any] = {
            "key": key,
            "suite": absent(suite),
        }
        return self._send("retrieve", params, deadline)

    def remove_object(
        self,
        *,
        key: str,
        suite: Optional[SuiteName] = None,
        deadline: Optional[float] = None,
    ) -> Call[Removed]:
        """Removes a key and its value. One of the three keys of pending records deletes all records of that kind."""
        params: Dict[str, Any] = {
            "key": key,
            "suite": absent(suite),
        }
        return self._send("removeObject", params, deadline)

    def reset_storage_keys(
        self,
        *,
        suite: Optional[SuiteName] = None,
        deadline: Optional[float] = None,
    ) -> Call[Removed]:
        """Deletes every pending record of a suite, including leased ones, as Braze's guide does when it clears its
        three keys.
        """
        params: Dict[str, Any] = {
            "suite": absent(suite),
        }
        return self._send("resetStorageKeys", params, deadline)

    def suites(
        self,
        *,
        deadline: Optional[float] = None,
    ) -> Call[SuitesResult]:
        """Lists the suites of the data folder with their pending records, dead letters and deliveries."""
        params: Dict[str, Any] = {}
        return self._send("suites", params, deadline)

    def import_suite(
        self,
        *,
        path: str,
        suite: Optional[SuiteName] = None,
        deadline: Optional[float] = None,
    ) -> Call[ImportSuiteResult]:
        """Imports a property list of Braze's guide, as an app or a simulator left it in an App Group, into a suite: all
        or nothing.
        """
        params: Dict[str, Any] = {
            "path": path,
            "suite": absent(suite),
        }
        return self._send("importSuite", params, deadline)

    def export_suite(
        self,
        *,
        path: str,
        suite: Optional[SuiteName] = None,
        format: Optional[Literal["xml", "binary"]] = None,
        deadline: Optional[float] = None,
    ) -> Call[ExportSuiteResult]:
        """Writes a suite as a property list of Braze's guide, and deletes nothing."""
        params: Dict[str, Any] = {
            "path": path,
            "suite": absent(suite),
            "format": absent(format),
        }
        return self._send("exportSuite", params, deadline)

    def ping(
        self,
        *,
        deadline: Optional[float] = None,
    ) -> Call[PingResult]:
        """Answers immediately; never waits for other calls."""
        params: Dict[str, Any] = {}
        return self._send("ping", params, deadline)

    def status(
        self,
        *,
        deadline: Optional[float] = None,
    ) -> Call[StatusResult]:
        """Returns the state of the host; never waits for other calls."""
        params: Dict[str, Any] = {}
        return self._send("status", params, deadline)

    def extensions(
        self,
        *,
        deadline: Optional[float] = None,
    ) -> Call[ExtensionsResult]:
        """Lists the bundles that were found, the state of their processes, and their problems."""
        params: Dict[str, Any] = {}
        return self._send("extensions", params, deadline)

    def reload_extensions(
        self,
        *,
        force: Optional[bool] = None,
        deadline: Optional[float] = None,
    ) -> Call[ReloadExtensionsResult]:
        """Reads the bundles again and replaces those that changed."""
        params: Dict[str, Any] = {
            "force": absent(force),
        }
        return self._send("reloadExtensions", params, deadline)

    def subscribe(
        self,
        *,
        topics: Sequence[Topic],
        deadline: Optional[float] = None,
    ) -> Call[SubscribeResult]:
        """Chooses the notifications that the host sends on this connection, and replaces the earlier choice."""
        params: Dict[str, Any] = {
            "topics": topics,
        }
        return self._send("subscribe", params, deadline)

    def rpc_discover(
        self,
        *,
        deadline: Optional[float] = None,
    ) -> Call[Dict[str, Any]]:
        """Returns this document."""
        params: Dict[str, Any] = {}
        return self._send("rpc.discover", params, deadline)

    def shutdown(
        self,
        *,
        deadline: Optional[float] = None,
    ) -> Call[None]:
        """Stops the host. It carries out no later line; this reply is the last one, after everything in flight is
        finished.
        """
        params: Dict[str, Any] = {}
        return self._send("shutdown", params, deadline)

    def cancel_request(
        self,
        *,
        id: RequestID,
        deadline: Optional[float] = None,
    ) -> Call[CancelRequestResult]:
        """Cancels a request of this connection: it is answered with requestCancelled at once, and a later answer is
        dropped.
        """
        params: Dict[str, Any] = {
            "id": id,
        }
        return self._send("$/cancelRequest", params, deadline)
