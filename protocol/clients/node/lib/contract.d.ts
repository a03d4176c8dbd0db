// Generated from protocol/openrpc.json by protocol/generate.py; do not edit.

/** The version of the contract that this client was made from. */
export declare const CONTRACT_VERSION: string;

/** Every topic that can be listened to. */
export declare const TOPICS: readonly Topic[];

/** The id of a request; it comes back as the same JSON value. */
export type RequestID = string | number | null;

/** A time as the host writes it: RFC 3339 in UTC with milliseconds. */
export type Timestamp = string;

/**
 * A time as the host reads it: RFC 3339 with a zone, whichever it is. Digits past milliseconds are cut, and the host
 * tells it in UTC.
 */
export type ZonedTimestamp = string;

/** What didReceive gave: a UUID. Every notification of a presentation names it. */
export type NotificationID = string;

/**
 * The name of an App Group. Where it is absent: for a client what --suite says, else standard; for an extension the
 * first App Group of its entitlements.
 */
export type SuiteName = string;

/**
 * An identity: one of external_id, braze_id and user_alias, or email or phone, which identify a user only if there is
 * none of these.
 */
export interface User {
  /** The user's id in the brand's own systems, at most 987 bytes of UTF-8. */
  external_id?: string;
  /** Braze's own id of the user; case counts. */
  braze_id?: string;
  user_alias?: UserAlias;
  /** An e-mail address. */
  email?: string;
  /** A phone number. */
  phone?: string;
}

/** A name of one's own for a user, and what kind of name it is. */
export interface UserAlias {
  /** The name. */
  alias_name: string;
  /** What kind of name it is. */
  alias_label: string;
}

/** Members of another type than a phone takes are ignored and told in a diagnostic; unknown members pass untouched. */
export interface Payload {
  aps: Aps;
  /**
   * Whom records are about that name nobody, at most 1000 bytes; case counts. Empty it names nobody, and a diagnostic
   * says so.
   */
  braze_id?: string;
  [member: string]: unknown;
}

/**
 * What a template may name, by the names that Braze's templates use: standard attributes such as first_name at the top,
 * and groups of others below theirs. Further members are allowed, such as canvas_entry_properties or targeted_device; a
 * value is data and never a template itself.
 */
export interface Profile {
  /** The user's custom attributes. */
  custom_attribute?: { [member: string]: unknown };
  /** What the API call that triggers the message brings. */
  api_trigger_properties?: { [member: string]: unknown };
  /** The properties of the event that triggers the message. */
  event_properties?: { [member: string]: unknown };
  /** The campaign. */
  campaign?: { [member: string]: unknown };
  [member: string]: unknown;
}

/** What Apple's part of a payload says. */
export interface Aps {
  /** The texts: an object, or the body alone. */
  alert?: string | Alert;
  /** By this the extension is found; compared exactly. */
  category?: string;
  /** Notifications of one extension and one such id, if it is not empty, are shown together. */
  "thread-id"?: string;
  /** The number on the app's icon. */
  badge?: number;
  /** The sound: its name, or Apple's object for a critical one. */
  sound?: string | { [member: string]: unknown };
  /** The integer 1 lets a service extension change the notification first; anything else is told in a diagnostic. */
  "mutable-content"?: unknown;
  /** What the app opens. */
  "target-content-id"?: string;
  /** How urgent it is, in Apple's words. */
  "interruption-level"?: "passive" | "active" | "time-sensitive" | "critical";
  /** How it ranks in a summary. */
  "relevance-score"?: number;
  /** What a Focus filters by. */
  "filter-criteria"?: string;
  [member: string]: unknown;
}

/**
 * The texts of a notification. A key gets its text from the bundle that shows the notification, and wins over the plain
 * text beside it where it has one.
 */
export interface Alert {
  /** The first line. */
  title?: string;
  /** The key of the title's text. */
  "title-loc-key"?: string | null;
  /** What fills the title's text. */
  "title-loc-args"?: string[] | null;
  /** The second line. */
  subtitle?: string;
  /** The key of the subtitle's text. */
  "subtitle-loc-key"?: string | null;
  /** What fills the subtitle's text. */
  "subtitle-loc-args"?: string[] | null;
  /** The message. */
  body?: string;
  /** The key of the body's text. */
  "loc-key"?: string | null;
  /** What fills the body's text. */
  "loc-args"?: string[] | null;
  /** The image with which the app is opened. */
  "launch-image"?: string;
  [member: string]: unknown;
}

/**
 * A node. No two nodes of a view share an id; a view nests at most 64 deep. The host checks type, id, children and the
 * page of a carousel, and passes the other members on.
 */
export interface View {
  /** What the node is; it decides which other members count. */
  type: "button" | "card" | "carousel" | "field" | "grid" | "image" | "progress" | "row" | "stack" | "text";
  /** What interact names as element. */
  id?: string;
  /** Of a stack, a row, a grid or a carousel alone. */
  children?: View[];
  /** Of a grid. */
  columns?: number;
  /** Of a carousel: the position of the child that is shown, from 0. */
  page?: number;
  /** Of a text. */
  text?: string;
  /** Of a text: its role; body if absent. */
  style?: "title" | "body" | "caption";
  /** Of a text: where its lines stand; start if absent. */
  alignment?: "start" | "center" | "end";
  /** Of an image. */
  url?: string;
  /** Of an image: what it shows, for people who do not see it. */
  alt?: string;
  /** Of a card. */
  faceUp?: boolean;
  /** Of a card that is face up. */
  face?: string;
  /** Of a card. */
  matched?: boolean;
  /** Of a button. */
  title?: string;
  /** Of a field the text, of a progress how much is done. */
  value?: unknown;
  /** Of a field. */
  placeholder?: string;
  /** Of a progress. */
  total?: number;
  [member: string]: unknown;
}

/** A button of a notification. */
export interface Action {
  /** What didReceiveResponse names it by. */
  identifier: string;
  /** What stands on the button. */
  title: string;
  /** Always there in replies. */
  options?: ("authenticationRequired" | "destructive" | "foreground")[];
  textInput?: TextInput;
}

/** There where the action takes text; passed on as it came. */
export interface TextInput {
  /** The title of the button that sends the text. */
  buttonTitle?: string;
  /** What the empty field shows. */
  placeholder?: string;
  [member: string]: unknown;
}

/** The buttons that notifications of a category have until their extension sets others. */
export interface Category {
  /** What aps.category names. */
  identifier: string;
  actions?: Action[];
  /** Apple's options; customDismissAction lets the extension hear of a swipe. */
  options?: ("customDismissAction" | "allowInCarPlay" | "hiddenPreviewsShowTitle" | "hiddenPreviewsShowSubtitle" | "allowAnnouncement")[];
}

/** Every category that counts. */
export interface Categories {
  categories: Category[];
}

/** What is shown: one or more notifications of one thread. */
export interface Presentation {
  notification: NotificationID;
  /** All of them, the one that began it first. */
  notifications: NotificationID[];
  /** The bundle identifier of who shows it; null for the system's own view. */
  extension: string | null;
  /** Its aps.category, else empty. */
  category: string;
  date: Timestamp;
  /** The notification's title, else empty. */
  title: string;
  /** There where one notification was asked for, as are actions. */
  view?: View;
  actions?: Action[];
  media?: Media;
}

/** What becomes of a notification after a response. */
export type ResponseOption = "doNotDismiss" | "dismiss" | "dismissAndForward";

/** What a presentation shows now. */
export interface Display {
  view: View;
  actions: Action[];
  title?: OwnTitle;
  media?: Media;
  /** There where there are any. */
  diagnostics?: Diagnostic[];
}

/** What the app is to open: an absolute URL of any scheme, percent-encoded as RFC 3986 says. */
export type ApplicationURL = string;

/**
 * What stands in place of the notification's title, where the extension gave one and its Info.plist sets
 * UNNotificationExtensionOverridesDefaultTitle.
 */
export type OwnTitle = string;

/** The system's button that plays and pauses media, once the extension gave one. */
export interface Media {
  /** Which button it is; with none it is hidden. */
  button: "none" | "default" | "overlay";
  frame?: Frame;
  /** Its colour, in the extension's words. */
  tintColor?: string;
  /** Whether it shows that media plays. */
  playing: boolean;
}

/** Where something stands in the view, in points. */
export interface Frame {
  /** From the left. */
  x: number;
  /** From the top. */
  y: number;
  /** How wide. */
  width: number;
  /** How high. */
  height: number;
}

/** What the system itself shows of the notification beside the extension's view, unless layout.defaultContentHidden. */
export interface ShownContent {
  /** The first line, else empty. */
  title: string;
  /** The second line, else empty. */
  subtitle: string;
  /** The message, else empty. */
  body: string;
  attachments: Attachment[];
}

/** A file that a service extension gave the notification. */
export interface Attachment {
  /** What it is called among the attachments of its notification. */
  identifier: string;
  /** A file: URL. */
  url: string;
  /** What kind of file it is, as the extension of its name, such as png. */
  type: string;
}

/** The plist's say on how the view stands beside the system's content. */
export interface Layout {
  /** Height over width. */
  initialContentSizeRatio: number;
  /** Whether the system's own content is hidden. */
  defaultContentHidden: boolean;
  /** Whether the extension's title stands in place of the notification's. */
  overridesDefaultTitle: boolean;
}

/**
 * A remark that is no error: what a phone would do in silence, told. The reason is one of x-reasons, the reason of the
 * error that an extension's notification met, or a word of the extension.
 */
export interface Diagnostic {
  /** A stable word. */
  reason: string;
  /** A sentence for people. */
  message: string;
  /** A JSON Pointer into the request. */
  path?: string;
  /** Of serviceFailed: the reason word of the error that the call would have had. */
  cause?: string;
}

/** Which of the three kinds of records of Braze's guide. */
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
  /** Its number in the suite; never used again. */
  id: number;
  kind: RecordKind;
  /** Of a custom event. */
  name?: string;
  /** Of a custom event that has any. */
  properties?: { [member: string]: unknown };
  /** Of a custom attribute. */
  key?: string;
  /** Of a user attribute. */
  field?: string;
  /** Of either attribute. */
  value?: unknown;
  /** The time of capture. */
  time: Timestamp;
  /** Where it was known at capture. */
  user?: User;
  /** There where a flush holds it under a lease; one that ran out counts until the next flush. */
  leased?: true;
  /** How often it may have been sent without anybody knowing; there where it may. */
  possiblySent?: number;
}

/** What nobody will take: the members of a record, or bytes that could not be read as one. */
export interface DeadLetter {
  /** The number that it had as a pending record. */
  id: number;
  kind?: RecordKind;
  /** Of a custom event. */
  name?: string;
  /** Of a custom event that has any. */
  properties?: { [member: string]: unknown };
  /** Of a custom attribute. */
  key?: string;
  /** Of a user attribute. */
  field?: string;
  /** Of either attribute. */
  value?: unknown;
  /** The time of capture. */
  time?: Timestamp;
  /** Where it was known at capture. */
  user?: User;
  /** What could not be read, in Base64. */
  bytes?: string;
  /** Why nobody takes it, in a sentence. */
  reason: string;
  /** When it became a dead letter. */
  diedAt: Timestamp;
}

/** A suite: what is in it, or why that cannot be read. */
export interface SuiteInfo {
  suite: SuiteName;
  /** How many records are pending, leased ones included. */
  pending?: number;
  /** How many dead letters there are. */
  deadLetters?: number;
  /** Every destination that the suite was flushed to. */
  deliveries?: DeliveryTotals[];
  /**
   * How many pending records may have been sent without anybody knowing, by a host that died too; absent if there are
   * none.
   */
  possiblySent?: number;
  /** In place of the others, where the suite cannot be read: an error object. */
  error?: ErrorObject;
}

/** What a suite knows of a destination, kept over restarts of the host. */
export interface DeliveryTotals {
  /** The destination. */
  to: string;
  /** How many records it took. */
  delivered: number;
  /** How many records became dead letters. */
  rejected: number;
  /** How often a record may have been sent without anybody knowing. */
  possiblySent: number;
  /** How many attempts in a row came to nothing. */
  failures?: number;
  /** Nothing is sent before, where it failed or asked for a pause. */
  notBefore?: Timestamp;
  /** Why the last attempt came to nothing. */
  problem?: string;
}

/** A flush to a destination that runs. */
export interface RunningDelivery {
  suite: SuiteName;
  /** The destination. */
  to: string;
  /** How many records it took so far. */
  delivered: number;
  /** How many became dead letters so far. */
  rejected: number;
  /** How often a record may have been sent without anybody knowing, so far. */
  possiblySent: number;
  /** How many records it cannot take as they are. */
  held?: number;
  /** While a pause is waited for: how many milliseconds are left. */
  retryAfter?: number;
  /** Why the last attempt came to nothing. */
  problem?: string;
}

/** One call of Braze's Swift SDK. A record with add or remove becomes one call an element. */
export interface CallEntry {
  /** The name of the SDK's method. */
  call: "logCustomEvent" | "setCustomAttribute" | "setCustomAttributeArray" | "unsetCustomAttribute" | "incrementCustomUserAttribute" | "addToCustomAttributeArray" | "removeFromCustomAttributeArray" | "setUserAttribute";
  /** Of logCustomEvent. */
  name?: string;
  /** Of logCustomEvent, where the event has any. */
  properties?: { [member: string]: unknown };
  /** Of logCustomEvent: the time of capture. */
  time?: Timestamp;
  /** Of the calls for custom attributes. */
  key?: string;
  /** Of setUserAttribute. */
  field?: string;
  /** Of all but logCustomEvent, unsetCustomAttribute and incrementCustomUserAttribute. */
  value?: unknown;
  /** Of incrementCustomUserAttribute. */
  by?: number;
  user?: User;
  /** How often the record may have been sent before without anybody knowing; absent if it was not. */
  possiblySent?: number;
}

/**
 * Names of at most 255 characters, not empty, not beginning with $, not time or event_name; texts of at most 255
 * characters; dates in nested objects of the years 0 to 3000.
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

/** What became of a save. */
export interface Saved {
  /** The record's number in the suite. */
  id: number;
  /** Present and true if an earlier save with this idempotencyKey made the record; this one saved nothing. */
  repeated?: true;
}

/** What became of a removal. */
export interface Removed {
  /** How many there were: records, or the one value of a key. */
  removed: number;
}

/** A bundle and its process. */
export interface BundleInfo {
  /** Its CFBundleIdentifier. */
  identifier: string;
  /** The bundle's folder. */
  path: string;
  /** Which extension point it serves. */
  point: "com.apple.usernotifications.content-extension" | "com.apple.usernotifications.service" | "pushhost.destination" | "pushhost.personalization";
  /** The categories that it registered. */
  categories: string[];
  /** The suites that it may touch, its default first. */
  applicationGroups: string[];
  /** Height over width of its view at the start. */
  initialContentSizeRatio: number;
  /** Whether the system's own content is hidden beside its view. */
  defaultContentHidden: boolean;
  /** Whether its title stands in place of the notification's. */
  overridesDefaultTitle: boolean;
  /** Whether interact works. */
  userInteractionEnabled: boolean;
  /** What a flush names a destination by; there where it has a valid name. */
  destinationName?: string;
  /** The variables of the host's environment that activate tells a destination: their names, never their values. */
  environment?: string[];
  /** How its process is. */
  state: "idle" | "backingOff" | "activating" | "ready" | "suspended" | "stopping";
  /** The state in a sentence. */
  stateDescription?: string;
  /** How many presentations it has. */
  presentations: number;
  /** Calls that wait or that it works on. */
  callsInFlight: number;
  /** Calls that it has not been sent yet. */
  callsWaiting?: number;
  /** Calls that it answered with a result. */
  callsAnswered?: number;
  /** Calls that failed with the process or were refused. */
  callsFailed?: number;
  /** The median time of its last 1,024 answers, in milliseconds. */
  p50?: number;
  /** The time within which 99 of 100 of them came, in milliseconds. */
  p99?: number;
  /** Bytes written to its processes. */
  bytesWritten?: number;
  /** Bytes read from its processes, stderr too. */
  bytesRead?: number;
  /** Faults that count now towards --restart-budget. */
  faults?: number;
  /** Milliseconds until it may be started again, where it failed too often. */
  retryAfter?: number;
  /** Resident bytes of its process and what that started. */
  memory?: number;
  /** Milliseconds of processor time of the same. */
  processorTime?: number;
  /** The last lines on its stderr. */
  stderr?: string;
  /** How its last ten processes ended, the newest last. */
  ends?: ProcessEnd[];
  /** Processes that it left behind when it ended and that were killed; there where any was. */
  orphans?: number;
  /** How often its process was started. */
  starts: number;
  /** How long its last process took to answer activate; there once it did. */
  activationMilliseconds?: number;
  /** How many lines on its last process's stdout were no messages; there where any was. */
  strayLines?: number;
  /** There while a process runs. */
  pid?: number;
  /** What is odd about it. */
  problems: BundleProblem[];
}

/** How a process of an extension ended. */
export interface ProcessEnd {
  /** By the system's clock, whatever --clock says. */
  date: Timestamp;
  /** The number that the process had. */
  pid: number;
  /** What it did, or why it was asked to leave or killed. */
  reason: string;
  /**
   * The same in a stable word: why it was asked to leave (bundleReloaded, hostStopping, unused), else the reason of the
   * error, such as extensionExited.
   */
  cause: string;
  /** There where it exited. */
  exitCode?: number;
  /** There where a signal ended it. */
  signal?: number;
}

/** What is odd about a folder or a bundle. */
export interface BundleProblem {
  /** The file or folder. */
  path: string;
  /** What, and what to do. */
  message: string;
  /** A warning works here, and perhaps not as its author thinks; an error does not work, here or on a phone. */
  severity: "warning" | "error";
}

/** A kind of notification that subscribe chooses. */
export type Topic = "viewDidChange" | "didDismiss" | "openApplication" | "$/progress" | "$/log";

/** How much a line matters, the least first. */
export type LogLevel = "trace" | "debug" | "info" | "notice" | "warning" | "error" | "critical";

/** An error object as JSON-RPC has it; data.reason is a stable word. */
export interface ErrorObject {
  /** The number of the error. */
  code: number;
  /** A sentence for people; it may change. */
  message: string;
  data: ErrorData;
}

/** The error that an extension answered with, its data as it was. */
export interface ExtensionError {
  /** Its number. */
  code: number;
  /** Its sentence. */
  message: string;
  /** Whatever it has, of any type. */
  data?: unknown;
}

/** What programs look at: a stable word, and what an error tells besides. */
export interface ErrorData {
  /** A stable word. */
  reason: string;
  /** A JSON Pointer into the request. */
  path?: string;
  /** Of noPresentation: why it is not shown any more. */
  ended?: string;
  /** Of unknownAction: the identifiers of the actions that are offered. */
  offered?: string[];
  /**
   * Of messageAborted, and of a didReceive whose extension failed: the remarks that the reply would have had. Absent if
   * there are none.
   */
  diagnostics?: Diagnostic[];
  /** Of messageAborted: what the template says about it; perhaps empty. */
  aborted?: string;
  /** Of 120 to 128, and of messageAborted: the bundle identifier. */
  extension?: string;
  /** Of extensionExited: how it ended. */
  exitCode?: number;
  /** Of extensionExited: the signal that ended it. */
  signal?: number;
  /** Of 121 to 123: the last lines on its stderr. */
  stderr?: string;
  /** Of extensionRefused: the error that it answered with. */
  cause?: ExtensionError;
  /** Of those of suites, mostly: the suite. */
  suite?: string;
  /** Of extensionUnavailable and destinationUnavailable: milliseconds until another attempt is worth it. */
  retryAfter?: number;
  /** Of a flush that failed: how many records the destination took. */
  delivered?: number;
  /** Of a flush that failed: how many records became dead letters. */
  rejected?: number;
  /** Of a flush that failed: how many may have been sent without anybody knowing. */
  possiblySent?: number;
  /**
   * Of a flush that failed: how many stay pending because the destination cannot take them as they are; there where any
   * does.
   */
  held?: number;
  /** Of a flush that failed: how many are pending still. */
  remaining?: number;
  /** Of a change of many records that failed in the middle: how many were changed before, and stay so. */
  changed?: number;
  /** Of parseError: the line, from 1, in which what could not be read ends. */
  line?: number;
  /** Of parseError: the column there, in characters from 0. */
  column?: number;
  /** Of parseError: the same place in bytes from the beginning. */
  position?: number;
  /** Of methodNotFound: the name that no method has. */
  method?: string;
  /** Of unknownElement: the ids of the view's nodes, the first 100. */
  elements?: string[];
  /** Of payloadTooLarge: how large it is. */
  bytes?: number;
  /** Of payloadTooLarge and lineTooLong: how many bytes are taken. */
  limit?: number;
  /** Of duplicateId: the id that is in flight. */
  id?: string | number | null;
  /** Of unsupportedProtocolVersion: the versions of MCP that a request may name. */
  supported?: string[];
  /** Of unsupportedProtocolVersion: the version that it named. */
  requested?: string;
  [member: string]: unknown;
}

/** What ``didReceive`` answers. */
export interface DidReceiveResult {
  notification: NotificationID;
  /** The bundle identifier of who shows it; null for the system's own view, and without an alert. */
  extension: string | null;
  content: ShownContent;
  /** null where the system shows it all. */
  layout: Layout | null;
  view: View;
  actions: Action[];
  title?: OwnTitle;
  media?: Media;
  diagnostics: Diagnostic[];
}

/** What ``didReceiveResponse`` answers. */
export interface DidReceiveResponseResult {
  option: ResponseOption;
  view?: View;
  /** There with view, only where option is doNotDismiss. */
  actions?: Action[];
  title?: OwnTitle;
  media?: Media;
  /** Whether the app is opened with the action; openApplication tells subscribers. */
  forwarded: boolean;
  url?: ApplicationURL;
  /** There where there are any. */
  diagnostics?: Diagnostic[];
}

/** What ``dismiss`` answers. */
export interface DismissResult {
  /** It is. */
  dismissed: true;
}

/** What ``notifications`` answers. */
export interface NotificationsResult {
  notifications: Presentation[];
}

/** What ``pending`` answers. */
export interface PendingResult {
  records: PendingRecord[];
  /** How many records of the kind are pending in all, leased ones included. */
  total: number;
  /** How many pending records of all kinds may have been sent without anybody knowing; absent if there are none. */
  possiblySent?: number;
  /**
   * damagedRecord for each record of the page that is damaged and left out; noSuite if the suite does not exist while
   * other suites hold records. Absent if there are none.
   */
  diagnostics?: Diagnostic[];
}

/** What ``flushPending`` answers. */
export interface FlushPendingResult {
  /** To the caller. */
  calls?: CallEntry[];
  /** How many records could be flushed next; leased ones not counted. */
  remaining: number;
  /** What acknowledge takes; there only where a lease was asked for and holds something. */
  lease?: string;
  /** To a destination: how many records it took. */
  delivered?: number;
  /** To a destination: how many became dead letters. */
  rejected?: number;
  /**
   * How often a record may have been sent without anybody knowing, by a host that died before too; to the caller there
   * only where it is not 0.
   */
  possiblySent?: number;
  /** How many records stay pending because the destination cannot take them as they are; diagnostics say why. */
  held?: number;
  /**
   * To the caller: the ids of the records that may have been sent by a host that died and became dead letters by this
   * flush; absent if there are none.
   */
  deadLetters?: number[];
  /** To a destination always; to the caller if there are any. */
  diagnostics?: Diagnostic[];
}

/** What ``deadLetters`` answers. */
export interface DeadLettersResult {
  deadLetters: DeadLetter[];
  /** How many there are. */
  total: number;
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
  /** It is. */
  stored: true;
}

/** What ``retrieve`` answers. */
export interface RetrieveResult {
  /** The value; null where there is none. */
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
  /** What was left out; at most 100. */
  diagnostics: Diagnostic[];
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
  /** The folder of the suites. */
  data: string;
  /** Requests that are not answered yet, this one left out. */
  requestsInFlight: number;
  /** What is shown now. */
  presentations: number;
  /** Extensions with a process. */
  extensionsRunning: number;
  /** Extensions that failed too often and are not started for a while. */
  extensionsBackingOff: number;
  /** Faults of all extensions that count now. */
  extensionFaults: number;
  /** Of every suite of the folder. */
  deadLetters: number;
  /** The flushes to destinations that run. */
  deliveries: RunningDelivery[];
  /** Log lines that stderr did not take in time. */
  logLinesDropped: number;
  /** How many pending records of every suite may have been sent without anybody knowing; absent if there are none. */
  possiblySent?: number;
}

/** What ``extensions`` answers. */
export interface ExtensionsResult {
  extensions: BundleInfo[];
  /** Folders that are no bundle, and bundles that compete. */
  problems: BundleProblem[];
}

/** What ``reloadExtensions`` answers. */
export interface ReloadExtensionsResult {
  /** The number of bundles now. */
  extensions: number;
  /** The identifiers of bundles that are new. */
  added: string[];
  /** Of those that were swapped. */
  changed: string[];
  /** Of those that are gone. */
  removed: string[];
  /** All that is odd about folders and bundles. */
  problems: BundleProblem[];
}

/** What ``subscribe`` answers. */
export interface SubscribeResult {
  /** The topics that count now. */
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
   * The APNs payload as it is: the object of an .apns file, at most 4096 bytes when written compactly. An extension
   * gets all of it as userInfo.
   */
  payload: Payload;
  /** The identifier of the request that the extension is told; else the notification's. */
  identifier?: string;
  /** When the notification was received; else now. */
  date?: ZonedTimestamp;
  /** Whose texts the alert's keys get, and what the extension is told; else the host's. At most 100 bytes. */
  locale?: string;
  /** How much height the view has, in Apple's words: compact as on a phone held sideways. The extension is told. */
  verticalSizeClass?: "compact" | "regular";
  /**
   * Present if the payload is a template: what is known of the user and the message. Every string in the payload is
   * then rendered before anything else reads it.
   */
  profile?: Profile;
}

/** The params of `didReceiveResponse`. */
export interface DidReceiveResponseParams {
  /** A notification that is shown. */
  notification: NotificationID;
  /**
   * An action that is offered, com.apple.UNNotificationDefaultActionIdentifier (a tap) or
   * com.apple.UNNotificationDismissActionIdentifier.
   */
  actionIdentifier: string;
  /** What was entered; needed where the action has textInput, refused elsewhere. */
  userText?: string;
}

/** The params of `interact`. */
export interface InteractParams {
  /** A notification that is shown. */
  notification: NotificationID;
  /** The id of a node of the view that is shown now. */
  element: string;
  /**
   * What was entered, of any type; null is a value. Of a carousel it is the number of the page to turn to, counted from
   * 0.
   */
  value?: unknown;
}

/** The params of `mediaPlay`. */
export interface MediaPlayParams {
  /** A notification that is shown. */
  notification: NotificationID;
}

/** The params of `mediaPause`. */
export interface MediaPauseParams {
  /** A notification that is shown. */
  notification: NotificationID;
}

/** The params of `dismiss`. */
export interface DismissParams {
  /** A notification that is shown. */
  notification: NotificationID;
}

/** The params of `notifications`. */
export interface NotificationsParams {
  /** Only what shows this notification, with its view. */
  notification?: NotificationID;
}

/** The params of `setNotificationCategories`. */
export interface SetNotificationCategoriesParams {
  /** The categories; no two of one identifier. */
  categories: Category[];
}

/** The params of `saveCustomEvent`. */
export interface SaveCustomEventParams {
  /** The event's name, without U+0000. */
  name: string;
  /** The suite; see SuiteName for the default. */
  suite?: SuiteName;
  /** The event's properties, at most 51200 bytes of JSON unless --value-bytes says otherwise. */
  properties?: Properties;
  /** When it happened; else now. */
  time?: ZonedTimestamp;
  /** Whom it is about; else the braze_id of the notification's payload, where it has one. */
  user?: User;
  /** The notification that it came from; an extension names one of its own. */
  notification?: NotificationID;
  /**
   * Names this save in its suite, without U+0000: a second save with the key saves nothing and is answered with the
   * first one's id.
   */
  idempotencyKey?: string;
}

/** The params of `saveCustomAttribute`. */
export interface SaveCustomAttributeParams {
  /**
   * The attribute's key, without U+0000; it must not begin with $, be a StandardField (Braze would take it for that:
   * use saveUserAttribute), nor external_id, user_alias, braze_id, app_id, _update_existing_only, _merge_objects or
   * push_token_import.
   */
  key: string;
  /**
   * Any value: texts of at most 255 characters, arrays of at most 25 elements, arrays and objects of at most 51200
   * bytes, unless --array-elements and --value-bytes say otherwise. Within them no null; keys of objects of at most 255
   * characters without a space, . or $; dates as {"$time": …} of the years 0 to 3000.
   */
  value: unknown;
  /** The suite; see SuiteName for the default. */
  suite?: SuiteName;
  /** Whom it is about; else the braze_id of the notification's payload, where it has one. */
  user?: User;
  /** The notification that it came from; an extension names one of its own. */
  notification?: NotificationID;
  /**
   * Names this save in its suite, without U+0000: a second save with the key saves nothing and is answered with the
   * first one's id.
   */
  idempotencyKey?: string;
}

/** The params of `saveUserAttribute`. */
export interface SaveUserAttributeParams {
  /** The field of Braze's profile. */
  field: StandardField;
  /**
   * Its value, as Braze's table of the fields has it (the contract's page, Limits); texts of at most 255 characters.
   * null unsets the field; email_subscribe, push_subscribe, push_tokens, subscription_groups, alias_name and
   * alias_label cannot be unset.
   */
  value: unknown;
  /** The suite; see SuiteName for the default. */
  suite?: SuiteName;
  /** Whom it is about; else the braze_id of the notification's payload, where it has one. */
  user?: User;
  /** The notification that it came from; an extension names one of its own. */
  notification?: NotificationID;
  /**
   * Names this save in its suite, without U+0000: a second save with the key saves nothing and is answered with the
   * first one's id.
   */
  idempotencyKey?: string;
}

/** The params of `pending`. */
export interface PendingParams {
  /** The suite; see SuiteName for the default. */
  suite?: SuiteName;
  /** Only records of this kind. */
  kind?: RecordKind;
  /** Only records of greater ids. */
  after?: number;
  /** The greatest number of records. */
  limit?: number;
}

/** The params of `flushPending`. */
export interface FlushPendingParams {
  /** The suite; see SuiteName for the default. */
  suite?: SuiteName;
  /** caller, file (JSON lines on the host's disk), or the PushhostDestinationName of a bundle. */
  to?: string;
  /** Whom records are about that name nobody. */
  user?: User;
  /**
   * The greatest number of records: at most 1000, the default, to the caller; any number, all by default, to a
   * destination.
   */
  limit?: number;
  /** For how many seconds the caller holds the records; not with a destination. */
  lease?: number;
}

/** The params of `deadLetters`. */
export interface DeadLettersParams {
  /** The suite; see SuiteName for the default. */
  suite?: SuiteName;
  /** Only those of greater ids. */
  after?: number;
  /** The greatest number. */
  limit?: number;
}

/** The params of `retryDeadLetters`. */
export interface RetryDeadLettersParams {
  /** The suite; see SuiteName for the default. */
  suite?: SuiteName;
  /** Which; all of them where it is absent. */
  ids?: number[];
}

/** The params of `discardDeadLetters`. */
export interface DiscardDeadLettersParams {
  /** The suite; see SuiteName for the default. */
  suite?: SuiteName;
  /** Which; all of them where it is absent. */
  ids?: number[];
}

/** The params of `acknowledge`. */
export interface AcknowledgeParams {
  /** What flushPending gave. */
  lease: string;
  /** The suite; see SuiteName for the default. */
  suite?: SuiteName;
}

/** The params of `store`. */
export interface StoreParams {
  /** The key, without U+0000; not one of the three keys of pending records. */
  key: string;
  /** Any value that nests at most 512 deep; its types come back as they went. */
  value: unknown;
  /** The suite; see SuiteName for the default. */
  suite?: SuiteName;
}

/** The params of `retrieve`. */
export interface RetrieveParams {
  /** The key, without U+0000. */
  key: string;
  /** The suite; see SuiteName for the default. */
  suite?: SuiteName;
}

/** The params of `removeObject`. */
export interface RemoveObjectParams {
  /** The key, without U+0000. */
  key: string;
  /** The suite; see SuiteName for the default. */
  suite?: SuiteName;
}

/** The params of `resetStorageKeys`. */
export interface ResetStorageKeysParams {
  /** The suite; see SuiteName for the default. */
  suite?: SuiteName;
}

/** The params of `importSuite`. */
export interface ImportSuiteParams {
  /** The file, XML or binary, of at most 16 MiB; a relative path starts at the host's working folder. */
  path: string;
  /** The suite; see SuiteName for the default. */
  suite?: SuiteName;
}

/** The params of `exportSuite`. */
export interface ExportSuiteParams {
  /** The file, not in the data folder; a relative path starts at the host's working folder. */
  path: string;
  /** The suite; see SuiteName for the default. */
  suite?: SuiteName;
  /** The form of the property list. */
  format?: "xml" | "binary";
}

/** The params of `reloadExtensions`. */
export interface ReloadExtensionsParams {
  /** Whether every bundle counts as changed. */
  force?: boolean;
}

/** The params of `subscribe`. */
export interface SubscribeParams {
  /** The topics; an empty array ends it. */
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
  /** What is shown now. */
  view: View;
  /** The buttons that are offered now. */
  actions: Action[];
  /** The extension's own title, where it has one. */
  title?: OwnTitle;
  /** The button for media, where there is one. */
  media?: Media;
}

/**
 * An extension changed the view or the buttons without being asked. What changed in a call's reply is in that reply
 * alone.
 */
export interface ViewDidChange {
  topic: "viewDidChange";
  params: ViewDidChangeParams;
}

/** The params of `didDismiss`. */
export interface DidDismissParams {
  /** The notification that began the presentation. */
  notification: NotificationID;
  /** A sentence for people; the same stands in a later noPresentation as ended. */
  reason: string;
}

/** A presentation ended. The notification is the one that began it. */
export interface DidDismiss {
  topic: "didDismiss";
  params: DidDismissParams;
}

/** The params of `openApplication`. */
export interface OpenApplicationParams {
  /** The notification that began the presentation. */
  notification: NotificationID;
  /** The action, as didReceiveResponse names it. */
  actionIdentifier: string;
  /** What was entered, where the action takes text. */
  userText?: string;
  /** What the app is to open, if the extension said so. */
  url?: ApplicationURL;
}

/** The app would be opened with an action now. */
export interface OpenApplication {
  topic: "openApplication";
  params: OpenApplicationParams;
}

/** The params of `$/progress`. */
export interface ProgressParams {
  /** The suite. */
  suite: SuiteName;
  /** Of a flush: the destination. */
  to?: string;
  /** Of a flush: how many records the destination took so far. */
  delivered?: number;
  /** Of a flush: how many became dead letters so far. */
  rejected?: number;
  /** Of a flush: how many are pending still. */
  remaining?: number;
  /** Delivered records a second since the flush began; not where the clock is fixed. */
  rate?: number;
  /** Of long work: the method that was called. */
  method?: string;
  /** Of long work: how many records and keys are done. */
  done?: number;
  /** Of long work: how many there are at most, if that is known. */
  total?: number;
}

/**
 * A flush to a destination goes on: after a batch, at most ten times a second, and at the end. Or long work on a suite
 * goes on: at most ten times a second, with a fixed clock after every 10,000 records, and at its end if it was told
 * before.
 */
export interface Progress {
  topic: "$/progress";
  params: ProgressParams;
}

/** The params of `$/log`. */
export interface LogParams {
  /** Its bundle identifier. */
  extension: string;
  /** How much it matters. */
  level: LogLevel;
  /** One line of text. */
  message: string;
}

/** An extension logged a line with the method log. */
export interface Log {
  topic: "$/log";
  params: LogParams;
}

/** What a listener hears. */
export type Notification = ViewDidChange | DidDismiss | OpenApplication | Progress | Log;
