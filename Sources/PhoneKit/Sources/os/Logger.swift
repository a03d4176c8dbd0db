import Foundation

/// Where a message belongs to.
public final class OSLog: Sendable {
    /// The log without a subsystem.
    public static let `default` = OSLog(subsystem: "", category: "")
    /// The log that keeps nothing.
    public static let disabled = OSLog(subsystem: "", category: "", isEnabled: false)

    fileprivate let name: String
    fileprivate let isEnabled: Bool

    private init(subsystem: String, category: String, isEnabled: Bool) {
        name = [subsystem, category].filter { !$0.isEmpty }.joined(separator: ":")
        self.isEnabled = isEnabled
    }

    /// A log of a subsystem.
    public convenience init(subsystem: String, category: String) {
        self.init(subsystem: subsystem, category: category, isEnabled: true)
    }

    fileprivate func write(_ type: OSLogType, _ message: String) {
        guard isEnabled else { return }
        let prefix = name.isEmpty ? "" : "[\(name)] "
        FileHandle.standardError.write(Data("\(prefix)\(type.word)\(message)\n".utf8))
    }
}

/// How important a message is.
public struct OSLogType: RawRepresentable, Hashable, Sendable {
    /// The number.
    public let rawValue: UInt8
    /// A type of that number.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// A message of the usual kind.
    public static let `default` = OSLogType(rawValue: 0)
    /// A message that helps.
    public static let info = OSLogType(rawValue: 1)
    /// A message for who searches a mistake.
    public static let debug = OSLogType(rawValue: 2)
    /// A failure.
    public static let error = OSLogType(rawValue: 16)
    /// A mistake in the program.
    public static let fault = OSLogType(rawValue: 17)

    fileprivate var word: String {
        switch self {
        case .error: "error: "
        case .fault: "fault: "
        default: ""
        }
    }
}

/// Writes messages to the extension's stderr, which the host keeps in its log.
public struct Logger: Sendable {
    private let log: OSLog

    /// A logger without a subsystem.
    public init() { log = .default }
    /// A logger of a subsystem.
    public init(subsystem: String, category: String) { log = OSLog(subsystem: subsystem, category: category) }
    /// A logger of a log.
    public init(_ logObj: OSLog) { log = logObj }

    /// Writes a message of that type.
    public func log(level: OSLogType, _ message: OSLogMessage) { log.write(level, message.text) }
    /// Writes a message.
    public func log(_ message: OSLogMessage) { log.write(.default, message.text) }
    /// Writes a message.
    public func trace(_ message: OSLogMessage) { log.write(.debug, message.text) }
    /// Writes a message.
    public func debug(_ message: OSLogMessage) { log.write(.debug, message.text) }
    /// Writes a message.
    public func info(_ message: OSLogMessage) { log.write(.info, message.text) }
    /// Writes a message.
    public func notice(_ message: OSLogMessage) { log.write(.default, message.text) }
    /// Writes a message.
    public func warning(_ message: OSLogMessage) { log.write(.error, message.text) }
    /// Writes a message.
    public func error(_ message: OSLogMessage) { log.write(.error, message.text) }
    /// Writes a message.
    public func critical(_ message: OSLogMessage) { log.write(.fault, message.text) }
    /// Writes a message.
    public func fault(_ message: OSLogMessage) { log.write(.fault, message.text) }
}

/// A message with values, each of which may say who may read it; here everybody may.
public struct OSLogMessage: ExpressibleByStringInterpolation, Sendable {
    fileprivate let text: String

    /// A fixed message.
    public init(stringLiteral value: String) { text = value }
    /// A message with values.
    public init(stringInterpolation: OSLogInterpolation) { text = stringInterpolation.text }
}

/// Collects the parts of a message.
public struct OSLogInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    /// A message of about that size.
    public init(literalCapacity: Int, interpolationCount: Int) {}
    /// Adds a fixed text.
    public mutating func appendLiteral(_ literal: String) { text += literal }
    /// Adds a value.
    public mutating func appendInterpolation<Value>(
        _ value: @autoclosure () -> Value,
        align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) {
        text += "\(value())"
    }
}

/// Who may read a value.
public struct OSLogPrivacy: Sendable {
    /// As the type of the value says.
    public static let auto = OSLogPrivacy()
    /// Everybody.
    public static let `public` = OSLogPrivacy()
    /// Nobody.
    public static let `private` = OSLogPrivacy()
    /// Nobody.
    public static let sensitive = OSLogPrivacy()
}

/// How a value is aligned.
public struct OSLogStringAlignment: Sendable {
    /// As it is.
    public static let none = OSLogStringAlignment()
}

/// Writes a message in the old way, whose format is that of `NSString`.
public func os_log(_ message: StaticString, log: OSLog = .default, type: OSLogType = .default, _ args: any CVarArg...) {
    let format = "\(message)".replacingOccurrences(of: "{public}", with: "").replacingOccurrences(
        of: "{private}",
        with: ""
    )
    log.write(type, args.isEmpty ? format : withVaList(args) { NSString(format: format, arguments: $0) as String })
}

/// Writes a message in the old way.
public func os_log(_ type: OSLogType, log: OSLog = .default, _ message: StaticString, _ args: any CVarArg...) {
    let format = "\(message)".replacingOccurrences(of: "{public}", with: "").replacingOccurrences(
        of: "{private}",
        with: ""
    )
    log.write(type, args.isEmpty ? format : withVaList(args) { NSString(format: format, arguments: $0) as String })
}
