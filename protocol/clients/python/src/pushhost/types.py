# Generated from protocol/openrpc.json by protocol/generate.py; do not edit.
"""The named types of the contract: params and results of methods, and notifications."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Literal, NamedTuple, Optional, TypedDict, Union

#: The version of the contract that this client was generated from.
CONTRACT_VERSION = "1.2"

#: The maximum length of a line in bytes, unless the host's option --line-limit sets another.
MAX_LINE_BYTES = 16777216


#: The id of a request; the reply has the same JSON value.
RequestID = Optional[Union[str, float]]


#: A time as the host writes it: RFC 3339 in UTC with milliseconds.
Timestamp = str


#: A time as the host reads it: RFC 3339 with any zone, which must be present. Digits beyond milliseconds are cut off,
#: and the host returns the time in UTC.
ZonedTimestamp = str


#: The id that didReceive returned: a UUID. The id of any notification of a presentation identifies the presentation.
NotificationID = str


#: The name of an App Group. If absent: for a client the suite that --suite names, by default standard; for an extension
#: the first App Group of its entitlements. In store, retrieve and removeObject, standard is the extension's own suite,
#: which has the name of its bundle.
SuiteName = str


class User(TypedDict, total=False):
    """The identity of a user: exactly one of external_id, braze_id and user_alias, or email or phone, which identify a
    user only if none of these is present.
    """

    #: The user's id in the brand's own systems, at most 987 bytes of UTF-8.
    external_id: str
    #: Braze's own id of the user; case-sensitive.
    braze_id: str
    user_alias: UserAlias
    #: An e-mail address.
    email: str
    #: A phone number.
    phone: str
    #: Whether only an existing profile is updated; if absent, the destination decides.
    _update_existing_only: bool


class UserAlias(TypedDict):
    """A name that the brand gave the user, and the kind of that name."""

    #: The name.
    alias_name: str
    #: The kind of the name.
    alias_label: str


class _Payload(TypedDict):
    aps: Aps


class Payload(_Payload, total=False):
    """Members whose type a phone does not accept are ignored with a diagnostic; unknown members are passed on
    unchanged.
    """

    #: The user of records that name none, at most 1000 bytes; case-sensitive. If it is empty, the records have no user,
    #: and a diagnostic says so.
    braze_id: str


class Profile(TypedDict, total=False):
    """The values that a template may use, under the names that Braze's templates use: standard attributes such as
    first_name at the top, and other values in groups. Other members are allowed, such as canvas_entry_properties or
    targeted_device. A value is data and never a template itself.
    """

    #: The user's custom attributes.
    custom_attribute: Dict[str, Any]
    #: The properties of the API call that triggers the message.
    api_trigger_properties: Dict[str, Any]
    #: The properties of the event that triggers the message.
    event_properties: Dict[str, Any]
    #: The campaign.
    campaign: Dict[str, Any]


#: Apple's part of the payload.
Aps = TypedDict(
    "Aps",
    {
        #: The texts: an object, or only the body.
        "alert": Union[str, "Alert"],
        #: The category by which the extension is found; compared exactly.
        "category": str,
        #: Notifications of one extension with the same non-empty thread-id are shown together.
        "thread-id": str,
        #: The number on the app's icon.
        "badge": int,
        #: The sound: its name, or Apple's object for a critical one.
        "sound": Union[str, Dict[str, Any]],
        #: The integer 1 lets a service extension change the notification first; any other value causes a diagnostic.
        "mutable-content": Any,
        #: The window that the app opens.
        "target-content-id": str,
        #: How urgent the notification is, in Apple's words.
        "interruption-level": Literal["passive", "active", "time-sensitive", "critical"],
        #: How the notification ranks in a summary.
        "relevance-score": float,
        #: The value by which a Focus filters.
        "filter-criteria": str,
    },
    total=False,
)


#: The texts of a notification. The bundle that shows the notification has the texts of localization keys. If it has the
#: text of a key, that text replaces the plain text.
Alert = TypedDict(
    "Alert",
    {
        #: The first line.
        "title": str,
        #: The localization key of the title.
        "title-loc-key": Optional[str],
        #: The arguments of the title's localized text.
        "title-loc-args": Optional[List[str]],
        #: The second line.
        "subtitle": str,
        #: The localization key of the subtitle.
        "subtitle-loc-key": Optional[str],
        #: The arguments of the subtitle's localized text.
        "subtitle-loc-args": Optional[List[str]],
        #: The message.
        "body": str,
        #: The localization key of the body.
        "loc-key": Optional[str],
        #: The arguments of the body's localized text.
        "loc-args": Optional[List[str]],
        #: The image that is shown while the app opens.
        "launch-image": str,
    },
    total=False,
)


class _View(TypedDict):
    #: The type of the node; it decides which other members are used.
    type: Literal["button", "card", "carousel", "field", "grid", "image", "progress", "row", "stack", "text"]


class View(_View, total=False):
    """A node. The ids of the nodes of a view are unique, and a view has at most 64 levels. The host checks type, id,
    children and the page of a carousel, and passes the other members on.
    """

    #: The id that interact names as element.
    id: str
    #: Only for a stack, a row, a grid or a carousel.
    children: List[View]
    #: Only for a grid.
    columns: int
    #: Only for a carousel: the position of the child that is shown, from 0.
    page: int
    #: Only for a text.
    text: str
    #: Only for a text: its role; body if absent.
    style: Literal["title", "body", "caption"]
    #: Only for a text: the alignment of its lines; start if absent.
    alignment: Literal["start", "center", "end"]
    #: Only for an image.
    url: str
    #: Only for an image: what it shows, for people who cannot see it.
    alt: str
    #: Only for a card.
    faceUp: bool
    #: Only for a card that is face up.
    face: str
    #: Only for a card.
    matched: bool
    #: Only for a button.
    title: str
    #: For a field its text, for a progress how much is done.
    value: Any
    #: Only for a field.
    placeholder: str
    #: Only for a progress.
    total: float


class _Action(TypedDict):
    #: The name of the action in didReceiveResponse.
    identifier: str
    #: The text on the button.
    title: str


class Action(_Action, total=False):
    """A button of a notification."""

    #: Always present in replies.
    options: List[Literal["authenticationRequired", "destructive", "foreground"]]
    textInput: TextInput
    icon: ActionIcon


class ActionIcon(TypedDict, total=False):
    """Apple's icon of a button; kept, without effect."""

    #: The name of a system image.
    systemImageName: str
    #: The name of an image of the app.
    templateImageName: str


class TextInput(TypedDict, total=False):
    """Present if the action accepts text; passed on unchanged."""

    #: The title of the button that sends the text.
    buttonTitle: str
    #: The text that the empty field shows.
    placeholder: str


class _Category(TypedDict):
    #: The name that aps.category has.
    identifier: str


class Category(_Category, total=False):
    """The buttons that notifications of a category have until their extension sets others."""

    actions: List[Action]
    #: Apple's options; with customDismissAction the extension gets dismissals.
    options: List[Literal["customDismissAction", "allowInCarPlay", "hiddenPreviewsShowTitle", "hiddenPreviewsShowSubtitle", "allowAnnouncement"]]
    #: Apple's intents; kept, without effect.
    intentIdentifiers: List[str]
    #: Apple's text; kept, without effect.
    hiddenPreviewsBodyPlaceholder: str
    #: Apple's text; kept, without effect.
    categorySummaryFormat: str


class Categories(TypedDict):
    """Every registered category."""

    categories: List[Category]


class _Presentation(TypedDict):
    notification: NotificationID
    #: All notifications of it, beginning with the one that began it.
    notifications: List[NotificationID]
    #: The bundle identifier of the extension that shows it; null for the system's own view.
    extension: Optional[str]
    #: Its aps.category; empty if absent.
    category: str
    date: Timestamp
    #: The title of the notification; empty if absent.
    title: str


class Presentation(_Presentation, total=False):
    """A presentation: one or more notifications of one thread."""

    #: Present if the call named a notification, like actions.
    view: View
    actions: List[Action]
    media: Media


#: What happens to a notification after a response.
ResponseOption = Literal["doNotDismiss", "dismiss", "dismissAndForward"]


class _Display(TypedDict):
    view: View
    actions: List[Action]


class Display(_Display, total=False):
    """What a presentation shows now."""

    title: OwnTitle
    media: Media
    #: Absent if there are none.
    diagnostics: List[Diagnostic]


#: The URL that the app opens: an absolute URL of any scheme, percent-encoded as in RFC 3986.
ApplicationURL = str


#: The title that replaces the notification's title. Present if the extension set one and its Info.plist sets
#: UNNotificationExtensionOverridesDefaultTitle.
OwnTitle = str


class _Media(TypedDict):
    #: The kind of button; with none it is hidden.
    button: Literal["none", "default", "overlay"]
    #: Whether the button shows that media is playing.
    playing: bool


class Media(_Media, total=False):
    """The system's button that plays and pauses media. Present after the extension set one."""

    frame: Frame
    #: Its color, in the notation of the extension.
    tintColor: str


class Frame(TypedDict):
    """The place in the view, in points."""

    #: The distance from the left.
    x: float
    #: The distance from the top.
    y: float
    #: The width.
    width: float
    #: The height.
    height: float


class ShownContent(TypedDict):
    """What the system shows of the notification beside the extension's view, unless layout.defaultContentHidden is
    true.
    """

    #: The first line; empty if absent.
    title: str
    #: The second line; empty if absent.
    subtitle: str
    #: The message; empty if absent.
    body: str
    attachments: List[Attachment]


class Attachment(TypedDict):
    """A file that a service extension added to the notification."""

    #: Its name among the attachments of the notification.
    identifier: str
    #: A file: URL.
    url: str
    #: The type of the file, as the extension of its name, such as png.
    type: str


class Layout(TypedDict):
    """How the view is placed beside the system's content, as the Info.plist says."""

    #: The height divided by the width.
    initialContentSizeRatio: float
    #: Whether the system's own content is hidden.
    defaultContentHidden: bool
    #: Whether the extension's title replaces the notification's title.
    overridesDefaultTitle: bool


class _Diagnostic(TypedDict):
    #: A stable word.
    reason: str
    #: A sentence for people.
    message: str


class Diagnostic(_Diagnostic, total=False):
    """A report that is not an error: something that a phone would ignore without a message. The reason is one of
    x-reasons, the reason of an error that a notification of an extension caused, or a word of the extension.
    """

    #: A JSON Pointer into the request.
    path: str
    #: Only for serviceFailed: the reason of the error that the call ended with.
    cause: str


class _ExtensionFinding(TypedDict):
    #: ok: the test passed. skipped: it could not run. warning: it works here, but perhaps not as intended, or not on a
    #: phone. error: it does not work, or violates the contract.
    severity: Literal["ok", "skipped", "warning", "error"]
    #: A file of the bundle, or a step of the test.
    place: str
    #: What was found, and what to do if that is not obvious.
    message: str


class ExtensionFinding(_ExtensionFinding, total=False):
    """The result of one test of a bundle."""

    #: How long the step took. Absent if it was not measured.
    milliseconds: int
    #: The end of the extension's stderr. Absent if it is not needed.
    stderr: str


class PayloadFinding(TypedDict):
    """Something that the author of a payload should know before it is sent."""

    #: error: the notification is not delivered, or a part of it has no effect. warning: it may be intended.
    #: information: nothing is wrong.
    level: Literal["error", "warning", "information"]
    #: A stable word: one of x-reasons, or a word of the personalization extension for what it found in a template.
    reason: str
    #: A JSON Pointer into the payload; empty for the payload itself.
    path: str
    #: A sentence that says what was found.
    message: str
    #: What to do.
    advice: str


class PayloadShare(TypedDict):
    """The share of one key in the size of a payload."""

    #: The key.
    key: str
    #: The bytes of the key and its value in compact form.
    bytes: int


#: One of the three kinds of records of Braze's guide.
RecordKind = Literal["customEvent", "customAttribute", "userAttribute"]


class RecordCounts(TypedDict):
    """How many records of each kind."""

    #: How many custom events.
    customEvent: int
    #: How many custom attributes.
    customAttribute: int
    #: How many user attributes.
    userAttribute: int


class _PendingRecord(TypedDict):
    #: Its number in the suite, which is never used again.
    id: int
    kind: RecordKind
    #: The time at which the record was saved.
    time: Timestamp


class PendingRecord(_PendingRecord, total=False):
    """A pending record."""

    #: Only for a custom event.
    name: str
    #: Only for a custom event that has properties.
    properties: Dict[str, Any]
    #: Only for a custom attribute.
    key: str
    #: Only for a user attribute.
    field: str
    #: Only for an attribute.
    value: Any
    #: The user, if it was known when the record was saved.
    user: User
    #: Present if a flush holds the record under a lease; an expired lease is included until the next flush.
    leased: Literal[True]
    #: How often a delivery of the record was ambiguous, so that it may have been sent; absent if never.
    possiblySent: int


class _DeadLetter(TypedDict):
    #: The number that it had as a pending record.
    id: int
    #: Why it cannot be delivered, in one sentence.
    reason: str
    #: When it became a dead letter.
    diedAt: Timestamp


class DeadLetter(_DeadLetter, total=False):
    """A record that cannot be delivered: its members, or bytes that could not be read as a record."""

    kind: RecordKind
    #: Only for a custom event.
    name: str
    #: Only for a custom event that has properties.
    properties: Dict[str, Any]
    #: Only for a custom attribute.
    key: str
    #: Only for a user attribute.
    field: str
    #: Only for an attribute.
    value: Any
    #: The time at which the record was saved.
    time: Timestamp
    #: The user, if it was known when the record was saved.
    user: User
    #: The bytes that could not be read, in Base64.
    bytes: str


class _SuiteInfo(TypedDict):
    suite: SuiteName


class SuiteInfo(_SuiteInfo, total=False):
    """A suite: its contents, or why they cannot be read."""

    #: How many records are pending, including leased ones.
    pending: int
    #: How many dead letters there are.
    deadLetters: int
    #: Every destination to which the suite was flushed.
    deliveries: List[DeliveryTotals]
    #: How many pending records have an ambiguous delivery, also by a host that died: they may have been sent. Absent if
    #: there are none.
    possiblySent: int
    #: Present instead of the other members if the suite cannot be read: an error object.
    error: ErrorObject


class _DeliveryTotals(TypedDict):
    #: The destination.
    to: str
    #: How many records it accepted.
    delivered: int
    #: How many records became dead letters.
    rejected: int
    #: How often a delivery was ambiguous, so that a record may have been sent.
    possiblySent: int


class DeliveryTotals(_DeliveryTotals, total=False):
    """What a suite stores about a destination; kept across restarts of the host."""

    #: How many attempts in a row failed.
    failures: int
    #: Nothing is sent before this time; present if the destination failed or asked for a pause.
    notBefore: Timestamp
    #: Why the last attempt failed.
    problem: str


class _RunningDelivery(TypedDict):
    suite: SuiteName
    #: The destination.
    to: str
    #: How many records it has accepted so far.
    delivered: int
    #: How many records have become dead letters so far.
    rejected: int
    #: How often a delivery was ambiguous so far, so that a record may have been sent.
    possiblySent: int


class RunningDelivery(_RunningDelivery, total=False):
    """A flush to a destination that is running."""

    #: How many records it cannot accept as they are.
    held: int
    #: During a pause: how many milliseconds are left.
    retryAfter: int
    #: Why the last attempt failed.
    problem: str


class _PlannedRequest(TypedDict):
    #: The method, such as POST; append for the destination file.
    method: str
    #: The address, without secrets.
    url: str


class PlannedRequest(_PlannedRequest, total=False):
    """A request that a delivery would make."""

    #: The header fields. A secret is replaced, as in Bearer <the key>.
    headers: Dict[str, Any]
    #: The body, as JSON.
    body: Any


class _DestinationCheck(TypedDict):
    #: Whether the service answered.
    reachable: bool
    #: A sentence for people: what was found, and what to do if it is not good.
    message: str


class DestinationCheck(_DestinationCheck, total=False):
    """Whether a destination can be reached and would accept records."""

    #: Whether the service accepts the key and would accept records. Absent if its answer does not say so.
    accepted: bool
    #: How long the answer took.
    milliseconds: int
    #: The service's own time.
    date: str


class _CallEntry(TypedDict):
    #: The name of the SDK's method.
    call: Literal["logCustomEvent", "setCustomAttribute", "setCustomAttributeArray", "unsetCustomAttribute", "incrementCustomUserAttribute", "addToCustomAttributeArray", "removeFromCustomAttributeArray", "setUserAttribute"]


class CallEntry(_CallEntry, total=False):
    """One call of Braze's Swift SDK. A record with add or remove becomes one call for each element."""

    #: Only for logCustomEvent.
    name: str
    #: Only for logCustomEvent, if the event has properties.
    properties: Dict[str, Any]
    #: Only for logCustomEvent: the time at which the event was saved.
    time: Timestamp
    #: Only for the calls for custom attributes.
    key: str
    #: Only for setUserAttribute.
    field: str
    #: For all except logCustomEvent, unsetCustomAttribute and incrementCustomUserAttribute.
    value: Any
    #: Only for incrementCustomUserAttribute.
    by: int
    #: Only for setCustomAttribute: true if the object is merged into the current one; absent otherwise.
    merge: Literal[True]
    user: User
    #: How often a delivery of the record was ambiguous, so that it may have been sent; absent if never.
    possiblySent: int


#: Names have 1 to 255 characters, do not begin with $, and are not time or event_name. Texts have at most 255
#: characters. Dates in nested objects are in the years 0 to 3000. Arrays contain no text that is a date with a time of
#: day.
Properties = Dict[str, Any]


#: A standard field of Braze's profile.
StandardField = Literal[
    "alias_label", "alias_name", "country", "current_location", "date_of_first_session", "date_of_last_session", "dob",
    "email", "email_click_tracking_disabled", "email_open_tracking_disabled", "email_subscribe", "facebook",
    "first_name", "gender", "home_city", "image_url", "language", "last_name", "marked_email_as_spam_at", "phone",
    "push_subscribe", "push_tokens", "subscription_groups", "time_zone", "twitter",
]


class _Saved(TypedDict):
    #: The record's number in the suite.
    id: int


class Saved(_Saved, total=False):
    """The result of a save."""

    #: Present and true if an earlier save with this idempotencyKey saved the record; this save saved nothing.
    repeated: Literal[True]


class Removed(TypedDict):
    """The result of a removal."""

    #: How many were removed: records, or the one value of a key.
    removed: int


class _BundleInfo(TypedDict):
    #: Its CFBundleIdentifier.
    identifier: str
    #: The bundle's folder.
    path: str
    #: Its CFBundleExecutable.
    executable: str
    #: The extension point of the bundle.
    point: Literal["com.apple.usernotifications.content-extension", "com.apple.usernotifications.service", "pushhost.destination", "pushhost.personalization"]
    #: The categories that it registered.
    categories: List[str]
    #: The suites that it may use, its default first.
    applicationGroups: List[str]
    #: The height of its view divided by the width, at the start.
    initialContentSizeRatio: float
    #: Whether the system's own content beside its view is hidden.
    defaultContentHidden: bool
    #: Whether its title replaces the notification's title.
    overridesDefaultTitle: bool
    #: Whether interact works.
    userInteractionEnabled: bool
    #: The state of its process.
    state: Literal["idle", "backingOff", "activating", "ready", "suspended", "stopping"]
    #: How many presentations it has.
    presentations: int
    #: How many calls wait for it or are being handled by it.
    callsInFlight: int
    #: How often its process was started.
    starts: int
    #: The problems of the bundle now, also why it cannot be started.
    problems: List[BundleProblem]


class BundleInfo(_BundleInfo, total=False):
    """A bundle and its process."""

    #: The name of a destination in a flush; present if the bundle has a valid one.
    destinationName: str
    #: The name of a source for pushhost relay; present if the bundle has a valid one.
    sourceName: str
    #: The variables of the host's environment that activate passes to a destination: their names, never their values.
    environment: List[str]
    #: The state in one sentence.
    stateDescription: str
    #: How many calls have not been sent to it yet.
    callsWaiting: int
    #: How many calls it answered with a result.
    callsAnswered: int
    #: How many calls failed with the process or were refused.
    callsFailed: int
    #: The median time of its last 1,024 answers, in milliseconds.
    p50: float
    #: The 99th percentile of these times, in milliseconds.
    p99: float
    #: Bytes written to its processes.
    bytesWritten: int
    #: Bytes read from its processes, including stderr.
    bytesRead: int
    #: How many faults count now towards --restart-budget.
    faults: int
    #: Milliseconds until it may be started again; present if it failed too often.
    retryAfter: int
    #: Resident bytes of its process and of the child processes.
    memory: int
    #: Processor time of these processes in milliseconds.
    processorTime: int
    #: The last lines on its stderr.
    stderr: str
    #: How its last ten processes ended, the most recent last.
    ends: List[ProcessEnd]
    #: How many child processes it left behind when it ended, which were killed; absent if none.
    orphans: int
    #: How long its last process took to answer activate; absent until it has answered.
    activationMilliseconds: int
    #: How many lines on the stdout of its last process were not messages; absent if none.
    strayLines: int
    #: Present while a process runs.
    pid: int


class _ProcessEnd(TypedDict):
    #: The time of the system's clock, whatever --clock says.
    date: Timestamp
    #: The pid of the process.
    pid: int
    #: What the process did, or why it was stopped or killed.
    reason: str
    #: The same as a stable word: why the process was stopped (bundleReloaded, hostStopping, unused), otherwise the
    #: reason of the error, such as extensionExited.
    cause: str


class ProcessEnd(_ProcessEnd, total=False):
    """How a process of an extension ended."""

    #: Present if the process exited.
    exitCode: int
    #: Present if a signal ended the process.
    signal: int


class _BundleProblem(TypedDict):
    #: The file or folder.
    path: str
    #: What is wrong, and what to do.
    message: str
    #: warning: it works here, perhaps not as its author expects. error: it does not work, here or on a phone.
    severity: Literal["warning", "error"]


class BundleProblem(_BundleProblem, total=False):
    """A problem of a folder or a bundle."""

    #: true if the extension cannot be started because of it: its executable or its interpreter is missing, or the
    #: system cannot run it.
    preventsStart: bool


#: A kind of notification that subscribe chooses.
Topic = Literal["viewDidChange", "didDismiss", "didSave", "openApplication", "$/progress", "$/log", "$/stderr"]


#: The level of a line, the lowest first.
LogLevel = Literal["trace", "debug", "info", "notice", "warning", "error", "critical"]


class ErrorObject(TypedDict):
    """An error object of JSON-RPC; data.reason is a stable word."""

    #: The number of the error.
    code: int
    #: A sentence for people; it may change.
    message: str
    data: ErrorData


class _ExtensionError(TypedDict):
    #: The code of the error.
    code: int
    #: The message of the error.
    message: str


class ExtensionError(_ExtensionError, total=False):
    """The error that an extension answered with; its data is unchanged."""

    #: The data of the error, of any type.
    data: Any


class _ErrorData(TypedDict):
    #: A stable word.
    reason: str


class ErrorData(_ErrorData, total=False):
    """The part of an error that programs read: a stable word, and further members of the error."""

    #: A JSON Pointer into the request.
    path: str
    #: Only for noPresentation: why the notification is not shown any more.
    ended: str
    #: Only for unknownAction: the identifiers of the actions that are offered.
    offered: List[str]
    #: Only for messageAborted, and for a didReceive whose extension failed: the diagnostics that the reply would have
    #: had. Absent if there are none.
    diagnostics: List[Diagnostic]
    #: Only for messageAborted: the reason that the template gives; may be empty.
    aborted: str
    #: Only for 120 to 128, for messageAborted, and for unsupportedByDestination if it is a bundle: the bundle
    #: identifier.
    extension: str
    #: Only for extensionExited: the exit code of the process.
    exitCode: int
    #: Only for extensionExited: the signal that ended the process.
    signal: int
    #: Only for 121 to 123: the last lines on its stderr.
    stderr: str
    #: Only for extensionRefused: the error that the extension answered with.
    cause: ExtensionError
    #: For most errors about suites: the suite.
    suite: str
    #: Only for extensionUnavailable and destinationUnavailable: milliseconds until the next attempt makes sense.
    retryAfter: int
    #: Only for a failed flush: how many records the destination accepted.
    delivered: int
    #: Only for a failed flush: how many records became dead letters.
    rejected: int
    #: Only for a failed flush: how often a delivery was ambiguous, so that a record may have been sent.
    possiblySent: int
    #: Only for a failed flush: how many records stay pending because the destination cannot accept them as they are;
    #: absent if none.
    held: int
    #: Only for a failed flush: how many records are still pending.
    remaining: int
    #: Only if a change of many records failed in the middle: how many were changed before, and stay changed.
    changed: int
    #: Only for parseError: the number of the line, from 1, in which the unreadable part ends, or in which a common
    #: mistake begins.
    line: int
    #: Only for parseError: how many characters of the line precede that end, or go up to the first character of the
    #: mistake.
    column: int
    #: Only for parseError: the same place in bytes from the beginning.
    position: int
    #: Only for methodNotFound: the unknown name.
    method: str
    #: Only for unknownElement: the ids of the view's nodes, at most the first 100.
    elements: List[str]
    #: Only for payloadTooLarge: the size of the payload.
    bytes: int
    #: Only for payloadTooLarge and lineTooLong: the limit in bytes.
    limit: int
    #: Only for duplicateId: the id that is in flight.
    id: Optional[Union[str, float]]
    #: Only for unsupportedProtocolVersion: the versions of MCP that a request may name.
    supported: List[str]
    #: Only for unsupportedProtocolVersion: the version that the request named.
    requested: str


class _DidReceiveResult(TypedDict):
    notification: NotificationID
    #: The bundle identifier of the extension that shows the notification. null if the system's own view shows it, or if
    #: there is no alert.
    extension: Optional[str]
    content: ShownContent
    #: null if the system shows the whole notification.
    layout: Optional[Layout]
    view: View
    actions: List[Action]
    diagnostics: List[Diagnostic]


class DidReceiveResult(_DidReceiveResult, total=False):
    """What ``didReceive`` answers."""

    title: OwnTitle
    media: Media


class _DidReceiveResponseResult(TypedDict):
    option: ResponseOption
    #: Whether the action goes to the app, which is opened unless background is true; openApplication informs
    #: subscribers that it is opened.
    forwarded: bool


class DidReceiveResponseResult(_DidReceiveResponseResult, total=False):
    """What ``didReceiveResponse`` answers."""

    view: View
    #: Present together with view, and only if option is doNotDismiss.
    actions: List[Action]
    title: OwnTitle
    media: Media
    #: true if the app gets the action in the background and is not opened: a dismissal, or a button without the option
    #: foreground. Absent otherwise.
    background: Literal[True]
    url: ApplicationURL
    #: true if Braze's SDK shows the URL in a web view of the app, as ab_use_webview of the payload asks. Absent
    #: otherwise.
    useWebView: Literal[True]
    #: Absent if there are none.
    diagnostics: List[Diagnostic]


class DismissResult(TypedDict):
    """What ``dismiss`` answers."""

    #: Always true.
    dismissed: Literal[True]


class NotificationsResult(TypedDict):
    """What ``notifications`` answers."""

    notifications: List[Presentation]


class RenderResult(TypedDict):
    """What ``render`` answers."""

    #: The page, or the lines of text.
    text: str


class CheckPayloadResult(TypedDict):
    """What ``checkPayload`` answers."""

    #: The size of the payload in compact form.
    bytes: int
    #: The greatest size that Apple delivers.
    limit: int
    #: The bundle identifier of the extension that would show the notification; null if none would.
    extension: Optional[str]
    #: How many bytes each key of the payload and its value have, the largest first.
    shares: List[PayloadShare]
    #: Errors first, then warnings.
    findings: List[PayloadFinding]


class CheckExtensionResult(TypedDict):
    """What ``checkExtension`` answers."""

    #: The path of what was checked, links resolved.
    bundle: str
    #: In the order of the tests.
    findings: List[ExtensionFinding]
    #: How many findings are errors.
    errors: int
    #: How many findings are warnings.
    warnings: int


class _PendingResult(TypedDict):
    records: List[PendingRecord]
    #: How many records of the kind are pending in total, including leased ones.
    total: int


class PendingResult(_PendingResult, total=False):
    """What ``pending`` answers."""

    #: How many pending records of all kinds have an ambiguous delivery: they may have been sent. Absent if there are
    #: none.
    possiblySent: int
    #: damagedRecord for each damaged record of the page, which is skipped; noSuite if the suite does not exist while
    #: other suites have records or a similar name; otherSuites if the request names no suite, and others than the
    #: default have records. Absent if there are none.
    diagnostics: List[Diagnostic]


class _FlushPendingResult(TypedDict):
    #: How many records could be flushed next, without leased ones.
    remaining: int


class FlushPendingResult(_FlushPendingResult, total=False):
    """What ``flushPending`` answers."""

    #: Only to the caller.
    calls: List[CallEntry]
    #: The token for acknowledge. Present only if a lease was requested and holds at least one record.
    lease: str
    #: Only to a destination: how many records it accepted.
    delivered: int
    #: Only to a destination: how many records became dead letters. Of a dry run: how many would; absent if none.
    rejected: int
    #: How often a delivery was ambiguous, so that a record may have been sent; this includes deliveries of a host that
    #: died. To the caller it is present only if it is not 0.
    possiblySent: int
    #: How many records stay pending, or would after a dry run, because the destination cannot accept them as they are;
    #: diagnostics gives the reasons.
    held: int
    #: Only of a dry run: the requests that the destination would make for the first batch, in order.
    requests: List[PlannedRequest]
    #: Only of a dry run: how many records these requests deliver.
    records: int
    #: Only of a dry run: how many more records are pending that the dry run does not show. Absent if there are none.
    omitted: int
    #: Only to the caller: the ids of the records that a host that died may have sent, and that this flush made dead
    #: letters. Absent if there are none.
    deadLetters: List[int]
    #: To a destination always present; to the caller absent if there are none.
    diagnostics: List[Diagnostic]


class _DeadLettersResult(TypedDict):
    deadLetters: List[DeadLetter]
    #: How many dead letters there are.
    total: int


class DeadLettersResult(_DeadLettersResult, total=False):
    """What ``deadLetters`` answers."""

    #: noSuite if the suite does not exist while other suites have records or a similar name. Absent if there are none.
    diagnostics: List[Diagnostic]


class RetryDeadLettersResult(TypedDict):
    """What ``retryDeadLetters`` answers."""

    #: How many are pending again.
    retried: int


class DiscardDeadLettersResult(TypedDict):
    """What ``discardDeadLetters`` answers."""

    #: How many were deleted.
    discarded: int


class AcknowledgeResult(TypedDict):
    """What ``acknowledge`` answers."""

    #: How many records were deleted.
    acknowledged: int


class StoreResult(TypedDict):
    """What ``store`` answers."""

    #: Always true.
    stored: Literal[True]


class RetrieveResult(TypedDict):
    """What ``retrieve`` answers."""

    #: The value; null if the key is absent.
    value: Any


class SuitesResult(TypedDict):
    """What ``suites`` answers."""

    suites: List[SuiteInfo]


class ImportSuiteResult(TypedDict):
    """What ``importSuite`` answers."""

    imported: RecordCounts
    #: How many keys were set.
    defaults: int
    #: How many dead letters were added.
    deadLetters: int
    #: Why each dead letter is one, and what was changed or left out; at most 100.
    diagnostics: List[Diagnostic]


class ExportSuiteResult(TypedDict):
    """What ``exportSuite`` answers."""

    exported: RecordCounts
    #: How many keys were written.
    defaults: int
    #: The size of the file.
    bytes: int
    #: What was left out, and noSuite if the suite does not exist while other suites have records or a similar name; at
    #: most 100.
    diagnostics: List[Diagnostic]


class PingResult(TypedDict):
    """What ``ping`` answers."""

    #: The version of the contract.
    version: str


class _StatusResult(TypedDict):
    #: The version of the contract.
    version: str
    #: The version of SQLite.
    sqlite: str
    #: The version of Jansson.
    jansson: str
    #: The version of Swift that built the host.
    swift: str
    #: The version of the file format of suites.
    schema: int
    #: The folder of the suites.
    data: str
    #: The folders of bundles, in order of precedence.
    plugins: List[str]
    #: How many requests are not answered yet, without this one.
    requestsInFlight: int
    #: How many presentations there are.
    presentations: int
    #: How many extensions have a process.
    extensionsRunning: int
    #: How many extensions failed too often and are not started for a while.
    extensionsBackingOff: int
    #: How many faults of all extensions count now.
    extensionFaults: int
    #: How many dead letters all suites of the folder have.
    deadLetters: int
    #: The flushes to destinations that are running.
    deliveries: List[RunningDelivery]
    #: How many log lines were dropped because stderr did not accept them in time.
    logLinesDropped: int


class StatusResult(_StatusResult, total=False):
    """What ``status`` answers."""

    #: How many pending records of all suites have an ambiguous delivery: they may have been sent. Absent if there are
    #: none.
    possiblySent: int


class ExtensionsResult(TypedDict):
    """What ``extensions`` answers."""

    extensions: List[BundleInfo]
    #: Folders that are not bundles or have none, and bundles that conflict.
    problems: List[BundleProblem]


class ReloadExtensionsResult(TypedDict):
    """What ``reloadExtensions`` answers."""

    #: The number of bundles now.
    extensions: int
    #: The identifiers of new bundles.
    added: List[str]
    #: The identifiers of replaced bundles.
    changed: List[str]
    #: The identifiers of removed bundles.
    removed: List[str]
    #: All problems of folders and bundles.
    problems: List[BundleProblem]


class SubscribeResult(TypedDict):
    """What ``subscribe`` answers."""

    #: The topics that are chosen now.
    topics: List[Topic]


class CancelRequestResult(TypedDict):
    """What ``$/cancelRequest`` answers."""

    #: Whether such a request was in flight.
    cancelled: bool


class _ViewDidChangeParams(TypedDict):
    #: The notification that began the presentation.
    notification: NotificationID
    #: How many presentations there are.
    view: View
    #: The buttons that are offered now.
    actions: List[Action]


class ViewDidChangeParams(_ViewDidChangeParams, total=False):
    """The params of ``viewDidChange``."""

    #: The extension's own title, if it has one.
    title: OwnTitle
    #: The media button, if there is one.
    media: Media


class ViewDidChange(NamedTuple):
    """An extension changed the view or the buttons by itself. Changes in the reply of a call are only in that reply."""

    topic: Literal["viewDidChange"]
    params: ViewDidChangeParams


class DidDismissParams(TypedDict):
    """The params of ``didDismiss``."""

    #: The notification that began the presentation.
    notification: NotificationID
    #: A sentence for people. A later noPresentation has the same text in ended.
    reason: str


class DidDismiss(NamedTuple):
    """A presentation ended. The notification is the one that began it."""

    topic: Literal["didDismiss"]
    params: DidDismissParams


class DidSaveParams(TypedDict):
    """The params of ``didSave``."""

    #: The notification that the save named.
    notification: NotificationID
    #: The suite of the record.
    suite: SuiteName
    #: The id of the record in its suite.
    id: int


class DidSave(NamedTuple):
    """An extension saved a record, and it is durable."""

    topic: Literal["didSave"]
    params: DidSaveParams


class _OpenApplicationParams(TypedDict):
    #: The notification that began the presentation.
    notification: NotificationID
    #: The action, as in didReceiveResponse.
    actionIdentifier: str


class OpenApplicationParams(_OpenApplicationParams, total=False):
    """The params of ``openApplication``."""

    #: The text that was entered, if the action accepts text.
    userText: str
    #: The URL that the app opens: the one that the extension set, or else, after a tap, ab_uri of the payload. Absent
    #: if there is neither.
    url: ApplicationURL
    #: true if Braze's SDK shows the URL in a web view of the app, as ab_use_webview of the payload asks. Absent
    #: otherwise.
    useWebView: Literal[True]


class OpenApplication(NamedTuple):
    """The app would be opened with an action now."""

    topic: Literal["openApplication"]
    params: OpenApplicationParams


class _ProgressParams(TypedDict):
    #: The suite.
    suite: SuiteName


class ProgressParams(_ProgressParams, total=False):
    """The params of ``$/progress``."""

    #: Only for a flush: the destination.
    to: str
    #: Only for a flush: how many records the destination has accepted so far.
    delivered: int
    #: Only for a flush: how many records have become dead letters so far.
    rejected: int
    #: Only for a flush: how many records are still pending.
    remaining: int
    #: Delivered records per second since the flush began; absent if the clock is fixed.
    rate: int
    #: Only for long work: the method that was called.
    method: str
    #: Only for long work: how many records and keys are done.
    done: int
    #: Only for long work: how many there are at most, if that is known.
    total: int


class Progress(NamedTuple):
    """The progress of a flush to a destination: after a batch, at most ten times per second, and at the end. Or the
    progress of long work on a suite: at most ten times per second, with a fixed clock after every 10,000 records, and
    at its end if progress was reported before.
    """

    topic: Literal["$/progress"]
    params: ProgressParams


class LogParams(TypedDict):
    """The params of ``$/log``."""

    #: The bundle identifier of the extension.
    extension: str
    #: The level of the line.
    level: LogLevel
    #: One line of text.
    message: str


class Log(NamedTuple):
    """An extension logged a line with the method log."""

    topic: Literal["$/log"]
    params: LogParams


class _StderrParams(TypedDict):
    #: The bundle identifier of the extension.
    extension: str
    #: The line, which is not empty; a line of more than 4096 bytes comes in pieces.
    line: str


class StderrParams(_StderrParams, total=False):
    """The params of ``$/stderr``."""

    #: How many lines of extensions were left out before this one, because the client left more than 1 MiB unread;
    #: absent if none was.
    missed: int


class Stderr(NamedTuple):
    """An extension wrote a line on its stderr, such as a print or a traceback. It comes before everything that the
    extension sent after it.
    """

    topic: Literal["$/stderr"]
    params: StderrParams


#: A notification that a listener receives.
Notification = Union[ViewDidChange, DidDismiss, DidSave, OpenApplication, Progress, Log, Stderr]

#: The class of each topic's notifications.
NOTIFICATIONS: Dict[str, Callable[[Any, Any], Notification]] = {
    "viewDidChange": ViewDidChange,
    "didDismiss": DidDismiss,
    "didSave": DidSave,
    "openApplication": OpenApplication,
    "$/progress": Progress,
    "$/log": Log,
    "$/stderr": Stderr,
}
