# Generated from protocol/openrpc.json by protocol/generate.py; do not edit.
"""An exception class for each reason with which the host refuses a call."""

from __future__ import annotations

from .errors import CallError


class ParseError(CallError):
    """``parseError`` (-32700): The message is not JSON, or its headers cannot be read; the id is null."""


class HeaderFramingError(CallError):
    """``headerFraming`` (-32700): The message is not JSON, or its headers cannot be read; the id is null."""


class InvalidRequestError(CallError):
    """``invalidRequest`` (-32600): The JSON is not a valid request."""


class VersionError(CallError):
    """``version`` (-32600): The JSON is not a valid request."""


class InvalidIdError(CallError):
    """``invalidId`` (-32600): The JSON is not a valid request."""


class InvalidParamsTypeError(CallError):
    """``invalidParamsType`` (-32600): The JSON is not a valid request."""


class EmptyBatchError(CallError):
    """``emptyBatch`` (-32600): The JSON is not a valid request."""


class BatchTooLongError(CallError):
    """``batchTooLong`` (-32600): The JSON is not a valid request."""


class LineTooLongError(CallError):
    """``lineTooLong`` (-32600): The JSON is not a valid request."""


class DuplicateIdError(CallError):
    """``duplicateId`` (-32600): The JSON is not a valid request."""


class MethodNotFoundError(CallError):
    """``methodNotFound`` (-32601): There is no such method, or the caller may not call it."""


class MissingParamError(CallError):
    """``missingParam`` (-32602): The params do not match the method; path names the wrong part."""


class UnknownParamError(CallError):
    """``unknownParam`` (-32602): The params do not match the method; path names the wrong part."""


class MistypedParamError(CallError):
    """``mistypedParam`` (-32602): The params do not match the method; path names the wrong part."""


class InvalidParamsError(CallError):
    """``invalidParams`` (-32602): The params do not match the method; path names the wrong part."""


class InternalError(CallError):
    """``internalError`` (-32603): The host failed internally. batchReplyTooLarge: the earlier answers of the batch have
    more than 64 MiB; the call was carried out.
    """


class BatchReplyTooLargeError(CallError):
    """``batchReplyTooLarge`` (-32603): The host failed internally. batchReplyTooLarge: the earlier answers of the batch
    have more than 64 MiB; the call was carried out.
    """


class UnsupportedProtocolVersionError(CallError):
    """``unsupportedProtocolVersion`` (-32022): The host does not support the request's version of MCP; supported lists
    those that it does.
    """


class RequestCancelledError(CallError):
    """``requestCancelled`` (-32800): The caller cancelled the request."""


class PayloadTooLargeError(CallError):
    """``payloadTooLarge`` (101): The payload has more than 4096 bytes."""


class InvalidPayloadError(CallError):
    """``invalidPayload`` (102): The payload has no object aps."""


class NoPersonalizationError(CallError):
    """``noPersonalization`` (103): The payload is a template, since profile is present, but there is no personalization
    extension.
    """


class MessageAbortedError(CallError):
    """``messageAborted`` (104): The template aborts the message, so nothing is shown; aborted gives the reason."""


class UnknownNotificationError(CallError):
    """``unknownNotification`` (110): No notification with this id was received, or another extension shows it."""


class NoPresentationError(CallError):
    """``noPresentation`` (111): The notification is no longer shown; ended gives the reason."""


class UnknownActionError(CallError):
    """``unknownAction`` (112): The action is not offered; offered lists the actions that are."""


class InteractionDisabledError(CallError):
    """``interactionDisabled`` (113): The notification's view, the extension's or the system's, does not accept touches.
    """


class UnknownElementError(CallError):
    """``unknownElement`` (114): The view has no node with this id; elements lists the ids of its nodes."""


class NoMediaButtonError(CallError):
    """``noMediaButton`` (115): The notification has no media button."""


class ClockNotFixedError(CallError):
    """``clockNotFixed`` (116): The host's clock is the system's, so it cannot be moved."""


class CannotStartError(CallError):
    """``cannotStart`` (120): The extension's process could not be started."""


class ExtensionExitedError(CallError):
    """``extensionExited`` (121): The extension's process ended; exitCode or signal says how, and stderr has the last
    lines that it wrote.
    """


class ExtensionTimedOutError(CallError):
    """``extensionTimedOut`` (122): The extension did not answer in time and was killed; stderr has the last lines that
    it wrote.
    """


class ExtensionRefusedError(CallError):
    """``extensionRefused`` (123): The extension answered with an error, which is the cause; stderr has the last lines
    that it wrote.
    """


class BadExtensionReplyError(CallError):
    """``badExtensionReply`` (124): The contract does not allow the extension's answer."""


class ExtensionMisbehavedError(CallError):
    """``extensionMisbehaved`` (125): The extension broke a rule and was killed: it left 16 MiB unread, wrote a line of
    more than 16 MiB, closed its stdout, or used too much memory or processor time.
    """


class BusyError(CallError):
    """``busy`` (126): Too many calls already wait for the extension."""


class StoppingError(CallError):
    """``stopping`` (127): The host is stopping."""


class ExtensionUnavailableError(CallError):
    """``extensionUnavailable`` (128): The extension failed too often recently; it may be started again in retryAfter
    milliseconds.
    """


class CheckFailedError(CallError):
    """``checkFailed`` (130): The check of a bundle could not be completed; the message gives the reason."""


class InvalidSuiteNameError(CallError):
    """``invalidSuiteName`` (200): The text is not a valid suite name."""


class NotEntitledError(CallError):
    """``notEntitled`` (201): The extension's entitlements do not list the suite."""


class SuiteBusyError(CallError):
    """``suiteBusy`` (202): Another process held the suite for 5 seconds; try again."""


class NotStoredError(CallError):
    """``notStored`` (203): The request could not be stored and has no effect, for example because the disk is full."""


class SuiteFullError(CallError):
    """``suiteFull`` (204): The suite is full; flush it, or remove keys."""


class SuiteUnreadableError(CallError):
    """``suiteUnreadable`` (205): The suite's file is damaged, is not a suite, or cannot be opened now; the message says
    which.
    """


class SuiteNameTakenError(CallError):
    """``suiteNameTaken`` (206): There is a suite whose name differs only in case."""


class ReservedKeyError(CallError):
    """``reservedKey`` (207): The list lacks or changes a record that is pending or that the caller read; nothing was
    saved.
    """


class TooLargeError(CallError):
    """``tooLarge`` (208): The records, or the file, have more than 16 MiB: read records with pending, or flush before
    an export.
    """


class LeaseExpiredError(CallError):
    """``leaseExpired`` (209): There is no such lease, or it has expired; nothing was deleted."""


class InvalidRecordError(CallError):
    """``invalidRecord`` (210): The record or value breaks a limit; path names the wrong part, unless the whole is too
    large.
    """


class IdempotencyKeyReusedError(CallError):
    """``idempotencyKeyReused`` (211): The idempotencyKey belongs to an earlier save with other content; id is the
    record of that save. Nothing was saved.
    """


class FileUnreadableError(CallError):
    """``fileUnreadable`` (220): The file does not exist, is not readable, is empty, is not a regular file, or is not a
    property list.
    """


class FileUnwritableError(CallError):
    """``fileUnwritable`` (221): The file cannot be written."""


class UnknownDestinationError(CallError):
    """``unknownDestination`` (300): There is no destination with this name."""


class DestinationStoppedError(CallError):
    """``destinationStopped`` (301): The destination accepts nothing until an operator does what the message says; all
    records are kept. The error has the counts of flushPending's result.
    """


class DestinationUnavailableError(CallError):
    """``destinationUnavailable`` (302): The destination accepts nothing now; all records are kept. The error has the
    counts of flushPending's result, and retryAfter in milliseconds.
    """


class FlushBusyError(CallError):
    """``flushBusy`` (303): Another process flushed the suite for 5 seconds; try again."""


class UnsupportedByDestinationError(CallError):
    """``unsupportedByDestination`` (304): The destination does not declare the capability that the request needs, so
    nothing was sent to it.
    """


#: The class of each reason.
REASONS: dict[str, type[CallError]] = {
    "parseError": ParseError,
    "headerFraming": HeaderFramingError,
    "invalidRequest": InvalidRequestError,
    "version": VersionError,
    "invalidId": InvalidIdError,
    "invalidParamsType": InvalidParamsTypeError,
    "emptyBatch": EmptyBatchError,
    "batchTooLong": BatchTooLongError,
    "lineTooLong": LineTooLongError,
    "duplicateId": DuplicateIdError,
    "methodNotFound": MethodNotFoundError,
    "missingParam": MissingParamError,
    "unknownParam": UnknownParamError,
    "mistypedParam": MistypedParamError,
    "invalidParams": InvalidParamsError,
    "internalError": InternalError,
    "batchReplyTooLarge": BatchReplyTooLargeError,
    "unsupportedProtocolVersion": UnsupportedProtocolVersionError,
    "requestCancelled": RequestCancelledError,
    "payloadTooLarge": PayloadTooLargeError,
    "invalidPayload": InvalidPayloadError,
    "noPersonalization": NoPersonalizationError,
    "messageAborted": MessageAbortedError,
    "unknownNotification": UnknownNotificationError,
    "noPresentation": NoPresentationError,
    "unknownAction": UnknownActionError,
    "interactionDisabled": InteractionDisabledError,
    "unknownElement": UnknownElementError,
    "noMediaButton": NoMediaButtonError,
    "clockNotFixed": ClockNotFixedError,
    "cannotStart": CannotStartError,
    "extensionExited": ExtensionExitedError,
    "extensionTimedOut": ExtensionTimedOutError,
    "extensionRefused": ExtensionRefusedError,
    "badExtensionReply": BadExtensionReplyError,
    "extensionMisbehaved": ExtensionMisbehavedError,
    "busy": BusyError,
    "stopping": StoppingError,
    "extensionUnavailable": ExtensionUnavailableError,
    "checkFailed": CheckFailedError,
    "invalidSuiteName": InvalidSuiteNameError,
    "notEntitled": NotEntitledError,
    "suiteBusy": SuiteBusyError,
    "notStored": NotStoredError,
    "suiteFull": SuiteFullError,
    "suiteUnreadable": SuiteUnreadableError,
    "suiteNameTaken": SuiteNameTakenError,
    "reservedKey": ReservedKeyError,
    "tooLarge": TooLargeError,
    "leaseExpired": LeaseExpiredError,
    "invalidRecord": InvalidRecordError,
    "idempotencyKeyReused": IdempotencyKeyReusedError,
    "fileUnreadable": FileUnreadableError,
    "fileUnwritable": FileUnwritableError,
    "unknownDestination": UnknownDestinationError,
    "destinationStopped": DestinationStoppedError,
    "destinationUnavailable": DestinationUnavailableError,
    "flushBusy": FlushBusyError,
    "unsupportedByDestination": UnsupportedByDestinationError,
}
