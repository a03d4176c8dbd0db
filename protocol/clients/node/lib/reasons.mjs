// Generated from protocol/openrpc.json by protocol/generate.py; do not edit.

import { CallError } from "./errors.mjs";

export class ParseError extends CallError {}
export class HeaderFramingError extends CallError {}
export class InvalidRequestError extends CallError {}
export class VersionError extends CallError {}
export class InvalidIdError extends CallError {}
export class InvalidParamsTypeError extends CallError {}
export class EmptyBatchError extends CallError {}
export class BatchTooLongError extends CallError {}
export class LineTooLongError extends CallError {}
export class DuplicateIdError extends CallError {}
export class MethodNotFoundError extends CallError {}
export class MissingParamError extends CallError {}
export class UnknownParamError extends CallError {}
export class MistypedParamError extends CallError {}
export class InvalidParamsError extends CallError {}
export class InternalError extends CallError {}
export class BatchReplyTooLargeError extends CallError {}
export class UnsupportedProtocolVersionError extends CallError {}
export class RequestCancelledError extends CallError {}
export class PayloadTooLargeError extends CallError {}
export class InvalidPayloadError extends CallError {}
export class NoPersonalizationError extends CallError {}
export class MessageAbortedError extends CallError {}
export class UnknownNotificationError extends CallError {}
export class NoPresentationError extends CallError {}
export class UnknownActionError extends CallError {}
export class InteractionDisabledError extends CallError {}
export class UnknownElementError extends CallError {}
export class NoMediaButtonError extends CallError {}
export class ClockNotFixedError extends CallError {}
export class CannotStartError extends CallError {}
export class ExtensionExitedError extends CallError {}
export class ExtensionTimedOutError extends CallError {}
export class ExtensionRefusedError extends CallError {}
export class BadExtensionReplyError extends CallError {}
export class ExtensionMisbehavedError extends CallError {}
export class BusyError extends CallError {}
export class StoppingError extends CallError {}
export class ExtensionUnavailableError extends CallError {}
export class CheckFailedError extends CallError {}
export class InvalidSuiteNameError extends CallError {}
export class NotEntitledError extends CallError {}
export class SuiteBusyError extends CallError {}
export class NotStoredError extends CallError {}
export class SuiteFullError extends CallError {}
export class SuiteUnreadableError extends CallError {}
export class SuiteNameTakenError extends CallError {}
export class ReservedKeyError extends CallError {}
export class TooLargeError extends CallError {}
export class LeaseExpiredError extends CallError {}
export class InvalidRecordError extends CallError {}
export class IdempotencyKeyReusedError extends CallError {}
export class FileUnreadableError extends CallError {}
export class FileUnwritableError extends CallError {}
export class UnknownDestinationError extends CallError {}
export class DestinationStoppedError extends CallError {}
export class DestinationUnavailableError extends CallError {}
export class FlushBusyError extends CallError {}
export class UnsupportedByDestinationError extends CallError {}

export const REASONS = Object.freeze({
  parseError: ParseError,
  headerFraming: HeaderFramingError,
  invalidRequest: InvalidRequestError,
  version: VersionError,
  invalidId: InvalidIdError,
  invalidParamsType: InvalidParamsTypeError,
  emptyBatch: EmptyBatchError,
  batchTooLong: BatchTooLongError,
  lineTooLong: LineTooLongError,
  duplicateId: DuplicateIdError,
  methodNotFound: MethodNotFoundError,
  missingParam: MissingParamError,
  unknownParam: UnknownParamError,
  mistypedParam: MistypedParamError,
  invalidParams: InvalidParamsError,
  internalError: InternalError,
  batchReplyTooLarge: BatchReplyTooLargeError,
  unsupportedProtocolVersion: UnsupportedProtocolVersionError,
  requestCancelled: RequestCancelledError,
  payloadTooLarge: PayloadTooLargeError,
  invalidPayload: InvalidPayloadError,
  noPersonalization: NoPersonalizationError,
  messageAborted: MessageAbortedError,
  unknownNotification: UnknownNotificationError,
  noPresentation: NoPresentationError,
  unknownAction: UnknownActionError,
  interactionDisabled: InteractionDisabledError,
  unknownElement: UnknownElementError,
  noMediaButton: NoMediaButtonError,
  clockNotFixed: ClockNotFixedError,
  cannotStart: CannotStartError,
  extensionExited: ExtensionExitedError,
  extensionTimedOut: ExtensionTimedOutError,
  extensionRefused: ExtensionRefusedError,
  badExtensionReply: BadExtensionReplyError,
  extensionMisbehaved: ExtensionMisbehavedError,
  busy: BusyError,
  stopping: StoppingError,
  extensionUnavailable: ExtensionUnavailableError,
  checkFailed: CheckFailedError,
  invalidSuiteName: InvalidSuiteNameError,
  notEntitled: NotEntitledError,
  suiteBusy: SuiteBusyError,
  notStored: NotStoredError,
  suiteFull: SuiteFullError,
  suiteUnreadable: SuiteUnreadableError,
  suiteNameTaken: SuiteNameTakenError,
  reservedKey: ReservedKeyError,
  tooLarge: TooLargeError,
  leaseExpired: LeaseExpiredError,
  invalidRecord: InvalidRecordError,
  idempotencyKeyReused: IdempotencyKeyReusedError,
  fileUnreadable: FileUnreadableError,
  fileUnwritable: FileUnwritableError,
  unknownDestination: UnknownDestinationError,
  destinationStopped: DestinationStoppedError,
  destinationUnavailable: DestinationUnavailableError,
  flushBusy: FlushBusyError,
  unsupportedByDestination: UnsupportedByDestinationError,
});
