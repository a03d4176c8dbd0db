internal import Foundation
internal import JSON

/// A recorded session: what the client wrote, and every other recorded line.
package struct RecordedSession {
    /// Why a file is not a session.
    package struct Problem: Error, CustomStringConvertible {
        /// The file, the line, what is wrong and what to do.
        package let description: String
    }

    /// The end of an extension's process, or of its stdout.
    package struct End {
        package let extensionIdentifier: String
        /// The number of ``lines`` before it.
        package let position: Int
        package let event: RecordedRun.Event
    }

    /// The session's file.
    package let path: String
    /// The file of replies, if the session consists of requests and replies.
    package var repliesPath: String?
    /// How the host was started; nil if the files have no header.
    package var header: RecordingHeader?
    /// The exact bytes that the client wrote.
    package var input: [UInt8] = []
    /// The recorded lines; only the replies if the session consists of requests and replies.
    package var lines: [WireLine] = []
    /// The ends of extensions' processes.
    package var ends: [End] = []
    /// The bundles that the host knew.
    package var bundles: [RecordedBundle] = []
    /// The exit code of the host; nil if it was killed before it could record one.
    package var exitCode: Int32?

    /// Whether the host's connections to extensions are recorded too.
    package var hasExtensions: Bool { repliesPath == nil }
    /// Whether nothing is missing at its end.
    package var isComplete: Bool { exitCode != nil || repliesPath != nil }

    /// How to start the host: as the header says, or with a fixed clock and seed if there is none.
    package var settings: RecordingHeader {
        header
            ?? RecordingHeader(arguments: [], start: 1_767_225_600_000, isClockFixed: true, seed: 1, isLockStep: true)
    }
}
