internal import Foundation
internal import HostCore
internal import JSON

/// A session that was recorded: what the client wrote, and what was said then.
struct RecordedSession {
    /// Why a file is no session.
    struct Problem: Error, CustomStringConvertible {
        /// File, line and what to do.
        let description: String
    }

    /// How a process of an extension ended, or only its stdout.
    struct End {
        let extensionIdentifier: String
        /// Where in ``lines`` it came.
        let position: Int
        let event: RecordedRun.Event
    }

    /// The session's file.
    let path: String
    /// Where the replies are, of a plain session.
    var repliesPath: String?
    /// How the host was started; nothing where no file says so.
    var header: RecordingHeader?
    /// What the client wrote, to the byte.
    var input: [UInt8] = []
    /// What was said; of a plain session the replies alone.
    var lines: [WireLine] = []
    /// How processes of extensions ended.
    var ends: [End] = []
    /// The bundles that the host knew.
    var bundles: [RecordedBundle] = []
    /// How the host ended; nothing where it was killed before it could tell.
    var exitCode: Int32?

    /// Whether the host's connections to extensions are recorded too.
    var hasExtensions: Bool { repliesPath == nil }
    /// Whether it goes up to the host's end.
    var isComplete: Bool { exitCode != nil || repliesPath != nil }

    /// With what the host is started: what the header says, else a fixed clock and seed.
    var settings: RecordingHeader {
        header
            ?? RecordingHeader(arguments: [], start: 1_767_225_600_000, isClockFixed: true, seed: 1, isLockStep: true)
    }
}
