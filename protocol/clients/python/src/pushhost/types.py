# Generated from protocol/openrpc.json by protocol/generate.py; do not edit.
"""The named types of the contract: params and results of methods, and notifications."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Literal, NamedTuple, Optional, TypedDict, Union

#: The version of the contract that this client was generated from.
CONTRACT_VERSION = "1.1"

#: The maximum length of a line in bytes, unless the host's option --line-limit sets another.
MAX_LINE_BYTES = 16777216


#: The id of a request; it comes back as the same JSON value.
RequestID = Optional[Union[str, float]]


#: A time as the host writes it: RFC 3339 in UTC with milliseconds.
Timestamp = str


#: A time as the host reads it: RFC 3339 with a zone, whichever it is. Digits past milliseconds are cut, and the host
#: tells it in UTC.
ZonedTimestamp = str


#: What didReceive gave: a UUID. Every notification of a presentation names it.
NotificationID = str


#: The name of an App Group. Where it is absent: for a client what --suite says, else standard; for an extension the
#: first App Group of its entitlements.
SuiteName = str


class User(TypedDict, total=False):
    """An identity: one of external_id, braze_id and user_alias, or email or phone, which identify a user only if there
    is none of these.
    """

    #: The user's id in the brand's own systems, at most 987 bytes of UTF-8.
    external_id: str
    #: Braze's own id of the user; case counts.
    braze_id: str
    user_alias: UserAlias
    #: An e-mail address.
    email: str
    #: A phone number.
    phone: str


class UserAlias(TypedDict):
    """A name of one's own for a user, and what kind of name it is."""

    #: The name.
    alias_name: str
    #: What kind of name it is.
    alias_label: str


class _Payload(TypedDict):
    aps: Aps


class Payload(_Payload, total=False):
    """Members of another type than a phone takes are ignored and told in a diagnostic; unknown members pass untouched.
    """

    #: Whom records are about that name nobody, at most 1000 bytes; case counts. Empty it names nobody, and a diagnostic
    #: says so.
    braze_id: str


class Profile(TypedDict, total=False):
    """What a template may name, by the names that Braze's templates use: standard attributes such as first_name at the
    top, and groups of others below theirs. Further members are allowed, such as canvas_entry_properties or
    targeted_device; a value is data and never a template itself.
    """

    #: The user's custom attributes.
    custom_attribute: Dict[str, Any]
    #: What the API call that triggers the message brings.
    api_trigger_properties: Dict[str, Any]
    #: The properties of the event that triggers the message.
    event_properties: Dict[str, Any]
    #: The campaign.
    campaign: Dict[str, Any]


#: What Apple's part of a payload says.
Aps = TypedDict(
    "Aps",
    {
        #: The texts: an object, or the body alone.
        "alert": Union[str, "Alert"],
        #: By this the extension is found; compared exactly.
        "category": str,
        #: Notifications of one extension and one such id, if it is not empty, are shown together.
        "thread-id": str,
        #: The number on the app's icon.
        "badge": int,
        #: The sound: its name, or Apple's object for a critical one.
        "sound": Union[str, Dict[str, Any]],
        #: The integer 1 lets a service extension change the notification first; anything else is told in a diagnostic.
        "mutable-content": Any,
        #: What the app opens.
        "target-content-id": str,
        #: How urgent it is, in Apple's words.
        "interruption-level": Literal["passive", "active", "time-sensitive", "critical"],
        #: How it ranks in a summary.
        "relevance-score": float,
        #: What a Focus filters by.
        "filter-criteria": str,
    },
    total=False,
)


#: The texts of a notification. A key gets its text from the bundle that shows the notification, and wins over the plain
#: text beside it where it has one.
Alert = TypedDict(
    "Alert",
    {
        #: The first line.
        "title": str,
        #: The key of the title's text.
        "title-loc-key": Optional[str],
        #: What fills the title's text.
        "title-loc-args": Optional[List[str]],
        #: The second line.
        "subtitle": str,
        #: The key of the subtitle's text.
        "subtitle-loc-key": Optional[str],
        #: What fills the subtitle's text.
        "subtitle-loc-args": Optional[List[str]],
        #: The message.
        "body": str,
        #: The key of the body's text.
        "loc-key": Optional[str],
        #: What fills the body's text.
        "loc-args": Optional[List[str]],
        #: The image with which the app is opened.
        "launch-image": str,
    },
    total=False,
)


class _View(TypedDict):
    #: What the node is; it decides which other members count.
    type: Literal["button", "card", "carousel", "field", "grid", "image", "progress", "row", "stack", "text"]


class View(_View, total=False):
    """A node. No two nodes of a view share an id; a view nests at most 64 deep. The host checks type, id, children and
    the page of a carousel, and passes the other members on.
    """

    #: What interact names as element.
    id: str
    #: Of a stack, a row, a grid or a carousel alone.
    children: List[View]
    #: Of a grid.
    columns: int
    #: Of a carousel: the position of the child that is shown, from 0.
    page: int
    #: Of a text.
    text: str
    #: Of a text: its role; body if absent.
    style: Literal["title", "body", "caption"]
    #: Of a text: where its lines stand; start if absent.
    alignment: Literal["start", "center", "end"]
    #: Of an image.
    url: str
    #: Of an image: what it shows, for people who do not see it.
    alt: str
    #: Of a card.
    faceUp: bool
    #: Of a card that is face up.
    face: str
    #: Of a card.
    matched: bool
    #: Of a button.
    title: str
    #: Of a field the text, of a progress how much is done.
    value: Any
    #: Of a field.
    placeholder: str
    #: Of a progress.
    total: float


class _Action(TypedDict):
    #: What didReceiveResponse names it by.
    identifier: str
    #: What stands on the button.
    title: str


class Action(_Action, total=False):
    """A button of a notification."""

    #: Always there in replies.
    options: List[Literal["authenticationRequired", "destructive", "foreground"]]
    textInput: TextInput


class TextInput(TypedDict, total=False):
    """There where the action takes text; passed on as it came."""

    #: The title of the button that sends the text.
    buttonTitle: str
    #: What the empty field shows.
    placeholder: str


class _Category(TypedDict):
    #: What aps.category names.
    identifier: str


class Category(_Category, total=False):
    """The buttons that notifications of a category have until their extension sets others."""

    actions: List[Action]
    #: Apple's options; customDismissAction lets the extension hear of a swipe.
    options: List[Literal["customDismissAction", "allowInCarPlay", "hiddenPreviewsShowTitle", "hiddenPreviewsShowSubtitle", "allowAnnouncement"]]


class Categories(TypedDict):
    """Every category that counts."""

    categories: List[Category]


class _Presentation(TypedDict):
    notification: NotificationID
    #: All of them, the one that began it first.
    notifications: List[NotificationID]
    #: The bundle identifier of who shows it; null for the system's own view.
    extension: Optional[str]
    #: Its aps.category, else empty.
    category: str
    date: Timestamp
    #: The notification's title, else empty.
    title: str


class Presentation(_Presentation, total=False):
    """What is shown: one or more notifications of one thread."""

    #: There where one notification was asked for, as are actions.
    view: View
    actions: List[Action]
    media: Media


#: What becomes of a notification after a response.
ResponseOption = Literal["doNotDismiss", "dismiss", "dismissAndForward"]


class _Display(TypedDict):
    view: View
    actions: List[Action]


class Display(_Display, total=False):
    """What a presentation shows now."""

    title: OwnTitle
    media: Media
    #: There where there are any.
    diagnostics: List[Diagnostic]


#: What the app is to open: an absolute URL of any scheme, percent-encoded as RFC 3986 says.
ApplicationURL = str


#: What stands in place of the notification's title, where the extension gave one and its Info.plist sets
#: UNNotificationExtensionOverridesDefaultTitle.
OwnTitle = str


class _Media(TypedDict):
    #: Which button it is; with none it is hidden.
    button: Literal["none", "default", "overlay"]
    #: Whether it shows that media plays.
    playing: bool


class Media(_Media, total=False):
    """The system's button that plays and pauses media, once the extension gave one."""

    frame: Frame
    #: Its colour, in the extension's words.
    tintColor: str


class Frame(TypedDict):
    """Where something stands in the view, in points."""

    #: From the left.
    x: float
    #: From the top.
    y: float
    #: How wide.
    width: float
    #: How high.
    height: float


class ShownContent(TypedDict):
    """What the system itself shows of the notification beside the extension's view, unless layout.defaultContentHidden.
    """

    #: The first line, else empty.
    title: str
    #: The second line, else empty.
    subtitle: str
    #: The message, else empty.
    body: str
    attachments: List[Attachment]


class Attachment(TypedDict):
    """A file that a service extension gave the notification."""

    #: What it is called among the attachments of its notification.
    identifier: str
    #: A file: URL.
    url: str
    #: What kind of file it is, as the extension of its name, such as png.
    type: str


class Layout(TypedDict):
    """The plist's say on how the view stands beside the system's content."""

    #: Height over width.
    initialContentSizeRatio: float
    #: Whether the system's own content is hidden.
    defaultContentHidden: bool
    #: Whether the extension's title stands in place of the notification's.
    overridesDefaultTitle: bool


class _Diagnostic(TypedDict):
    #: A stable word.
    reason: str
    #: A sentence for people.
    message: str


class Diagnostic(_Diagnostic, total=False):
    """A remark that is no error: what a phone would do in silence, told. The reason is one of x-reasons, the reason of
    the error that an extension's notification met, or a word of the extension.
    """

    #: A JSON Pointer into the request.
    path: str
    #: Of serviceFailed: the reason word of the error that the call would have had.
    cause: str


#: Which of the three kinds of records of Braze's guide.
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
    #: Its number in the suite; never used again.
    id: int
    kind: RecordKind
    #: The time of capture.
    time: Timestamp


class PendingRecord(_PendingRecord, total=False):
    """A pending record."""

    #: Of a custom event.
    name: str
    #: Of a custom event that has any.
    properties: Dict[str, Any]
    #: Of a custom attribute.
    key: str
    #: Of a user attribute.
    field: str
    #: Of either attribute.
    value: Any
    #: Where it was known at capture.
    user: User
    #: There where a flush holds it under a lease; one that ran out counts until the next flush.
    leased: Literal[True]
    #: How often it may have been sent without anybody knowing; there where it may.
    possiblySent: int


class _DeadLetter(TypedDict):
    #: The number that it had as a pending record.
    id: int
    #: Why nobody takes it, in a sentence.
    reason: str
    #: When it became a dead letter.
    diedAt: Timestamp


class DeadLetter(_DeadLetter, total=False):
    """What nobody will take: the members of a record, or bytes that could not be read as one."""

    kind: RecordKind
    #: Of a custom event.
    name: str
    #: Of a custom event that has any.
    properties: Dict[str, Any]
    #: Of a custom attribute.
    key: str
    #: Of a user attribute.
    field: str
    #: Of either attribute.
    value: Any
    #: The time of capture.
    time: Timestamp
    #: Where it was known at capture.
    user: User
    #: What could not be read, in Base64.
    bytes: str


class _SuiteInfo(TypedDict):
    suite: SuiteName


class SuiteInfo(_SuiteInfo, total=False):
    """A suite: what is in it, or why that cannot be read."""

    #: How many records are pending, leased ones included.
    pending: int
    #: How many dead letters there are.
    deadLetters: int
    #: Every destination that the suite was flushed to.
    deliveries: List[DeliveryTotals]
    #: How many pending records may have been sent without anybody knowing, by a host that died too; absent if there are
    #: none.
    possiblySent: int
    #: In place of the others, where the suite cannot be read: an error object.
    error: ErrorObject


class _DeliveryTotals(TypedDict):
    #: The destination.
    to: str
    #: How many records it took.
    delivered: int
    #: How many records became dead letters.
    rejected: int
    #: How often a record may have been sent without anybody knowing.
    possiblySent: int


class DeliveryTotals(_DeliveryTotals, total=False):
    """What a suite knows of a destination, kept over restarts of the host."""

    #: How many attempts in a row came to nothing.
    failures: int
    #: Nothing is sent before, where it failed or asked for a pause.
    notBefore: Timestamp
    #: Why the last attempt came to nothing.
    problem: str


class _RunningDelivery(TypedDict):
    suite: SuiteName
    #: The destination.
    to: str
    #: How many records it took so far.
    delivered: int
    #: How many became dead letters so far.
    rejected: int
    #: How often a record may have been sent without anybody knowing, so far.
    possiblySent: int


class RunningDelivery(_RunningDelivery, total=False):
    """A flush to a destination that runs."""

    #: How many records it cannot take as they are.
    held: int
    #: While a pause is waited for: how many milliseconds are left.
    retryAfter: int
    #: Why the last attempt came to nothing.
    problem: str


class _CallEntry(TypedDict):
    #: The name of the SDK's method.
    call: Literal["logCustomEvent", "setCustomAttribute", "setCustomAttributeArray", "unsetCustomAttribute", "incrementCustomUserAttribute", "addToCustomAttributeArray", "removeFromCustomAttributeArray", "setUserAttribute"]


class CallEntry(_CallEntry, total=False):
    """One call of Braze's Swift SDK. A record with add or remove becomes one call an element."""

    #: Of logCustomEvent.
    name: str
    #: Of logCustomEvent, where the event has any.
    properties: Dict[str, Any]
    #: Of logCustomEvent: the time of capture.
    time: Timestamp
    #: Of the calls for custom attributes.
    key: str
    #: Of setUserAttribute.
    field: str
    #: Of all but logCustomEvent, unsetCustomAttribute and incrementCustomUserAttribute.
    value: Any
    #: Of incrementCustomUserAttribute.
    by: int
    user: User
    #: How often the record may have been sent before without anybody knowing; absent if it was not.
    possiblySent: int


#: Names of at most 255 characters, not empty, not beginning with $, not time or event_name; texts of at most 255
#: characters; dates in nested objects of the years 0 to 3000.
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
    """What became of a save."""

    #: Present and true if an earlier save with this idempotencyKey made the record; this one saved nothing.
    repeated: Literal[True]


class Removed(TypedDict):
    """What became of a removal."""

    #: How many there were: records, or the one value of a key.
    removed: int


class _BundleInfo(TypedDict):
    #: Its CFBundleIdentifier.
    identifier: str
    #: The bundle's folder.
    path: str
    #: Which extension point it serves.
    point: Literal["com.apple.usernotifications.content-extension", "com.apple.usernotifications.service", "pushhost.destination", "pushhost.personalization"]
    #: The categories that it registered.
    categories: List[str]
    #: The suites that it may touch, its default first.
    applicationGroups: List[str]
    #: Height over width of its view at the start.
    initialContentSizeRatio: float
    #: Whether the system's own content is hidden beside its view.
    defaultContentHidden: bool
    #: Whether its title stands in place of the notification's.
    overridesDefaultTitle: bool
    #: Whether interact works.
    userInteractionEnabled: bool
    #: How its process is.
    state: Literal["idle", "backingOff", "activating", "ready", "suspended", "stopping"]
    #: How many presentations it has.
    presentations: int
    #: Calls that wait or that it works on.
    callsInFlight: int
    #: How often its process was started.
    starts: int
    #: What is odd about it.
    problems: List[BundleProblem]


class BundleInfo(_BundleInfo, total=False):
    """A bundle and its process."""

    #: What a flush names a destination by; there where it has a valid name.
    destinationName: str
    #: The variables of the host's environment that activate tells a destination: their names, never their values.
    environment: List[str]
    #: The state in a sentence.
    stateDescription: str
    #: Calls that it has not been sent yet.
    callsWaiting: int
    #: Calls that it answered with a result.
    callsAnswered: int
    #: Calls that failed with the process or were refused.
    callsFailed: int
    #: The median time of its last 1,024 answers, in milliseconds.
    p50: float
    #: The time within which 99 of 100 of them came, in milliseconds.
    p99: float
    #: Bytes written to its processes.
    bytesWritten: int
    #: Bytes read from its processes, stderr too.
    bytesRead: int
    #: Faults that count now towards --restart-budget.
    faults: int
    #: Milliseconds until it may be started again, where it failed too often.
    retryAfter: int
    #: Resident bytes of its process and what that started.
    memory: int
    #: Milliseconds of processor time of the same.
    processorTime: int
    #: The last lines on its stderr.
    stderr: str
    #: How its last ten processes ended, the newest last.
    ends: List[ProcessEnd]
    #: Processes that it left behind when it ended and that were killed; there where any was.
    orphans: int
    #: How long its last process took to answer activate; there once it did.
    activationMilliseconds: int
    #: How many lines on its last process's stdout were no messages; there where any was.
    strayLines: int
    #: There while a process runs.
    pid: int


class _ProcessEnd(TypedDict):
    #: By the system's clock, whatever --clock says.
    date: Timestamp
    #: The number that the process had.
    pid: int
    #: What it did, or why it was asked to leave or killed.
    reason: str
    #: The same in a stable word: why it was asked to leave (bundleReloaded, hostStopping, unused), else the reason of
    #: the error, such as extensionExited.
    cause: str


class ProcessEnd(_ProcessEnd, total=False):
    """How a process of an extension ended."""

    #: There where it exited.
    exitCode: int
    #: There where a signal ended it.
    signal: int


class BundleProblem(TypedDict):
    """What is odd about a folder or a bundle."""

    #: The file or folder.
    path: str
    #: What, and what to do.
    message: str
    #: A warning works here, and perhaps not as its author thinks; an error does not work, here or on a phone.
    severity: Literal["warning", "error"]


#: A kind of notification that subscribe chooses.
Topic = Literal["viewDidChange", "didDismiss", "openApplication", "$/progress", "$/log"]


#: How much a line matters, the least first.
LogLevel = Literal["trace", "debug", "info", "notice", "warning", "error", "critical"]


class ErrorObject(TypedDict):
    """An error object as JSON-RPC has it; data.reason is a stable word."""

    #: The number of the error.
    code: int
    #: A sentence for people; it may change.
    message: str
    data: ErrorData


class _ExtensionError(TypedDict):
    #: Its number.
    code: int
    #: Its sentence.
    message: str


class ExtensionError(_ExtensionError, total=False):
    """The error that an extension answered with, its data as it was."""

    #: Whatever it has, of any type.
    data: Any


class _ErrorData(TypedDict):
    #: A stable word.
    reason: str


class ErrorData(_ErrorData, total=False):
    """What programs look at: a stable word, and what an error tells besides."""

    #: A JSON Pointer into the request.
    path: str
    #: Of noPresentation: why it is not shown any more.
    ended: str
    #: Of unknownAction: the identifiers of the actions that are offered.
    offered: List[str]
    #: Of messageAborted, and of a didReceive whose extension failed: the remarks that the reply would have had. Absent
    #: if there are none.
    diagnostics: List[Diagnostic]
    #: Of messageAborted: what the template says about it; perhaps empty.
    aborted: str
    #: Of 120 to 128, and of messageAborted: the bundle identifier.
    extension: str
    #: Of extensionExited: how it ended.
    exitCode: int
    #: Of extensionExited: the signal that ended it.
    signal: int
    #: Of 121 to 123: the last lines on its stderr.
    stderr: str
    #: Of extensionRefused: the error that it answered with.
    cause: ExtensionError
    #: Of those of suites, mostly: the suite.
    suite: str
    #: Of extensionUnavailable and destinationUnavailable: milliseconds until another attempt is worth it.
    retryAfter: int
    #: Of a flush that failed: how many records the destination took.
    delivered: int
    #: Of a flush that failed: how many records became dead letters.
    rejected: int
    #: Of a flush that failed: how many may have been sent without anybody knowing.
    possiblySent: int
    #: Of a flush that failed: how many stay pending because the destination cannot take them as they are; there where
    #: any does.
    held: int
    #: Of a flush that failed: how many are pending still.
    remaining: int
    #: Of a change of many records that failed in the middle: how many were changed before, and stay so.
    changed: int
    #: Of parseError: the line, from 1, in which what could not be read ends.
    line: int
    #: Of parseError: the column there, in characters from 0.
    column: int
    #: Of parseError: the same place in bytes from the beginning.
    position: int
    #: Of methodNotFound: the name that no method has.
    method: str
    #: Of unknownElement: the ids of the view's nodes, the first 100.
    elements: List[str]
    #: Of payloadTooLarge: how large it is.
    bytes: int
    #: Of payloadTooLarge and lineTooLong: how many bytes are taken.
    limit: int
    #: Of duplicateId: the id that is in flight.
    id: Optional[Union[str, float]]
    #: Of unsupportedProtocolVersion: the versions of MCP that a request may name.
    supported: List[str]
    #: Of unsupportedProtocolVersion: the version that it named.
    requested: str


class _DidReceiveResult(TypedDict):
    notification: NotificationID
    #: The bundle identifier of who shows it; null for the system's own view, and without an alert.
    extension: Optional[str]
    content: ShownContent
    #: null where the system shows it all.
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
    #: Whether the app is opened with the action; openApplication tells subscribers.
    forwarded: bool


class DidReceiveResponseResult(_DidReceiveResponseResult, total=False):
    """What ``didReceiveResponse`` answers."""

    view: View
    #: There with view, only where option is doNotDismiss.
    actions: List[Action]
    title: OwnTitle
    media: Media
    url: ApplicationURL
    #: There where there are any.
    diagnostics: List[Diagnostic]


class DismissResult(TypedDict):
    """What ``dismiss`` answers."""

    #: It is.
    dismissed: Literal[True]


class NotificationsResult(TypedDict):
    """What ``notifications`` answers."""

    notifications: List[Presentation]


class _PendingResult(TypedDict):
    records: List[PendingRecord]
    #: How many records of the kind are pending in all, leased ones included.
    total: int


class PendingResult(_PendingResult, total=False):
    """What ``pending`` answers."""

    #: How many pending records of all kinds may have been sent without anybody knowing; absent if there are none.
    possiblySent: int
    #: damagedRecord for each record of the page that is damaged and left out; noSuite if the suite does not exist while
    #: other suites hold records. Absent if there are none.
    diagnostics: List[Diagnostic]


class _FlushPendingResult(TypedDict):
    #: How many records could be flushed next; leased ones not counted.
    remaining: int


class FlushPendingResult(_FlushPendingResult, total=False):
    """What ``flushPending`` answers."""

    #: To the caller.
    calls: List[CallEntry]
    #: What acknowledge takes; there only where a lease was asked for and holds something.
    lease: str
    #: To a destination: how many records it took.
    delivered: int
    #: To a destination: how many became dead letters.
    rejected: int
    #: How often a record may have been sent without anybody knowing, by a host that died before too; to the caller
    #: there only where it is not 0.
    possiblySent: int
    #: How many records stay pending because the destination cannot take them as they are; diagnostics say why.
    held: int
    #: To the caller: the ids of the records that may have been sent by a host that died and became dead letters by this
    #: flush; absent if there are none.
    deadLetters: List[int]
    #: To a destination always; to the caller if there are any.
    diagnostics: List[Diagnostic]


class DeadLettersResult(TypedDict):
    """What ``deadLetters`` answers."""

    deadLetters: List[DeadLetter]
    #: How many there are.
    total: int


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

    #: It is.
    stored: Literal[True]


class RetrieveResult(TypedDict):
    """What ``retrieve`` answers."""

    #: The value; null where there is none.
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
    #: What was left out; at most 100.
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
    #: The folder of the suites.
    data: str
    #: Requests that are not answered yet, this one left out.
    requestsInFlight: int
    #: What is shown now.
    presentations: int
    #: Extensions with a process.
    extensionsRunning: int
    #: Extensions that failed too often and are not started for a while.
    extensionsBackingOff: int
    #: Faults of all extensions that count now.
    extensionFaults: int
    #: Of every suite of the folder.
    deadLetters: int
    #: The flushes to destinations that run.
    deliveries: List[RunningDelivery]
    #: Log lines that stderr did not take in time.
    logLinesDropped: int


class StatusResult(_StatusResult, total=False):
    """What ``status`` answers."""

    #: How many pending records of every suite may have been sent without anybody knowing; absent if there are none.
    possiblySent: int


class ExtensionsResult(TypedDict):
    """What ``extensions`` answers."""

    extensions: List[BundleInfo]
    #: Folders that are no bundle, and bundles that compete.
    problems: List[BundleProblem]


class ReloadExtensionsResult(TypedDict):
    """What ``reloadExtensions`` answers."""

    #: The number of bundles now.
    extensions: int
    #: The identifiers of bundles that are new.
    added: List[str]
    #: Of those that were swapped.
    changed: List[str]
    #: Of those that are gone.
    removed: List[str]
    #: All that is odd about folders and bundles.
    problems: List[BundleProblem]


class SubscribeResult(TypedDict):
    """What ``subscribe`` answers."""

    #: The topics that count now.
    topics: List[Topic]


class CancelRequestResult(TypedDict):
    """What ``$/cancelRequest`` answers."""

    #: Whether such a request was in flight.
    cancelled: bool


class _ViewDidChangeParams(TypedDict):
    #: The notification that began the presentation.
    notification: NotificationID
    #: What is shown now.
    view: View
    #: The buttons that are offered now.
    actions: List[Action]


class ViewDidChangeParams(_ViewDidChangeParams, total=False):
    """The params of ``viewDidChange``."""

    #: The extension's own title, where it has one.
    title: OwnTitle
    #: The button for media, where there is one.
    media: Media


class ViewDidChange(NamedTuple):
    """An extension changed the view or the buttons without being asked. What changed in a call's reply is in that reply
    alone.
    """

    topic: Literal["viewDidChange"]
    params: ViewDidChangeParams


class DidDismissParams(TypedDict):
    """The params of ``didDismiss``."""

    #: The notification that began the presentation.
    notification: NotificationID
    #: A sentence for people; the same stands in a later noPresentation as ended.
    reason: str


class DidDismiss(NamedTuple):
    """A presentation ended. The notification is the one that began it."""

    topic: Literal["didDismiss"]
    params: DidDismissParams


class _OpenApplicationParams(TypedDict):
    #: The notification that began the presentation.
    notification: NotificationID
    #: The action, as didReceiveResponse names it.
    actionIdentifier: str


class OpenApplicationParams(_OpenApplicationParams, total=False):
    """The params of ``openApplication``."""

    #: What was entered, where the action takes text.
    userText: str
    #: What the app is to open, if the extension said so.
    url: ApplicationURL


class OpenApplication(NamedTuple):
    """The app would be opened with an action now."""

    topic: Literal["openApplication"]
    params: OpenApplicationParams


class _ProgressParams(TypedDict):
    #: The suite.
    suite: SuiteName


class ProgressParams(_ProgressParams, total=False):
    """The params of ``$/progress``."""

    #: Of a flush: the destination.
    to: str
    #: Of a flush: how many records the destination took so far.
    delivered: int
    #: Of a flush: how many became dead letters so far.
    rejected: int
    #: Of a flush: how many are pending still.
    remaining: int
    #: Delivered records a second since the flush began; not where the clock is fixed.
    rate: int
    #: Of long work: the method that was called.
    method: str
    #: Of long work: how many records and keys are done.
    done: int
    #: Of long work: how many there are at most, if that is known.
    total: int


class Progress(NamedTuple):
    """A flush to a destination goes on: after a batch, at most ten times a second, and at the end. Or long work on a
    suite goes on: at most ten times a second, with a fixed clock after every 10,000 records, and at its end if it was
    told before.
    """

    topic: Literal["$/progress"]
    params: ProgressParams


class LogParams(TypedDict):
    """The params of ``$/log``."""

    #: Its bundle identifier.
    extension: str
    #: How much it matters.
    level: LogLevel
    #: One line of text.
    message: str


class Log(NamedTuple):
    """An extension logged a line with the method log."""

    topic: Literal["$/log"]
    params: LogParams


#: A notification that a listener receives.
Notification = Union[ViewDidChange, DidDismiss, OpenApplication, Progress, Log]

#: The class of each topic's notifications.
NOTIFICATIONS: Dict[str, Callable[[Any, Any], Notification]] = {
    "viewDidChange": ViewDidChange,
    "didDismiss": DidDismiss,
    "openApplication": OpenApplication,
    "$/progress": Progress,
    "$/log": Log,
}
