# Generated from protocol/openrpc.json by protocol/generate.py; do not edit.
"""An exception class for each reason with which the host refuses a call."""

from __future__ import annotations

from typing import Dict, Type

from .errors import CallError


class ParseError(CallError):
    """``parseError`` (-32700): The line is not JSON; the id is null."""


class HeaderFramingError(CallError):
    """``headerFraming`` (-32700): The line is not JSON; the id is null."""


class InvalidRequestError(CallError):
    """``invalidRequest`` (-32600): The JSON is no request that can be carried out."""


class VersionError(CallError):
    """``version`` (-32600): The JSON is no request that can be carried out."""


class InvalidIdError(CallError):
    """``invalidId`` (-32600): The JSON is no request that can be carried out."""


class InvalidParamsTypeError(CallError):
    """``invalidParamsType`` (-32600): The JSON is no request that can be carried out."""


class EmptyBatchError(CallError):
    """``emptyBatch`` (-32600): The JSON is no request that can be carried out."""


class BatchTooLongError(CallError):
    """``batchTooLong`` (-32600): The JSON is no request that can be carried out."""


class LineTooLongError(CallError):
    """``lineTooLong`` (-32600): The JSON is no request that can be carried out."""


class DuplicateIdError(CallError):
    """``duplicateId`` (-32600): The JSON is no request that can be carried out."""


class MethodNotFoundError(CallError):
    """``methodNotFound`` (-32601): No method has that name for this caller."""


class MissingParamError(CallError):
    """``missingParam`` (-32602): The params do not fit the method; path says where."""


class UnknownParamError(CallError):
    """``unknownParam`` (-32602): The params do not fit the method; path says where."""


class MistypedParamError(CallError):
    """``mistypedParam`` (-32602): The params do not fit the method; path says where."""


class InvalidParamsError(CallError):
    """``invalidParams`` (-32602): The params do not fit the method; path says where."""


class InternalError(CallError):
    """``internalError`` (-32603): The host failed in a way that is its own fault; batchReplyTooLarge: the answers of a
    batch before this one have more than 64 MiB, the call was carried out.
    """


class BatchReplyTooLargeError(CallError):
    """``batchReplyTooLarge`` (-32603): The host failed in a way that is its own fault; batchReplyTooLarge: the answers
    of a batch before this one have more than 64 MiB, the call was carried out.
    """


class UnsupportedProtocolVersionError(CallError):
    """``unsupportedProtocolVersion`` (-32022): MCP is not spoken in the version that the request names; supported lists
    those that are.
    """


class RequestCancelledError(CallError):
    """``requestCancelled`` (-32800): The caller took the request back."""


class PayloadTooLargeError(CallError):
    """``payloadTooLarge`` (101): The payload has more than 4096 bytes."""


class InvalidPayloadError(CallError):
    """``invalidPayload`` (102): The payload has no object aps."""


class NoPersonalizationError(CallError):
    """``noPersonalization`` (103): The payload is a template, as it comes with a profile, and no extension renders
    templates.
    """


class MessageAbortedError(CallError):
    """``messageAborted`` (104): The template aborts the message, so nothing is shown; aborted says why."""


class UnknownNotificationError(CallError):
    """``unknownNotification`` (110): No such notification was received, or another extension shows it."""


class NoPresentationError(CallError):
    """``noPresentation`` (111): The notification is not shown any more; ended says why."""


class UnknownActionError(CallError):
    """``unknownAction`` (112): The action is not offered; offered lists those that are."""


class InteractionDisabledError(CallError):
    """``interactionDisabled`` (113): Who shows the notification takes no touches."""


class UnknownElementError(CallError):
    """``unknownElement`` (114): The view has no node of that id; elements lists those that it has."""


class NoMediaButtonError(CallError):
    """``noMediaButton`` (115): The notification offers no media button."""


class CannotStartError(CallError):
    """``cannotStart`` (120): The extension's process could not be started."""


class ExtensionExitedError(CallError):
    """``extensionExited`` (121): The extension's process ended; exitCode or signal says how, stderr what it wrote last.
    """


class ExtensionTimedOutError(CallError):
    """``extensionTimedOut`` (122): The extension did not answer in time and was killed; stderr has what it wrote last.
    """


class ExtensionRefusedError(CallError):
    """``extensionRefused`` (123): The extension answered with an error of its own, which is the cause; stderr has what
    it wrote last.
    """


class BadExtensionReplyError(CallError):
    """``badExtensionReply`` (124): The extension's answer is none that the contract allows."""


class ExtensionMisbehavedError(CallError):
    """``extensionMisbehaved`` (125): The extension broke a rule and was killed: it left 16 MiB unread, closed its
    stdout, or used too much memory or processor time.
    """


class BusyError(CallError):
    """``busy`` (126): Too many calls wait for the extension already."""


class StoppingError(CallError):
    """``stopping`` (127): The host is stopping."""


class ExtensionUnavailableError(CallError):
    """``extensionUnavailable`` (128): The extension failed so often lately that it is not started now; retryAfter says
    in how many milliseconds it may be.
    """


class InvalidSuiteNameError(CallError):
    """``invalidSuiteName`` (200): The text is no suite name."""


class NotEntitledError(CallError):
    """``notEntitled`` (201): The extension's entitlements do not list the suite."""


class SuiteBusyError(CallError):
    """``suiteBusy`` (202): Another process held the suite for 5 seconds; try again."""


class NotStoredError(CallError):
    """``notStored`` (203): Nothing of the request is in the suite: the disk is full, say."""


class SuiteFullError(CallError):
    """``suiteFull`` (204): The suite holds as much as it may; flush it, or remove keys."""


class SuiteUnreadableError(CallError):
    """``suiteUnreadable`` (205): The suite's file is damaged, none of ours, or cannot be opened now, as the message
    says.
    """


class SuiteNameTakenError(CallError):
    """``suiteNameTaken`` (206): A suite exists whose name differs only in case."""


class ReservedKeyError(CallError):
    """``reservedKey`` (207): The key holds pending records, which have methods of their own."""


class TooLargeError(CallError):
    """``tooLarge`` (208): The records, or the file, have more than 16 MiB: read records with pending, or flush before
    an export.
    """


class LeaseExpiredError(CallError):
    """``leaseExpired`` (209): No such lease is live; nothing was deleted."""


class InvalidRecordError(CallError):
    """``invalidRecord`` (210): The record or value breaks a limit; path says where, but for its size."""


class IdempotencyKeyReusedError(CallError):
    """``idempotencyKeyReused`` (211): The idempotencyKey stands for an earlier save with other content; id is its
    record. Nothing was saved.
    """


class FileUnreadableError(CallError):
    """``fileUnreadable`` (220): The file that the request names is not there, not permitted, empty, or no file."""


class FileUnwritableError(CallError):
    """``fileUnwritable`` (221): The file that the request names cannot be written there."""


class UnknownDestinationError(CallError):
    """``unknownDestination`` (300): There is no destination of that name."""


class DestinationStoppedError(CallError):
    """``destinationStopped`` (301): The destination takes nothing until somebody acts, as the message says; everything
    is kept. Has the counts of flushPending's result.
    """


class DestinationUnavailableError(CallError):
    """``destinationUnavailable`` (302): The destination takes nothing now; everything is kept. Has the counts of
    flushPending's result, and retryAfter in milliseconds.
    """


class FlushBusyError(CallError):
    """``flushBusy`` (303): Another process flushed the suite for 5 s; try again."""


#: The class of each reason.
REASONS: Dict[str, Type[CallError]] = {
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
    "cannotStart": CannotStartError,
    "extensionExited": ExtensionExitedError,
    "extensionTimedOut": ExtensionTimedOutError,
    "extensionRefused": ExtensionRefusedError,
    "badExtensionReply": BadExtensionReplyError,
    "extensionMisbehaved": ExtensionMisbehavedError,
    "busy": BusyError,
    "stopping": StoppingError,
    "extensionUnavailable": ExtensionUnavailableError,
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
}
