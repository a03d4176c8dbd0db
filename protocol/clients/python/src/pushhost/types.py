# Generated from protocol/openrpc.json by protocol/generate.py; do not edit.
"""The named types of the contract: params and results of methods, and notifications."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple, NotRequired, TypedDict, Union

#: The version of the contract that this client was generated from.
CONTRACT_VERSION = "1.2"

#: The maximum length of a line in bytes, unless the host's option --line-limit sets another.
MAX_LINE_BYTES = 16777216


#: The id of a request; the reply has the same JSON value.
RequestID = str | float | None


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


class User(TypedDict):
    """The identity of a user: exactly one of external_id, braze_id and user_alias, or email or phone, which identify a
    user only if none of these is present.
    """

    #: The user's id in the brand's own systems, at most 987 bytes of UTF-8.
    external_id: NotRequired[str]
    #: Braze's own id of the user; case-sensitive.
    braze_id: NotRequired[str]
    user_alias: NotRequired[UserAlias]
    #: An e-mail address.
    email: NotRequired[str]
    #: A phone number.
    phone: NotRequired[str]
    #: Whether only an existing profile is updated; if absent, the destination decides.
    _update_existing_only: NotRequired[bool]


class UserAlias(TypedDict):
    """A name that the brand gave the user, and the kind of that name."""

    #: The name.
    alias_name: str
    #: The kind of the name.
    alias_label: str


class Payload(TypedDict):
    """Members whose type a phone does not accept are ignored with a diagnostic; unknown members are passed on
    unchanged.
    """

    aps: Aps
    #: The user of records that name none, at most 1000 bytes; case-sensitive. If it is empty, the records have no user,
    #: and a diagnostic says so.
    braze_id: NotRequired[str]


class Profile(TypedDict):
    """The values that a template may use, under the names that Braze's templates use: standard attributes such as
    first_name at the top, and other values in groups. Other members are allowed, such as canvas_entry_properties or
    targeted_device. A value is data and never a template itself.
    """

    #: The user's custom attributes.
    custom_attribute: NotRequired[dict[str, Any]]
    #: The properties of the API call that triggers the message.
    api_trigger_properties: NotRequired[dict[str, Any]]
    #: The properties of the event that triggers the message.
    event_properties: NotRequired[dict[str, Any]]
    #: The campaign.
    campaign: NotRequired[dict[str, Any]]


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
        "sound": str | dict[str, Any],
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
        "title-loc-key": str | None,
        #: The arguments of the title's localized text.
        "title-loc-args": list[str] | None,
        #: The second line.
        "subtitle": str,
        #: The localization key of the subtitle.
        "subtitle-loc-key": str | None,
        #: The arguments of the subtitle's localized text.
        "subtitle-loc-args": list[str] | None,
        #: The message.
        "body": str,
        #: The localization key of the body.
        "loc-key": str | None,
        #: The arguments of the body's localized text.
        "loc-args": list[str] | None,
        #: The image that is shown while the app opens.
        "launch-image": str,
    },
    total=False,
)


class View(TypedDict):
    """A node. The ids of the nodes of a view are unique, and a view has at most 64 levels. The host checks type, id,
    children and the page of a carousel, and passes the other members on.
    """

    #: The type of the node; it decides which other members are used.
    type: Literal["button", "card", "carousel", "field", "grid", "image", "map", "media", "progress", "row", "stack", "text"]
    #: The id that interact names as element.
    id: NotRequired[str]
    #: Only for a stack, a row, a grid or a carousel.
    children: NotRequired[list[View]]
    #: Only for a grid.
    columns: NotRequired[int]
    #: Only for a carousel: the position of the child that is shown, from 0.
    page: NotRequired[int]
    #: Only for a text.
    text: NotRequired[str]
    #: Only for a text: its role; body if absent.
    style: NotRequired[Literal["title", "body", "caption"]]
    #: Only for a text: the alignment of its lines; start if absent.
    alignment: NotRequired[Literal["start", "center", "end"]]
    #: Only for an image.
    url: NotRequired[str]
    #: For an image, media or a map: what it shows, for people who cannot see it.
    alt: NotRequired[str]
    #: Only for media: the name of the file, or the URL. Media and maps came with version 1.2 of the contract.
    source: NotRequired[str]
    #: Only for media: whether there is something to see.
    kind: NotRequired[Literal["audio", "video"]]
    #: Only for media: what they do.
    state: NotRequired[Literal["playing", "paused", "ended", "failed"]]
    #: Only for media: the position in seconds when the view was made; 0 if absent.
    time: NotRequired[float]
    #: Only for media: the length in seconds; absent if it is not known.
    duration: NotRequired[float]
    #: Only for a map: the latitude of its center, in degrees.
    latitude: NotRequired[float]
    #: Only for a map: the longitude of its center, in degrees.
    longitude: NotRequired[float]
    #: Only for a map: the part that is shown; the client's choice if absent.
    span: NotRequired[MapSpan]
    #: Only for a map: the places on it.
    annotations: NotRequired[list[MapAnnotation]]
    #: Only for a card.
    faceUp: NotRequired[bool]
    #: Only for a card that is face up.
    face: NotRequired[str]
    #: Only for a card.
    matched: NotRequired[bool]
    #: Only for a button.
    title: NotRequired[str]
    #: For a text or a button: the colour of its text; for a progress: the colour of the filled part. Since version 1.2
    #: of the contract, like bold and background.
    color: NotRequired[Color]
    #: For a text or a button: whether its text is bold.
    bold: NotRequired[bool]
    #: For a stack, a row, a grid, a carousel or a button: the colour behind it.
    background: NotRequired[Color]
    #: For a field its text, for a progress how much is done.
    value: NotRequired[Any]
    #: Only for a field.
    placeholder: NotRequired[str]
    #: Only for a progress.
    total: NotRequired[float]


class MapSpan(TypedDict):
    """The part of a map that is shown."""

    #: The degrees from the lower to the upper edge.
    latitude: float
    #: The degrees from the left to the right edge.
    longitude: float


class MapAnnotation(TypedDict):
    """A place on a map."""

    #: The name of the place.
    title: NotRequired[str]
    #: Its latitude in degrees.
    latitude: float
    #: Its longitude in degrees.
    longitude: float


#: A colour as #RRGGBB, or one for a light and one for a dark appearance. A client treats anything else as absent.
Color = Union[str, "ColorPair"]


class ColorPair(TypedDict):
    """A colour for each appearance."""

    #: The colour on a light screen, as #RRGGBB.
    light: str
    #: The colour on a dark screen, as #RRGGBB.
    dark: str


class Action(TypedDict):
    """A button of a notification."""

    #: The name of the action in didReceiveResponse.
    identifier: str
    #: The text on the button.
    title: str
    #: Always present in replies.
    options: NotRequired[list[Literal["authenticationRequired", "destructive", "foreground"]]]
    textInput: NotRequired[TextInput]
    icon: NotRequired[ActionIcon]


class ActionIcon(TypedDict):
    """Apple's icon of a button; kept, without effect."""

    #: The name of a system image.
    systemImageName: NotRequired[str]
    #: The name of an image of the app.
    templateImageName: NotRequired[str]


class TextInput(TypedDict):
    """Present if the action accepts text; passed on unchanged."""

    #: The title of the button that sends the text.
    buttonTitle: NotRequired[str]
    #: The text that the empty field shows.
    placeholder: NotRequired[str]


class Category(TypedDict):
    """The buttons that notifications of a category have until their extension sets others."""

    #: The value of aps.category.
    identifier: str
    actions: NotRequired[list[Action]]
    #: Apple's options; with customDismissAction the extension gets dismissals.
    options: NotRequired[list[Literal["customDismissAction", "allowInCarPlay", "hiddenPreviewsShowTitle", "hiddenPreviewsShowSubtitle", "allowAnnouncement"]]]
    #: Apple's intents; kept, without effect.
    intentIdentifiers: NotRequired[list[str]]
    #: Apple's text; kept, without effect.
    hiddenPreviewsBodyPlaceholder: NotRequired[str]
    #: Apple's text; kept, without effect.
    categorySummaryFormat: NotRequired[str]


class Categories(TypedDict):
    """Every registered category."""

    categories: list[Category]


class Presentation(TypedDict):
    """A presentation: one or more notifications of one thread."""

    notification: NotificationID
    #: All its notifications; the first one began it.
    notifications: list[NotificationID]
    #: The bundle identifier of the extension that shows it; null for the system's own view.
    extension: str | None
    #: Its aps.category; empty if absent.
    category: str
    date: Timestamp
    #: The title of the notification; empty if absent.
    title: str
    #: Present if the call named a notification, like actions.
    view: NotRequired[View]
    actions: NotRequired[list[Action]]
    media: NotRequired[Media]
    expanded: NotRequired[NotExpanded]


#: The fate of a notification after a response.
ResponseOption = Literal["doNotDismiss", "dismiss", "dismissAndForward"]


class Display(TypedDict):
    """The current view and buttons of a presentation."""

    view: View
    actions: list[Action]
    title: NotRequired[OwnTitle]
    media: NotRequired[Media]
    expanded: NotRequired[NotExpanded]
    #: Absent if there are none.
    diagnostics: NotRequired[list[Diagnostic]]


#: The URL that the app opens: an absolute URL of any scheme, percent-encoded as in RFC 3986.
ApplicationURL = str


#: false as long as the notification is only delivered, and shown as a banner. Absent otherwise.
NotExpanded = Literal[False]


#: The title that replaces the notification's title. Present if the extension set one and its Info.plist sets
#: UNNotificationExtensionOverridesDefaultTitle.
OwnTitle = str


class Media(TypedDict):
    """The system's button that plays and pauses media. Present after the extension set one."""

    #: The kind of button; with none it is hidden.
    button: Literal["none", "default", "overlay"]
    frame: NotRequired[Frame]
    #: Its color, in the notation of the extension.
    tintColor: NotRequired[str]
    #: Whether the button shows that media is playing.
    playing: bool


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


class Span(TypedDict):
    """A piece of a line of a drawing."""

    #: Without line breaks and control characters.
    text: str
    #: The kind of piece, by which a client colours it; plain text if absent. done is a matched pair or the filled part
    #: of a bar; dim is a border, a caption, a placeholder or another secondary part.
    role: NotRequired[Literal["title", "dim", "button", "destructive", "done", "warning"]]
    target: NotRequired[Target]
    #: The colour of the node, instead of the role's. Since version 1.2 of the contract, like background and bold.
    color: NotRequired[Color]
    #: The colour behind the piece.
    background: NotRequired[Color]
    #: true if the node is bold, and absent otherwise.
    bold: NotRequired[bool]


class Target(TypedDict):
    """The meaning of a press on a piece of a drawing, as one member."""

    #: The element for interact.
    element: NotRequired[str]
    #: The actionIdentifier for didReceiveResponse.
    action: NotRequired[str]
    #: The method of the media button.
    media: NotRequired[Literal["mediaPlay", "mediaPause"]]


class ShownContent(TypedDict):
    """The content that the system shows beside the extension's view, unless layout.defaultContentHidden is true."""

    #: The first line; empty if absent.
    title: str
    #: The second line; empty if absent.
    subtitle: str
    #: The message; empty if absent.
    body: str
    attachments: list[Attachment]


class Attachment(TypedDict):
    """A file that a service extension added to the notification."""

    #: Its name among the attachments of the notification.
    identifier: str
    #: A file: URL.
    url: str
    #: The type of the file, as the suffix of its name, such as png.
    type: str


class Layout(TypedDict):
    """How the view is placed beside the system's content, as the Info.plist says."""

    #: The height divided by the width.
    initialContentSizeRatio: float
    #: Whether the system's own content is hidden.
    defaultContentHidden: bool
    #: Whether the extension's title replaces the notification's title.
    overridesDefaultTitle: bool


class Diagnostic(TypedDict):
    """A report that is not an error: something that a phone would ignore without a message. The reason is one of
    x-reasons, the reason of an error that a notification of an extension caused, or a word of the extension.
    """

    #: A stable word.
    reason: str
    #: A sentence for people.
    message: str
    #: A JSON Pointer into the request.
    path: NotRequired[str]
    #: Only for serviceFailed: the reason of the error that the call ended with.
    cause: NotRequired[str]


class ExtensionUsage(TypedDict):
    """What a content or service extension used in its trial run, beside what a phone grants it; absent if it was not
    used.
    """

    #: The peak of its memory beyond that of its start, in bytes.
    memory: int
    #: The time of its longest call in milliseconds; absent if it answered none.
    longestCall: NotRequired[float]
    #: The memory that iOS grants a service extension, in bytes; absent for others, for which no figure is known.
    memoryLimit: NotRequired[int]
    #: The time that iOS grants a service extension, in milliseconds.
    callLimit: NotRequired[int]
    #: What the calls of each method took.
    methods: NotRequired[list[MethodUsage]]


class ExtensionFinding(TypedDict):
    """The result of one test of a bundle."""

    #: ok: the test passed. skipped: it could not run. warning: it works here, but perhaps not as intended, or not on a
    #: phone. error: it does not work, or violates the contract.
    severity: Literal["ok", "skipped", "warning", "error"]
    #: A file of the bundle, or a step of the test.
    place: str
    #: The finding, and what to do if that is not obvious.
    message: str
    #: How long the step took. Absent if it was not measured.
    milliseconds: NotRequired[int]
    #: The end of the extension's stderr. Absent if it is not needed.
    stderr: NotRequired[str]
    #: A stable word for what a file of the bundle shows. Absent for a step of the test.
    reason: NotRequired[str]
    #: A JSON Pointer to the key in the file, which may be missing. Absent if the finding is about all of the file.
    path: NotRequired[str]


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
    #: The line in the payload's text, from 1; absent if the payload came as a value, or if the finding is about all of
    #: it.
    line: NotRequired[int]
    #: The column in Unicode scalars, from 1, of a member's name or of an element; present with line.
    column: NotRequired[int]


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


class PendingRecord(TypedDict):
    """A pending record."""

    #: Its number in the suite, which is never used again.
    id: int
    kind: RecordKind
    #: Only for a custom event.
    name: NotRequired[str]
    #: Only for a custom event that has properties.
    properties: NotRequired[dict[str, Any]]
    #: Only for a custom attribute.
    key: NotRequired[str]
    #: Only for a user attribute.
    field: NotRequired[str]
    #: Only for an attribute.
    value: NotRequired[Any]
    #: The time at which the record was saved.
    time: Timestamp
    #: The user, if it was known when the record was saved.
    user: NotRequired[User]
    #: Present if the record is leased; an expired lease is included until the next flush.
    leased: NotRequired[Literal[True]]
    #: How often a delivery of the record was ambiguous, so that it may have been sent; absent if never.
    possiblySent: NotRequired[int]


class DeadLetter(TypedDict):
    """A record that cannot be delivered: its members, or bytes that could not be read as a record."""

    #: The number that it had as a pending record.
    id: int
    kind: NotRequired[RecordKind]
    #: Only for a custom event.
    name: NotRequired[str]
    #: Only for a custom event that has properties.
    properties: NotRequired[dict[str, Any]]
    #: Only for a custom attribute.
    key: NotRequired[str]
    #: Only for a user attribute.
    field: NotRequired[str]
    #: Only for an attribute.
    value: NotRequired[Any]
    #: The time at which the record was saved.
    time: NotRequired[Timestamp]
    #: The user, if it was known when the record was saved.
    user: NotRequired[User]
    #: The bytes that could not be read, in Base64.
    bytes: NotRequired[str]
    #: Why it cannot be delivered, in one sentence.
    reason: str
    #: When it became a dead letter.
    diedAt: Timestamp


class SuiteInfo(TypedDict):
    """A suite: its contents, or why they cannot be read."""

    suite: SuiteName
    #: How many records are pending, including leased ones.
    pending: NotRequired[int]
    #: How many dead letters there are.
    deadLetters: NotRequired[int]
    #: Every destination to which the suite was flushed.
    deliveries: NotRequired[list[DeliveryTotals]]
    #: How many pending records have an ambiguous delivery, including by a host that died: they may have been sent.
    #: Absent if there are none.
    possiblySent: NotRequired[int]
    #: Present instead of the other members if the suite cannot be read: an error object.
    error: NotRequired[ErrorObject]


class DeliveryTotals(TypedDict):
    """The deliveries of a suite to a destination, counted across restarts of the host."""

    #: The destination.
    to: str
    #: How many records it accepted.
    delivered: int
    #: How many records became dead letters.
    rejected: int
    #: How often a delivery was ambiguous, so that a record may have been sent.
    possiblySent: int
    #: How many attempts in a row failed.
    failures: NotRequired[int]
    #: Nothing is sent before this time; present if the destination failed or asked for a pause.
    notBefore: NotRequired[Timestamp]
    #: Why the last attempt failed.
    problem: NotRequired[str]


class RunningDelivery(TypedDict):
    """A flush to a destination that is running."""

    suite: SuiteName
    #: The destination.
    to: str
    #: How many records it has accepted so far.
    delivered: int
    #: How many records have become dead letters so far.
    rejected: int
    #: How often a delivery was ambiguous so far, so that a record may have been sent.
    possiblySent: int
    #: How many records it cannot accept as they are.
    held: NotRequired[int]
    #: During a pause: how many milliseconds are left.
    retryAfter: NotRequired[int]
    #: Why the last attempt failed.
    problem: NotRequired[str]


class PlannedRequest(TypedDict):
    """A request that a delivery would make."""

    #: The method, such as POST; append for the destination file.
    method: str
    #: The address, without secrets.
    url: str
    #: The header fields. A secret is replaced, as in Bearer <the key>.
    headers: NotRequired[dict[str, Any]]
    #: The body, as JSON.
    body: NotRequired[Any]


class DestinationCheck(TypedDict):
    """Whether a destination can be reached and would accept records."""

    #: Whether the service answered.
    reachable: bool
    #: Whether the service accepts the key and would accept records. Absent if its answer does not say so.
    accepted: NotRequired[bool]
    #: How long the answer took.
    milliseconds: NotRequired[int]
    #: The service's own time.
    date: NotRequired[str]
    #: A sentence for people: what was found, and what to do if it is not good.
    message: str


class CallEntry(TypedDict):
    """One call of Braze's Swift SDK. A record with add or remove becomes one call for each element."""

    #: The name of the SDK's method.
    call: Literal["logCustomEvent", "setCustomAttribute", "setCustomAttributeArray", "unsetCustomAttribute", "incrementCustomUserAttribute", "addToCustomAttributeArray", "removeFromCustomAttributeArray", "setUserAttribute"]
    #: Only for logCustomEvent.
    name: NotRequired[str]
    #: Only for logCustomEvent, if the event has properties.
    properties: NotRequired[dict[str, Any]]
    #: Only for logCustomEvent: the time at which the event was saved.
    time: NotRequired[Timestamp]
    #: Only for the calls for custom attributes.
    key: NotRequired[str]
    #: Only for setUserAttribute.
    field: NotRequired[str]
    #: For all except logCustomEvent, unsetCustomAttribute and incrementCustomUserAttribute.
    value: NotRequired[Any]
    #: Only for incrementCustomUserAttribute.
    by: NotRequired[int]
    #: Only for setCustomAttribute: true if the object is merged into the current one; absent otherwise.
    merge: NotRequired[Literal[True]]
    user: NotRequired[User]
    #: How often a delivery of the record was ambiguous, so that it may have been sent; absent if never.
    possiblySent: NotRequired[int]


#: Names have 1 to 255 characters, do not begin with $, and are not time or event_name. Texts have at most 255
#: characters. Dates in nested objects are in the years 0 to 3000. Arrays contain no text that is a date with a time of
#: day.
Properties = dict[str, Any]


#: A standard field of Braze's profile.
StandardField = Literal[
    "alias_label", "alias_name", "country", "current_location", "date_of_first_session", "date_of_last_session", "dob",
    "email", "email_click_tracking_disabled", "email_open_tracking_disabled", "email_subscribe", "facebook",
    "first_name", "gender", "home_city", "image_url", "language", "last_name", "marked_email_as_spam_at", "phone",
    "push_subscribe", "push_tokens", "subscription_groups", "time_zone", "twitter",
]


class Saved(TypedDict):
    """The result of a save."""

    #: The record's number in the suite.
    id: int
    #: Present and true if an earlier save with this idempotencyKey saved the record; this save saved nothing.
    repeated: NotRequired[Literal[True]]


class Removed(TypedDict):
    """The result of a removal."""

    #: How many were removed: records, or the one value of a key.
    removed: int


class BundlePermissions(TypedDict):
    """What the processes of a bundle may do besides reading it and writing a temporary folder, as its property list
    declares it; absent if nothing.
    """

    #: The hosts with which it connects.
    network: list[str]
    #: The files and folders that it reads.
    read: list[str]
    #: The folders that it writes.
    write: list[str]


class BundleInfo(TypedDict):
    """A bundle and its process."""

    #: Its CFBundleIdentifier.
    identifier: str
    #: The bundle's folder.
    path: str
    #: Its CFBundleExecutable.
    executable: str
    #: The extension point of the bundle.
    point: Literal["com.apple.usernotifications.content-extension", "com.apple.usernotifications.service", "pushhost.destination", "pushhost.personalization"]
    #: The categories that it registered.
    categories: list[str]
    #: The suites that it may use, its default first.
    applicationGroups: list[str]
    #: The height of its view divided by the width, at the start.
    initialContentSizeRatio: float
    #: Whether the system's own content beside its view is hidden.
    defaultContentHidden: bool
    #: Whether its title replaces the notification's title.
    overridesDefaultTitle: bool
    #: Whether interact works.
    userInteractionEnabled: bool
    #: The name of a destination in a flush; present if the bundle has a valid one.
    destinationName: NotRequired[str]
    #: The name of a source for pushhost relay; present if the bundle has a valid one.
    sourceName: NotRequired[str]
    #: The variables of the host's environment that activate passes to a destination: their names, never their values.
    environment: NotRequired[list[str]]
    permissions: NotRequired[BundlePermissions]
    #: Whether you allowed what it declares; absent if it declares nothing. Without that, and unless the host has no
    #: sandbox, it does not start.
    allowed: NotRequired[bool]
    #: Whether its processes run in a sandbox; partial if the system cannot restrict them in every way.
    sandbox: NotRequired[Literal["on", "partial", "off"]]
    #: The state of its process.
    state: Literal["idle", "backingOff", "activating", "ready", "suspended", "stopping"]
    #: The state in one sentence.
    stateDescription: NotRequired[str]
    #: How many presentations it has.
    presentations: int
    #: How many calls wait for it or are being handled by it.
    callsInFlight: int
    #: How many calls have not been sent to it yet.
    callsWaiting: NotRequired[int]
    #: How many calls it answered with a result.
    callsAnswered: NotRequired[int]
    #: How many calls failed with the process or were refused.
    callsFailed: NotRequired[int]
    #: The median time of its last 1,024 answers, in milliseconds.
    p50: NotRequired[float]
    #: The 99th percentile of these times, in milliseconds.
    p99: NotRequired[float]
    #: The longest time of all its answers, in milliseconds.
    longestCall: NotRequired[float]
    #: Bytes written to its processes.
    bytesWritten: NotRequired[int]
    #: Bytes read from its processes, including stderr.
    bytesRead: NotRequired[int]
    #: How many faults count now towards --restart-budget.
    faults: NotRequired[int]
    #: Milliseconds until it may be started again; present if it failed too often.
    retryAfter: NotRequired[int]
    #: Resident bytes of its process and of the child processes.
    memory: NotRequired[int]
    #: The most memory outside files, in bytes, that calls added to that of a process at its start, as it was sampled.
    peakMemory: NotRequired[int]
    #: What the calls of each method took; absent before the first call.
    methods: NotRequired[list[MethodUsage]]
    #: Processor time of these processes in milliseconds.
    processorTime: NotRequired[int]
    #: The last lines on its stderr.
    stderr: NotRequired[str]
    #: How its last ten processes ended, the most recent last.
    ends: NotRequired[list[ProcessEnd]]
    #: How many child processes it left behind when it ended, all of them killed; absent if none.
    orphans: NotRequired[int]
    #: How often its process was started.
    starts: int
    #: How long its last process took to answer activate; absent until it has answered.
    activationMilliseconds: NotRequired[int]
    #: How many lines on the stdout of its last process were not messages; absent if none.
    strayLines: NotRequired[int]
    #: Present while a process runs.
    pid: NotRequired[int]
    #: The bundle's current problems, including why it cannot be started.
    problems: list[BundleProblem]


class MethodUsage(TypedDict):
    """What an extension's calls of one method took."""

    #: The method.
    method: str
    #: How many calls the extension answered.
    answered: int
    #: The longest time of an answer, in milliseconds; absent if there was none.
    longest: NotRequired[float]
    #: The most memory beyond that of the start, in bytes, in a sample during a call or after its answer; absent if none
    #: was more.
    peakMemory: NotRequired[int]


class ProcessEnd(TypedDict):
    """How a process of an extension ended."""

    #: The time of the system's clock, whatever --clock says.
    date: Timestamp
    #: The pid of the process.
    pid: int
    #: How the process ended, or why it was stopped or killed.
    reason: str
    #: The same as a stable word: why the process was stopped (bundleReloaded, hostStopping, unused), otherwise the
    #: reason of the error, such as extensionExited.
    cause: str
    #: Present if the process exited.
    exitCode: NotRequired[int]
    #: Present if a signal ended the process.
    signal: NotRequired[int]


class BundleProblem(TypedDict):
    """A problem of a folder or a bundle."""

    #: The file or folder.
    path: str
    #: What is wrong, and what to do.
    message: str
    #: warning: it works here, perhaps not as its author expects. error: it does not work, here or on a phone.
    severity: Literal["warning", "error"]
    #: true if the extension cannot be started because of it: its executable or its interpreter is missing, or the
    #: system cannot run it.
    preventsStart: NotRequired[bool]
    #: A stable word; see the page about bundles.
    reason: NotRequired[str]
    #: A JSON Pointer to the key in the file, which may be missing. Absent if the problem is about all of it.
    pointer: NotRequired[str]


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


class ExtensionError(TypedDict):
    """The error that an extension answered with; its data is unchanged."""

    #: The code of the error.
    code: int
    #: The message of the error.
    message: str
    #: The data of the error, of any type.
    data: NotRequired[Any]


class ErrorData(TypedDict):
    """The part of an error that programs read: a stable word, and further members of the error."""

    #: A stable word.
    reason: str
    #: A JSON Pointer into the request.
    path: NotRequired[str]
    #: Only for noPresentation: why the notification is no longer shown.
    ended: NotRequired[str]
    #: Only for unknownAction: the identifiers of the actions that are offered.
    offered: NotRequired[list[str]]
    #: Only for messageAborted, and for a didReceive whose extension failed: the diagnostics that the reply would have
    #: had. Absent if there are none.
    diagnostics: NotRequired[list[Diagnostic]]
    #: Only for messageAborted: the reason that the template gives; may be empty.
    aborted: NotRequired[str]
    #: Only for 120 to 128, for messageAborted, and for unsupportedByDestination if it is a bundle: the bundle
    #: identifier.
    extension: NotRequired[str]
    #: Only for extensionExited: the exit code of the process.
    exitCode: NotRequired[int]
    #: Only for extensionExited: the signal that ended the process.
    signal: NotRequired[int]
    #: Only for 121 to 123: the last lines on its stderr.
    stderr: NotRequired[str]
    #: Only for extensionRefused: the error that the extension answered with.
    cause: NotRequired[ExtensionError]
    #: For most errors about suites: the suite.
    suite: NotRequired[str]
    #: Only for extensionUnavailable and destinationUnavailable: milliseconds until the next attempt makes sense.
    retryAfter: NotRequired[int]
    #: Only for a failed flush: how many records the destination accepted.
    delivered: NotRequired[int]
    #: Only for a failed flush: how many records became dead letters.
    rejected: NotRequired[int]
    #: Only for a failed flush: how often a delivery was ambiguous, so that a record may have been sent.
    possiblySent: NotRequired[int]
    #: Only for a failed flush: how many records stay pending because the destination cannot accept them as they are;
    #: absent if none.
    held: NotRequired[int]
    #: Only for a failed flush: how many records are still pending.
    remaining: NotRequired[int]
    #: Only if a change of many records failed in the middle: how many were changed before, and stay changed.
    changed: NotRequired[int]
    #: Only for parseError: the number of the line, from 1, in which the unreadable part ends, or in which a common
    #: mistake begins.
    line: NotRequired[int]
    #: Only for parseError: how many characters of the line precede that end, or go up to the first character of the
    #: mistake.
    column: NotRequired[int]
    #: Only for parseError: the same place in bytes from the beginning.
    position: NotRequired[int]
    #: Only for methodNotFound: the unknown name.
    method: NotRequired[str]
    #: Only for unknownElement: the ids of the view's nodes, at most the first 100.
    elements: NotRequired[list[str]]
    #: Only for payloadTooLarge: the size of the payload.
    bytes: NotRequired[int]
    #: Only for payloadTooLarge and lineTooLong: the limit in bytes.
    limit: NotRequired[int]
    #: Only for duplicateId: the id that is in flight.
    id: NotRequired[str | float | None]
    #: Only for unsupportedProtocolVersion: the versions of MCP that a request may name.
    supported: NotRequired[list[str]]
    #: Only for unsupportedProtocolVersion: the version that the request named.
    requested: NotRequired[str]


class DidReceiveResult(TypedDict):
    """What ``didReceive`` answers."""

    notification: NotificationID
    #: The bundle identifier of the extension that shows the notification. null if the system's own view shows it, or if
    #: there is no alert.
    extension: str | None
    content: ShownContent
    #: null if the system shows the whole notification.
    layout: Layout | None
    view: View
    actions: list[Action]
    title: NotRequired[OwnTitle]
    media: NotRequired[Media]
    expanded: NotRequired[NotExpanded]
    diagnostics: list[Diagnostic]


class DidReceiveResponseResult(TypedDict):
    """What ``didReceiveResponse`` answers."""

    option: ResponseOption
    view: NotRequired[View]
    #: Present together with view, and only if option is doNotDismiss.
    actions: NotRequired[list[Action]]
    title: NotRequired[OwnTitle]
    media: NotRequired[Media]
    #: Whether the action goes to the app, which is opened unless background is true; openApplication informs
    #: subscribers that it is opened.
    forwarded: bool
    #: true if the app gets the action in the background and is not opened: a dismissal, or a button without the option
    #: foreground. Absent otherwise.
    background: NotRequired[Literal[True]]
    url: NotRequired[ApplicationURL]
    #: true if Braze's SDK shows the URL in a web view of the app, as ab_use_webview of the payload asks. Absent
    #: otherwise.
    useWebView: NotRequired[Literal[True]]
    #: Absent if there are none.
    diagnostics: NotRequired[list[Diagnostic]]


class DismissResult(TypedDict):
    """What ``dismiss`` answers."""

    #: Always true.
    dismissed: Literal[True]


class NotificationsResult(TypedDict):
    """What ``notifications`` answers."""

    notifications: list[Presentation]


class RenderResult(TypedDict):
    """What ``render`` answers."""

    #: The page, or the drawing as one text. Absent if the format is lines.
    text: NotRequired[str]
    #: The drawing from top to bottom, each line from left to right. Present if the format is lines.
    lines: NotRequired[list[list[Span]]]


class CheckPayloadResult(TypedDict):
    """What ``checkPayload`` answers."""

    #: The size of the payload in compact form.
    bytes: int
    #: The greatest size that Apple delivers.
    limit: int
    #: The bundle identifier of the extension that would show the notification; null if none would.
    extension: str | None
    #: How many bytes each key of the payload and its value have, the largest first.
    shares: list[PayloadShare]
    #: Errors first, then warnings.
    findings: list[PayloadFinding]


class CheckExtensionResult(TypedDict):
    """What ``checkExtension`` answers."""

    #: The path of what was checked, links resolved.
    bundle: str
    #: In the order of the tests.
    findings: list[ExtensionFinding]
    #: How many findings are errors.
    errors: int
    #: How many findings are warnings.
    warnings: int
    usage: NotRequired[ExtensionUsage]


class PendingResult(TypedDict):
    """What ``pending`` answers."""

    records: list[PendingRecord]
    #: How many records of the kind are pending in total, including leased ones.
    total: int
    #: How many pending records of all kinds have an ambiguous delivery: they may have been sent. Absent if there are
    #: none.
    possiblySent: NotRequired[int]
    #: damagedRecord for each damaged record of the page, which is skipped; noSuite if the suite does not exist while
    #: other suites have records or a similar name; otherSuites if the request names no suite, and suites other than the
    #: default have records. Absent if there are none.
    diagnostics: NotRequired[list[Diagnostic]]


class FlushPendingResult(TypedDict):
    """What ``flushPending`` answers."""

    #: Only to the caller.
    calls: NotRequired[list[CallEntry]]
    #: How many records could be flushed next, without leased ones.
    remaining: int
    #: The token for acknowledge. Present only if a lease was requested and holds at least one record.
    lease: NotRequired[str]
    #: Only to a destination: how many records it accepted.
    delivered: NotRequired[int]
    #: Only to a destination: how many records became dead letters. For a dry run: how many would; absent if none.
    rejected: NotRequired[int]
    #: How often a delivery was ambiguous, so that a record may have been sent, including deliveries of a host that
    #: died. To the caller it is present only if it is not 0.
    possiblySent: NotRequired[int]
    #: How many records stay pending, or would after a dry run, because the destination cannot accept them as they are;
    #: diagnostics gives the reasons.
    held: NotRequired[int]
    #: Only for a dry run: the requests that the destination would make for the first batch, in order.
    requests: NotRequired[list[PlannedRequest]]
    #: Only for a dry run: how many records these requests deliver.
    records: NotRequired[int]
    #: Only for a dry run: how many more records are pending that the dry run does not show. Absent if there are none.
    omitted: NotRequired[int]
    #: Only to the caller: the ids of the records that a host that died may have sent, and that this flush made dead
    #: letters. Absent if there are none.
    deadLetters: NotRequired[list[int]]
    #: To a destination always present; to the caller absent if there are none.
    diagnostics: NotRequired[list[Diagnostic]]


class DeadLettersResult(TypedDict):
    """What ``deadLetters`` answers."""

    deadLetters: list[DeadLetter]
    #: How many dead letters there are.
    total: int
    #: noSuite if the suite does not exist while other suites have records or a similar name. Absent if there are none.
    diagnostics: NotRequired[list[Diagnostic]]


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

    suites: list[SuiteInfo]


class ImportSuiteResult(TypedDict):
    """What ``importSuite`` answers."""

    imported: RecordCounts
    #: How many keys were set.
    defaults: int
    #: How many dead letters were added.
    deadLetters: int
    #: Why each dead letter is one, and what was changed or left out; at most 100.
    diagnostics: list[Diagnostic]


class ExportSuiteResult(TypedDict):
    """What ``exportSuite`` answers."""

    exported: RecordCounts
    #: How many keys were written.
    defaults: int
    #: The size of the file.
    bytes: int
    #: What was left out, and noSuite if the suite does not exist while other suites have records or a similar name; at
    #: most 100.
    diagnostics: list[Diagnostic]


class BackUpSuiteResult(TypedDict):
    """What ``backUpSuite`` answers."""

    #: How many pending records the copy has; of a dry run, how many the suite has.
    pending: int


class PingResult(TypedDict):
    """What ``ping`` answers."""

    #: The version of the contract.
    version: str


class StatusResult(TypedDict):
    """What ``status`` answers."""

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
    plugins: list[str]
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
    deliveries: list[RunningDelivery]
    #: How many log lines were dropped because stderr did not accept them in time.
    logLinesDropped: int
    #: How many pending records of all suites have an ambiguous delivery: they may have been sent. Absent if there are
    #: none.
    possiblySent: NotRequired[int]


class ExtensionsResult(TypedDict):
    """What ``extensions`` answers."""

    extensions: list[BundleInfo]
    #: Folders that are not bundles or have none, and bundles that conflict.
    problems: list[BundleProblem]


class ReloadExtensionsResult(TypedDict):
    """What ``reloadExtensions`` answers."""

    #: The number of bundles now.
    extensions: int
    #: The identifiers of new bundles.
    added: list[str]
    #: The identifiers of replaced bundles.
    changed: list[str]
    #: The identifiers of removed bundles.
    removed: list[str]
    #: All problems of folders and bundles.
    problems: list[BundleProblem]


class SubscribeResult(TypedDict):
    """What ``subscribe`` answers."""

    #: The topics that are chosen now.
    topics: list[Topic]


class CancelRequestResult(TypedDict):
    """What ``$/cancelRequest`` answers."""

    #: Whether such a request was in flight.
    cancelled: bool


class ViewDidChangeParams(TypedDict):
    """The params of ``viewDidChange``."""

    #: The notification that began the presentation.
    notification: NotificationID
    #: The view that is shown now.
    view: View
    #: The buttons that are offered now.
    actions: list[Action]
    #: The extension's own title, if it has one.
    title: NotRequired[OwnTitle]
    #: The media button, if there is one.
    media: NotRequired[Media]


class ViewDidChange(NamedTuple):
    """An extension changed the view or the buttons outside a call. A call's own changes are only in its reply."""

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


class OpenApplicationParams(TypedDict):
    """The params of ``openApplication``."""

    #: The notification that began the presentation.
    notification: NotificationID
    #: The action, as in didReceiveResponse.
    actionIdentifier: str
    #: The text that was entered, if the action accepts text.
    userText: NotRequired[str]
    #: The URL that the app opens: the one that the extension set, or else, after a tap, ab_uri of the payload. Absent
    #: if there is neither.
    url: NotRequired[ApplicationURL]
    #: true if Braze's SDK shows the URL in a web view of the app, as ab_use_webview of the payload asks. Absent
    #: otherwise.
    useWebView: NotRequired[Literal[True]]


class OpenApplication(NamedTuple):
    """The app would now be opened, with an action."""

    topic: Literal["openApplication"]
    params: OpenApplicationParams


class ProgressParams(TypedDict):
    """The params of ``$/progress``."""

    #: The suite.
    suite: SuiteName
    #: Only for a flush: the destination.
    to: NotRequired[str]
    #: Only for a flush: how many records the destination has accepted so far.
    delivered: NotRequired[int]
    #: Only for a flush: how many records have become dead letters so far.
    rejected: NotRequired[int]
    #: Only for a flush: how many records are still pending.
    remaining: NotRequired[int]
    #: Delivered records per second since the flush began; absent if the clock is fixed.
    rate: NotRequired[int]
    #: Only for long work: the method that was called.
    method: NotRequired[str]
    #: Only for long work: how many records and keys are done.
    done: NotRequired[int]
    #: Only for long work: how many there are at most, if that is known.
    total: NotRequired[int]


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


class StderrParams(TypedDict):
    """The params of ``$/stderr``."""

    #: The bundle identifier of the extension.
    extension: str
    #: The line, which is not empty; a line of more than 4096 bytes comes in pieces.
    line: str
    #: How many lines of extensions were left out before this one, because the client left more than 1 MiB unread;
    #: absent if there were none.
    missed: NotRequired[int]


class Stderr(NamedTuple):
    """An extension wrote a line on its stderr, such as a print or a traceback. It comes before everything that the
    extension sent after it.
    """

    topic: Literal["$/stderr"]
    params: StderrParams


#: A notification that a listener receives.
Notification = Union[ViewDidChange, DidDismiss, DidSave, OpenApplication, Progress, Log, Stderr]

#: The class of each topic's notifications.
NOTIFICATIONS: dict[str, Callable[[Any, Any], Notification]] = {
    "viewDidChange": ViewDidChange,
    "didDismiss": DidDismiss,
    "didSave": DidSave,
    "openApplication": OpenApplication,
    "$/progress": Progress,
    "$/log": Log,
    "$/stderr": Stderr,
}
