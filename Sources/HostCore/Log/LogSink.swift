internal import Foundation
internal import Platform
internal import Synchronization

/// Writes log lines to stderr without ever blocking.
///
/// A client may never read stderr. If too many lines are unwritten, further lines are dropped and counted; if nobody can
/// read stderr any more, all are.
public final class LogSink: Sendable {
    private static let backlogByteLimit = 256 << 10

    private struct State {
        var backlog: [UInt8] = []
        var droppedLines = 0
        var output: OutputDescriptor?
    }

    // A mutex, because loggers are Sendable and a library may log on its own thread.
    private let state: Mutex<State>

    /// A sink that writes to a descriptor.
    ///
    /// - Parameter descriptor: Usually 2, stderr.
    public init(descriptor: Int32) {
        state = Mutex(State(output: OutputDescriptor(descriptor)))
    }

    /// The number of lines that were dropped.
    public var dropped: Int { state.withLock { $0.droppedLines } }

    /// The descriptor to poll for writing; nil unless lines are unwritten.
    var pollDescriptor: Int32? { state.withLock { $0.backlog.isEmpty ? nil : $0.output?.descriptor } }

    func append(_ line: String) {
        state.withLock { state in
            guard state.output != nil, state.backlog.count + line.utf8.count < LogSink.backlogByteLimit else {
                state.droppedLines += 1
                return
            }
            state.backlog.append(contentsOf: line.utf8)
            state.backlog.append(UInt8(ascii: "\n"))
        }
    }

    /// Writes what stderr accepts without blocking.
    public func flush() {
        state.withLock { state in
            while !state.backlog.isEmpty, let output = state.output {
                switch state.backlog.withUnsafeBytes({ output.write($0) }) {
                case .wrote(0): return
                case .wrote(let count): state.backlog.removeFirst(count)
                case .gone, .failed:
                    state.output = nil
                    state.droppedLines += state.backlog.count { $0 == UInt8(ascii: "\n") }
                    state.backlog = []
                }
            }
        }
    }
}
