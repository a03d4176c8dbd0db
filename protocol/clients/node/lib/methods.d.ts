// Generated from protocol/openrpc.json by protocol/generate.py; do not edit.

import type {
  AcknowledgeParams,
  AcknowledgeResult,
  CancelRequestParams,
  CancelRequestResult,
  Categories,
  DeadLettersParams,
  DeadLettersResult,
  DidReceiveParams,
  DidReceiveResponseParams,
  DidReceiveResponseResult,
  DidReceiveResult,
  DiscardDeadLettersParams,
  DiscardDeadLettersResult,
  DismissParams,
  DismissResult,
  Display,
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
   * Shows a notification: in the extension that registered its category, else in the system's own view.
   *
   * Begins a presentation, or joins the visible one of the same extension and the same non-empty thread-id. A category
   * that no extension registered is no error; a diagnostic says why and names near misses. A payload without an alert,
   * that is, without a text in title, subtitle or body, shows nothing, as on a phone: no extension runs, no
   * presentation begins, a later call that names the notification is refused with noPresentation, and the diagnostic
   * noAlert says why. Where the payload has mutable-content 1 and an alert, a service extension may change the
   * notification first; its failure is a diagnostic, never an error. With a profile the payload is a template: the
   * personalization extension renders every string in it first, date is the template's time now, and all that is said
   * of the payload here, its size too, is said of what was rendered. If that fails, or if the template aborts the
   * message, nothing is shown and the call is answered with an error.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
   * PayloadTooLargeError, InvalidPayloadError, NoPersonalizationError, MessageAbortedError, CannotStartError,
   * ExtensionExitedError, ExtensionTimedOutError, ExtensionRefusedError, BadExtensionReplyError,
   * ExtensionMisbehavedError, BusyError, StoppingError, ExtensionUnavailableError.
   */
  didReceive(params: DidReceiveParams, options?: CallOptions): Promise<DidReceiveResult>;

  /**
   * Presses a button, taps the notification, or swipes it away.
   *
   * The extension decides what becomes of the notification; one without a response handler (it answers -32601) leaves
   * it to the app, so it forwards. A dismissal reaches nobody unless the category has the option customDismissAction.
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
   * Works only where the extension's Info.plist sets UNNotificationExtensionUserInteractionEnabled.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
   * UnknownNotificationError, NoPresentationError, InteractionDisabledError, UnknownElementError, CannotStartError,
   * ExtensionExitedError, ExtensionTimedOutError, ExtensionRefusedError, BadExtensionReplyError,
   * ExtensionMisbehavedError, BusyError, StoppingError, ExtensionUnavailableError.
   */
  interact(params: InteractParams, options?: CallOptions): Promise<Display>;

  /**
   * Plays the media of the view: presses the system's button for it.
   *
   * Works only where the extension gave a media button other than none.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
   * UnknownNotificationError, NoPresentationError, NoMediaButtonError, CannotStartError, ExtensionExitedError,
   * ExtensionTimedOutError, ExtensionRefusedError, BadExtensionReplyError, ExtensionMisbehavedError, BusyError,
   * StoppingError, ExtensionUnavailableError.
   */
  mediaPlay(params: MediaPlayParams, options?: CallOptions): Promise<Display>;

  /**
   * Pauses the media of the view: presses the system's button for it.
   *
   * Works only where the extension gave a media button other than none.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
   * UnknownNotificationError, NoPresentationError, NoMediaButtonError, CannotStartError, ExtensionExitedError,
   * ExtensionTimedOutError, ExtensionRefusedError, BadExtensionReplyError, ExtensionMisbehavedError, BusyError,
   * StoppingError, ExtensionUnavailableError.
   */
  mediaPause(params: MediaPauseParams, options?: CallOptions): Promise<Display>;

  /**
   * Removes a notification from the screen and tells its extension.
   *
   * Ends the whole presentation, later notifications of its thread included. Waits for earlier calls on it.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
   * UnknownNotificationError, NoPresentationError, StoppingError.
   */
  dismiss(params: DismissParams, options?: CallOptions): Promise<DismissResult>;

  /**
   * Lists what is shown, the oldest first.
   *
   * Waits for every earlier call into an extension. A view that changes by itself tells subscribers; whoever is none
   * reads it here.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
   * StoppingError, UnknownNotificationError, NoPresentationError.
   */
  notifications(params?: NotificationsParams, options?: CallOptions): Promise<NotificationsResult>;

  /**
   * Registers the app's categories, in place of those registered before.
   *
   * Counts for notifications received from now on. A category hides the built-in one of the same identifier.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, StoppingError.
   */
  setNotificationCategories(params: SetNotificationCategoriesParams, options?: CallOptions): Promise<Categories>;

  /**
   * Tells every category that counts: the built-in ones of Braze's SDK, then the registered ones.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, StoppingError.
   */
  getNotificationCategories(params?: {}, options?: CallOptions): Promise<Categories>;

  /**
   * Keeps a custom event until it is flushed; the reply is a promise that it survives a power loss.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
   * UnknownNotificationError, NoPresentationError, StoppingError, InvalidSuiteNameError, NotEntitledError,
   * SuiteBusyError, NotStoredError, SuiteFullError, SuiteUnreadableError, SuiteNameTakenError, InvalidRecordError,
   * IdempotencyKeyReusedError.
   */
  saveCustomEvent(params: SaveCustomEventParams, options?: CallOptions): Promise<Saved>;

  /**
   * Keeps a custom attribute until it is flushed.
   *
   * null unsets the attribute; {"inc": integer}, {"add": […]} and {"remove": […]} of 1 to 25 texts, numbers and
   * booleans change it, as in Braze's REST API; {"$add": […], "$remove": […], "$update": […]} of at most 25 objects
   * each change an array of objects.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
   * UnknownNotificationError, NoPresentationError, StoppingError, InvalidSuiteNameError, NotEntitledError,
   * SuiteBusyError, NotStoredError, SuiteFullError, SuiteUnreadableError, SuiteNameTakenError, InvalidRecordError,
   * IdempotencyKeyReusedError.
   */
  saveCustomAttribute(params: SaveCustomAttributeParams, options?: CallOptions): Promise<Saved>;

  /**
   * Keeps a standard field of the user's profile until it is flushed.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
   * UnknownNotificationError, NoPresentationError, StoppingError, InvalidSuiteNameError, NotEntitledError,
   * SuiteBusyError, NotStoredError, SuiteFullError, SuiteUnreadableError, SuiteNameTakenError, InvalidRecordError,
   * IdempotencyKeyReusedError.
   */
  saveUserAttribute(params: SaveUserAttributeParams, options?: CallOptions): Promise<Saved>;

  /**
   * Reads pending records in order of their ids, a page at a time, and deletes nothing.
   *
   * A page holds at most 1000 records, and no further one once it has 8 MiB. Ask on with the last id as after.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
   * StoppingError, InvalidSuiteNameError, SuiteBusyError, NotStoredError, SuiteUnreadableError, SuiteNameTakenError.
   */
  pending(params?: PendingParams, options?: CallOptions): Promise<PendingResult>;

  /**
   * Flushes pending records: to the caller as the calls of Braze's SDK, or to a destination.
   *
   * To the caller: events, then custom attributes, then user attributes, each in order of capture. Without lease the
   * records are deleted by the commit before the reply: **at most once**, a reply that gets lost takes them with it.
   * With lease they stay, held from other flushes, until acknowledge deletes them or the lease runs out. A reply takes
   * at most 1000 records, and no further one once it has 8 MiB. To a destination: what is pending now is delivered in
   * batches, in order of capture for each user, and each record is deleted once it is safely there; the reply comes at
   * the end, and $/cancelRequest stops between batches. A record that may have been sent without anybody knowing is
   * offered once more and counted in possiblySent; an increment or a $add is a dead letter then, and so is a record in
   * doubt a second time. One flush a suite runs at a time, over all processes.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
   * StoppingError, InvalidSuiteNameError, SuiteBusyError, NotStoredError, SuiteUnreadableError, SuiteNameTakenError,
   * UnknownDestinationError, DestinationStoppedError, DestinationUnavailableError, FlushBusyError.
   */
  flushPending(params?: FlushPendingParams, options?: CallOptions): Promise<FlushPendingResult>;

  /**
   * Reads records that nobody will take, in order of their ids.
   *
   * A record that its destination rejected, or that may have been sent and must not be sent again, or what an import
   * could not read. At most 1000, and no further one once they have 8 MiB.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
   * StoppingError, InvalidSuiteNameError, SuiteBusyError, NotStoredError, SuiteUnreadableError, SuiteNameTakenError.
   */
  deadLetters(params?: DeadLettersParams, options?: CallOptions): Promise<DeadLettersResult>;

  /**
   * Makes dead letters pending again, each at its old place in the order.
   *
   * More than 500 are retried in parts, each of which stays whatever becomes of the rest. Those that could not be read
   * as records are passed over. What may have been sent counts as never sent from then on: look at the destination
   * first.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
   * StoppingError, InvalidSuiteNameError, SuiteBusyError, NotStoredError, SuiteUnreadableError, SuiteNameTakenError.
   */
  retryDeadLetters(params?: RetryDeadLettersParams, options?: CallOptions): Promise<RetryDeadLettersResult>;

  /**
   * Deletes dead letters for good.
   *
   * More than 500 are deleted in parts, each of which stays whatever becomes of the rest.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
   * StoppingError, InvalidSuiteNameError, SuiteBusyError, NotStoredError, SuiteUnreadableError, SuiteNameTakenError.
   */
  discardDeadLetters(params?: DiscardDeadLettersParams, options?: CallOptions): Promise<DiscardDeadLettersResult>;

  /**
   * Deletes the records of a lease, which were handled.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
   * StoppingError, InvalidSuiteNameError, SuiteBusyError, NotStoredError, SuiteUnreadableError, SuiteNameTakenError,
   * LeaseExpiredError.
   */
  acknowledge(params: AcknowledgeParams, options?: CallOptions): Promise<AcknowledgeResult>;

  /**
   * Sets the value of a key in a suite.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
   * StoppingError, InvalidSuiteNameError, NotEntitledError, SuiteBusyError, NotStoredError, SuiteFullError,
   * SuiteUnreadableError, SuiteNameTakenError, ReservedKeyError, InvalidRecordError, UnknownNotificationError,
   * NoPresentationError.
   */
  store(params: StoreParams, options?: CallOptions): Promise<StoreResult>;

  /**
   * Reads the value of a key in a suite.
   *
   * The keys pending_custom_events, pending_custom_attributes and pending_user_attributes give the pending records in
   * the flat form of Braze's guide, leased ones included.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
   * StoppingError, InvalidSuiteNameError, NotEntitledError, SuiteBusyError, NotStoredError, SuiteUnreadableError,
   * SuiteNameTakenError, TooLargeError, UnknownNotificationError, NoPresentationError.
   */
  retrieve(params: RetrieveParams, options?: CallOptions): Promise<RetrieveResult>;

  /**
   * Removes a key and its value; one of the three keys of pending records deletes all records of that kind.
   *
   * More than 500 records are deleted in parts, each of which stays whatever becomes of the rest; records that are
   * saved meanwhile stay.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
   * StoppingError, InvalidSuiteNameError, NotEntitledError, SuiteBusyError, NotStoredError, SuiteUnreadableError,
   * SuiteNameTakenError, UnknownNotificationError, NoPresentationError.
   */
  removeObject(params: RemoveObjectParams, options?: CallOptions): Promise<Removed>;

  /**
   * Deletes every pending record of a suite, leased ones included, as clearing the three keys of Braze's guide does.
   *
   * More than 500 records are deleted in parts, each of which stays whatever becomes of the rest; records that are
   * saved meanwhile stay.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
   * StoppingError, InvalidSuiteNameError, SuiteBusyError, NotStoredError, SuiteUnreadableError, SuiteNameTakenError.
   */
  resetStorageKeys(params?: ResetStorageKeysParams, options?: CallOptions): Promise<Removed>;

  /**
   * Lists the suites of the data folder: what is pending, what is dead, and what went where.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
   * StoppingError.
   */
  suites(params?: {}, options?: CallOptions): Promise<SuitesResult>;

  /**
   * Takes a property list of Braze's guide, as an app or a simulator left it in an App Group, into a suite; all or
   * nothing.
   *
   * The lists pending_custom_events, pending_custom_attributes and pending_user_attributes become pending records of
   * the time of the import and of no user, in that order; every other key becomes a default, in the place of one that
   * is there. What cannot be read as a record, or breaks its limits, becomes a dead letter, alone; a property list that
   * cannot be read as a dictionary becomes one as a whole. Of two values of one key the last counts. A file that does
   * not begin as a property list does, or is no regular file, is refused, and nothing of it is stored. A date in a
   * record becomes text (within an attribute's object {"$time": …}); of a default, a date becomes RFC 3339 and data
   * base64. Importing a file twice saves its records twice.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
   * StoppingError, InvalidSuiteNameError, SuiteBusyError, NotStoredError, SuiteFullError, SuiteUnreadableError,
   * SuiteNameTakenError, TooLargeError, FileUnreadableError.
   */
  importSuite(params: ImportSuiteParams, options?: CallOptions): Promise<ImportSuiteResult>;

  /**
   * Writes a suite as a property list of Braze's guide, and deletes nothing.
   *
   * All pending records, leased ones too, in the guide's form, which has neither time nor user, and all defaults. A
   * user attribute is data: the binary property list that Swift's PropertyListEncoder writes. Nulls, which property
   * lists lack, are left out and told; so is an attribute that is unset. The file appears whole, with mode 0600, in the
   * place of one that is there; a link to a regular file stays a link, and that file is replaced. What is there and is
   * no regular file is refused.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
   * StoppingError, InvalidSuiteNameError, SuiteBusyError, NotStoredError, SuiteUnreadableError, SuiteNameTakenError,
   * TooLargeError, FileUnwritableError.
   */
  exportSuite(params: ExportSuiteParams, options?: CallOptions): Promise<ExportSuiteResult>;

  /**
   * Answers at once; never waits for other calls.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, StoppingError.
   */
  ping(params?: {}, options?: CallOptions): Promise<PingResult>;

  /**
   * Tells how the host is; never waits for other calls.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, StoppingError.
   */
  status(params?: {}, options?: CallOptions): Promise<StatusResult>;

  /**
   * Lists the bundles that were found, how they run, and what is odd about them.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, StoppingError.
   */
  extensions(params?: {}, options?: CallOptions): Promise<ExtensionsResult>;

  /**
   * Reads the bundles anew and swaps those that changed.
   *
   * Calls in flight are finished first, later ones wait. A process whose bundle changed or went is asked to leave, what
   * it showed ends, and the reply comes when it is gone; the others run on, and faults are forgiven. A bundle changed
   * when its property lists did, or any file in it since its process was started.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, RequestCancelledError,
   * StoppingError.
   */
  reloadExtensions(params?: ReloadExtensionsParams, options?: CallOptions): Promise<ReloadExtensionsResult>;

  /**
   * Chooses the notifications that the host sends on this connection, in place of those chosen before.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, StoppingError.
   */
  subscribe(params: SubscribeParams, options?: CallOptions): Promise<SubscribeResult>;

  /**
   * Gives this document.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, StoppingError.
   */
  rpcDiscover(params?: {}, options?: CallOptions): Promise<{ [member: string]: unknown }>;

  /**
   * Ends the host: no later line is carried out; this reply is the last one, after all that is in flight.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, StoppingError.
   */
  shutdown(params?: {}, options?: CallOptions): Promise<null>;

  /**
   * Takes a request of this connection back: it is answered requestCancelled at once and a late answer is dropped.
   *
   * What the request did already stays, saves above all. Usually sent as a notification.
   *
   * Rejects with MissingParamError, UnknownParamError, MistypedParamError, InvalidParamsError, StoppingError.
   */
  cancelRequest(params: CancelRequestParams, options?: CallOptions): Promise<CancelRequestResult>;
}
