# Generated from protocol/openrpc.json by protocol/generate.py; do not edit.
"""The methods of the contract; each waits for its answer."""

from __future__ import annotations

from typing import Any, Dict, Literal, Mapping, Optional, Sequence, Tuple, Union, cast, overload

from ._absent import ABSENT, absent
from ._listener import Listener
from .types import (
    AcknowledgeResult,
    CancelRequestResult,
    Categories,
    Category,
    DeadLettersResult,
    DidDismiss,
    DidReceiveResponseResult,
    DidReceiveResult,
    DiscardDeadLettersResult,
    DismissResult,
    Display,
    ExportSuiteResult,
    ExtensionsResult,
    FlushPendingResult,
    ImportSuiteResult,
    Log,
    Notification,
    NotificationID,
    NotificationsResult,
    OpenApplication,
    Payload,
    PendingResult,
    PingResult,
    Profile,
    Progress,
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
    ViewDidChange,
    ZonedTimestamp,
)


class Methods:
    """The methods of the contract; each waits for its answer.

    ``deadline`` is in seconds; None is the host's own default, and ``math.inf`` is no deadline.
    An optional argument that is None is left out.
    """

    def _call(self, method: str, params: Dict[str, Any], deadline: Optional[float]) -> Any:
        raise NotImplementedError

    def _listen(self, topics: Tuple[str, ...]) -> Listener[Any]:
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
    ) -> DidReceiveResult:
        """Shows a notification: in the extension that registered its category, else in the system's own view.

        Begins a presentation, or joins the visible one of the same extension and the same non-empty thread-id. A
        category that no extension registered is no error; a diagnostic says why and names near misses. A payload
        without an alert, that is, without a text in title, subtitle or body, shows nothing, as on a phone: no extension
        runs, no presentation begins, a later call that names the notification is refused with noPresentation, and the
        diagnostic noAlert says why. Where the payload has mutable-content 1 and an alert, a service extension may
        change the notification first; its failure is a diagnostic, never an error. With a profile the payload is a
        template: the personalization extension renders every string in it first, date is the template's time now, and
        all that is said of the payload here, its size too, is said of what was rendered. If that fails, or if the
        template aborts the message, nothing is shown and the call is answered with an error.

        :param payload: The APNs payload as it is: the object of an .apns file, at most 4096 bytes when written
            compactly. An extension gets all of it as userInfo.
        :param identifier: The identifier of the request that the extension is told; else the notification's.
        :param date: When the notification was received; else now.
        :param locale: Whose texts the alert's keys get, and what the extension is told; else the host's. At most 100
            bytes.
        :param vertical_size_class: How much height the view has, in Apple's words: compact as on a phone held sideways.
            The extension is told.
        :param profile: Present if the payload is a template: what is known of the user and the message. Every string in
            the payload is then rendered before anything else reads it.
        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
            PayloadTooLargeError, InvalidPayloadError, NoPersonalizationError, MessageAbortedError, CannotStartError,
            ExtensionExitedError, ExtensionTimedOutError, ExtensionRefusedError, BadExtensionReplyError,
            ExtensionMisbehavedError, BusyError, StoppingError, ExtensionUnavailableError
        """
        params: Dict[str, Any] = {
            "payload": payload,
            "identifier": absent(identifier),
            "date": absent(date),
            "locale": absent(locale),
            "verticalSizeClass": absent(vertical_size_class),
            "profile": absent(profile),
        }
        return cast("DidReceiveResult", self._call("didReceive", params, deadline))

    def did_receive_response(
        self,
        *,
        notification: NotificationID,
        action_identifier: str,
        user_text: Optional[str] = None,
        deadline: Optional[float] = None,
    ) -> DidReceiveResponseResult:
        """Presses a button, taps the notification, or swipes it away.

        The extension decides what becomes of the notification; one without a response handler (it answers -32601)
        leaves it to the app, so it forwards. A dismissal reaches nobody unless the category has the option
        customDismissAction.

        :param notification: A notification that is shown.
        :param action_identifier: An action that is offered, com.apple.UNNotificationDefaultActionIdentifier (a tap) or
            com.apple.UNNotificationDismissActionIdentifier.
        :param user_text: What was entered; needed where the action has textInput, refused elsewhere.
        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
            UnknownNotificationError, NoPresentationError, UnknownActionError, CannotStartError, ExtensionExitedError,
            ExtensionTimedOutError, ExtensionRefusedError, BadExtensionReplyError, ExtensionMisbehavedError, BusyError,
            StoppingError, ExtensionUnavailableError
        """
        params: Dict[str, Any] = {
            "notification": notification,
            "actionIdentifier": action_identifier,
            "userText": absent(user_text),
        }
        return cast("DidReceiveResponseResult", self._call("didReceiveResponse", params, deadline))

    def interact(
        self,
        *,
        notification: NotificationID,
        element: str,
        value: Any = ABSENT,
        deadline: Optional[float] = None,
    ) -> Display:
        """Touches an element of the view.

        Works only where the extension's Info.plist sets UNNotificationExtensionUserInteractionEnabled.

        :param notification: A notification that is shown.
        :param element: The id of a node of the view that is shown now.
        :param value: What was entered, of any type; null is a value. Of a carousel it is the number of the page to turn
            to, counted from 0.
        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
            UnknownNotificationError, NoPresentationError, InteractionDisabledError, UnknownElementError,
            CannotStartError, ExtensionExitedError, ExtensionTimedOutError, ExtensionRefusedError,
            BadExtensionReplyError, ExtensionMisbehavedError, BusyError, StoppingError, ExtensionUnavailableError
        """
        params: Dict[str, Any] = {
            "notification": notification,
            "element": element,
            "value": value,
        }
        return cast("Display", self._call("interact", params, deadline))

    def media_play(
        self,
        *,
        notification: NotificationID,
        deadline: Optional[float] = None,
    ) -> Display:
        """Plays the media of the view: presses the system's button for it.

        Works only where the extension gave a media button other than none.

        :param notification: A notification that is shown.
        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
            UnknownNotificationError, NoPresentationError, NoMediaButtonError, CannotStartError, ExtensionExitedError,
            ExtensionTimedOutError, ExtensionRefusedError, BadExtensionReplyError, ExtensionMisbehavedError, BusyError,
            StoppingError, ExtensionUnavailableError
        """
        params: Dict[str, Any] = {
            "notification": notification,
        }
        return cast("Display", self._call("mediaPlay", params, deadline))

    def media_pause(
        self,
        *,
        notification: NotificationID,
        deadline: Optional[float] = None,
    ) -> Display:
        """Pauses the media of the view: presses the system's button for it.

        Works only where the extension gave a media button other than none.

        :param notification: A notification that is shown.
        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
            UnknownNotificationError, NoPresentationError, NoMediaButtonError, CannotStartError, ExtensionExitedError,
            ExtensionTimedOutError, ExtensionRefusedError, BadExtensionReplyError, ExtensionMisbehavedError, BusyError,
            StoppingError, ExtensionUnavailableError
        """
        params: Dict[str, Any] = {
            "notification": notification,
        }
        return cast("Display", self._call("mediaPause", params, deadline))

    def dismiss(
        self,
        *,
        notification: NotificationID,
        deadline: Optional[float] = None,
    ) -> DismissResult:
        """Removes a notification from the screen and tells its extension.

        Ends the whole presentation, later notifications of its thread included. Waits for earlier calls on it.

        :param notification: A notification that is shown.
        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
            UnknownNotificationError, NoPresentationError, StoppingError
        """
        params: Dict[str, Any] = {
            "notification": notification,
        }
        return cast("DismissResult", self._call("dismiss", params, deadline))

    def notifications(
        self,
        *,
        notification: Optional[NotificationID] = None,
        deadline: Optional[float] = None,
    ) -> NotificationsResult:
        """Lists what is shown, the oldest first.

        Waits for every earlier call into an extension. A view that changes by itself tells subscribers; whoever is none
        reads it here.

        :param notification: Only what shows this notification, with its view.
        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
            StoppingError, UnknownNotificationError, NoPresentationError
        """
        params: Dict[str, Any] = {
            "notification": absent(notification),
        }
        return cast("NotificationsResult", self._call("notifications", params, deadline))

    def set_notification_categories(
        self,
        *,
        categories: Sequence[Category],
        deadline: Optional[float] = None,
    ) -> Categories:
        """Registers the app's categories, in place of those registered before.

        Counts for notifications received from now on. A category hides the built-in one of the same identifier.

        :param categories: The categories; no two of one identifier.
        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, StoppingError
        """
        params: Dict[str, Any] = {
            "categories": categories,
        }
        return cast("Categories", self._call("setNotificationCategories", params, deadline))

    def get_notification_categories(
        self,
        *,
        deadline: Optional[float] = None,
    ) -> Categories:
        """Tells every category that counts: the built-in ones of Braze's SDK, then the registered ones.

        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, StoppingError
        """
        params: Dict[str, Any] = {}
        return cast("Categories", self._call("getNotificationCategories", params, deadline))

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
    ) -> Saved:
        """Keeps a custom event until it is flushed; the reply is a promise that it survives a power loss.

        :param name: The event's name, without U+0000.
        :param suite: The suite; see SuiteName for the default.
        :param properties: The event's properties, at most 51200 bytes of JSON unless --value-bytes says otherwise.
        :param time: When it happened; else now.
        :param user: Whom it is about; else the braze_id of the notification's payload, where it has one.
        :param notification: The notification that it came from; an extension names one of its own.
        :param idempotency_key: Names this save in its suite, without U+0000: a second save with the key saves nothing
            and is answered with the first one's id.
        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
            UnknownNotificationError, NoPresentationError, StoppingError, InvalidSuiteNameError, NotEntitledError,
            SuiteBusyError, NotStoredError, SuiteFullError, SuiteUnreadableError, SuiteNameTakenError,
            InvalidRecordError, IdempotencyKeyReusedError
        """
        params: Dict[str, Any] = {
            "name": name,
            "suite": absent(suite),
            "properties": absent(properties),
            "time": absent(time),
            "user": absent(user),
            "notification": absent(notification),
            "idempotencyKey": absent(idempotency_key),
        }
        return cast("Saved", self._call("saveCustomEvent", params, deadline))

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
    ) -> Saved:
        """Keeps a custom attribute until it is flushed.

        null unsets the attribute; {"inc": integer}, {"add": […]} and {"remove": […]} of 1 to 25 texts, numbers and
        booleans change it, as in Braze's REST API; {"$add": […], "$remove": […], "$update": […]} of at most 25 objects
        each change an array of objects.

        :param key: The attribute's key, without U+0000; it must not begin with $, be a StandardField (Braze would take
            it for that: use saveUserAttribute), nor external_id, user_alias, braze_id, app_id, _update_existing_only,
            _merge_objects or push_token_import.
        :param value: Any value: texts of at most 255 characters, arrays of at most 25 elements, arrays and objects of
            at most 51200 bytes, unless --array-elements and --value-bytes say otherwise. Within them no null; keys of
            objects of at most 255 characters without a space, . or $; dates as {"$time": …} of the years 0 to 3000.
        :param suite: The suite; see SuiteName for the default.
        :param user: Whom it is about; else the braze_id of the notification's payload, where it has one.
        :param notification: The notification that it came from; an extension names one of its own.
        :param idempotency_key: Names this save in its suite, without U+0000: a second save with the key saves nothing
            and is answered with the first one's id.
        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
            UnknownNotificationError, NoPresentationError, StoppingError, InvalidSuiteNameError, NotEntitledError,
            SuiteBusyError, NotStoredError, SuiteFullError, SuiteUnreadableError, SuiteNameTakenError,
            InvalidRecordError, IdempotencyKeyReusedError
        """
        params: Dict[str, Any] = {
            "key": key,
            "value": value,
            "suite": absent(suite),
            "user": absent(user),
            "notification": absent(notification),
            "idempotencyKey": absent(idempotency_key),
        }
        return cast("Saved", self._call("saveCustomAttribute", params, deadline))

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
    ) -> Saved:
        """Keeps a standard field of the user's profile until it is flushed.

        :param field: The field of Braze's profile.
        :param value: Its value, as Braze's table of the fields has it (the contract's page, Limits); texts of at most
            255 characters. null unsets the field; email_subscribe, push_subscribe, push_tokens, subscription_groups,
            alias_name and alias_label cannot be unset.
        :param suite: The suite; see SuiteName for the default.
        :param user: Whom it is about; else the braze_id of the notification's payload, where it has one.
        :param notification: The notification that it came from; an extension names one of its own.
        :param idempotency_key: Names this save in its suite, without U+0000: a second save with the key saves nothing
            and is answered with the first one's id.
        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
            UnknownNotificationError, NoPresentationError, StoppingError, InvalidSuiteNameError, NotEntitledError,
            SuiteBusyError, NotStoredError, SuiteFullError, SuiteUnreadableError, SuiteNameTakenError,
            InvalidRecordError, IdempotencyKeyReusedError
        """
        params: Dict[str, Any] = {
            "field": field,
            "value": value,
            "suite": absent(suite),
            "user": absent(user),
            "notification": absent(notification),
            "idempotencyKey": absent(idempotency_key),
        }
        return cast("Saved", self._call("saveUserAttribute", params, deadline))

    def pending(
        self,
        *,
        suite: Optional[SuiteName] = None,
        kind: Optional[RecordKind] = None,
        after: Optional[int] = None,
        limit: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> PendingResult:
        """Reads pending records in order of their ids, a page at a time, and deletes nothing.

        A page holds at most 1000 records, and no further one once it has 8 MiB. Ask on with the last id as after.

        :param suite: The suite; see SuiteName for the default.
        :param kind: Only records of this kind.
        :param after: Only records of greater ids.
        :param limit: The greatest number of records.
        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
            StoppingError, InvalidSuiteNameError, SuiteBusyError, NotStoredError, SuiteUnreadableError,
            SuiteNameTakenError
        """
        params: Dict[str, Any] = {
            "suite": absent(suite),
            "kind": absent(kind),
            "after": absent(after),
            "limit": absent(limit),
        }
        return cast("PendingResult", self._call("pending", params, deadline))

    def flush_pending(
        self,
        *,
        suite: Optional[SuiteName] = None,
        to: Optional[str] = None,
        user: Optional[User] = None,
        limit: Optional[int] = None,
        lease: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> FlushPendingResult:
        """Flushes pending records: to the caller as the calls of Braze's SDK, or to a destination.

        To the caller: events, then custom attributes, then user attributes, each in order of capture. Without lease the
        records are deleted by the commit before the reply: **at most once**, a reply that gets lost takes them with it.
        With lease they stay, held from other flushes, until acknowledge deletes them or the lease runs out. A reply
        takes at most 1000 records, and no further one once it has 8 MiB. To a destination: what is pending now is
        delivered in batches, in order of capture for each user, and each record is deleted once it is safely there; the
        reply comes at the end, and $/cancelRequest stops between batches. A record that may have been sent without
        anybody knowing is offered once more and counted in possiblySent; an increment or a $add is a dead letter then,
        and so is a record in doubt a second time. One flush a suite runs at a time, over all processes.

        :param suite: The suite; see SuiteName for the default.
        :param to: caller, file (JSON lines on the host's disk), or the PushhostDestinationName of a bundle.
        :param user: Whom records are about that name nobody.
        :param limit: The greatest number of records: at most 1000, the default, to the caller; any number, all by
            default, to a destination.
        :param lease: For how many seconds the caller holds the records; not with a destination.
        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
            StoppingError, InvalidSuiteNameError, SuiteBusyError, NotStoredError, SuiteUnreadableError,
            SuiteNameTakenError, UnknownDestinationError, DestinationStoppedError, DestinationUnavailableError,
            FlushBusyError
        """
        params: Dict[str, Any] = {
            "suite": absent(suite),
            "to": absent(to),
            "user": absent(user),
            "limit": absent(limit),
            "lease": absent(lease),
        }
        return cast("FlushPendingResult", self._call("flushPending", params, deadline))

    def dead_letters(
        self,
        *,
        suite: Optional[SuiteName] = None,
        after: Optional[int] = None,
        limit: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> DeadLettersResult:
        """Reads records that nobody will take, in order of their ids.

        A record that its destination rejected, or that may have been sent and must not be sent again, or what an import
        could not read. At most 1000, and no further one once they have 8 MiB.

        :param suite: The suite; see SuiteName for the default.
        :param after: Only those of greater ids.
        :param limit: The greatest number.
        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
            StoppingError, InvalidSuiteNameError, SuiteBusyError, NotStoredError, SuiteUnreadableError,
            SuiteNameTakenError
        """
        params: Dict[str, Any] = {
            "suite": absent(suite),
            "after": absent(after),
            "limit": absent(limit),
        }
        return cast("DeadLettersResult", self._call("deadLetters", params, deadline))

    def retry_dead_letters(
        self,
        *,
        suite: Optional[SuiteName] = None,
        ids: Optional[Sequence[int]] = None,
        deadline: Optional[float] = None,
    ) -> RetryDeadLettersResult:
        """Makes dead letters pending again, each at its old place in the order.

        More than 500 are retried in parts, each of which stays whatever becomes of the rest. Those that could not be
        read as records are passed over. What may have been sent counts as never sent from then on: look at the
        destination first.

        :param suite: The suite; see SuiteName for the default.
        :param ids: Which; all of them where it is absent.
        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
            StoppingError, InvalidSuiteNameError, SuiteBusyError, NotStoredError, SuiteUnreadableError,
            SuiteNameTakenError
        """
        params: Dict[str, Any] = {
            "suite": absent(suite),
            "ids": absent(ids),
        }
        return cast("RetryDeadLettersResult", self._call("retryDeadLetters", params, deadline))

    def discard_dead_letters(
        self,
        *,
        suite: Optional[SuiteName] = None,
        ids: Optional[Sequence[int]] = None,
        deadline: Optional[float] = None,
    ) -> DiscardDeadLettersResult:
        """Deletes dead letters for good.

        More than 500 are deleted in parts, each of which stays whatever becomes of the rest.

        :param suite: The suite; see SuiteName for the default.
        :param ids: Which; all of them where it is absent.
        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
            StoppingError, InvalidSuiteNameError, SuiteBusyError, NotStoredError, SuiteUnreadableError,
            SuiteNameTakenError
        """
        params: Dict[str, Any] = {
            "suite": absent(suite),
            "ids": absent(ids),
        }
        return cast("DiscardDeadLettersResult", self._call("discardDeadLetters", params, deadline))

    def acknowledge(
        self,
        *,
        lease: str,
        suite: Optional[SuiteName] = None,
        deadline: Optional[float] = None,
    ) -> AcknowledgeResult:
        """Deletes the records of a lease, which were handled.

        :param lease: What flushPending gave.
        :param suite: The suite; see SuiteName for the default.
        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
            StoppingError, InvalidSuiteNameError, SuiteBusyError, NotStoredError, SuiteUnreadableError,
            SuiteNameTakenError, LeaseExpiredError
        """
        params: Dict[str, Any] = {
            "lease": lease,
            "suite": absent(suite),
        }
        return cast("AcknowledgeResult", self._call("acknowledge", params, deadline))

    def store(
        self,
        *,
        key: str,
        value: Any,
        suite: Optional[SuiteName] = None,
        deadline: Optional[float] = None,
    ) -> StoreResult:
        """Sets the value of a key in a suite.

        :param key: The key, without U+0000; not one of the three keys of pending records.
        :param value: Any value that nests at most 512 deep; its types come back as they went.
        :param suite: The suite; see SuiteName for the default.
        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
            StoppingError, InvalidSuiteNameError, NotEntitledError, SuiteBusyError, NotStoredError, SuiteFullError,
            SuiteUnreadableError, SuiteNameTakenError, ReservedKeyError, InvalidRecordError, UnknownNotificationError,
            NoPresentationError
        """
        params: Dict[str, Any] = {
            "key": key,
            "value": value,
            "suite": absent(suite),
        }
        return cast("StoreResult", self._call("store", params, deadline))

    def retrieve(
        self,
        *,
        key: str,
        suite: Optional[SuiteName] = None,
        deadline: Optional[float] = None,
    ) -> RetrieveResult:
        """Reads the value of a key in a suite.

        The keys pending_custom_events, pending_custom_attributes and pending_user_attributes give the pending records
        in the flat form of Braze's guide, leased ones included.

        :param key: The key, without U+0000.
        :param suite: The suite; see SuiteName for the default.
        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
            StoppingError, InvalidSuiteNameError, NotEntitledError, SuiteBusyError, NotStoredError,
            SuiteUnreadableError, SuiteNameTakenError, TooLargeError, UnknownNotificationError, NoPresentationError
        """
        params: Dict[str, Any] = {
            "key": key,
            "suite": absent(suite),
        }
        return cast("RetrieveResult", self._call("retrieve", params, deadline))

    def remove_object(
        self,
        *,
        key: str,
        suite: Optional[SuiteName] = None,
        deadline: Optional[float] = None,
    ) -> Removed:
        """Removes a key and its value; one of the three keys of pending records deletes all records of that kind.

        More than 500 records are deleted in parts, each of which stays whatever becomes of the rest; records that are
        saved meanwhile stay.

        :param key: The key, without U+0000.
        :param suite: The suite; see SuiteName for the default.
        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
            StoppingError, InvalidSuiteNameError, NotEntitledError, SuiteBusyError, NotStoredError,
            SuiteUnreadableError, SuiteNameTakenError, UnknownNotificationError, NoPresentationError
        """
        params: Dict[str, Any] = {
            "key": key,
            "suite": absent(suite),
        }
        return cast("Removed", self._call("removeObject", params, deadline))

    def reset_storage_keys(
        self,
        *,
        suite: Optional[SuiteName] = None,
        deadline: Optional[float] = None,
    ) -> Removed:
        """Deletes every pending record of a suite, leased ones included, as clearing the three keys of Braze's guide
        does.

        More than 500 records are deleted in parts, each of which stays whatever becomes of the rest; records that are
        saved meanwhile stay.

        :param suite: The suite; see SuiteName for the default.
        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
            StoppingError, InvalidSuiteNameError, SuiteBusyError, NotStoredError, SuiteUnreadableError,
            SuiteNameTakenError
        """
        params: Dict[str, Any] = {
            "suite": absent(suite),
        }
        return cast("Removed", self._call("resetStorageKeys", params, deadline))

    def suites(
        self,
        *,
        deadline: Optional[float] = None,
    ) -> SuitesResult:
        """Lists the suites of the data folder: what is pending, what is dead, and what went where.

        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
            StoppingError
        """
        params: Dict[str, Any] = {}
        return cast("SuitesResult", self._call("suites", params, deadline))

    def import_suite(
        self,
        *,
        path: str,
        suite: Optional[SuiteName] = None,
        deadline: Optional[float] = None,
    ) -> ImportSuiteResult:
        """Takes a property list of Braze's guide, as an app or a simulator left it in an App Group, into a suite; all
        or nothing.

        The lists pending_custom_events, pending_custom_attributes and pending_user_attributes become pending records of
        the time of the import and of no user, in that order; every other key becomes a default, in the place of one
        that is there. What cannot be read as a record, or breaks its limits, becomes a dead letter, alone; a property
        list that cannot be read as a dictionary becomes one as a whole. Of two values of one key the last counts. A
        file that does not begin as a property list does, or is no regular file, is refused, and nothing of it is
        stored. A date in a record becomes text (within an attribute's object {"$time": …}); of a default, a date
        becomes RFC 3339 and data base64. Importing a file twice saves its records twice.

        :param path: The file, XML or binary, of at most 16 MiB; a relative path starts at the host's working folder.
        :param suite: The suite; see SuiteName for the default.
        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
            StoppingError, InvalidSuiteNameError, SuiteBusyError, NotStoredError, SuiteFullError, SuiteUnreadableError,
            SuiteNameTakenError, TooLargeError, FileUnreadableError
        """
        params: Dict[str, Any] = {
            "path": path,
            "suite": absent(suite),
        }
        return cast("ImportSuiteResult", self._call("importSuite", params, deadline))

    def export_suite(
        self,
        *,
        path: str,
        suite: Optional[SuiteName] = None,
        format: Optional[Literal["xml", "binary"]] = None,
        deadline: Optional[float] = None,
    ) -> ExportSuiteResult:
        """Writes a suite as a property list of Braze's guide, and deletes nothing.

        All pending records, leased ones too, in the guide's form, which has neither time nor user, and all defaults. A
        user attribute is data: the binary property list that Swift's PropertyListEncoder writes. Nulls, which property
        lists lack, are left out and told; so is an attribute that is unset. The file appears whole, with mode 0600, in
        the place of one that is there; a link to a regular file stays a link, and that file is replaced. What is there
        and is no regular file is refused.

        :param path: The file, not in the data folder; a relative path starts at the host's working folder.
        :param suite: The suite; see SuiteName for the default.
        :param format: The form of the property list.
        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
            StoppingError, InvalidSuiteNameError, SuiteBusyError, NotStoredError, SuiteUnreadableError,
            SuiteNameTakenError, TooLargeError, FileUnwritableError
        """
        params: Dict[str, Any] = {
            "path": path,
            "suite": absent(suite),
            "format": absent(format),
        }
        return cast("ExportSuiteResult", self._call("exportSuite", params, deadline))

    def ping(
        self,
        *,
        deadline: Optional[float] = None,
    ) -> PingResult:
        """Answers at once; never waits for other calls.

        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, StoppingError
        """
        params: Dict[str, Any] = {}
        return cast("PingResult", self._call("ping", params, deadline))

    def status(
        self,
        *,
        deadline: Optional[float] = None,
    ) -> StatusResult:
        """Tells how the host is; never waits for other calls.

        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, StoppingError
        """
        params: Dict[str, Any] = {}
        return cast("StatusResult", self._call("status", params, deadline))

    def extensions(
        self,
        *,
        deadline: Optional[float] = None,
    ) -> ExtensionsResult:
        """Lists the bundles that were found, how they run, and what is odd about them.

        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, StoppingError
        """
        params: Dict[str, Any] = {}
        return cast("ExtensionsResult", self._call("extensions", params, deadline))

    def reload_extensions(
        self,
        *,
        force: Optional[bool] = None,
        deadline: Optional[float] = None,
    ) -> ReloadExtensionsResult:
        """Reads the bundles anew and swaps those that changed.

        Calls in flight are finished first, later ones wait. A process whose bundle changed or went is asked to leave,
        what it showed ends, and the reply comes when it is gone; the others run on, and faults are forgiven. A bundle
        changed when its property lists did, or any file in it since its process was started.

        :param force: Whether every bundle counts as changed.
        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
            StoppingError
        """
        params: Dict[str, Any] = {
            "force": absent(force),
        }
        return cast("ReloadExtensionsResult", self._call("reloadExtensions", params, deadline))

    def subscribe(
        self,
        *,
        topics: Sequence[Topic],
        deadline: Optional[float] = None,
    ) -> SubscribeResult:
        """Chooses the notifications that the host sends on this connection, in place of those chosen before.

        :param topics: The topics; an empty array ends it.
        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, StoppingError
        """
        params: Dict[str, Any] = {
            "topics": topics,
        }
        return cast("SubscribeResult", self._call("subscribe", params, deadline))

    def rpc_discover(
        self,
        *,
        deadline: Optional[float] = None,
    ) -> Dict[str, Any]:
        """Gives this document.

        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, StoppingError
        """
        params: Dict[str, Any] = {}
        return cast("Dict[str, Any]", self._call("rpc.discover", params, deadline))

    def shutdown(
        self,
        *,
        deadline: Optional[float] = None,
    ) -> None:
        """Ends the host: no later line is carried out; this reply is the last one, after all that is in flight.

        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, StoppingError
        """
        params: Dict[str, Any] = {}
        self._call("shutdown", params, deadline)

    def cancel_request(
        self,
        *,
        id: RequestID,
        deadline: Optional[float] = None,
    ) -> CancelRequestResult:
        """Takes a request of this connection back: it is answered requestCancelled at once and a late answer is
        dropped.

        What the request did already stays, saves above all. Usually sent as a notification.

        :param id: The id of the request, as it was sent.
        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, StoppingError
        """
        params: Dict[str, Any] = {
            "id": id,
        }
        return cast("CancelRequestResult", self._call("$/cancelRequest", params, deadline))

    @overload
    def listen(self, topic: Literal["viewDidChange"], /) -> Listener[ViewDidChange]: ...

    @overload
    def listen(self, topic: Literal["didDismiss"], /) -> Listener[DidDismiss]: ...

    @overload
    def listen(self, topic: Literal["openApplication"], /) -> Listener[OpenApplication]: ...

    @overload
    def listen(self, topic: Literal["$/progress"], /) -> Listener[Progress]: ...

    @overload
    def listen(self, topic: Literal["$/log"], /) -> Listener[Log]: ...

    @overload
    def listen(
        self, first: Literal["viewDidChange"], second: Literal["didDismiss"], /
    ) -> Listener[Union[ViewDidChange, DidDismiss]]: ...

    @overload
    def listen(
        self, first: Literal["viewDidChange"], second: Literal["openApplication"], /
    ) -> Listener[Union[ViewDidChange, OpenApplication]]: ...

    @overload
    def listen(
        self, first: Literal["viewDidChange"], second: Literal["$/progress"], /
    ) -> Listener[Union[ViewDidChange, Progress]]: ...

    @overload
    def listen(
        self, first: Literal["viewDidChange"], second: Literal["$/log"], /
    ) -> Listener[Union[ViewDidChange, Log]]: ...

    @overload
    def listen(
        self, first: Literal["didDismiss"], second: Literal["viewDidChange"], /
    ) -> Listener[Union[DidDismiss, ViewDidChange]]: ...

    @overload
    def listen(
        self, first: Literal["didDismiss"], second: Literal["openApplication"], /
    ) -> Listener[Union[DidDismiss, OpenApplication]]: ...

    @overload
    def listen(
        self, first: Literal["didDismiss"], second: Literal["$/progress"], /
    ) -> Listener[Union[DidDismiss, Progress]]: ...

    @overload
    def listen(
        self, first: Literal["didDismiss"], second: Literal["$/log"], /
    ) -> Listener[Union[DidDismiss, Log]]: ...

    @overload
    def listen(
        self, first: Literal["openApplication"], second: Literal["viewDidChange"], /
    ) -> Listener[Union[OpenApplication, ViewDidChange]]: ...

    @overload
    def listen(
        self, first: Literal["openApplication"], second: Literal["didDismiss"], /
    ) -> Listener[Union[OpenApplication, DidDismiss]]: ...

    @overload
    def listen(
        self, first: Literal["openApplication"], second: Literal["$/progress"], /
    ) -> Listener[Union[OpenApplication, Progress]]: ...

    @overload
    def listen(
        self, first: Literal["openApplication"], second: Literal["$/log"], /
    ) -> Listener[Union[OpenApplication, Log]]: ...

    @overload
    def listen(
        self, first: Literal["$/progress"], second: Literal["viewDidChange"], /
    ) -> Listener[Union[Progress, ViewDidChange]]: ...

    @overload
    def listen(
        self, first: Literal["$/progress"], second: Literal["didDismiss"], /
    ) -> Listener[Union[Progress, DidDismiss]]: ...

    @overload
    def listen(
        self, first: Literal["$/progress"], second: Literal["openApplication"], /
    ) -> Listener[Union[Progress, OpenApplication]]: ...

    @overload
    def listen(self, first: Literal["$/progress"], second: Literal["$/log"], /) -> Listener[Union[Progress, Log]]: ...

    @overload
    def listen(
        self, first: Literal["$/log"], second: Literal["viewDidChange"], /
    ) -> Listener[Union[Log, ViewDidChange]]: ...

    @overload
    def listen(
        self, first: Literal["$/log"], second: Literal["didDismiss"], /
    ) -> Listener[Union[Log, DidDismiss]]: ...

    @overload
    def listen(
        self, first: Literal["$/log"], second: Literal["openApplication"], /
    ) -> Listener[Union[Log, OpenApplication]]: ...

    @overload
    def listen(self, first: Literal["$/log"], second: Literal["$/progress"], /) -> Listener[Union[Log, Progress]]: ...

    @overload
    def listen(self, *topics: Topic) -> Listener[Notification]: ...

    def listen(self, *topics: str) -> Listener[Any]:
        """Listens to notifications of these topics from now on; subscribes to them while the listener is open.

        Without topics it receives all notifications that ``subscribe`` and other listeners chose.
        """
        return self._listen(topics)
