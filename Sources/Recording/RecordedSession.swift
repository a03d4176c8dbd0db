internal import Foundation
internal import JSON

/// A recorded session: what the client wrote, and every line that followed.
package struct RecordedSession {
    /// Why a file is not a session.
    package struct Problem: Error, CustomStringConvertible {
        /// File, line and what to do.
        package let description: String
    }

    /// How a process of an extension ended, or only its stdout.
    package struct End {
        package let extensionIdentifier: String
        /// Where in ``lines`` it came.
        package let position: Int
        package let event: RecordedRun.Event
    }

    /// The session's file.
    package let path: String
    /// Where the replies are, of a plain session.
    package var repliesPath: String?
    /// How the host was started; nil if no file says so.
    package var header: RecordingHeader?
    /// What the client wrote, to the byte.
    package var input: [UInt8] = []
    /// What was said; of a plain session the replies alone.
    package var lines: [WireLine] = []
    /// How processes of extensions ended.
    package var ends: [End] = []
    /// The bundles that the host knew.
    package var bundles: [RecordedBundle] = []
    /// How the host ended; nil if it was killed before it could record that.
    package var exitCode: Int32?

    /// Whether the host's connections to extensions are recorded too.
    package var hasExtensions: Bool { repliesPath == nil }
    /// Whether it goes up to the host's end.
    package var isComplete: Bool { exitCode != nil || repliesPath != nil }

    /// With what the host is started: what the header says, else a fixed clock and seed.
    package var settings: RecordingHeader {
        header
            ?? RecordingHeader(arguments: [], start: 1_767_225_600_000, isClockFixed: true, seed: 1, isLockStep: true)
    }
}
