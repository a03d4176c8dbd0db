internal import Foundation
public import Logging
internal import Platform
internal import Synchronization

/// Writes log lines to stderr without ever blocking.
///
/// A client may never read stderr. If too many lines are unwritten, further lines are dropped and counted.
public final class LogSink: Sendable {
    private static let backlogLimit = 256 << 10

    private struct State {
        var backlog: [UInt8] = []
        var droppedLines = 0
        var output: OutputDescriptor?
    }

    // A mutex, because loggers are Sendable and a library may log on its own thread.
    private let state: Mutex<State>

    /// A sink that writes to a descriptor.
    ///
    /// - Parameter descriptor: Usually 2.
    public init(descriptor: Int32) {
        state = Mutex(State(output: OutputDescriptor(descriptor)))
    }

    /// The number of lines that were dropped.
    public var dropped: Int { state.withLock { $0.droppedLines } }

    /// The descriptor to poll for writing; nil unless lines are unwritten.
    var pollDescriptor: Int32? { state.withLock { $0.backlog.isEmpty ? nil : $0.output?.descriptor } }

    func append(_ line: String) {
        state.withLock { state in
            guard state.output != nil, state.backlog.count + line.utf8.count < LogSink.backlogLimit else {
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
                    state.backlog = []
                }
            }
        }
    }
}

/// Formats log lines for a ``LogSink``.
public struct SinkLogHandler: LogHandler {
    private let sink: LogSink
    private let label: String

    /// The values that every line contains.
    public var metadata: Logger.Metadata = [:]
    /// The lowest level that is logged.
    public var logLevel: Logger.Level

    /// Creates a handler.
    public init(label: String, level: Logger.Level, sink: LogSink) {
        self.label = label
        self.sink = sink
        logLevel = level
    }

    /// One value of the metadata.
    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Writes one line: time, level, label, metadata and message.
    public func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { $1 }
        let values = all.sorted { $0.key < $1.key }.map { " \($0.key)=\(PlainText.escaped("\($0.value)"))" }.joined()
        let text = PlainText.escaped("\(event.message)")
        let time = Timestamp.format(Clock.systemTime())
        sink.append("\(time) \(event.level) \(label):\(values) \(text)")
    }
}
