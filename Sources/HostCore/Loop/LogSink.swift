internal import JSON
public import Logging
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

/// The form of log lines.
public enum LogFormat: String, CaseIterable, Sendable {
    /// For people: time, level, label, values and message, separated by spaces.
    case text
    /// For programs: a JSON object per line with `time`, `level`, `label`, `message` and the values by name.
    case json
}

/// Formats log lines for a ``LogSink``.
public struct SinkLogHandler: LogHandler {
    /// The members of every line in JSON; a value with such a name gets an underscore in front.
    private static let members = ["time", "level", "label", "message"]

    private let sink: LogSink
    private let label: String
    private let format: LogFormat

    /// The values that every line contains.
    public var metadata: Logger.Metadata = [:]
    /// The lowest level that is logged.
    public var logLevel: Logger.Level

    /// Creates a handler.
    public init(label: String, level: Logger.Level, sink: LogSink, format: LogFormat = .text) {
        (self.label, self.sink, self.format) = (label, sink, format)
        logLevel = level
    }

    /// One value of the metadata.
    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Writes one line.
    public func log(event: LogEvent) {
        let values = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
        let time = Timestamp.format(Clock.systemTime())
        switch format {
        case .text:
            let texts = values.map { " \($0.key)=\(PlainText.escaped("\($0.value)"))" }.joined()
            sink.append("\(time) \(event.level) \(label):\(texts) \(PlainText.escaped("\(event.message)"))")
        case .json:
            let fixed = [time, "\(event.level)", label, "\(event.message)"]
            let more = values.map {
                (Self.members.contains($0.key) ? "_\($0.key)" : $0.key, JSON.string("\($0.value)"))
            }
            sink.append("\(JSON.object(JSON.Object(zip(Self.members, fixed.map(JSON.string)) + more)))")
        }
    }
}
