// Generated from protocol/openrpc.json by protocol/generate.py; do not edit.

import { CallError } from "../index.js";

/** `parseError` (-32700): The message is not JSON, or its headers cannot be read; the id is null. */
export declare class ParseError extends CallError {}
/** `headerFraming` (-32700): The message is not JSON, or its headers cannot be read; the id is null. */
export declare class HeaderFramingError extends CallError {}
/** `invalidRequest` (-32600): The JSON is not a valid request. */
export declare class InvalidRequestError extends CallError {}
/** `version` (-32600): The JSON is not a valid request. */
export declare class VersionError extends CallError {}
/** `invalidId` (-32600): The JSON is not a valid request. */
export declare class InvalidIdError extends CallError {}
/** `invalidParamsType` (-32600): The JSON is not a valid request. */
export declare class InvalidParamsTypeError extends CallError {}
/** `emptyBatch` (-32600): The JSON is not a valid request. */
export declare class EmptyBatchError extends CallError {}
/** `batchTooLong` (-32600): The JSON is not a valid request. */
export declare class BatchTooLongError extends CallError {}
/** `lineTooLong` (-32600): The JSON is not a valid request. */
export declare class LineTooLongError extends CallError {}
/** `duplicateId` (-32600): The JSON is not a valid request. */
export declare class DuplicateIdError extends CallError {}
/** `methodNotFound` (-32601): There is no such method, or the caller may not call it. */
export declare class MethodNotFoundError extends CallError {}
/** `missingParam` (-32602): The params do not match the method; path names the wrong part. */
export declare class MissingParamError extends CallError {}
/** `unknownParam` (-32602): The params do not match the method; path names the wrong part. */
export declare class UnknownParamError extends CallError {}
/** `mistypedParam` (-32602): The params do not match the method; path names the wrong part. */
export declare class MistypedParamError extends CallError {}
/** `invalidParams` (-32602): The params do not match the method; path names the wrong part. */
export declare class InvalidParamsError extends CallError {}
/**
 * `internalError` (-32603): The host failed internally. batchReplyTooLarge: the earlier answers of the batch have more
 * than 64 MiB; the call was carried out.
 */
export declare class InternalError extends CallError {}
/**
 * `batchReplyTooLarge` (-32603): The host failed internally. batchReplyTooLarge: the earlier answers of the batch have
 * more than 64 MiB; the call was carried out.
 */
export declare class BatchReplyTooLargeError extends CallError {}
/**
 * `unsupportedProtocolVersion` (-32022): The host does not support the request's version of MCP; supported lists those
 * that it does.
 */
export declare class UnsupportedProtocolVersionError extends CallError {}
/** `requestCancelled` (-32800): The caller cancelled the request. */
export declare class RequestCancelledError extends CallError {}
/** `payloadTooLarge` (101): The payload has more than 4096 bytes. */
export declare class PayloadTooLargeError extends CallError {}
/** `invalidPayload` (102): The payload has no object aps. */
export declare class InvalidPayloadError extends CallError {}
/**
 * `noPersonalization` (103): The payload is a template, since profile is present, but there is no personalization
 * extension.
 */
export declare class NoPersonalizationError extends CallError {}
/** `messageAborted` (104): The template aborts the message, so nothing is shown; aborted gives the reason. */
export declare class MessageAbortedError extends CallError {}
/** `unknownNotification` (110): No notification with this id was received, or another extension shows it. */
export declare class UnknownNotificationError extends CallError {}
/** `noPresentation` (111): The notification is no longer shown; ended gives the reason. */
export declare class NoPresentationError extends CallError {}
/** `unknownAction` (112): The action is not offered; offered lists the actions that are. */
export declare class UnknownActionError extends CallError {}
/** `interactionDisabled` (113): The notification's view, the extension's or the system's, does not accept touches. */
export declare class InteractionDisabledError extends CallError {}
/** `unknownElement` (114): The view has no node with this id; elements lists the ids of its nodes. */
export declare class UnknownElementError extends CallError {}
/** `noMediaButton` (115): The notification has no media button. */
export declare class NoMediaButtonError extends CallError {}
/** `clockNotFixed` (116): The host's clock is the system's, so it cannot be moved. */
export declare class ClockNotFixedError extends CallError {}
/** `cannotStart` (120): The extension's process could not be started. */
export declare class CannotStartError extends CallError {}
/**
 * `extensionExited` (121): The extension's process ended; exitCode or signal says how, and stderr has the last lines
 * that it wrote.
 */
export declare class ExtensionExitedError extends CallError {}
/**
 * `extensionTimedOut` (122): The extension did not answer in time and was killed; stderr has the last lines that it
 * wrote.
 */
export declare class ExtensionTimedOutError extends CallError {}
/**
 * `extensionRefused` (123): The extension answered with an error, which is the cause; stderr has the last lines that it
 * wrote.
 */
export declare class ExtensionRefusedError extends CallError {}
/** `badExtensionReply` (124): The contract does not allow the extension's answer. */
export declare class BadExtensionReplyError extends CallError {}
/**
 * `extensionMisbehaved` (125): The extension broke a rule and was killed: it left 16 MiB unread, wrote a line of more
 * than 16 MiB, closed its stdout, or used too much memory or processor time.
 */
export declare class ExtensionMisbehavedError extends CallError {}
/** `busy` (126): Too many calls already wait for the extension. */
export declare class BusyError extends CallError {}
/** `stopping` (127): The host is stopping. */
export declare class StoppingError extends CallError {}
/**
 * `extensionUnavailable` (128): The extension failed too often recently; it may be started again in retryAfter
 * milliseconds.
 */
export declare class ExtensionUnavailableError extends CallError {}
/** `checkFailed` (130): The check of a bundle could not be completed; the message gives the reason. */
export declare class CheckFailedError extends CallError {}
/** `invalidSuiteName` (200): The text is not a valid suite name. */
export declare class InvalidSuiteNameError extends CallError {}
/** `notEntitled` (201): The extension's entitlements do not list the suite. */
export declare class NotEntitledError extends CallError {}
/** `suiteBusy` (202): Another process held the suite for 5 seconds; try again. */
export declare class SuiteBusyError extends CallError {}
/** `notStored` (203): The request could not be stored and has no effect, for example because the disk is full. */
export declare class NotStoredError extends CallError {}
/** `suiteFull` (204): The suite is full; flush it, or remove keys. */
export declare class SuiteFullError extends CallError {}
/**
 * `suiteUnreadable` (205): The suite's file is damaged, is not a suite, or cannot be opened now; the message says
 * which.
 */
export declare class SuiteUnreadableError extends CallError {}
/** `suiteNameTaken` (206): There is a suite whose name differs only in case. */
export declare class SuiteNameTakenError extends CallError {}
/**
 * `reservedKey` (207): The list lacks or changes a record that is pending or that the caller read; nothing was saved.
 */
export declare class ReservedKeyError extends CallError {}
/**
 * `tooLarge` (208): The records, or the file, have more than 16 MiB: read records with pending, or flush before an
 * export.
 */
export declare class TooLargeError extends CallError {}
/** `leaseExpired` (209): There is no such lease, or it has expired; nothing was deleted. */
export declare class LeaseExpiredError extends CallError {}
/**
 * `invalidRecord` (210): The record or value breaks a limit; path names the wrong part, unless the whole is too large.
 */
export declare class InvalidRecordError extends CallError {}
/**
 * `idempotencyKeyReused` (211): The idempotencyKey belongs to an earlier save with other content; id is the record of
 * that save. Nothing was saved.
 */
export declare class IdempotencyKeyReusedError extends CallError {}
/**
 * `fileUnreadable` (220): The file does not exist, is not readable, is empty, is not a regular file, or is not a
 * property list.
 */
export declare class FileUnreadableError extends CallError {}
/** `fileUnwritable` (221): The file cannot be written. */
export declare class FileUnwritableError extends CallError {}
/** `unknownDestination` (300): There is no destination with this name. */
export declare class UnknownDestinationError extends CallError {}
/**
 * `destinationStopped` (301): The destination accepts nothing until an operator does what the message says; all records
 * are kept. The error has the counts of flushPending's result.
 */
export declare class DestinationStoppedError extends CallError {}
/**
 * `destinationUnavailable` (302): The destination accepts nothing now; all records are kept. The error has the counts
 * of flushPending's result, and retryAfter in milliseconds.
 */
export declare class DestinationUnavailableError extends CallError {}
/** `flushBusy` (303): Another process flushed the suite for 5 seconds; try again. */
export declare class FlushBusyError extends CallError {}
/**
 * `unsupportedByDestination` (304): The destination does not declare the capability that the request needs, so nothing
 * was sent to it.
 */
export declare class UnsupportedByDestinationError extends CallError {}

/** The class of each reason. */
export declare const REASONS: {
  readonly parseError: typeof ParseError;
  readonly headerFraming: typeof HeaderFramingError;
  readonly invalidRequest: typeof InvalidRequestError;
  readonly version: typeof VersionError;
  readonly invalidId: typeof InvalidIdError;
  readonly invalidParamsType: typeof InvalidParamsTypeError;
  readonly emptyBatch: typeof EmptyBatchError;
  readonly batchTooLong: typeof BatchTooLongError;
  readonly lineTooLong: typeof LineTooLongError;
  readonly duplicateId: typeof DuplicateIdError;
  readonly methodNotFound: typeof MethodNotFoundError;
  readonly missingParam: typeof MissingParamError;
  readonly unknownParam: typeof UnknownParamError;
  readonly mistypedParam: typeof MistypedParamError;
  readonly invalidParams: typeof InvalidParamsError;
  readonly internalError: typeof InternalError;
  readonly batchReplyTooLarge: typeof BatchReplyTooLargeError;
  readonly unsupportedProtocolVersion: typeof UnsupportedProtocolVersionError;
  readonly requestCancelled: typeof RequestCancelledError;
  readonly payloadTooLarge: typeof PayloadTooLargeError;
  readonly invalidPayload: typeof InvalidPayloadError;
  readonly noPersonalization: typeof NoPersonalizationError;
  readonly messageAborted: typeof MessageAbortedError;
  readonly unknownNotification: typeof UnknownNotificationError;
  readonly noPresentation: typeof NoPresentationError;
  readonly unknownAction: typeof UnknownActionError;
  readonly interactionDisabled: typeof InteractionDisabledError;
  readonly unknownElement: typeof UnknownElementError;
  readonly noMediaButton: typeof NoMediaButtonError;
  readonly clockNotFixed: typeof ClockNotFixedError;
  readonly cannotStart: typeof CannotStartError;
  readonly extensionExited: typeof ExtensionExitedError;
  readonly extensionTimedOut: typeof ExtensionTimedOutError;
  readonly extensionRefused: typeof ExtensionRefusedError;
  readonly badExtensionReply: typeof BadExtensionReplyError;
  readonly extensionMisbehaved: typeof ExtensionMisbehavedError;
  readonly busy: typeof BusyError;
  readonly stopping: typeof StoppingError;
  readonly extensionUnavailable: typeof ExtensionUnavailableError;
  readonly checkFailed: typeof CheckFailedError;
  readonly invalidSuiteName: typeof InvalidSuiteNameError;
  readonly notEntitled: typeof NotEntitledError;
  readonly suiteBusy: typeof SuiteBusyError;
  readonly notStored: typeof NotStoredError;
  readonly suiteFull: typeof SuiteFullError;
  readonly suiteUnreadable: typeof SuiteUnreadableError;
  readonly suiteNameTaken: typeof SuiteNameTakenError;
  readonly reservedKey: typeof ReservedKeyError;
  readonly tooLarge: typeof TooLargeError;
  readonly leaseExpired: typeof LeaseExpiredError;
  readonly invalidRecord: typeof InvalidRecordError;
  readonly idempotencyKeyReused: typeof IdempotencyKeyReusedError;
  readonly fileUnreadable: typeof FileUnreadableError;
  readonly fileUnwritable: typeof FileUnwritableError;
  readonly unknownDestination: typeof UnknownDestinationError;
  readonly destinationStopped: typeof DestinationStoppedError;
  readonly destinationUnavailable: typeof DestinationUnavailableError;
  readonly flushBusy: typeof FlushBusyError;
  readonly unsupportedByDestination: typeof UnsupportedByDestinationError;
};
