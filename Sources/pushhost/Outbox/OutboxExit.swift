internal import Foundation
internal import HostClient

/// The exit codes of the commands about suites; those of `sysexits.h` where one fits.
enum OutboxExit {
    static let success: Int32 = 0
    static let failure: Int32 = 1
    /// A flush left records that the destination does not accept.
    static let notAccepted: Int32 = 2

    /// The table for the help of a command.
    static let help = """
        Exit codes: 0 done; 1 a suite cannot be read or changed; 64 wrong command line; 65 invalid data; 66 there is \
        no such suite or dead letter, or the file cannot be read; 70 the host failed; 73 the file cannot be written; \
        74 not stored, such as on a full disk; 75 busy: try again later; 128+n ended by signal n.
        """

    /// The exit code for an error of the host.
    static func code(of refusal: ClientError.Refusal) -> Int32 {
        switch refusal.reason {
        case "invalidSuiteName", "unknownDestination": EX_USAGE
        case "invalidParams", "invalidRecord", "idempotencyKeyReused", "tooLarge": EX_DATAERR
        case "fileUnreadable": EX_NOINPUT
        case "fileUnwritable": EX_CANTCREAT
        case "notStored", "suiteFull": EX_IOERR
        case "suiteBusy", "flushBusy", "destinationUnavailable", "stopping": EX_TEMPFAIL
        case "destinationStopped": EX_CONFIG
        case "unsupportedByDestination": EX_UNAVAILABLE
        default: refusal.code == -32_602 ? EX_DATAERR : failure
        }
    }
}
