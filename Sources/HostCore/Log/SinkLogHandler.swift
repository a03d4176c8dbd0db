internal import JSON
public import Logging
internal import Platform

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
