// Generated from protocol/openrpc.json by protocol/generate.py; do not edit.

/** The version of the contract from which this client was generated. */
export declare const CONTRACT_VERSION: string;

/** Every topic that can be listened to. */
export declare const TOPICS: readonly Topic[];

/** The id of a request; the reply has the same JSON value. */
export type RequestID = string | number | null;

/** A time as the host writes it: RFC 3339 in UTC with milliseconds. */
export type Timestamp = string;

/**
 * A time as the host reads it: RFC 3339 with any zone, which must be present. Digits beyond milliseconds are cut off,
 * and the host returns the time in UTC.
 */
export type ZonedTimestamp = string;

/**
 * The id that didReceive returned: a UUID. The id of any notification of a presentation identifies the presentation.
 */
export type NotificationID = string;

/**
 * The name of an App Group. If absent: for a client the suite that --suite names, by default standard; for an extension
 * the first App Group of its entitlements. In store, retrieve and removeObject, standard is the extension's own suite,
 * which has the name of its bundle.
 */
export type SuiteName = string;

/**
 * The identity of a user: exactly one of external_id, braze_id and user_alias, or email or phone, which identify a user
 * only if none of these is present.
 */
export interface User {
  /** The user's id in the brand's own systems, at most 987 bytes of UTF-8. */
  external_id?: string;
  /** Braze's own id of the user; case-sensitive. */
  braze_id?: string;
  user_alias?: UserAlias;
  /** An e-mail address. */
  email?: string;
  /** A phone number. */
  phone?: string;
  /** Whether only an existing profile is updated; if absent, the destination decides. */
  _update_existing_only?: boolean;
}

/** A name that the brand gave the user, and the kind of that name. */
export interface UserAlias {
  /** The name. */
  alias_name: string;
  /** The kind of the name. */
  alias_label: string;
}

/**
 * Members whose type a phone does not accept are ignored with a diagnostic; unknown members are passed on unchanged.
 */
export interface Payload {
  aps: Aps;
  /**
   * The user of records that name none, at most 1000 bytes; case-sensitive. If it is empty, the records have no user,
   * and a diagnostic says so.
   */
  braze_id?: string;
  [member: string]: unknown;
}

/**
 * The values that a template may use, under the names that Braze's templates use: standard attributes such as
 * first_name at the top, and other values in groups. Other members are allowed, such as canvas_entry_properties or
 * targeted_device. A value is data and never a template itself.
 */
export interface Profile {
  /** The user's custom attributes. */
  custom_attribute?: { [member: string]: unknown };
  /** The properties of the API call that triggers the message. */
  api_trigger_properties?: { [member: string]: unknown };
  /** The properties of the event that triggers the message. */
  event_properties?: { [member: string]: unknown };
  /** The campaign. */
  campaign?: { [member: string]: unknown };
  [member: string]: unknown;
}

/** Apple's part of the payload. */
export interface Aps {
  /** The texts: an object, or only the body. */
  alert?: string | Alert;
  /** The category by which the extension is found; compared exactly. */
  category?: string;
  /** Notifications of one extension with the same non-empty thread-id are shown together. */
  "thread-id"?: string;
  /** The number on the app's icon. */
  badge?: number;
  /** The sound: its name, or Apple's object for a critical one. */
  sound?: string | { [member: string]: unknown };
  /** The integer 1 lets a service extension change the notification first; any other value causes a diagnostic. */
  "mutable-content"?: unknown;
  /** The window that the app opens. */
  "target-content-id"?: string;
  /** How urgent the notification is, in Apple's words. */
  "interruption-level"?: "passive" | "active" | "time-sensitive" | "critical";
  /** How the notification ranks in a summary. */
  "relevance-score"?: number;
  /** The value by which a Focus filters. */
  "filter-criteria"?: string;
  [member: string]: unknown;
}

/**
 * The texts of a notification. The bundle that shows the notification has the texts of localization keys. If it has the
 * text of a key, that text replaces the plain text.
 */
export interface Alert {
  /** The first line. */
  title?: string;
  /** The localization key of the title. */
  "title-loc-key"?: string | null;
  /** The arguments of the title's localized text. */
  "title-loc-args"?: string[] | null;
  /** The second line. */
  subtitle?: string;
  /** The localization key of the subtitle. */
  "subtitle-loc-key"?: string | null;
  /** The arguments of the subtitle's localized text. */
  "subtitle-loc-args"?: string[] | null;
  /** The message. */
  body?: string;
  /** The localization key of the body. */
  "loc-key"?: string | null;
  /** The arguments of the body's localized text. */
  "loc-args"?: string[] | null;
  /** The image that is shown while the app opens. */
  "launch-image"?: string;
  [member: string]: unknown;
}

/**
 * A node. The ids of the nodes of a view are unique, and a view has at most 64 levels. The host checks type, id,
 * children and the page of a carousel, and passes the other members on.
 */
export interface View {
  /** The type of the node; it decides which other members are used. */
  type: "button" | "card" | "carousel" | "field" | "grid" | "image" | "map" | "media" | "progress" | "row" | "stack" | "text";
  /** The id that interact names as element. */
  id?: string;
  /** Only for a stack, a row, a grid or a carousel. */
  children?: View[];
  /** Only for a grid. */
  columns?: number;
  /** Only for a carousel: the position of the child that is shown, from 0. */
  page?: number;
  /** Only for a text. */
  text?: string;
  /** Only for a text: its role; body if absent. */
  style?: "title" | "body" | "caption";
  /** Only for a text: the alignment of its lines; start if absent. */
  alignment?: "start" | "center" | "end";
  /** Only for an image. */
  url?: string;
  /** For an image, media or a map: what it shows, for people who cannot see it. */
  alt?: string;
  /** Only for media: the name of the file, or the URL. Media and maps came with version 1.2 of the contract. */
  source?: string;
  /** Only for media: whether there is something to see. */
  kind?: "audio" | "video";
  /** Only for media: what they do. */
  state?: "playing" | "paused" | "ended" | "failed";
  /** Only for media: the position in seconds when the view was made; 0 if absent. */
  time?: number;
  /** Only for media: the length in seconds; absent if it is not known. */
  duration?: number;
  /** Only for a map: the latitude of its center, in degrees. */
  latitude?: number;
  /** Only for a map: the longitude of its center, in degrees. */
  longitude?: number;
  /** Only for a map: the part that is shown; the client's choice if absent. */
  span?: MapSpan;
  /** Only for a map: the places on it. */
  annotations?: MapAnnotation[];
  /** Only for a card. */
  faceUp?: boolean;
  /** Only for a card that is face up. */
  face?: string;
  /** Only for a card. */
  matched?: boolean;
  /** Only for a button. */
  title?: string;
  /**
   * For a text or a button: the colour of its text; for a progress: the colour of the filled part. Since version 1.2 of
   * the contract, like bold and background.
   */
  color?: Color;
  /** For a text or a button: whether its text is bold. */
  bold?: boolean;
  /** For a stack, a row, a grid, a carousel or a button: the colour behind it. */
  background?: Color;
  /** For a field its text, for a progress how much is done. */
  value?: unknown;
  /** Only for a field. */
  placeholder?: string;
  /** Only for a progress. */
  total?: number;
  [member: string]: unknown;
}

/** The part of a map that is shown. */
export interface MapSpan {
  /** The degrees from the lower to the upper edge. */
  latitude: number;
  /** The degrees from the left to the right edge. */
  longitude: number;
}

/** A place on a map. */
export interface MapAnnotation {
  /** The name of the place. */
  title?: string;
  /** Its latitude in degrees. */
  latitude: number;
  /** Its longitude in degrees. */
  longitude: number;
}

/** A colour as #RRGGBB, or one for a light and one for a dark appearance. A client treats anything else as absent. */
export type Color = string | ColorPair;

/** A colour for each appearance. */
export interface ColorPair {
  /** The colour on a light screen, as #RRGGBB. */
  light: string;
  /** The colour on a dark screen, as #RRGGBB. */
  dark: string;
}

/** A button of a notification. */
export interface Action {
  /** The name of the action in didReceiveResponse. */
  identifier: string;
  /** The text on the button. */
  title: string;
  /** Always present in replies. */
  options?: ("authenticationRequired" | "destructive" | "foreground")[];
  textInput?: TextInput;
  icon?: ActionIcon;
}

/** Apple's icon of a button; kept, without effect. */
export interface ActionIcon {
  /** The name of a system image. */
  systemImageName?: string;
  /** The name of an image of the app. */
  templateImageName?: string;
}

/** Present if the action accepts text; passed on unchanged. */
export interface TextInput {
  /** The title of the button that sends the text. */
  buttonTitle?: string;
  /** The text that the empty field shows. */
  placeholder?: string;
  [member: string]: unknown;
}

/** The buttons that notifications of a category have until their extension sets others. */
export interface Category {
  /** The value of aps.category. */
  identifier: string;
  actions?: Action[];
  /** Apple's options; with customDismissAction the extension gets dismissals. */
  options?: ("customDismissAction" | "allowInCarPlay" | "hiddenPreviewsShowTitle" | "hiddenPreviewsShowSubtitle" | "allowAnnouncement")[];
  /** Apple's intents; kept, without effect. */
  intentIdentifiers?: string[];
  /** Apple's text; kept, without effect. */
  hiddenPreviewsBodyPlaceholder?: string;
  /** Apple's text; kept, without effect. */
  categorySummaryFormat?: string;
}

/** Every registered category. */
export interface Categories {
  categories: Category[];
}

/** A presentation: one or more notifications of one thread. */
export interface Presentation {
  notification: NotificationID;
  /** All its notifications; the first one began it. */
  notifications: NotificationID[];
  /** The bundle identifier of the extension that shows it; null for the system's own view. */
  extension: string | null;
  /** Its aps.category; empty if absent. */
  category: string;
  date: Timestamp;
  /** The title of the notification; empty if absent. */
  title: string;
  /** Present if the call named a notification, like actions. */
  view?: View;
  actions?: Action[];
  media?: Media;
  expanded?: NotExpanded;
}

/** The fate of a notification after a response. */
export type ResponseOption = "doNotDismiss" | "dismiss" | "dismissAndForward";

/** The current view and buttons of a presentation. */
export interface Display {
  view: View;
  actions: Action[];
  title?: OwnTitle;
  media?: Media;
  expanded?: NotExpanded;
  /** Absent if there are none. */
  diagnostics?: Diagnostic[];
}

/** The URL that the app opens: an absolute URL of any scheme, percent-encoded as in RFC 3986. */
export type ApplicationURL = string;

/** false as long as the notification is only delivered, and shown as a banner. Absent otherwise. */
export type NotExpanded = false;

/**
 * The title that replaces the notification's title. Present if the extension set one and its Info.plist sets
 * UNNotificationExtensionOverridesDefaultTitle.
 */
export type OwnTitle = string;

/** The system's button that plays and pauses media. Present after the extension set one. */
export interface Media {
  /** The kind of button; with none it is hidden. */
  button: "none" | "default" | "overlay";
  frame?: Frame;
  /** Its color, in the notation of the extension. */
  tintColor?: string;
  /** Whether the button shows that media is playing. */
  playing: boolean;
}

/** The place in the view, in points. */
export interface Frame {
  /** The distance from the left. */
  x: number;
  /** The distance from the top. */
  y: number;
  /** The width. */
  width: number;
  /** The height. */
  height: number;
}

/** A piece of a line of a drawing. */
export interface Span {
  /** Without line breaks and control characters. */
  text: string;
  /**
   * The kind of piece, by which a client colours it; plain text if absent. done is a matched pair or the filled part of
   * a bar; dim is a border, a caption, a placeholder or another secondary part.
   */
  role?: "title" | "dim" | "button" | "destructive" | "done" | "warning";
  target?: Target;
  /** The colour of the node, instead of the role's. Since version 1.2 of the contract, like background and bold. */
  color?: Color;
  /** The colour behind the piece. */
  background?: Color;
  /** true if the node is bold, and absent otherwise. */
  bold?: boolean;
}

/** The meaning of a press on a piece of a drawing, as one member. */
export interface Target {
  /** The element for interact. */
  element?: string;
  /** The actionIdentifier for didReceiveResponse. */
  action?: string;
  /** The method of the media button. */
  media?: "mediaPlay" | "mediaPause";
}

/** The content that the system shows beside the extension's view, unless layout.defaultContentHidden is true. */
export interface ShownContent {
  /** The first line; empty if absent. */
  title: string;
  /** The second line; empty if absent. */
  subtitle: string;
  /** The message; empty if absent. */
  body: string;
  attachments: Attachment[];
}

/** A file that a service extension added to the notification. */
export interface Attachment {
  /** Its name among the attachments of the notification. */
  identifier: string;
  /** A file: URL. */
  url: string;
  /** The type of the file, as the suffix of its name, such as png. */
  type: string;
}

/** How the view is placed beside the system's content, as the Info.plist says. */
export interface Layout {
  /** The height divided by the width. */
  initialContentSizeRatio: number;
  /** Whether the system's own content is hidden. */
  defaultContentHidden: boolean;
  /** Whether the extension's title replaces the notification's title. */
  overridesDefaultTitle: boolean;
}

/**
 * A report that is not an error: something that a phone would ignore without a message. The reason is one of x-reasons,
 * the reason of an error that a notification of an extension caused, or a word of the extension.
 */
export interface Diagnostic {
  /** A stable word. */
  reason: string;
  /** A sentence for people. */
  message: string;
  /** A JSON Pointer into the request. */
  path?: string;
  /** Only for serviceFailed: the reason of the error that the call ended with. */
  cause?: string;
}

/**
 * What a content or service extension used in its trial run, beside what a phone grants it; absent if it was not used.
 */
export interface ExtensionUsage {
  /** The peak of its memory beyond that of its start, in bytes. */
  memory: number;
  /** The time of its longest call in milliseconds; absent if it answered none. */
  longestCall?: number;
  /** The memory that iOS grants a service extension, in bytes; absent for others, for which no figure is known. */
  memoryLimit?: number;
  /** The time that iOS grants a service extension, in milliseconds. */
  callLimit?: number;
  /** What the calls of each method took. */
  methods?: MethodUsage[];
}

/** The result of one test of a bundle. */
export interface ExtensionFinding {
  /**
   * ok: the test passed. skipped: it could not run. warning: it works here, but perhaps not as intended, or not on a
   * phone. error: it does not work, or violates the contract.
   */
  severity: "ok" | "skipped" | "warning" | "error";
  /** A file of the bundle, or a step of the test. */
  place: string;
  /** The finding, and what to do if that is not obvious. */
  message: string;
  /** How long the step took. Absent if it was not measured. */
  milliseconds?: number;
  /** The end of the extension's stderr. Absent if it is not needed. */
  stderr?: string;
  /** A stable word for what a file of the bundle shows. Absent for a step of the test. */
  reason?: string;
  /** A JSON Pointer to the key in the file, which may be missing. Absent if the finding is about all of the file. */
  path?: string;
}

/** Something that the author of a payload should know before it is sent. */
export interface PayloadFinding {
  /**
   * error: the notification is not delivered, or a part of it has no effect. warning: it may be intended. information:
   * nothing is wrong.
   */
  level: "error" | "warning" | "information";
  /** A stable word: one of x-reasons, or a word of the personalization extension for what it found in a template. */
  reason: string;
  /** A JSON Pointer into the payload; empty for the payload itself. */
  path: string;
  /** A sentence that says what was found. */
  message: string;
  /** What to do. */
  advice: string;
  /**
   * The line in the payload's text, from 1; absent if the payload came as a value, or if the finding is about all of
   * it.
   */
  line?: number;
  /** The column in Unicode scalars, from 1, of a member's name or of an element; present with line. */
  column?: number;
}

/** The share of one key in the size of a payload. */
export interface PayloadShare {
  /** The key. */
  key: string;
  /** The bytes of the key and its value in compact form. */
  bytes: number;
}

/** One of the three kinds of records of Braze's guide. */
export type RecordKind = "customEvent" | "customAttribute" | "userAttribute";

/** How many records of each kind. */
export interface RecordCounts {
  /** How many custom events. */
  customEvent: number;
  /** How many custom attributes. */
  customAttribute: number;
  /** How many user attributes. */
  userAttribute: number;
}

/** A pending record. */
export interface PendingRecord {
  /** Its number in the suite, which is never used again. */
  id: number;
  kind: RecordKind;
  /** Only for a custom event. */
  name?: string;
  /** Only for a custom event that has properties. */
  properties?: { [member: string]: unknown };
  /** Only for a custom attribute. */
  key?: string;
  /** Only for a user attribute. */
  field?: string;
  /** Only for an attribute. */
  value?: unknown;
  /** The time at which the record was saved. */
  time: Timestamp;
  /** The user, if it was known when the record was saved. */
  user?: User;
  /** Present if the record is leased; an expired lease is included until the next flush. */
  leased?: true;
  /** How often a delivery of the record was ambiguous, so that it may have been sent; absent if never. */
  possiblySent?: number;
}

/** A record that cannot be delivered: its members, or bytes that could not be read as a record. */
export interface DeadLetter {
  /** The number that it had as a pending record. */
  id: number;
  kind?: RecordKind;
  /** Only for a custom event. */
  name?: string;
  /** Only for a custom event that has properties. */
  properties?: { [member: string]: unknown };
  /** Only for a custom attribute. */
  key?: string;
  /** Only for a user attribute. */
  field?: string;
  /** Only for an attribute. */
  value?: unknown;
  /** The time at which the record was saved. */
  time?: Timestamp;
  /** The user, if it was known when the record was saved. */
  user?: User;
  /** The bytes that could not be read, in Base64. */
  bytes?: string;
  /** Why it cannot be delivered, in one sentence. */
  reason: string;
  /** When it became a dead letter. */
  diedAt: Timestamp;
}

/** A suite: its contents, or why they cannot be read. */
export interface SuiteInfo {
  suite: SuiteName;
  /** How many records are pending, including leased ones. */
  pending?: number;
  /** How many dead letters there are. */
  deadLetters?: number;
  /** Every destination to which the suite was flushed. */
  deliveries?: DeliveryTotals[];
  /**
   * How many pending records have an ambiguous delivery, including by a host that died: they may have been sent. Absent
   * if there are none.
   */
  possiblySent?: number;
  /** Present instead of the other members if the suite cannot be read: an error object. */
  error?: ErrorObject;
}

/** The deliveries of a suite to a destination, counted across restarts of the host. */
export interface DeliveryTotals {
  /** The destination. */
  to: string;
  /** How many records it accepted. */
  delivered: number;
  /** How many records became dead letters. */
  rejected: number;
  /** How often a delivery was ambiguous, so that a record may have been sent. */
  possiblySent: number;
  /** How many attempts in a row failed. */
  failures?: number;
  /** Nothing is sent before this time; present if the destination failed or asked for a pause. */
  notBefore?: Timestamp;
  /** Why the last attempt failed. */
  problem?: string;
}

/** A flush to a destination that is running. */
export interface RunningDelivery {
  suite: SuiteName;
  /** The destination. */
  to: string;
  /** How many records it has accepted so far. */
  delivered: number;
  /** How many records have become dead letters so far. */
  rejected: number;
  /** How often a delivery was ambiguous so far, so that a record may have been sent. */
  possiblySent: number;
  /** How many records it cannot accept as they are. */
  held?: number;
  /** During a pause: how many milliseconds are left. */
  retryAfter?: number;
  /** Why the last attempt failed. */
  problem?: string;
}

/** A request that a delivery would make. */
export interface PlannedRequest {
  /** The method, such as POST; append for the destination file. */
  method: string;
  /** The address, without secrets. */
  url: string;
  /** The header fields. A secret is replaced, as in Bearer <the key>. */
  headers?: { [member: string]: unknown };
  /** The body, as JSON. */
  body?: unknown;
}

/** Whether a destination can be reached and would accept records. */
export interface DestinationCheck {
  /** Whether the service answered. */
  reachable: boolean;
  /** Whether the service accepts the key and would accept records. Absent if its answer does not say so. */
  accepted?: boolean;
  /** How long the answer took. */
  milliseconds?: number;
  /** The service's own time. */
  date?: string;
  /** A sentence for people: what was found, and what to do if it is not good. */
  message: string;
}

/** One call of Braze's Swift SDK. A record with add or remove becomes one call for each element. */
export interface CallEntry {
  /** The name of the SDK's method. */
  call: "logCustomEvent" | "setCustomAttribute" | "setCustomAttributeArray" | "unsetCustomAttribute" | "incrementCustomUserAttribute" | "addToCustomAttributeArray" | "removeFromCustomAttributeArray" | "setUserAttribute";
  /** Only for logCustomEvent. */
  name?: string;
  /** Only for logCustomEvent, if the event has properties. */
  properties?: { [member: string]: unknown };
  /** Only for logCustomEvent: the time at which the event was saved. */
  time?: Timestamp;
  /** Only for the calls for custom attributes. */
  key?: string;
  /** Only for setUserAttribute. */
  field?: string;
  /** For all except logCustomEvent, unsetCustomAttribute and incrementCustomUserAttribute. */
  value?: unknown;
  /** Only for incrementCustomUserAttribute. */
  by?: number;
  /** Only for setCustomAttribute: true if the object is merged into the current one; absent otherwise. */
  merge?: true;
  user?: User;
  /** How often a delivery of the record was ambiguous, so that it may have been sent; absent if never. */
  possiblySent?: number;
}

/**
 * Names have 1 to 255 characters, do not begin with $, and are not time or event_name. Texts have at most 255
 * characters. Dates in nested objects are in the years 0 to 3000. Arrays contain no text that is a date with a time of
 * day.
 */
export type Properties = { [member: string]: unknown };

/** A standard field of Braze's profile. */
export type StandardField =
  | "alias_label"
  | "alias_name"
  | "country"
  | "current_location"
  | "date_of_first_session"
  | "date_of_last_session"
  | "dob"
  | "email"
  | "email_click_tracking_disabled"
  | "email_open_tracking_disabled"
  | "email_subscribe"
  | "facebook"
  | "first_name"
  | "gender"
  | "home_city"
  | "image_url"
  | "language"
  | "last_name"
  | "marked_email_as_spam_at"
  | "phone"
  | "push_subscribe"
  | "push_tokens"
  | "subscription_groups"
  | "time_zone"
  | "twitter";

/** The result of a save. */
export interface Saved {
  /** The record's number in the suite. */
  id: number;
  /** Present and true if an earlier save with this idempotencyKey saved the record; this save saved nothing. */
  repeated?: true;
}

/** The result of a removal. */
export interface Removed {
  /** How many were removed: records, or the one value of a key. */
  removed: number;
}

/**
 * What the processes of a bundle may do besides reading it and writing a temporary folder, as its property list
 * declares it; absent if nothing.
 */
export interface BundlePermissions {
  /** The hosts with which it connects. */
  network: string[];
  /** The files and folders that it reads. */
  read: string[];
  /** The folders that it writes. */
  write: string[];
}

/** A bundle and its process. */
export interface BundleInfo {
  /** Its CFBundleIdentifier. */
  identifier: string;
  /** The bundle's folder. */
  path: string;
  /** Its CFBundleExecutable. */
  executable: string;
  /** The extension point of the bundle. */
  point: "com.apple.usernotifications.content-extension" | "com.apple.usernotifications.service" | "pushhost.destination" | "pushhost.personalization";
  /** The categories that it registered. */
  categories: string[];
  /** The suites that it may use, its default first. */
  applicationGroups: string[];
  /** The height of its view divided by the width, at the start. */
  initialContentSizeRatio: number;
  /** Whether the system's own content beside its view is hidden. */
  defaultContentHidden: boolean;
  /** Whether its title replaces the notification's title. */
  overridesDefaultTitle: boolean;
  /** Whether interact works. */
  userInteractionEnabled: boolean;
  /** The name of a destination in a flush; present if the bundle has a valid one. */
  destinationName?: string;
  /** The name of a source for pushhost relay; present if the bundle has a valid one. */
  sourceName?: string;
  /** The variables of the host's environment that activate passes to a destination: their names, never their values. */
  environment?: string[];
  permissions?: BundlePermissions;
  /**
   * Whether you allowed what it declares; absent if it declares nothing. Without that, and unless the host has no
   * sandbox, it does not start.
   */
  allowed?: boolean;
  /** Whether its processes run in a sandbox; partial if the system cannot restrict them in every way. */
  sandbox?: "on" | "partial" | "off";
  /** The state of its process. */
  state: "idle" | "backingOff" | "activating" | "ready" | "suspended" | "stopping";
  /** The state in one sentence. */
  stateDescription?: string;
  /** How many presentations it has. */
  presentations: number;
  /** How many calls wait for it or are being handled by it. */
  callsInFlight: number;
  /** How many calls have not been sent to it yet. */
  callsWaiting?: number;
  /** How many calls it answered with a result. */
  callsAnswered?: number;
  /** How many calls failed with the process or were refused. */
  callsFailed?: number;
  /** The median time of its last 1,024 answers, in milliseconds. */
  p50?: number;
  /** The 99th percentile of these times, in milliseconds. */
  p99?: number;
  /** The longest time of all its answers, in milliseconds. */
  longestCall?: number;
  /** Bytes written to its processes. */
  bytesWritten?: number;
  /** Bytes read from its processes, including stderr. */
  bytesRead?: number;
  /** How many faults count now towards --restart-budget. */
  faults?: number;
  /** Milliseconds until it may be started again; present if it failed too often. */
  retryAfter?: number;
  /** Resident bytes of its process and of the child processes. */
  memory?: number;
  /** The most memory outside files, in bytes, that calls added to that of a process at its start, as it was sampled. */
  peakMemory?: number;
  /** What the calls of each method took; absent before the first call. */
  methods?: MethodUsage[];
  /** Processor time of these processes in milliseconds. */
  processorTime?: number;
  /** The last lines on its stderr. */
  stderr?: string;
  /** How its last ten processes ended, the most recent last. */
  ends?: ProcessEnd[];
  /** How many child processes it left behind when it ended, all of them killed; absent if none. */
  orphans?: number;
  /** How often its process was started. */
  starts: number;
  /** How long its last process took to answer activate; absent until it has answered. */
  activationMilliseconds?: number;
  /** How many lines on the stdout of its last process were not messages; absent if none. */
  strayLines?: number;
  /** Present while a process runs. */
  pid?: number;
  /** The bundle's current problems, including why it cannot be started. */
  problems: BundleProblem[];
}

/** What an extension's calls of one method took. */
export interface MethodUsage {
  /** The method. */
  method: string;
  /** How many calls the extension answered. */
  answered: number;
  /** The longest time of an answer, in milliseconds; absent if there was none. */
  longest?: number;
  /**
   * The most memory beyond that of the start, in bytes, in a sample during a call or after its answer; absent if none
   * was more.
   */
  peakMemory?: number;
}

/** How a process of an extension ended. */
export interface ProcessEnd {
  /** The time of the system's clock, whatever --clock says. */
  date: Timestamp;
  /** The pid of the process. */
  pid: number;
  /** How the process ended, or why it was stopped or killed. */
  reason: string;
  /**
   * The same as a stable word: why the process was stopped (bundleReloaded, hostStopping, unused), otherwise the reason
   * of the error, such as extensionExited.
   */
  cause: string;
  /** Present if the process exited. */
  exitCode?: number;
  /** Present if a signal ended the process. */
  signal?: number;
}

/** A problem of a folder or a bundle. */
export interface BundleProblem {
  /** The file or folder. */
  path: string;
  /** What is wrong, and what to do. */
  message: string;
  /** warning: it works here, perhaps not as its author expects. error: it does not work, here or on a phone. */
  severity: "warning" | "error";
  /**
   * true if the extension cannot be started because of it: its executable or its interpreter is missing, or the system
   * cannot run it.
   */
  preventsStart?: boolean;
  /** A stable word; see the page about bundles. */
  reason?: string;
  /** A JSON Pointer to the key in the file, which may be missing. Absent if the problem is about all of it. */
  pointer?: string;
}

/** A kind of notification that subscribe chooses. */
export type Topic =
  | "viewDidChange"
  | "didDismiss"
  | "didSave"
  | "openApplication"
  | "$/progress"
  | "$/log"
  | "$/stderr";

/** The level of a line, the lowest first. */
export type LogLevel = "trace" | "debug" | "info" | "notice" | "warning" | "error" | "critical";

/** An error object of JSON-RPC; data.reason is a stable word. */
export interface ErrorObject {
  /** The number of the error. */
  code: number;
  /** A sentence for people; it may change. */
  message: string;
  data: ErrorData;
}

/** The error that an extension answered with; its data is unchanged. */
export interface ExtensionError {
  /** The code of the error. */
  code: number;
  /** The message of the error. */
  message: string;
  /** The data of the error, of any type. */
  data?: unknown;
}

/** The part of an error that programs read: a stable word, and further members of the error. */
export interface ErrorData {
  /** A stable word. */
  reason: string;
  /** A JSON Pointer into the request. */
  path?: string;
  /** Only for noPresentation: why the notification is no longer shown. */
  ended?: string;
  /** Only for unknownAction: the identifiers of the actions that are offered. */
  offered?: string[];
  /**
   * Only for messageAborted, and for a didReceive whose extension failed: the diagnostics that the reply would have
   * had. Absent if there are none.
   */
  diagnostics?: Diagnostic[];
  /** Only for messageAborted: the reason that the template gives; may be empty. */
  aborted?: string;
  /**
   * Only for 120 to 128, for messageAborted, and for unsupportedByDestination if it is a bundle: the bundle identifier.
   */
  extension?: string;
  /** Only for extensionExited: the exit code of the process. */
  exitCode?: number;
  /** Only for extensionExited: the signal that ended the process. */
  signal?: number;
  /** Only for 121 to 123: the last lines on its stderr. */
  stderr?: string;
  /** Only for extensionRefused: the error that the extension answered with. */
  cause?: ExtensionError;
  /** For most errors about suites: the suite. */
  suite?: string;
  /** Only for extensionUnavailable and destinationUnavailable: milliseconds until the next attempt makes sense. */
  retryAfter?: number;
  /** Only for a failed flush: how many records the destination accepted. */
  delivered?: number;
  /** Only for a failed flush: how many records became dead letters. */
  rejected?: number;
  /** Only for a failed flush: how often a delivery was ambiguous, so that a record may have been sent. */
  possiblySent?: number;
  /**
   * Only for a failed flush: how many records stay pending because the destination cannot accept them as they are;
   * absent if none.
   */
  held?: number;
  /** Only for a failed flush: how many records are still pending. */
  remaining?: number;
  /** Only if a change of many records failed in the middle: how many were changed before, and stay changed. */
  changed?: number;
  /**
   * Only for parseError: the number of the line, from 1, in which the unreadable part ends, or in which a common
   * mistake begins.
   */
  line?: number;
  /**
   * Only for parseError: how many characters of the line precede that end, or go up to the first character of the
   * mistake.
   */
  column?: number;
  /** Only for parseError: the same place in bytes from the beginning. */
  position?: number;
  /** Only for methodNotFound: the unknown name. */
  method?: string;
  /** Only for unknownElement: the ids of the view's nodes, at most the first 100. */
  elements?: string[];
  /** Only for payloadTooLarge: the size of the payload. */
  bytes?: number;
  /** Only for payloadTooLarge and lineTooLong: the limit in bytes. */
  limit?: number;
  /** Only for duplicateId: the id that is in flight. */
  id?: string | number | null;
  /** Only for unsupportedProtocolVersion: the versions of MCP that a request may name. */
  supported?: string[];
  /** Only for unsupportedProtocolVersion: the version that the request named. */
  requested?: string;
  [member: string]: unknown;
}

/** What ``didReceive`` answers. */
export interface DidReceiveResult {
  notification: NotificationID;
  /**
   * The bundle identifier of the extension that shows the notification. null if the system's own view shows it, or if
   * there is no alert.
   */
  extension: string | null;
  content: ShownContent;
  /** null if the system shows the whole notification. */
  layout: Layout | null;
  view: View;
  actions: Action[];
  title?: OwnTitle;
  media?: Media;
  expanded?: NotExpanded;
  diagnostics: Diagnostic[];
}

/** What ``didReceiveResponse`` answers. */
export interface DidReceiveResponseResult {
  option: ResponseOption;
  view?: View;
  /** Present together with view, and only if option is doNotDismiss. */
  actions?: Action[];
  title?: OwnTitle;
  media?: Media;
  /**
   * Whether the action goes to the app, which is opened unless background is true; openApplication informs subscribers
   * that it is opened.
   */
  forwarded: boolean;
  /**
   * true if the app gets the action in the background and is not opened: a dismissal, or a button without the option
   * foreground. Absent otherwise.
   */
  background?: true;
  url?: ApplicationURL;
  /**
   * true if Braze's SDK shows the URL in a web view of the app, as ab_use_webview of the payload asks. Absent
   * otherwise.
   */
  useWebView?: true;
  /** Absent if there are none. */
  diagnostics?: Diagnostic[];
}

/** What ``dismiss`` answers. */
export interface DismissResult {
  /** Always true. */
  dismissed: true;
}

/** What ``notifications`` answers. */
export interface NotificationsResult {
  notifications: Presentation[];
}

/** What ``render`` answers. */
export interface RenderResult {
  /** The page, or the drawing as one text. Absent if the format is lines. */
  text?: string;
  /** The drawing from top to bottom, each line from left to right. Present if the format is lines. */
  lines?: Span[][];
}

/** What ``checkPayload`` answers. */
export interface CheckPayloadResult {
  /** The size of the payload in compact form. */
  bytes: number;
  /** The greatest size that Apple delivers. */
  limit: number;
  /** The bundle identifier of the extension that would show the notification; null if none would. */
  extension: string | null;
  /** How many bytes each key of the payload and its value have, the largest first. */
  shares: PayloadShare[];
  /** Errors first, then warnings. */
  findings: PayloadFinding[];
}

/** What ``checkExtension`` answers. */
export interface CheckExtensionResult {
  /** The path of what was checked, links resolved. */
  bundle: string;
  /** In the order of the tests. */
  findings: ExtensionFinding[];
  /** How many findings are errors. */
  errors: number;
  /** How many findings are warnings. */
  warnings: number;
  usage?: ExtensionUsage;
}

/** What ``pending`` answers. */
export interface PendingResult {
  records: PendingRecord[];
  /** How many records of the kind are pending in total, including leased ones. */
  total: number;
  /**
   * How many pending records of all kinds have an ambiguous delivery: they may have been sent. Absent if there are
   * none.
   */
  possiblySent?: number;
  /**
   * damagedRecord for each damaged record of the page, which is skipped; noSuite if the suite does not exist while
   * other suites have records or a similar name; otherSuites if the request names no suite, and suites other than the
   * default have records. Absent if there are none.
   */
  diagnostics?: Diagnostic[];
}

/** What ``flushPending`` answers. */
export interface FlushPendingResult {
  /** Only to the caller. */
  calls?: CallEntry[];
  /** How many records could be flushed next, without leased ones. */
  remaining: number;
  /** The token for acknowledge. Present only if a lease was requested and holds at least one record. */
  lease?: string;
  /** Only to a destination: how many records it accepted. */
  delivered?: number;
  /** Only to a destination: how many records became dead letters. For a dry run: how many would; absent if none. */
  rejected?: number;
  /**
   * How often a delivery was ambiguous, so that a record may have been sent, including deliveries of a host that died.
   * To the caller it is present only if it is not 0.
   */
  possiblySent?: number;
  /**
   * How many records stay pending, or would after a dry run, because the destination cannot accept them as they are;
   * diagnostics gives the reasons.
   */
  held?: number;
  /** Only for a dry run: the requests that the destination would make for the first batch, in order. */
  requests?: PlannedRequest[];
  /** Only for a dry run: how many records these requests deliver. */
  records?: number;
  /** Only for a dry run: how many more records are pending that the dry run does not show. Absent if there are none. */
  omitted?: number;
  /**
   * Only to the caller: the ids of the records that a host that died may have sent, and that this flush made dead
   * letters. Absent if there are none.
   */
  deadLetters?: number[];
  /** To a destination always present; to the caller absent if there are none. */
  diagnostics?: Diagnostic[];
}

/** What ``deadLetters`` answers. */
export interface DeadLettersResult {
  deadLetters: DeadLetter[];
  /** How many dead letters there are. */
  total: number;
  /**
   * noSuite if the suite does not exist while other suites have records or a similar name. Absent if there are none.
   */
  diagnostics?: Diagnostic[];
}

/** What ``retryDeadLetters`` answers. */
export interface RetryDeadLettersResult {
  /** How many are pending again. */
  retried: number;
}

/** What ``discardDeadLetters`` answers. */
export interface DiscardDeadLettersResult {
  /** How many were deleted. */
  discarded: number;
}

/** What ``acknowledge`` answers. */
export interface AcknowledgeResult {
  /** How many records were deleted. */
  acknowledged: number;
}

/** What ``store`` answers. */
export interface StoreResult {
  /** Always true. */
  stored: true;
}

/** What ``retrieve`` answers. */
export interface RetrieveResult {
  /** The value; null if the key is absent. */
  value: unknown;
}

/** What ``suites`` answers. */
export interface SuitesResult {
  suites: SuiteInfo[];
}

/** What ``importSuite`` answers. */
export interface ImportSuiteResult {
  imported: RecordCounts;
  /** How many keys were set. */
  defaults: number;
  /** How many dead letters were added. */
  deadLetters: number;
  /** Why each dead letter is one, and what was changed or left out; at most 100. */
  diagnostics: Diagnostic[];
}

/** What ``exportSuite`` answers. */
export interface ExportSuiteResult {
  exported: RecordCounts;
  /** How many keys were written. */
  defaults: number;
  /** The size of the file. */
  bytes: number;
  /**
   * What was left out, and noSuite if the suite does not exist while other suites have records or a similar name; at
   * most 100.
   */
  diagnostics: Diagnostic[];
}

/** What ``backUpSuite`` answers. */
export interface BackUpSuiteResult {
  /** How many pending records the copy has; of a dry run, how many the suite has. */
  pending: number;
}

/** What ``ping`` answers. */
export interface PingResult {
  /** The version of the contract. */
  version: string;
}

/** What ``status`` answers. */
export interface StatusResult {
  /** The version of the contract. */
  version: string;
  /** The version of SQLite. */
  sqlite: string;
  /** The version of Jansson. */
  jansson: string;
  /** The version of Swift that built the host. */
  swift: string;
  /** The version of the file format of suites. */
  schema: number;
  /** The folder of the suites. */
  data: string;
  /** The folders of bundles, in order of precedence. */
  plugins: string[];
  /** How many requests are not answered yet, without this one. */
  requestsInFlight: number;
  /** How many presentations there are. */
  presentations: number;
  /** How many extensions have a process. */
  extensionsRunning: number;
  /** How many extensions failed too often and are not started for a while. */
  extensionsBackingOff: number;
  /** How many faults of all extensions count now. */
  extensionFaults: number;
  /** How many dead letters all suites of the folder have. */
  deadLetters: number;
  /** The flushes to destinations that are running. */
  deliveries: RunningDelivery[];
  /** How many log lines were dropped because stderr did not accept them in time. */
  logLinesDropped: number;
  /**
   * How many pending records of all suites have an ambiguous delivery: they may have been sent. Absent if there are
   * none.
   */
  possiblySent?: number;
}

/** What ``extensions`` answers. */
export interface ExtensionsResult {
  extensions: BundleInfo[];
  /** Folders that are not bundles or have none, and bundles that conflict. */
  problems: BundleProblem[];
}

/** What ``reloadExtensions`` answers. */
export interface ReloadExtensionsResult {
  /** The number of bundles now. */
  extensions: number;
  /** The identifiers of new bundles. */
  added: string[];
  /** The identifiers of replaced bundles. */
  changed: string[];
  /** The identifiers of removed bundles. */
  removed: string[];
  /** All problems of folders and bundles. */
  problems: BundleProblem[];
}

/** What ``subscribe`` answers. */
export interface SubscribeResult {
  /** The topics that are chosen now. */
  topics: Topic[];
}

/** What ``$/cancelRequest`` answers. */
export interface CancelRequestResult {
  /** Whether such a request was in flight. */
  cancelled: boolean;
}

/** The params of `didReceive`. */
export interface DidReceiveParams {
  /**
   * The unchanged APNs payload: the object of an .apns file, at most 4096 bytes in compact form. An extension gets all
   * of it as userInfo.
   */
  payload: Payload;
  /** The identifier of the request that the extension gets. If absent, it is the id of the notification. */
  identifier?: string;
  /** When the notification was received; now if absent. */
  date?: ZonedTimestamp;
  /**
   * The locale for the localization keys of the alert, which the extension also gets; the host's locale if absent. At
   * most 100 bytes.
   */
  locale?: string;
  /** The height of the view in Apple's words: compact is a phone held sideways. The extension gets it. */
  verticalSizeClass?: "compact" | "regular";
  /**
   * Makes the payload a template: the values of the user and the message, with which its strings are rendered first.
   */
  profile?: Profile;
  /**
   * Whether the notification is expanded at once, so that its extension shows it; true if absent. If false, it is
   * delivered as a banner, and its extension gets it only with expand. A later notification of a thread that is
   * expanded joins it in any case.
   */
  expand?: boolean;
}

/** The params of `expand`. */
export interface ExpandParams {
  /** A shown notification. */
  notification: NotificationID;
}

/** The params of `didReceiveResponse`. */
export interface DidReceiveResponseParams {
  /** A shown notification. */
  notification: NotificationID;
  /**
   * An action that is offered, com.apple.UNNotificationDefaultActionIdentifier (a tap) or
   * com.apple.UNNotificationDismissActionIdentifier (a dismissal).
   */
  actionIdentifier: string;
  /** The text that was entered. It must be present if the action has textInput, and absent otherwise. */
  userText?: string;
}

/** The params of `interact`. */
export interface InteractParams {
  /** A shown notification. */
  notification: NotificationID;
  /** The id of a node of the current view. */
  element: string;
  /**
   * The value that was entered, of any type; null is a value. For a carousel it is the number of the page to show,
   * counted from 0.
   */
  value?: unknown;
}

/** The params of `mediaPlay`. */
export interface MediaPlayParams {
  /** A shown notification. */
  notification: NotificationID;
}

/** The params of `mediaPause`. */
export interface MediaPauseParams {
  /** A shown notification. */
  notification: NotificationID;
}

/** The params of `advanceClock`. */
export interface AdvanceClockParams {
  /** A shown notification. */
  notification: NotificationID;
  /** By how much; at most a day. */
  milliseconds: number;
}

/** The params of `dismiss`. */
export interface DismissParams {
  /** A shown notification. */
  notification: NotificationID;
}

/** The params of `notifications`. */
export interface NotificationsParams {
  /** Return only the entry that shows this notification, with its view. */
  notification?: NotificationID;
}

/** The params of `render`. */
export interface RenderParams {
  /** A shown notification. */
  notification: NotificationID;
  /** html for a page, text or lines for a drawing. */
  format: "html" | "text" | "lines";
  /** The colour scheme of the page; with auto the browser chooses. */
  scheme?: "auto" | "light" | "dark";
  /** For lines: the free columns; a drawing has 24 to 72. */
  width?: number;
}

/** The params of `checkPayload`. */
export interface CheckPayloadParams {
  /** The object of an .apns file, or its text; any other value has findings. */
  payload: unknown;
  /** The locale for the localization keys of the alert; the host's locale if absent. At most 100 bytes. */
  locale?: string;
  /** Whether the payload is a template. The personalization extension then checks its Liquid. */
  template?: boolean;
  /** The values of the user and the message, with which a template is rendered first. */
  profile?: Profile;
}

/** The params of `checkExtension`. */
export interface CheckExtensionParams {
  /**
   * The folder of the bundle, or the executable of a content extension. A relative path begins in the host's folder.
   */
  path: string;
}

/** The params of `setNotificationCategories`. */
export interface SetNotificationCategoriesParams {
  /** The categories, with different identifiers. */
  categories: Category[];
}

/** The params of `saveCustomEvent`. */
export interface SaveCustomEventParams {
  /** The name of the event, without U+0000. */
  name: string;
  /** The suite; SuiteName describes the default. */
  suite?: SuiteName;
  /** The properties of the event, at most 51200 bytes of JSON (option --value-bytes). */
  properties?: Properties;
  /** When the event happened; now if absent. */
  time?: ZonedTimestamp;
  /** The user of the record; if absent, the braze_id of the notification's payload. */
  user?: User;
  /** The notification of the record; an extension names one of its own. */
  notification?: NotificationID;
  /**
   * Identifies this save within its suite, without U+0000. A second save with the same key saves nothing and is
   * answered with the first one's id.
   */
  idempotencyKey?: string;
}

/** The params of `saveCustomAttribute`. */
export interface SaveCustomAttributeParams {
  /**
   * The key of the attribute, without U+0000. It must not be a StandardField (Braze would set that field: use
   * saveUserAttribute), external_id, user_alias, braze_id, app_id, _update_existing_only, _merge_objects or
   * push_token_import.
   */
  key: string;
  /**
   * Any value: texts of at most 255 characters, arrays of at most 25 elements other than objects (--array-elements),
   * arrays and objects of at most 51200 bytes (--value-bytes) without null. Keys have at most 255 characters without
   * space, . or $. Dates in objects are {"$time": …} in the years 0 to 3000.
   */
  value: unknown;
  /** The suite; SuiteName describes the default. */
  suite?: SuiteName;
  /** The user of the record; if absent, the braze_id of the notification's payload. */
  user?: User;
  /** The notification of the record; an extension names one of its own. */
  notification?: NotificationID;
  /**
   * Identifies this save within its suite, without U+0000. A second save with the same key saves nothing and is
   * answered with the first one's id.
   */
  idempotencyKey?: string;
}

/** The params of `saveUserAttribute`. */
export interface SaveUserAttributeParams {
  /** The field of the profile at Braze. */
  field: StandardField;
  /**
   * The value of the field, as the table in reference/limits.md says; texts have at most 255 characters. null unsets
   * the field; email_subscribe, push_subscribe, push_tokens, subscription_groups, alias_name and alias_label cannot be
   * unset.
   */
  value: unknown;
  /** The suite; SuiteName describes the default. */
  suite?: SuiteName;
  /** The user of the record; if absent, the braze_id of the notification's payload. */
  user?: User;
  /** The notification of the record; an extension names one of its own. */
  notification?: NotificationID;
  /**
   * Identifies this save within its suite, without U+0000. A second save with the same key saves nothing and is
   * answered with the first one's id.
   */
  idempotencyKey?: string;
}

/** The params of `pending`. */
export interface PendingParams {
  /** The suite; SuiteName describes the default. */
  suite?: SuiteName;
  /** Return only records of this kind. */
  kind?: RecordKind;
  /** Return only records with greater ids. */
  after?: number;
  /** The maximum number of records. */
  limit?: number;
}

/** The params of `flushPending`. */
export interface FlushPendingParams {
  /** The suite; SuiteName describes the default. */
  suite?: SuiteName;
  /** caller, file (JSON lines on the host's disk), or the PushhostDestinationName of a bundle. */
  to?: string;
  /** The user of records that have none. */
  user?: User;
  /**
   * The maximum number of records. To the caller: at most 1000, which is the default. To a destination: any number; all
   * by default.
   */
  limit?: number;
  /** How many seconds the lease lasts; not with a destination. */
  lease?: number;
  /**
   * If true, the destination only says what it would send; nothing is sent, claimed or changed. Not to the caller. A
   * destination that cannot do so is refused with unsupportedByDestination. The reply shows the first batch: at most
   * 1000 records, and no further record beyond 1 MiB.
   */
  dryRun?: boolean;
}

/** The params of `checkDestination`. */
export interface CheckDestinationParams {
  /** file, or the PushhostDestinationName of a bundle. */
  to: string;
}

/** The params of `deadLetters`. */
export interface DeadLettersParams {
  /** The suite; SuiteName describes the default. */
  suite?: SuiteName;
  /** Return only those with greater ids. */
  after?: number;
  /** The maximum number. */
  limit?: number;
}

/** The params of `retryDeadLetters`. */
export interface RetryDeadLettersParams {
  /** The suite; SuiteName describes the default. */
  suite?: SuiteName;
  /** The ids; all dead letters if absent. */
  ids?: number[];
}

/** The params of `discardDeadLetters`. */
export interface DiscardDeadLettersParams {
  /** The suite; SuiteName describes the default. */
  suite?: SuiteName;
  /** The ids; all dead letters if absent. */
  ids?: number[];
}

/** The params of `acknowledge`. */
export interface AcknowledgeParams {
  /** The lease that flushPending returned. */
  lease: string;
  /** The suite; SuiteName describes the default. */
  suite?: SuiteName;
}

/** The params of `store`. */
export interface StoreParams {
  /** The key, without U+0000. */
  key: string;
  /** Any value with at most 512 levels. retrieve returns it with the same types. */
  value: unknown;
  /** The suite; SuiteName describes the default. */
  suite?: SuiteName;
}

/** The params of `retrieve`. */
export interface RetrieveParams {
  /** The key, without U+0000. */
  key: string;
  /** The suite; SuiteName describes the default. */
  suite?: SuiteName;
}

/** The params of `removeObject`. */
export interface RemoveObjectParams {
  /** The key, without U+0000. */
  key: string;
  /** The suite; SuiteName describes the default. */
  suite?: SuiteName;
}

/** The params of `resetStorageKeys`. */
export interface ResetStorageKeysParams {
  /** The suite; SuiteName describes the default. */
  suite?: SuiteName;
}

/** The params of `importSuite`. */
export interface ImportSuiteParams {
  /** The file, XML or binary, at most 16 MiB. A relative path starts at the host's working folder. */
  path: string;
  /** The suite; SuiteName describes the default. */
  suite?: SuiteName;
}

/** The params of `exportSuite`. */
export interface ExportSuiteParams {
  /** The file, outside the data folder. A relative path starts at the host's working folder. */
  path: string;
  /** The suite; SuiteName describes the default. */
  suite?: SuiteName;
  /** The format of the property list. */
  format?: "xml" | "binary";
}

/** The params of `backUpSuite`. */
export interface BackUpSuiteParams {
  /**
   * The folder that gets the copy; it is created if it is missing. A relative path starts at the host's working folder.
   */
  folder: string;
  /** The suite; SuiteName describes the default. */
  suite?: SuiteName;
  /** Whether the folder is only checked, and nothing is copied. */
  dryRun?: boolean;
}

/** The params of `reloadExtensions`. */
export interface ReloadExtensionsParams {
  /** Whether to treat every bundle as changed. */
  force?: boolean;
}

/** The params of `subscribe`. */
export interface SubscribeParams {
  /** The topics; with an empty array the host sends none. */
  topics: Topic[];
}

/** The params of `$/cancelRequest`. */
export interface CancelRequestParams {
  /** The id of the request, as it was sent. */
  id: RequestID;
}

/** The params of `viewDidChange`. */
export interface ViewDidChangeParams {
  /** The notification that began the presentation. */
  notification: NotificationID;
  /** The view that is shown now. */
  view: View;
  /** The buttons that are offered now. */
  actions: Action[];
  /** The extension's own title, if it has one. */
  title?: OwnTitle;
  /** The media button, if there is one. */
  media?: Media;
}

/** An extension changed the view or the buttons outside a call. A call's own changes are only in its reply. */
export interface ViewDidChange {
  topic: "viewDidChange";
  params: ViewDidChangeParams;
}

/** The params of `didDismiss`. */
export interface DidDismissParams {
  /** The notification that began the presentation. */
  notification: NotificationID;
  /** A sentence for people. A later noPresentation has the same text in ended. */
  reason: string;
}

/** A presentation ended. The notification is the one that began it. */
export interface DidDismiss {
  topic: "didDismiss";
  params: DidDismissParams;
}

/** The params of `didSave`. */
export interface DidSaveParams {
  /** The notification that the save named. */
  notification: NotificationID;
  /** The suite of the record. */
  suite: SuiteName;
  /** The id of the record in its suite. */
  id: number;
}

/** An extension saved a record, and it is durable. */
export interface DidSave {
  topic: "didSave";
  params: DidSaveParams;
}

/** The params of `openApplication`. */
export interface OpenApplicationParams {
  /** The notification that began the presentation. */
  notification: NotificationID;
  /** The action, as in didReceiveResponse. */
  actionIdentifier: string;
  /** The text that was entered, if the action accepts text. */
  userText?: string;
  /**
   * The URL that the app opens: the one that the extension set, or else, after a tap, ab_uri of the payload. Absent if
   * there is neither.
   */
  url?: ApplicationURL;
  /**
   * true if Braze's SDK shows the URL in a web view of the app, as ab_use_webview of the payload asks. Absent
   * otherwise.
   */
  useWebView?: true;
}

/** The app would now be opened, with an action. */
export interface OpenApplication {
  topic: "openApplication";
  params: OpenApplicationParams;
}

/** The params of `$/progress`. */
export interface ProgressParams {
  /** The suite. */
  suite: SuiteName;
  /** Only for a flush: the destination. */
  to?: string;
  /** Only for a flush: how many records the destination has accepted so far. */
  delivered?: number;
  /** Only for a flush: how many records have become dead letters so far. */
  rejected?: number;
  /** Only for a flush: how many records are still pending. */
  remaining?: number;
  /** Delivered records per second since the flush began; absent if the clock is fixed. */
  rate?: number;
  /** Only for long work: the method that was called. */
  method?: string;
  /** Only for long work: how many records and keys are done. */
  done?: number;
  /** Only for long work: how many there are at most, if that is known. */
  total?: number;
}

/**
 * The progress of a flush to a destination: after a batch, at most ten times per second, and at the end. Or the
 * progress of long work on a suite: at most ten times per second, with a fixed clock after every 10,000 records, and at
 * its end if progress was reported before.
 */
export interface Progress {
  topic: "$/progress";
  params: ProgressParams;
}

/** The params of `$/log`. */
export interface LogParams {
  /** The bundle identifier of the extension. */
  extension: string;
  /** The level of the line. */
  level: LogLevel;
  /** One line of text. */
  message: string;
}

/** An extension logged a line with the method log. */
export interface Log {
  topic: "$/log";
  params: LogParams;
}

/** The params of `$/stderr`. */
export interface StderrParams {
  /** The bundle identifier of the extension. */
  extension: string;
  /** The line, which is not empty; a line of more than 4096 bytes comes in pieces. */
  line: string;
  /**
   * How many lines of extensions were left out before this one, because the client left more than 1 MiB unread; absent
   * if there were none.
   */
  missed?: number;
}

/**
 * An extension wrote a line on its stderr, such as a print or a traceback. It comes before everything that the
 * extension sent after it.
 */
export interface Stderr {
  topic: "$/stderr";
  params: StderrParams;
}

/** What a listener hears. */
export type Notification = ViewDidChange | DidDismiss | DidSave | OpenApplication | Progress | Log | Stderr;
