# Generated from protocol/openrpc.json by protocol/generate.py; do not edit.
"""The methods of the contract, for asyncio."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, cast, overload

from ._absent import ABSENT, absent
from ._async_listener import AsyncListener
from .types import (
    AcknowledgeResult, BackUpSuiteResult, CancelRequestResult, Categories, Category, CheckExtensionResult,
    CheckPayloadResult, DeadLettersResult, DestinationCheck, DidDismiss, DidReceiveResponseResult, DidReceiveResult,
    DidSave, DiscardDeadLettersResult, DismissResult, Display, ExportSuiteResult, ExtensionsResult, FlushPendingResult,
    ImportSuiteResult, Log, Notification, NotificationID, NotificationsResult, OpenApplication, Payload, PendingResult,
    PingResult, Profile, Progress, RecordKind, ReloadExtensionsResult, Removed, RenderResult, RequestID, RetrieveResult,
    RetryDeadLettersResult, Saved, StandardField, StatusResult, Stderr, StoreResult, SubscribeResult, SuiteName,
    SuitesResult, Topic, User, ViewDidChange, ZonedTimestamp,
)


class AsyncMethods:
    """The methods of the contract, for asyncio.

    ``deadline`` is in seconds; None is the host's own default, and ``math.inf`` is no deadline.
    An optional argument that is None is left out.
    """

    async def _call(self, method: str, params: dict[str, Any], deadline: float | None) -> Any:
        raise NotImplementedError

    def _listen(self, topics: tuple[str, ...]) -> AsyncListener[Any]:
        raise NotImplementedError

    async def did_receive(
        self,
        *,
        payload: Payload | Mapping[str, Any],
        identifier: str | None = None,
        date: ZonedTimestamp | None = None,
        locale: str | None = None,
        vertical_size_class: Literal["compact", "regular"] | None = None,
        profile: Profile | Mapping[str, Any] | None = None,
        expand: bool | None = None,
        deadline: float | None = None,
    ) -> DidReceiveResult:
        """Shows a notification: in the extension that registered its category, otherwise in the system's own view.

        Begins a presentation. If the notification has a non-empty thread-id and the same extension visibly shows a
        notification with the same thread-id, it joins that presentation instead. An unregistered category is not an
        error: a diagnostic gives the reason and similar names. A payload without an alert (a text in title, subtitle or
        body) shows nothing, as on a phone: no extension runs, no presentation begins, a later call that names the
        notification is refused with noPresentation, and the diagnostic noAlert gives the reason. If the payload has
        mutable-content 1 and an alert, a service extension may change the notification first; its failure is a
        diagnostic, never an error. If profile is present, the payload is a template: the personalization extension
        renders every string in it first, with date as the current time. All rules about the payload, including its
        maximum size, then apply to the rendered payload. If rendering fails, or if the template aborts the message,
        nothing is shown and the call fails.

        :param payload: The unchanged APNs payload: the object of an .apns file, at most 4096 bytes in compact form. An
            extension gets all of it as userInfo.
        :param identifier: The identifier of the request that the extension gets. If absent, it is the id of the
            notification.
        :param date: When the notification was received; now if absent.
        :param locale: The locale for the localization keys of the alert, which the extension also gets; the host's
            locale if absent. At most 100 bytes.
        :param vertical_size_class: The height of the view in Apple's words: compact is a phone held sideways. The
            extension gets it.
        :param profile: Makes the payload a template: the values of the user and the message, with which its strings are
            rendered first.
        :param expand: Whether the notification is expanded at once, so that its extension shows it; true if absent. If
            false, it is delivered as a banner, and its extension gets it only with expand. A later notification of a
            thread that is expanded joins it in any case.
        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
            PayloadTooLargeError, InvalidPayloadError, NoPersonalizationError, MessageAbortedError, CannotStartError,
            ExtensionExitedError, ExtensionTimedOutError, ExtensionRefusedError, BadExtensionReplyError,
            ExtensionMisbehavedError, BusyError, StoppingError, ExtensionUnavailableError
        """
        params: dict[str, Any] = {
            "payload": payload, "identifier": absent(identifier), "date": absent(date), "locale": absent(locale),
            "verticalSizeClass": absent(vertical_size_class), "profile": absent(profile), "expand": absent(expand),
        }
        return cast("DidReceiveResult", await self._call("didReceive", params, deadline))

    async def expand(self, *, notification: NotificationID, deadline: float | None = None) -> Display:
        """Expands a notification that was delivered as a banner: its extension gets it now.

        A phone runs a content extension only when the user opens the notification. didReceive with expand false stops
        before that. If the notification is expanded already, the result is its state, and nothing happens. If the
        extension fails, the notification stays a banner, unless the process has ended.

        :param notification: A shown notification.
        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
            UnknownNotificationError, NoPresentationError, CannotStartError, ExtensionExitedError,
            ExtensionTimedOutError, ExtensionRefusedError, BadExtensionReplyError, ExtensionMisbehavedError, BusyError,
            StoppingError, ExtensionUnavailableError
        """
        params: dict[str, Any] = {"notification": notification}
        return cast("Display", await self._call("expand", params, deadline))

    async def did_receive_response(
        self,
        *,
        notification: NotificationID,
        action_identifier: str,
        user_text: str | None = None,
        deadline: float | None = None,
    ) -> DidReceiveResponseResult:
        """Presses a button, taps the notification, or swipes it away.

        The extension decides what happens to the notification. If the extension has no response handler (it answers
        -32601), the response goes to the app, as with dismissAndForward. A dismissal reaches the extension only if the
        category has the option customDismissAction.

        :param notification: A shown notification.
        :param action_identifier: An action that is offered, com.apple.UNNotificationDefaultActionIdentifier (a tap) or
            com.apple.UNNotificationDismissActionIdentifier (a dismissal).
        :param user_text: The text that was entered. It must be present if the action has textInput, and absent
            otherwise.
        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
            UnknownNotificationError, NoPresentationError, UnknownActionError, CannotStartError, ExtensionExitedError,
            ExtensionTimedOutError, ExtensionRefusedError, BadExtensionReplyError, ExtensionMisbehavedError, BusyError,
            StoppingError, ExtensionUnavailableError
        """
        params: dict[str, Any] = {
            "notification": notification, "actionIdentifier": action_identifier, "userText": absent(user_text),
        }
        return cast("DidReceiveResponseResult", await self._call("didReceiveResponse", params, deadline))

    async def interact(
        self,
        *,
        notification: NotificationID,
        element: str,
        value: Any = ABSENT,
        deadline: float | None = None,
    ) -> Display:
        """Touches an element of the view.

        Works only if the extension's Info.plist sets UNNotificationExtensionUserInteractionEnabled.

        :param notification: A shown notification.
        :param element: The id of a node of the current view.
        :param value: The value that was entered, of any type; null is a value. For a carousel it is the number of the
            page to show, counted from 0.
        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
            UnknownNotificationError, NoPresentationError, InteractionDisabledError, UnknownElementError,
            CannotStartError, ExtensionExitedError, ExtensionTimedOutError, ExtensionRefusedError,
            BadExtensionReplyError, ExtensionMisbehavedError, BusyError, StoppingError, ExtensionUnavailableError
        """
        params: dict[str, Any] = {"notification": notification, "element": element, "value": value}
        return cast("Display", await self._call("interact", params, deadline))

    async def media_play(self, *, notification: NotificationID, deadline: float | None = None) -> Display:
        """Plays the media of the view: presses the system's media button.

        Works only if the extension set a media button other than none.

        :param notification: A shown notification.
        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
            UnknownNotificationError, NoPresentationError, NoMediaButtonError, CannotStartError, ExtensionExitedError,
            ExtensionTimedOutError, ExtensionRefusedError, BadExtensionReplyError, ExtensionMisbehavedError, BusyError,
            StoppingError, ExtensionUnavailableError
        """
        params: dict[str, Any] = {"notification": notification}
        return cast("Display", await self._call("mediaPlay", params, deadline))

    async def media_pause(self, *, notification: NotificationID, deadline: float | None = None) -> Display:
        """Pauses the media of the view: presses the system's media button.

        Works only if the extension set a media button other than none.

        :param notification: A shown notification.
        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
            UnknownNotificationError, NoPresentationError, NoMediaButtonError, CannotStartError, ExtensionExitedError,
            ExtensionTimedOutError, ExtensionRefusedError, BadExtensionReplyError, ExtensionMisbehavedError, BusyError,
            StoppingError, ExtensionUnavailableError
        """
        params: dict[str, Any] = {"notification": notification}
        return cast("Display", await self._call("mediaPause", params, deadline))

    async def advance_clock(
        self,
        *,
        notification: NotificationID,
        milliseconds: int,
        deadline: float | None = None,
    ) -> Display:
        """Moves the fixed clock forward, and lets the notification's extension run its timers until then.

        Works only with --clock. The extension answers when the timers that are due were run in their order; one without
        timers stays as it is. Other extensions learn the time with their next call. Since version 1.2 of the contract.

        :param notification: A shown notification.
        :param milliseconds: By how much; at most a day.
        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
            UnknownNotificationError, NoPresentationError, ClockNotFixedError, CannotStartError, ExtensionExitedError,
            ExtensionTimedOutError, ExtensionRefusedError, BadExtensionReplyError, ExtensionMisbehavedError, BusyError,
            StoppingError, ExtensionUnavailableError
        """
        params: dict[str, Any] = {"notification": notification, "milliseconds": milliseconds}
        return cast("Display", await self._call("advanceClock", params, deadline))

    async def dismiss(self, *, notification: NotificationID, deadline: float | None = None) -> DismissResult:
        """Removes a notification from the screen and informs its extension.

        Ends the whole presentation, including later notifications of its thread. Waits for earlier calls on it.

        :param notification: A shown notification.
        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
            UnknownNotificationError, NoPresentationError, StoppingError
        """
        params: dict[str, Any] = {"notification": notification}
        return cast("DismissResult", await self._call("dismiss", params, deadline))

    async def notifications(
        self,
        *,
        notification: NotificationID | None = None,
        deadline: float | None = None,
    ) -> NotificationsResult:
        """Lists the notifications that are shown, the oldest first.

        Waits for every earlier call to an extension. Subscribers hear when an extension changes its view; other clients
        read the view here.

        :param notification: Return only the entry that shows this notification, with its view.
        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
            StoppingError, UnknownNotificationError, NoPresentationError
        """
        params: dict[str, Any] = {"notification": absent(notification)}
        return cast("NotificationsResult", await self._call("notifications", params, deadline))

    async def render(
        self,
        *,
        notification: NotificationID,
        format: Literal["html", "text", "lines"],
        scheme: Literal["auto", "light", "dark"] | None = None,
        width: int | None = None,
        deadline: float | None = None,
    ) -> RenderResult:
        """Renders a notification as it is shown now: as a page, as text, or as lines for a terminal.

        Waits for earlier calls on it. The page is complete: it has no scripts and makes no requests, every text in it
        is escaped, and local images are embedded. The text is a drawing of the view, with # before each id that
        interact accepts as element. The pieces of a line say what a press on them means.

        :param notification: A shown notification.
        :param format: html for a page, text or lines for a drawing.
        :param scheme: The colour scheme of the page; with auto the browser chooses.
        :param width: For lines: the free columns; a drawing has 24 to 72.
        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
            StoppingError, UnknownNotificationError, NoPresentationError
        """
        params: dict[str, Any] = {
            "notification": notification, "format": format, "scheme": absent(scheme), "width": absent(width),
        }
        return cast("RenderResult", await self._call("render", params, deadline))

    async def check_payload(
        self,
        *,
        payload: Any,
        locale: str | None = None,
        template: bool | None = None,
        profile: Profile | Mapping[str, Any] | None = None,
        deadline: float | None = None,
    ) -> CheckPayloadResult:
        """Checks a payload without delivering it; nothing is shown or stored.

        Finds what a delivery would report, and more: unknown categories; key-value pairs that are missing, misspelt or
        of a wrong type; reserved keys of Braze; the sound; payloads of Live Activities and widgets; the size. With
        template, templates are checked too; with profile, they are rendered, and the result is about the rendered
        payload. A mistake in the payload is a finding, never an error.

        :param payload: The object of an .apns file, or its text; any other value has findings.
        :param locale: The locale for the localization keys of the alert; the host's locale if absent. At most 100
            bytes.
        :param template: Whether the payload is a template. The personalization extension then checks its Liquid.
        :param profile: The values of the user and the message, with which a template is rendered first.
        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
            StoppingError, NoPersonalizationError, CannotStartError, ExtensionExitedError, ExtensionTimedOutError,
            ExtensionRefusedError, BadExtensionReplyError, ExtensionMisbehavedError, BusyError,
            ExtensionUnavailableError
        """
        params: dict[str, Any] = {
            "payload": payload, "locale": absent(locale), "template": absent(template), "profile": absent(profile),
        }
        return cast("CheckPayloadResult", await self._call("checkPayload", params, deadline))

    async def check_extension(self, *, path: str, deadline: float | None = None) -> CheckExtensionResult:
        """Validates a bundle and runs its extension to test it, as the command pushhost extensions check does.

        The extension runs in hosts and with suites of its own, so nothing is shown or stored here, and a crash affects
        no other call. It runs with your permissions: check only what you trust. It gets no variables of the host's
        environment that name secrets. A check may take minutes; one runs at a time, and $/cancelRequest ends it.

        .. deprecated:: 1.2
            Run `pushhost extensions check --json`; version 2.0 removes the method.

        :param path: The folder of the bundle, or the executable of a content extension. A relative path begins in the
            host's folder.
        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
            StoppingError, CheckFailedError
        """
        params: dict[str, Any] = {"path": path}
        return cast("CheckExtensionResult", await self._call("checkExtension", params, deadline))

    async def set_notification_categories(
        self,
        *,
        categories: Sequence[Category],
        deadline: float | None = None,
    ) -> Categories:
        """Registers the app's categories and replaces those registered before.

        Applies to notifications received from now on. A category hides the built-in category with the same identifier.

        :param categories: The categories, with different identifiers.
        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, StoppingError
        """
        params: dict[str, Any] = {"categories": categories}
        return cast("Categories", await self._call("setNotificationCategories", params, deadline))

    async def get_notification_categories(self, *, deadline: float | None = None) -> Categories:
        """Returns every registered category: the built-in ones of Braze's SDK, then those that were set.

        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, StoppingError
        """
        params: dict[str, Any] = {}
        return cast("Categories", await self._call("getNotificationCategories", params, deadline))

    async def save_custom_event(
        self,
        *,
        name: str,
        suite: SuiteName | None = None,
        properties: Mapping[str, Any] | None = None,
        time: ZonedTimestamp | None = None,
        user: User | None = None,
        notification: NotificationID | None = None,
        idempotency_key: str | None = None,
        deadline: float | None = None,
    ) -> Saved:
        """Saves a custom event until it is flushed. After the reply the event survives a power loss.

        :param name: The name of the event, without U+0000.
        :param suite: The suite; SuiteName describes the default.
        :param properties: The properties of the event, at most 51200 bytes of JSON (option --value-bytes).
        :param time: When the event happened; now if absent.
        :param user: The user of the record; if absent, the braze_id of the notification's payload.
        :param notification: The notification of the record; an extension names one of its own.
        :param idempotency_key: Identifies this save within its suite, without U+0000. A second save with the same key
            saves nothing and is answered with the first one's id.
        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
            UnknownNotificationError, NoPresentationError, StoppingError, InvalidSuiteNameError, NotEntitledError,
            SuiteBusyError, NotStoredError, SuiteFullError, SuiteUnreadableError, SuiteNameTakenError,
            InvalidRecordError, IdempotencyKeyReusedError
        """
        params: dict[str, Any] = {
            "name": name, "suite": absent(suite), "properties": absent(properties), "time": absent(time), "user":
            absent(user), "notification": absent(notification), "idempotencyKey": absent(idempotency_key),
        }
        return cast("Saved", await self._call("saveCustomEvent", params, deadline))

    async def save_custom_attribute(
        self,
        *,
        key: str,
        value: Any,
        suite: SuiteName | None = None,
        user: User | None = None,
        notification: NotificationID | None = None,
        idempotency_key: str | None = None,
        deadline: float | None = None,
    ) -> Saved:
        """Saves a custom attribute until it is flushed.

        null unsets the attribute. {"inc": integer}, {"add": […]} and {"remove": […]} of 1 to 25 texts, numbers and
        booleans change it, as in Braze's REST API; add and remove may stand together. {"$add": […], "$remove": […],
        "$update": […]} change an array of objects. {"$merge": {…}} merges an object into the current one, which a plain
        object would replace; the destination sends it with _merge_objects.

        :param key: The key of the attribute, without U+0000. It must not be a StandardField (Braze would set that
            field: use saveUserAttribute), external_id, user_alias, braze_id, app_id, _update_existing_only,
            _merge_objects or push_token_import.
        :param value: Any value: texts of at most 255 characters, arrays of at most 25 elements other than objects
            (--array-elements), arrays and objects of at most 51200 bytes (--value-bytes) without null. Keys have at
            most 255 characters without space, . or $. Dates in objects are {"$time": …} in the years 0 to 3000.
        :param suite: The suite; SuiteName describes the default.
        :param user: The user of the record; if absent, the braze_id of the notification's payload.
        :param notification: The notification of the record; an extension names one of its own.
        :param idempotency_key: Identifies this save within its suite, without U+0000. A second save with the same key
            saves nothing and is answered with the first one's id.
        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
            UnknownNotificationError, NoPresentationError, StoppingError, InvalidSuiteNameError, NotEntitledError,
            SuiteBusyError, NotStoredError, SuiteFullError, SuiteUnreadableError, SuiteNameTakenError,
            InvalidRecordError, IdempotencyKeyReusedError
        """
        params: dict[str, Any] = {
            "key": key, "value": value, "suite": absent(suite), "user": absent(user), "notification":
            absent(notification), "idempotencyKey": absent(idempotency_key),
        }
        return cast("Saved", await self._call("saveCustomAttribute", params, deadline))

    async def save_user_attribute(
        self,
        *,
        field: StandardField,
        value: Any,
        suite: SuiteName | None = None,
        user: User | None = None,
        notification: NotificationID | None = None,
        idempotency_key: str | None = None,
        deadline: float | None = None,
    ) -> Saved:
        """Saves a standard field of the user's profile until it is flushed.

        :param field: The field of the profile at Braze.
        :param value: The value of the field, as the table in reference/limits.md says; texts have at most 255
            characters. null unsets the field; email_subscribe, push_subscribe, push_tokens, subscription_groups,
            alias_name and alias_label cannot be unset.
        :param suite: The suite; SuiteName describes the default.
        :param user: The user of the record; if absent, the braze_id of the notification's payload.
        :param notification: The notification of the record; an extension names one of its own.
        :param idempotency_key: Identifies this save within its suite, without U+0000. A second save with the same key
            saves nothing and is answered with the first one's id.
        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
            UnknownNotificationError, NoPresentationError, StoppingError, InvalidSuiteNameError, NotEntitledError,
            SuiteBusyError, NotStoredError, SuiteFullError, SuiteUnreadableError, SuiteNameTakenError,
            InvalidRecordError, IdempotencyKeyReusedError
        """
        params: dict[str, Any] = {
            "field": field, "value": value, "suite": absent(suite), "user": absent(user), "notification":
            absent(notification), "idempotencyKey": absent(idempotency_key),
        }
        return cast("Saved", await self._call("saveUserAttribute", params, deadline))

    async def pending(
        self,
        *,
        suite: SuiteName | None = None,
        kind: RecordKind | None = None,
        after: int | None = None,
        limit: int | None = None,
        deadline: float | None = None,
    ) -> PendingResult:
        """Returns pending records in the order of their ids, one page at a time, and deletes nothing.

        A page has at most 1000 records, and ends once it has 8 MiB. To get the next page, pass the last id as after.

        :param suite: The suite; SuiteName describes the default.
        :param kind: Return only records of this kind.
        :param after: Return only records with greater ids.
        :param limit: The maximum number of records.
        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
            StoppingError, InvalidSuiteNameError, SuiteBusyError, NotStoredError, SuiteUnreadableError,
            SuiteNameTakenError
        """
        params: dict[str, Any] = {
            "suite": absent(suite), "kind": absent(kind), "after": absent(after), "limit": absent(limit),
        }
        return cast("PendingResult", await self._call("pending", params, deadline))

    async def flush_pending(
        self,
        *,
        suite: SuiteName | None = None,
        to: str | None = None,
        user: User | None = None,
        limit: int | None = None,
        lease: int | None = None,
        dry_run: bool | None = None,
        deadline: float | None = None,
    ) -> FlushPendingResult:
        """Flushes pending records: to the caller as the calls of Braze's SDK, or to a destination.

        To the caller: events, then custom attributes, then user attributes, each in the order in which they were saved.
        Without lease the commit before the reply deletes the records: **at most once**; if the reply is lost, so are
        the records. With lease they stay, and no other flush returns them, until acknowledge deletes them or the lease
        expires. A reply has at most 1000 records, and ends once it has 8 MiB. To a destination: the records that are
        pending now are delivered in batches, in the order of each user, and each record is deleted after it has
        arrived. The reply comes at the end, and $/cancelRequest stops between batches. A record whose delivery is
        ambiguous is offered once more and counted in possiblySent. An increment or a $add becomes a dead letter at
        once, any other record when its delivery is ambiguous a second time. Only one flush of a suite runs at a time,
        across all processes.

        :param suite: The suite; SuiteName describes the default.
        :param to: caller, file (JSON lines on the host's disk), or the PushhostDestinationName of a bundle.
        :param user: The user of records that have none.
        :param limit: The maximum number of records. To the caller: at most 1000, which is the default. To a
            destination: any number; all by default.
        :param lease: How many seconds the lease lasts; not with a destination.
        :param dry_run: If true, the destination only says what it would send; nothing is sent, claimed or changed. Not
            to the caller. A destination that cannot do so is refused with unsupportedByDestination. The reply shows the
            first batch: at most 1000 records, and no further record beyond 1 MiB.
        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
            StoppingError, InvalidSuiteNameError, SuiteBusyError, NotStoredError, SuiteUnreadableError,
            SuiteNameTakenError, UnknownDestinationError, DestinationStoppedError, DestinationUnavailableError,
            FlushBusyError, UnsupportedByDestinationError, CannotStartError, ExtensionExitedError,
            ExtensionTimedOutError, ExtensionRefusedError, BadExtensionReplyError, ExtensionMisbehavedError, BusyError,
            ExtensionUnavailableError
        """
        params: dict[str, Any] = {
            "suite": absent(suite), "to": absent(to), "user": absent(user), "limit": absent(limit), "lease":
            absent(lease), "dryRun": absent(dry_run),
        }
        return cast("FlushPendingResult", await self._call("flushPending", params, deadline))

    async def check_destination(self, *, to: str, deadline: float | None = None) -> DestinationCheck:
        """Says whether a destination can be reached and would accept records, without sending any.

        The destination sends its service a harmless request; date is the service's own time, so a client can compare
        its clock. For file: whether the file can be written. A destination that does not declare the capability check
        is refused with unsupportedByDestination.

        :param to: file, or the PushhostDestinationName of a bundle.
        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
            StoppingError, CannotStartError, ExtensionExitedError, ExtensionTimedOutError, ExtensionRefusedError,
            BadExtensionReplyError, ExtensionMisbehavedError, BusyError, ExtensionUnavailableError,
            UnknownDestinationError, UnsupportedByDestinationError
        """
        params: dict[str, Any] = {"to": to}
        return cast("DestinationCheck", await self._call("checkDestination", params, deadline))

    async def dead_letters(
        self,
        *,
        suite: SuiteName | None = None,
        after: int | None = None,
        limit: int | None = None,
        deadline: float | None = None,
    ) -> DeadLettersResult:
        """Returns dead letters in the order of their ids.

        A dead letter is a record that its destination rejected, a record that may have been sent and must not be sent
        again, or bytes that an import could not read. A page has at most 1000, and ends once it has 8 MiB.

        :param suite: The suite; SuiteName describes the default.
        :param after: Return only those with greater ids.
        :param limit: The maximum number.
        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
            StoppingError, InvalidSuiteNameError, SuiteBusyError, NotStoredError, SuiteUnreadableError,
            SuiteNameTakenError
        """
        params: dict[str, Any] = {"suite": absent(suite), "after": absent(after), "limit": absent(limit)}
        return cast("DeadLettersResult", await self._call("deadLetters", params, deadline))

    async def retry_dead_letters(
        self,
        *,
        suite: SuiteName | None = None,
        ids: Sequence[int] | None = None,
        deadline: float | None = None,
    ) -> RetryDeadLettersResult:
        """Makes dead letters pending again, each at its old place in the order.

        If there are more than 500, they are changed in parts, and each part remains even if a later one fails. Dead
        letters that could not be read as records are skipped. Records that may have been sent count as never sent from
        then on, so check the destination first.

        :param suite: The suite; SuiteName describes the default.
        :param ids: The ids; all dead letters if absent.
        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
            StoppingError, InvalidSuiteNameError, SuiteBusyError, NotStoredError, SuiteUnreadableError,
            SuiteNameTakenError
        """
        params: dict[str, Any] = {"suite": absent(suite), "ids": absent(ids)}
        return cast("RetryDeadLettersResult", await self._call("retryDeadLetters", params, deadline))

    async def discard_dead_letters(
        self,
        *,
        suite: SuiteName | None = None,
        ids: Sequence[int] | None = None,
        deadline: float | None = None,
    ) -> DiscardDeadLettersResult:
        """Deletes dead letters permanently.

        If there are more than 500, they are deleted in parts, and each part remains deleted even if a later one fails.

        :param suite: The suite; SuiteName describes the default.
        :param ids: The ids; all dead letters if absent.
        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
            StoppingError, InvalidSuiteNameError, SuiteBusyError, NotStoredError, SuiteUnreadableError,
            SuiteNameTakenError
        """
        params: dict[str, Any] = {"suite": absent(suite), "ids": absent(ids)}
        return cast("DiscardDeadLettersResult", await self._call("discardDeadLetters", params, deadline))

    async def acknowledge(
        self,
        *,
        lease: str,
        suite: SuiteName | None = None,
        deadline: float | None = None,
    ) -> AcknowledgeResult:
        """Deletes the records of a lease after the caller has handled them.

        :param lease: The lease that flushPending returned.
        :param suite: The suite; SuiteName describes the default.
        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
            StoppingError, InvalidSuiteNameError, SuiteBusyError, NotStoredError, SuiteUnreadableError,
            SuiteNameTakenError, LeaseExpiredError
        """
        params: dict[str, Any] = {"lease": lease, "suite": absent(suite)}
        return cast("AcknowledgeResult", await self._call("acknowledge", params, deadline))

    async def store(
        self,
        *,
        key: str,
        value: Any,
        suite: SuiteName | None = None,
        deadline: float | None = None,
    ) -> StoreResult:
        """Sets the value of a key in a suite.

        Under the keys pending_custom_events, pending_custom_attributes and pending_user_attributes, which keep pending
        records, the value is a list in the flat form of Braze's guide. It must begin with the records that the caller's
        last retrieve returned, or with all pending records; the records after them are saved, all or none.

        :param key: The key, without U+0000.
        :param value: Any value with at most 512 levels. retrieve returns it with the same types.
        :param suite: The suite; SuiteName describes the default.
        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
            StoppingError, InvalidSuiteNameError, NotEntitledError, SuiteBusyError, NotStoredError, SuiteFullError,
            SuiteUnreadableError, SuiteNameTakenError, ReservedKeyError, InvalidRecordError, UnknownNotificationError,
            NoPresentationError
        """
        params: dict[str, Any] = {"key": key, "value": value, "suite": absent(suite)}
        return cast("StoreResult", await self._call("store", params, deadline))

    async def retrieve(
        self,
        *,
        key: str,
        suite: SuiteName | None = None,
        deadline: float | None = None,
    ) -> RetrieveResult:
        """Returns the value of a key in a suite.

        The keys pending_custom_events, pending_custom_attributes and pending_user_attributes return the pending records
        in the flat form of Braze's guide, including leased ones.

        :param key: The key, without U+0000.
        :param suite: The suite; SuiteName describes the default.
        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
            StoppingError, InvalidSuiteNameError, NotEntitledError, SuiteBusyError, NotStoredError,
            SuiteUnreadableError, SuiteNameTakenError, TooLargeError, UnknownNotificationError, NoPresentationError
        """
        params: dict[str, Any] = {"key": key, "suite": absent(suite)}
        return cast("RetrieveResult", await self._call("retrieve", params, deadline))

    async def remove_object(
        self,
        *,
        key: str,
        suite: SuiteName | None = None,
        deadline: float | None = None,
    ) -> Removed:
        """Removes a key and its value. One of the three keys of pending records deletes all records of that kind.

        If there are more than 500 records, they are deleted in parts, and each part remains deleted even if a later one
        fails. Records that are saved in the meantime stay.

        :param key: The key, without U+0000.
        :param suite: The suite; SuiteName describes the default.
        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
            StoppingError, InvalidSuiteNameError, NotEntitledError, SuiteBusyError, NotStoredError,
            SuiteUnreadableError, SuiteNameTakenError, UnknownNotificationError, NoPresentationError
        """
        params: dict[str, Any] = {"key": key, "suite": absent(suite)}
        return cast("Removed", await self._call("removeObject", params, deadline))

    async def reset_storage_keys(self, *, suite: SuiteName | None = None, deadline: float | None = None) -> Removed:
        """Deletes every pending record of a suite, including leased ones, as Braze's guide does when it clears its
        three keys.

        If there are more than 500 records, they are deleted in parts, and each part remains deleted even if a later one
        fails. Records that are saved in the meantime stay.

        :param suite: The suite; SuiteName describes the default.
        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
            StoppingError, InvalidSuiteNameError, SuiteBusyError, NotStoredError, SuiteUnreadableError,
            SuiteNameTakenError
        """
        params: dict[str, Any] = {"suite": absent(suite)}
        return cast("Removed", await self._call("resetStorageKeys", params, deadline))

    async def suites(self, *, deadline: float | None = None) -> SuitesResult:
        """Lists the suites of the data folder with their pending records, dead letters and deliveries.

        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
            StoppingError, SuiteUnreadableError
        """
        params: dict[str, Any] = {}
        return cast("SuitesResult", await self._call("suites", params, deadline))

    async def import_suite(
        self,
        *,
        path: str,
        suite: SuiteName | None = None,
        deadline: float | None = None,
    ) -> ImportSuiteResult:
        """Imports a property list in the form of Braze's guide, as an app left it in its App Group: all or nothing.

        Its lists become pending records, with the time of the import and without a user. Every other key becomes a
        stored value and replaces an existing one. Only a record that cannot be read, or that breaks a limit, becomes a
        dead letter; a property list that cannot be read as a dictionary becomes a dead letter as a whole. If a key has
        two values, the last one is used. A file that does not begin like a property list, or is not a regular file, is
        refused, and nothing is stored. A date in a record becomes a text (within an attribute's object {"$time": …}).
        In a stored value, a date becomes {"$date": seconds since 2001} and data {"$data": Base64}. If a file is
        imported twice, its records are saved twice.

        :param path: The file, XML or binary, at most 16 MiB. A relative path starts at the host's working folder.
        :param suite: The suite; SuiteName describes the default.
        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
            StoppingError, InvalidSuiteNameError, SuiteBusyError, NotStoredError, SuiteFullError, SuiteUnreadableError,
            SuiteNameTakenError, TooLargeError, FileUnreadableError
        """
        params: dict[str, Any] = {"path": path, "suite": absent(suite)}
        return cast("ImportSuiteResult", await self._call("importSuite", params, deadline))

    async def export_suite(
        self,
        *,
        path: str,
        suite: SuiteName | None = None,
        format: Literal["xml", "binary"] | None = None,
        deadline: float | None = None,
    ) -> ExportSuiteResult:
        """Writes a suite as a property list in the form of Braze's guide; deletes nothing.

        The file has all pending records, in the guide's form without times and users, and all stored values. A user
        attribute is data: the binary property list that Swift's PropertyListEncoder writes. Nulls, which property lists
        do not have, are left out with a diagnostic; so is an attribute that is unset. The file appears at once and
        complete, with mode 0600, and replaces an existing file. A link to a regular file stays a link, and that file is
        replaced. Anything else at the path is refused.

        :param path: The file, outside the data folder. A relative path starts at the host's working folder.
        :param suite: The suite; SuiteName describes the default.
        :param format: The format of the property list.
        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
            StoppingError, InvalidSuiteNameError, SuiteBusyError, NotStoredError, SuiteUnreadableError,
            SuiteNameTakenError, TooLargeError, FileUnwritableError
        """
        params: dict[str, Any] = {"path": path, "suite": absent(suite), "format": absent(format)}
        return cast("ExportSuiteResult", await self._call("exportSuite", params, deadline))

    async def back_up_suite(
        self,
        *,
        folder: str,
        suite: SuiteName | None = None,
        dry_run: bool | None = None,
        deadline: float | None = None,
    ) -> BackUpSuiteResult:
        """Copies a suite as it is into another folder, while any process uses it; replaces nothing.

        The copy is a suite with the same identity: it has all pending records with their times, users and ids, the
        stored values, the dead letters and the states of deliveries, and what earlier calls of the connection saved. It
        appears in the folder when it is complete, checked and durable, as one file with mode 0600. If the folder has a
        file of the suite already, or a suite whose name differs only in case, nothing is copied.

        :param folder: The folder that gets the copy; it is created if it is missing. A relative path starts at the
            host's working folder.
        :param suite: The suite; SuiteName describes the default.
        :param dry_run: Whether the folder is only checked, and nothing is copied.
        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
            StoppingError, InvalidSuiteNameError, SuiteBusyError, NotStoredError, SuiteUnreadableError,
            SuiteNameTakenError, FileUnwritableError
        """
        params: dict[str, Any] = {"folder": folder, "suite": absent(suite), "dryRun": absent(dry_run)}
        return cast("BackUpSuiteResult", await self._call("backUpSuite", params, deadline))

    async def ping(self, *, deadline: float | None = None) -> PingResult:
        """Answers immediately; never waits for other calls.

        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, StoppingError
        """
        params: dict[str, Any] = {}
        return cast("PingResult", await self._call("ping", params, deadline))

    async def status(self, *, deadline: float | None = None) -> StatusResult:
        """Returns the state of the host; never waits for other calls.

        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, StoppingError
        """
        params: dict[str, Any] = {}
        return cast("StatusResult", await self._call("status", params, deadline))

    async def extensions(self, *, deadline: float | None = None) -> ExtensionsResult:
        """Lists the bundles that were found, the state of their processes, and their problems.

        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, StoppingError
        """
        params: dict[str, Any] = {}
        return cast("ExtensionsResult", await self._call("extensions", params, deadline))

    async def reload_extensions(
        self,
        *,
        force: bool | None = None,
        deadline: float | None = None,
    ) -> ReloadExtensionsResult:
        """Reads the bundles again and replaces those that changed.

        Calls in flight are finished first; later ones wait. If a bundle changed or was removed, its process is stopped,
        its presentations end, and the reply comes when the process has ended. The other processes continue, and all
        faults are reset. A bundle has changed if its property lists changed, or if one of the first 4,096 files and
        folders in it was changed, added or removed since its process was last started.

        :param force: Whether to treat every bundle as changed.
        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
            StoppingError
        """
        params: dict[str, Any] = {"force": absent(force)}
        return cast("ReloadExtensionsResult", await self._call("reloadExtensions", params, deadline))

    async def subscribe(self, *, topics: Sequence[Topic], deadline: float | None = None) -> SubscribeResult:
        """Chooses the notifications that the host sends on this connection, and replaces the earlier choice.

        :param topics: The topics; with an empty array the host sends none.
        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, StoppingError
        """
        params: dict[str, Any] = {"topics": topics}
        return cast("SubscribeResult", await self._call("subscribe", params, deadline))

    async def rpc_discover(self, *, deadline: float | None = None) -> dict[str, Any]:
        """Returns this document.

        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, StoppingError
        """
        params: dict[str, Any] = {}
        return cast("dict[str, Any]", await self._call("rpc.discover", params, deadline))

    async def shutdown(self, *, deadline: float | None = None) -> None:
        """Stops the host: it carries out no later line, finishes everything in flight, and sends this reply last.

        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, StoppingError
        """
        params: dict[str, Any] = {}
        await self._call("shutdown", params, deadline)

    async def cancel_request(self, *, id: RequestID, deadline: float | None = None) -> CancelRequestResult:
        """Cancels a request of this connection: it is answered with requestCancelled at once, and a later answer is
        dropped.

        Effects that the request already had remain, in particular saves. Usually sent as a notification.

        :param id: The id of the request, as it was sent.
        :raises: MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, StoppingError
        """
        params: dict[str, Any] = {"id": id}
        return cast("CancelRequestResult", await self._call("$/cancelRequest", params, deadline))

    @overload
    def listen(self, topic: Literal["viewDidChange"], /) -> AsyncListener[ViewDidChange]: ...

    @overload
    def listen(self, topic: Literal["didDismiss"], /) -> AsyncListener[DidDismiss]: ...

    @overload
    def listen(self, topic: Literal["didSave"], /) -> AsyncListener[DidSave]: ...

    @overload
    def listen(self, topic: Literal["openApplication"], /) -> AsyncListener[OpenApplication]: ...

    @overload
    def listen(self, topic: Literal["$/progress"], /) -> AsyncListener[Progress]: ...

    @overload
    def listen(self, topic: Literal["$/log"], /) -> AsyncListener[Log]: ...

    @overload
    def listen(self, topic: Literal["$/stderr"], /) -> AsyncListener[Stderr]: ...

    @overload
    def listen(
        self, first: Literal["viewDidChange"], second: Literal["didDismiss"], /
    ) -> AsyncListener[ViewDidChange | DidDismiss]: ...

    @overload
    def listen(
        self, first: Literal["viewDidChange"], second: Literal["didSave"], /
    ) -> AsyncListener[ViewDidChange | DidSave]: ...

    @overload
    def listen(
        self, first: Literal["viewDidChange"], second: Literal["openApplication"], /
    ) -> AsyncListener[ViewDidChange | OpenApplication]: ...

    @overload
    def listen(
        self, first: Literal["viewDidChange"], second: Literal["$/progress"], /
    ) -> AsyncListener[ViewDidChange | Progress]: ...

    @overload
    def listen(
        self, first: Literal["viewDidChange"], second: Literal["$/log"], /
    ) -> AsyncListener[ViewDidChange | Log]: ...

    @overload
    def listen(
        self, first: Literal["viewDidChange"], second: Literal["$/stderr"], /
    ) -> AsyncListener[ViewDidChange | Stderr]: ...

    @overload
    def listen(
        self, first: Literal["didDismiss"], second: Literal["viewDidChange"], /
    ) -> AsyncListener[DidDismiss | ViewDidChange]: ...

    @overload
    def listen(
        self, first: Literal["didDismiss"], second: Literal["didSave"], /
    ) -> AsyncListener[DidDismiss | DidSave]: ...

    @overload
    def listen(
        self, first: Literal["didDismiss"], second: Literal["openApplication"], /
    ) -> AsyncListener[DidDismiss | OpenApplication]: ...

    @overload
    def listen(
        self, first: Literal["didDismiss"], second: Literal["$/progress"], /
    ) -> AsyncListener[DidDismiss | Progress]: ...

    @overload
    def listen(self, first: Literal["didDismiss"], second: Literal["$/log"], /) -> AsyncListener[DidDismiss | Log]: ...

    @overload
    def listen(
        self, first: Literal["didDismiss"], second: Literal["$/stderr"], /
    ) -> AsyncListener[DidDismiss | Stderr]: ...

    @overload
    def listen(
        self, first: Literal["didSave"], second: Literal["viewDidChange"], /
    ) -> AsyncListener[DidSave | ViewDidChange]: ...

    @overload
    def listen(
        self, first: Literal["didSave"], second: Literal["didDismiss"], /
    ) -> AsyncListener[DidSave | DidDismiss]: ...

    @overload
    def listen(
        self, first: Literal["didSave"], second: Literal["openApplication"], /
    ) -> AsyncListener[DidSave | OpenApplication]: ...

    @overload
    def listen(
        self, first: Literal["didSave"], second: Literal["$/progress"], /
    ) -> AsyncListener[DidSave | Progress]: ...

    @overload
    def listen(self, first: Literal["didSave"], second: Literal["$/log"], /) -> AsyncListener[DidSave | Log]: ...

    @overload
    def listen(self, first: Literal["didSave"], second: Literal["$/stderr"], /) -> AsyncListener[DidSave | Stderr]: ...

    @overload
    def listen(
        self, first: Literal["openApplication"], second: Literal["viewDidChange"], /
    ) -> AsyncListener[OpenApplication | ViewDidChange]: ...

    @overload
    def listen(
        self, first: Literal["openApplication"], second: Literal["didDismiss"], /
    ) -> AsyncListener[OpenApplication | DidDismiss]: ...

    @overload
    def listen(
        self, first: Literal["openApplication"], second: Literal["didSave"], /
    ) -> AsyncListener[OpenApplication | DidSave]: ...

    @overload
    def listen(
        self, first: Literal["openApplication"], second: Literal["$/progress"], /
    ) -> AsyncListener[OpenApplication | Progress]: ...

    @overload
    def listen(
        self, first: Literal["openApplication"], second: Literal["$/log"], /
    ) -> AsyncListener[OpenApplication | Log]: ...

    @overload
    def listen(
        self, first: Literal["openApplication"], second: Literal["$/stderr"], /
    ) -> AsyncListener[OpenApplication | Stderr]: ...

    @overload
    def listen(
        self, first: Literal["$/progress"], second: Literal["viewDidChange"], /
    ) -> AsyncListener[Progress | ViewDidChange]: ...

    @overload
    def listen(
        self, first: Literal["$/progress"], second: Literal["didDismiss"], /
    ) -> AsyncListener[Progress | DidDismiss]: ...

    @overload
    def listen(
        self, first: Literal["$/progress"], second: Literal["didSave"], /
    ) -> AsyncListener[Progress | DidSave]: ...

    @overload
    def listen(
        self, first: Literal["$/progress"], second: Literal["openApplication"], /
    ) -> AsyncListener[Progress | OpenApplication]: ...

    @overload
    def listen(self, first: Literal["$/progress"], second: Literal["$/log"], /) -> AsyncListener[Progress | Log]: ...

    @overload
    def listen(
        self, first: Literal["$/progress"], second: Literal["$/stderr"], /
    ) -> AsyncListener[Progress | Stderr]: ...

    @overload
    def listen(
        self, first: Literal["$/log"], second: Literal["viewDidChange"], /
    ) -> AsyncListener[Log | ViewDidChange]: ...

    @overload
    def listen(self, first: Literal["$/log"], second: Literal["didDismiss"], /) -> AsyncListener[Log | DidDismiss]: ...

    @overload
    def listen(self, first: Literal["$/log"], second: Literal["didSave"], /) -> AsyncListener[Log | DidSave]: ...

    @overload
    def listen(
        self, first: Literal["$/log"], second: Literal["openApplication"], /
    ) -> AsyncListener[Log | OpenApplication]: ...

    @overload
    def listen(self, first: Literal["$/log"], second: Literal["$/progress"], /) -> AsyncListener[Log | Progress]: ...

    @overload
    def listen(self, first: Literal["$/log"], second: Literal["$/stderr"], /) -> AsyncListener[Log | Stderr]: ...

    @overload
    def listen(
        self, first: Literal["$/stderr"], second: Literal["viewDidChange"], /
    ) -> AsyncListener[Stderr | ViewDidChange]: ...

    @overload
    def listen(
        self, first: Literal["$/stderr"], second: Literal["didDismiss"], /
    ) -> AsyncListener[Stderr | DidDismiss]: ...

    @overload
    def listen(self, first: Literal["$/stderr"], second: Literal["didSave"], /) -> AsyncListener[Stderr | DidSave]: ...

    @overload
    def listen(
        self, first: Literal["$/stderr"], second: Literal["openApplication"], /
    ) -> AsyncListener[Stderr | OpenApplication]: ...

    @overload
    def listen(
        self, first: Literal["$/stderr"], second: Literal["$/progress"], /
    ) -> AsyncListener[Stderr | Progress]: ...

    @overload
    def listen(self, first: Literal["$/stderr"], second: Literal["$/log"], /) -> AsyncListener[Stderr | Log]: ...

    @overload
    def listen(self, *topics: Topic) -> AsyncListener[Notification]: ...

    def listen(self, *topics: str) -> AsyncListener[Any]:
        """Listens to notifications of these topics from now on; subscribes to them while the listener is open.

        Without topics it receives all notifications that ``subscribe`` and other listeners chose.
        """
        return self._listen(topics)
