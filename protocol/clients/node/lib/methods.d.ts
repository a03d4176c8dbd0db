// Generated from protocol/openrpc.json by protocol/generate.py; do not edit.

import type {
  AcknowledgeParams,
  AcknowledgeResult,
  AdvanceClockParams,
  BackUpSuiteParams,
  BackUpSuiteResult,
  CancelRequestParams,
  CancelRequestResult,
  Categories,
  CheckDestinationParams,
  CheckExtensionParams,
  CheckExtensionResult,
  CheckPayloadParams,
  CheckPayloadResult,
  DeadLettersParams,
  DeadLettersResult,
  DestinationCheck,
  DidReceiveParams,
  DidReceiveResponseParams,
  DidReceiveResponseResult,
  DidReceiveResult,
  DiscardDeadLettersParams,
  DiscardDeadLettersResult,
  DismissParams,
  DismissResult,
  Display,
  ExpandParams,
  ExportSuiteParams,
  ExportSuiteResult,
  ExtensionsResult,
  FlushPendingParams,
  FlushPendingResult,
  ImportSuiteParams,
  ImportSuiteResult,
  InteractParams,
  MediaPauseParams,
  MediaPlayParams,
  NotificationsParams,
  NotificationsResult,
  PendingParams,
  PendingResult,
  PingResult,
  ReloadExtensionsParams,
  ReloadExtensionsResult,
  RemoveObjectParams,
  Removed,
  RenderParams,
  RenderResult,
  ResetStorageKeysParams,
  RetrieveParams,
  RetrieveResult,
  RetryDeadLettersParams,
  RetryDeadLettersResult,
  SaveCustomAttributeParams,
  SaveCustomEventParams,
  SaveUserAttributeParams,
  Saved,
  SetNotificationCategoriesParams,
  StatusResult,
  StoreParams,
  StoreResult,
  SubscribeParams,
  SubscribeResult,
  SuitesResult,
} from "./contract.js";
import type { CallOptions } from "../index.js";

/** The methods of the contract. */
export declare abstract class Methods {
  /**
   * Shows a notification: in the extension that registered its category, otherwise in the system's own view.
   *
   * Begins a presentation. If the notification has a non-empty thread-id and the same extension visibly shows a
   * notification with the same thread-id, it joins that presentation instead. An unregistered category is not an error:
   * a diagnostic gives the reason and similar names. A payload without an alert (a text in title, subtitle or body)
   * shows nothing, as on a phone: no extension runs, no presentation begins, a later call that names the notification
   * is refused with noPresentation, and the diagnostic noAlert gives the reason. If the payload has mutable-content 1
   * and an alert, a service extension may change the notification first; its failure is a diagnostic, never an error.
   * If profile is present, the payload is a template: the personalization extension renders every string in it first,
   * with date as the current time. All rules about the payload, including its maximum size, then apply to the rendered
   * payload. If rendering fails, or if the template aborts the message, nothing is shown and the call fails.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
   * PayloadTooLargeError, InvalidPayloadError, NoPersonalizationError, MessageAbortedError, CannotStartError,
   * ExtensionExitedError, ExtensionTimedOutError, ExtensionRefusedError, BadExtensionReplyError,
   * ExtensionMisbehavedError, BusyError, StoppingError, ExtensionUnavailableError.
   */
  didReceive(params: DidReceiveParams, options?: CallOptions): Promise<DidReceiveResult>;

  /**
   * Expands a notification that was delivered as a banner: its extension gets it now.
   *
   * A phone runs a content extension only when the user opens the notification. didReceive with expand false stops
   * before that. If the notification is expanded already, the result is its state, and nothing happens. If the
   * extension fails, the notification stays a banner, unless the process has ended.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
   * UnknownNotificationError, NoPresentationError, CannotStartError, ExtensionExitedError, ExtensionTimedOutError,
   * ExtensionRefusedError, BadExtensionReplyError, ExtensionMisbehavedError, BusyError, StoppingError,
   * ExtensionUnavailableError.
   */
  expand(params: ExpandParams, options?: CallOptions): Promise<Display>;

  /**
   * Presses a button, taps the notification, or swipes it away.
   *
   * The extension decides what happens to the notification. If the extension has no response handler (it answers
   * -32601), the response goes to the app, as with dismissAndForward. A dismissal reaches the extension only if the
   * category has the option customDismissAction.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
   * UnknownNotificationError, NoPresentationError, UnknownActionError, CannotStartError, ExtensionExitedError,
   * ExtensionTimedOutError, ExtensionRefusedError, BadExtensionReplyError, ExtensionMisbehavedError, BusyError,
   * StoppingError, ExtensionUnavailableError.
   */
  didReceiveResponse(params: DidReceiveResponseParams, options?: CallOptions): Promise<DidReceiveResponseResult>;

  /**
   * Touches an element of the view.
   *
   * Works only if the extension's Info.plist sets UNNotificationExtensionUserInteractionEnabled.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
   * UnknownNotificationError, NoPresentationError, InteractionDisabledError, UnknownElementError, CannotStartError,
   * ExtensionExitedError, ExtensionTimedOutError, ExtensionRefusedError, BadExtensionReplyError,
   * ExtensionMisbehavedError, BusyError, StoppingError, ExtensionUnavailableError.
   */
  interact(params: InteractParams, options?: CallOptions): Promise<Display>;

  /**
   * Plays the media of the view: presses the system's media button.
   *
   * Works only if the extension set a media button other than none.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
   * UnknownNotificationError, NoPresentationError, NoMediaButtonError, CannotStartError, ExtensionExitedError,
   * ExtensionTimedOutError, ExtensionRefusedError, BadExtensionReplyError, ExtensionMisbehavedError, BusyError,
   * StoppingError, ExtensionUnavailableError.
   */
  mediaPlay(params: MediaPlayParams, options?: CallOptions): Promise<Display>;

  /**
   * Pauses the media of the view: presses the system's media button.
   *
   * Works only if the extension set a media button other than none.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
   * UnknownNotificationError, NoPresentationError, NoMediaButtonError, CannotStartError, ExtensionExitedError,
   * ExtensionTimedOutError, ExtensionRefusedError, BadExtensionReplyError, ExtensionMisbehavedError, BusyError,
   * StoppingError, ExtensionUnavailableError.
   */
  mediaPause(params: MediaPauseParams, options?: CallOptions): Promise<Display>;

  /**
   * Moves the fixed clock forward, and lets the notification's extension run its timers until then.
   *
   * Works only with --clock. The extension answers when the timers that are due were run in their order; one without
   * timers stays as it is. Other extensions learn the time with their next call. Since version 1.2 of the contract.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
   * UnknownNotificationError, NoPresentationError, ClockNotFixedError, CannotStartError, ExtensionExitedError,
   * ExtensionTimedOutError, ExtensionRefusedError, BadExtensionReplyError, ExtensionMisbehavedError, BusyError,
   * StoppingError, ExtensionUnavailableError.
   */
  advanceClock(params: AdvanceClockParams, options?: CallOptions): Promise<Display>;

  /**
   * Removes a notification from the screen and informs its extension.
   *
   * Ends the whole presentation, including later notifications of its thread. Waits for earlier calls on it.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
   * UnknownNotificationError, NoPresentationError, StoppingError.
   */
  dismiss(params: DismissParams, options?: CallOptions): Promise<DismissResult>;

  /**
   * Lists the notifications that are shown, the oldest first.
   *
   * Waits for every earlier call to an extension. Subscribers hear when an extension changes its view; other clients
   * read the view here.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
   * StoppingError, UnknownNotificationError, NoPresentationError.
   */
  notifications(params?: NotificationsParams, options?: CallOptions): Promise<NotificationsResult>;

  /**
   * Renders a notification as it is shown now: as a page, as text, or as lines for a terminal.
   *
   * Waits for earlier calls on it. The page is complete: it has no scripts and makes no requests, every text in it is
   * escaped, and local images are embedded. The text is a drawing of the view, with # before each id that interact
   * accepts as element. The pieces of a line say what a press on them means.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
   * StoppingError, UnknownNotificationError, NoPresentationError.
   */
  render(params: RenderParams, options?: CallOptions): Promise<RenderResult>;

  /**
   * Checks a payload without delivering it; nothing is shown or stored.
   *
   * Finds what a delivery would report, and more: unknown categories; key-value pairs that are missing, misspelt or of
   * a wrong type; reserved keys of Braze; the sound; payloads of Live Activities and widgets; the size. With template,
   * templates are checked too; with profile, they are rendered, and the result is about the rendered payload. A mistake
   * in the payload is a finding, never an error.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
   * StoppingError, NoPersonalizationError, CannotStartError, ExtensionExitedError, ExtensionTimedOutError,
   * ExtensionRefusedError, BadExtensionReplyError, ExtensionMisbehavedError, BusyError, ExtensionUnavailableError.
   */
  checkPayload(params: CheckPayloadParams, options?: CallOptions): Promise<CheckPayloadResult>;

  /**
   * Validates a bundle and runs its extension to test it, as the command pushhost extensions check does.
   *
   * The extension runs in hosts and with suites of its own, so nothing is shown or stored here, and a crash affects no
   * other call. It runs with your permissions: check only what you trust. It gets no variables of the host's
   * environment that name secrets. A check may take minutes; one runs at a time, and $/cancelRequest ends it.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
   * StoppingError, CheckFailedError.
   *
   * @deprecated since 1.2: run `pushhost extensions check --json`; version 2.0 removes the method.
   */
  checkExtension(params: CheckExtensionParams, options?: CallOptions): Promise<CheckExtensionResult>;

  /**
   * Registers the app's categories and replaces those registered before.
   *
   * Applies to notifications received from now on. A category hides the built-in category with the same identifier.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, StoppingError.
   */
  setNotificationCategories(params: SetNotificationCategoriesParams, options?: CallOptions): Promise<Categories>;

  /**
   * Returns every registered category: the built-in ones of Braze's SDK, then those that were set.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, StoppingError.
   */
  getNotificationCategories(params?: {}, options?: CallOptions): Promise<Categories>;

  /**
   * Saves a custom event until it is flushed. After the reply the event survives a power loss.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
   * UnknownNotificationError, NoPresentationError, StoppingError, InvalidSuiteNameError, NotEntitledError,
   * SuiteBusyError, NotStoredError, SuiteFullError, SuiteUnreadableError, SuiteNameTakenError, InvalidRecordError,
   * IdempotencyKeyReusedError.
   */
  saveCustomEvent(params: SaveCustomEventParams, options?: CallOptions): Promise<Saved>;

  /**
   * Saves a custom attribute until it is flushed.
   *
   * null unsets the attribute. {"inc": integer}, {"add": […]} and {"remove": […]} of 1 to 25 texts, numbers and
   * booleans change it, as in Braze's REST API; add and remove may stand together. {"$add": […], "$remove": […],
   * "$update": […]} change an array of objects. {"$merge": {…}} merges an object into the current one, which a plain
   * object would replace; the destination sends it with _merge_objects.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
   * UnknownNotificationError, NoPresentationError, StoppingError, InvalidSuiteNameError, NotEntitledError,
   * SuiteBusyError, NotStoredError, SuiteFullError, SuiteUnreadableError, SuiteNameTakenError, InvalidRecordError,
   * IdempotencyKeyReusedError.
   */
  saveCustomAttribute(params: SaveCustomAttributeParams, options?: CallOptions): Promise<Saved>;

  /**
   * Saves a standard field of the user's profile until it is flushed.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
   * UnknownNotificationError, NoPresentationError, StoppingError, InvalidSuiteNameError, NotEntitledError,
   * SuiteBusyError, NotStoredError, SuiteFullError, SuiteUnreadableError, SuiteNameTakenError, InvalidRecordError,
   * IdempotencyKeyReusedError.
   */
  saveUserAttribute(params: SaveUserAttributeParams, options?: CallOptions): Promise<Saved>;

  /**
   * Returns pending records in the order of their ids, one page at a time, and deletes nothing.
   *
   * A page has at most 1000 records, and ends once it has 8 MiB. To get the next page, pass the last id as after.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
   * StoppingError, InvalidSuiteNameError, SuiteBusyError, NotStoredError, SuiteUnreadableError, SuiteNameTakenError.
   */
  pending(params?: PendingParams, options?: CallOptions): Promise<PendingResult>;

  /**
   * Flushes pending records: to the caller as the calls of Braze's SDK, or to a destination.
   *
   * To the caller: events, then custom attributes, then user attributes, each in the order in which they were saved.
   * Without lease the commit before the reply deletes the records: **at most once**; if the reply is lost, so are the
   * records. With lease they stay, and no other flush returns them, until acknowledge deletes them or the lease
   * expires. A reply has at most 1000 records, and ends once it has 8 MiB. To a destination: the records that are
   * pending now are delivered in batches, in the order of each user, and each record is deleted after it has arrived.
   * The reply comes at the end, and $/cancelRequest stops between batches. A record whose delivery is ambiguous is
   * offered once more and counted in possiblySent. An increment or a $add becomes a dead letter at once, any other
   * record when its delivery is ambiguous a second time. Only one flush of a suite runs at a time, across all
   * processes.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
   * StoppingError, InvalidSuiteNameError, SuiteBusyError, NotStoredError, SuiteUnreadableError, SuiteNameTakenError,
   * UnknownDestinationError, DestinationStoppedError, DestinationUnavailableError, FlushBusyError,
   * UnsupportedByDestinationError, CannotStartError, ExtensionExitedError, ExtensionTimedOutError,
   * ExtensionRefusedError, BadExtensionReplyError, ExtensionMisbehavedError, BusyError, ExtensionUnavailableError.
   */
  flushPending(params?: FlushPendingParams, options?: CallOptions): Promise<FlushPendingResult>;

  /**
   * Says whether a destination can be reached and would accept records, without sending any.
   *
   * The destination sends its service a harmless request; date is the service's own time, so a client can compare its
   * clock. For file: whether the file can be written. A destination that does not declare the capability check is
   * refused with unsupportedByDestination.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
   * StoppingError, CannotStartError, ExtensionExitedError, ExtensionTimedOutError, ExtensionRefusedError,
   * BadExtensionReplyError, ExtensionMisbehavedError, BusyError, ExtensionUnavailableError, UnknownDestinationError,
   * UnsupportedByDestinationError.
   */
  checkDestination(params: CheckDestinationParams, options?: CallOptions): Promise<DestinationCheck>;

  /**
   * Returns dead letters in the order of their ids.
   *
   * A dead letter is a record that its destination rejected, a record that may have been sent and must not be sent
   * again, or bytes that an import could not read. A page has at most 1000, and ends once it has 8 MiB.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
   * StoppingError, InvalidSuiteNameError, SuiteBusyError, NotStoredError, SuiteUnreadableError, SuiteNameTakenError.
   */
  deadLetters(params?: DeadLettersParams, options?: CallOptions): Promise<DeadLettersResult>;

  /**
   * Makes dead letters pending again, each at its old place in the order.
   *
   * If there are more than 500, they are changed in parts, and each part remains even if a later one fails. Dead
   * letters that could not be read as records are skipped. Records that may have been sent count as never sent from
   * then on, so check the destination first.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
   * StoppingError, InvalidSuiteNameError, SuiteBusyError, NotStoredError, SuiteUnreadableError, SuiteNameTakenError.
   */
  retryDeadLetters(params?: RetryDeadLettersParams, options?: CallOptions): Promise<RetryDeadLettersResult>;

  /**
   * Deletes dead letters permanently.
   *
   * If there are more than 500, they are deleted in parts, and each part remains deleted even if a later one fails.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
   * StoppingError, InvalidSuiteNameError, SuiteBusyError, NotStoredError, SuiteUnreadableError, SuiteNameTakenError.
   */
  discardDeadLetters(params?: DiscardDeadLettersParams, options?: CallOptions): Promise<DiscardDeadLettersResult>;

  /**
   * Deletes the records of a lease after the caller has handled them.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
   * StoppingError, InvalidSuiteNameError, SuiteBusyError, NotStoredError, SuiteUnreadableError, SuiteNameTakenError,
   * LeaseExpiredError.
   */
  acknowledge(params: AcknowledgeParams, options?: CallOptions): Promise<AcknowledgeResult>;

  /**
   * Sets the value of a key in a suite.
   *
   * Under the keys pending_custom_events, pending_custom_attributes and pending_user_attributes, which keep pending
   * records, the value is a list in the flat form of Braze's guide. It must begin with the records that the caller's
   * last retrieve returned, or with all pending records; the records after them are saved, all or none.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
   * StoppingError, InvalidSuiteNameError, NotEntitledError, SuiteBusyError, NotStoredError, SuiteFullError,
   * SuiteUnreadableError, SuiteNameTakenError, ReservedKeyError, InvalidRecordError, UnknownNotificationError,
   * NoPresentationError.
   */
  store(params: StoreParams, options?: CallOptions): Promise<StoreResult>;

  /**
   * Returns the value of a key in a suite.
   *
   * The keys pending_custom_events, pending_custom_attributes and pending_user_attributes return the pending records in
   * the flat form of Braze's guide, including leased ones.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
   * StoppingError, InvalidSuiteNameError, NotEntitledError, SuiteBusyError, NotStoredError, SuiteUnreadableError,
   * SuiteNameTakenError, TooLargeError, UnknownNotificationError, NoPresentationError.
   */
  retrieve(params: RetrieveParams, options?: CallOptions): Promise<RetrieveResult>;

  /**
   * Removes a key and its value. One of the three keys of pending records deletes all records of that kind.
   *
   * If there are more than 500 records, they are deleted in parts, and each part remains deleted even if a later one
   * fails. Records that are saved in the meantime stay.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
   * StoppingError, InvalidSuiteNameError, NotEntitledError, SuiteBusyError, NotStoredError, SuiteUnreadableError,
   * SuiteNameTakenError, UnknownNotificationError, NoPresentationError.
   */
  removeObject(params: RemoveObjectParams, options?: CallOptions): Promise<Removed>;

  /**
   * Deletes every pending record of a suite, including leased ones, as Braze's guide does when it clears its three
   * keys.
   *
   * If there are more than 500 records, they are deleted in parts, and each part remains deleted even if a later one
   * fails. Records that are saved in the meantime stay.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
   * StoppingError, InvalidSuiteNameError, SuiteBusyError, NotStoredError, SuiteUnreadableError, SuiteNameTakenError.
   */
  resetStorageKeys(params?: ResetStorageKeysParams, options?: CallOptions): Promise<Removed>;

  /**
   * Lists the suites of the data folder with their pending records, dead letters and deliveries.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
   * StoppingError, SuiteUnreadableError.
   */
  suites(params?: {}, options?: CallOptions): Promise<SuitesResult>;

  /**
   * Imports a property list in the form of Braze's guide, as an app left it in its App Group: all or nothing.
   *
   * Its lists become pending records, with the time of the import and without a user. Every other key becomes a stored
   * value and replaces an existing one. Only a record that cannot be read, or that breaks a limit, becomes a dead
   * letter; a property list that cannot be read as a dictionary becomes a dead letter as a whole. If a key has two
   * values, the last one is used. A file that does not begin like a property list, or is not a regular file, is
   * refused, and nothing is stored. A date in a record becomes a text (within an attribute's object {"$time": …}). In a
   * stored value, a date becomes {"$date": seconds since 2001} and data {"$data": Base64}. If a file is imported twice,
   * its records are saved twice.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
   * StoppingError, InvalidSuiteNameError, SuiteBusyError, NotStoredError, SuiteFullError, SuiteUnreadableError,
   * SuiteNameTakenError, TooLargeError, FileUnreadableError.
   */
  importSuite(params: ImportSuiteParams, options?: CallOptions): Promise<ImportSuiteResult>;

  /**
   * Writes a suite as a property list in the form of Braze's guide; deletes nothing.
   *
   * The file has all pending records, in the guide's form without times and users, and all stored values. A user
   * attribute is data: the binary property list that Swift's PropertyListEncoder writes. Nulls, which property lists do
   * not have, are left out with a diagnostic; so is an attribute that is unset. The file appears at once and complete,
   * with mode 0600, and replaces an existing file. A link to a regular file stays a link, and that file is replaced.
   * Anything else at the path is refused.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
   * StoppingError, InvalidSuiteNameError, SuiteBusyError, NotStoredError, SuiteUnreadableError, SuiteNameTakenError,
   * TooLargeError, FileUnwritableError.
   */
  exportSuite(params: ExportSuiteParams, options?: CallOptions): Promise<ExportSuiteResult>;

  /**
   * Copies a suite as it is into another folder, while any process uses it; replaces nothing.
   *
   * The copy is a suite with the same identity: it has all pending records with their times, users and ids, the stored
   * values, the dead letters and the states of deliveries, and what earlier calls of the connection saved. It appears
   * in the folder when it is complete, checked and durable, as one file with mode 0600. If the folder has a file of the
   * suite already, or a suite whose name differs only in case, nothing is copied.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
   * StoppingError, InvalidSuiteNameError, SuiteBusyError, NotStoredError, SuiteUnreadableError, SuiteNameTakenError,
   * FileUnwritableError.
   */
  backUpSuite(params: BackUpSuiteParams, options?: CallOptions): Promise<BackUpSuiteResult>;

  /**
   * Answers immediately; never waits for other calls.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, StoppingError.
   */
  ping(params?: {}, options?: CallOptions): Promise<PingResult>;

  /**
   * Returns the state of the host; never waits for other calls.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, StoppingError.
   */
  status(params?: {}, options?: CallOptions): Promise<StatusResult>;

  /**
   * Lists the bundles that were found, the state of their processes, and their problems.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, StoppingError.
   */
  extensions(params?: {}, options?: CallOptions): Promise<ExtensionsResult>;

  /**
   * Reads the bundles again and replaces those that changed.
   *
   * Calls in flight are finished first; later ones wait. If a bundle changed or was removed, its process is stopped,
   * its presentations end, and the reply comes when the process has ended. The other processes continue, and all faults
   * are reset. A bundle has changed if its property lists changed, or if one of the first 4,096 files and folders in it
   * was changed, added or removed since its process was last started.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
   * StoppingError.
   */
  reloadExtensions(params?: ReloadExtensionsParams, options?: CallOptions): Promise<ReloadExtensionsResult>;

  /**
   * Chooses the notifications that the host sends on this connection, and replaces the earlier choice.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, StoppingError.
   */
  subscribe(params: SubscribeParams, options?: CallOptions): Promise<SubscribeResult>;

  /**
   * Returns this document.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, StoppingError.
   */
  rpcDiscover(params?: {}, options?: CallOptions): Promise<{ [member: string]: unknown }>;

  /**
   * Stops the host: it carries out no later line, finishes everything in flight, and sends this reply last.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, StoppingError.
   */
  shutdown(params?: {}, options?: CallOptions): Promise<null>;

  /**
   * Cancels a request of this connection: it is answered with requestCancelled at once, and a later answer is dropped.
   *
   * Effects that the request already had remain, in particular saves. Usually sent as a notification.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, StoppingError.
   */
  cancelRequest(params: CancelRequestParams, options?: CallOptions): Promise<CancelRequestResult>;
}
