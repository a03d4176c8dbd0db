// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation

public typealias CMTimeValue = Int64
public typealias CMTimeScale = Int32

/// A time as a number of parts of a second.
public struct CMTime: Comparable, Hashable, Sendable {
    public var value: CMTimeValue
    public var timescale: CMTimeScale
    private var kind = Kind.number

    /// What a time is; the order is that of comparisons.
    private enum Kind: Int {
        case invalid, negativeInfinity, number, positiveInfinity, indefinite
    }

    public init() { self.init(.invalid) }
    private init(_ kind: Kind) { (value, timescale, self.kind) = (0, 0, kind) }
    public init(value: CMTimeValue, timescale: CMTimeScale) {
        (self.value, self.timescale) = (value, timescale)
        if timescale <= 0 { self = .invalid }
    }
    public init(seconds: Double, preferredTimescale: CMTimeScale) {
        let value = (seconds * Double(preferredTimescale)).rounded()
        if let value = CMTimeValue(exactly: value) {
            self.init(value: value, timescale: preferredTimescale)
        } else {
            self.init(value.isNaN ? .invalid : value > 0 ? .positiveInfinity : .negativeInfinity)
        }
    }

    public static let zero = CMTime(value: 0, timescale: 1)
    public static let invalid = CMTime()
    public static let indefinite = CMTime(.indefinite)
    public static let positiveInfinity = CMTime(.positiveInfinity)
    public static let negativeInfinity = CMTime(.negativeInfinity)

    public var seconds: Double {
        switch kind {
        case .number: Double(value) / Double(timescale)
        case .positiveInfinity: .infinity
        case .negativeInfinity: -.infinity
        case .invalid, .indefinite: .nan
        }
    }
    public var isValid: Bool { kind != .invalid }
    public var isNumeric: Bool { kind == .number }
    public var isIndefinite: Bool { kind == .indefinite }
    public var isPositiveInfinity: Bool { kind == .positiveInfinity }
    public var isNegativeInfinity: Bool { kind == .negativeInfinity }

    public static func < (left: CMTime, right: CMTime) -> Bool {
        left.isNumeric && right.isNumeric ? left.seconds < right.seconds : left.kind.rawValue < right.kind.rawValue
    }
    public static func == (left: CMTime, right: CMTime) -> Bool {
        left.kind == right.kind && (!left.isNumeric || left.seconds == right.seconds)
    }
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        if isNumeric { hasher.combine(seconds) }
    }
    public static func + (left: CMTime, right: CMTime) -> CMTime { left.joined(right, left.seconds + right.seconds) }
    public static func - (left: CMTime, right: CMTime) -> CMTime { left.joined(right, left.seconds - right.seconds) }

    /// The result of adding another time.
    private func joined(_ other: CMTime, _ seconds: Double) -> CMTime {
        guard isValid, other.isValid else { return .invalid }
        guard !isIndefinite, !other.isIndefinite else { return .indefinite }
        return CMTime(seconds: seconds, preferredTimescale: max(timescale, other.timescale, 1))
    }
}

public let kCMTimeZero = CMTime.zero
public let kCMTimeInvalid = CMTime.invalid
public let kCMTimeIndefinite = CMTime.indefinite

public func CMTimeMake(value: Int64, timescale: Int32) -> CMTime { CMTime(value: value, timescale: timescale) }
public func CMTimeMakeWithSeconds(_ seconds: Double, preferredTimescale: Int32) -> CMTime {
    CMTime(seconds: seconds, preferredTimescale: preferredTimescale)
}
public func CMTimeGetSeconds(_ time: CMTime) -> Double { time.seconds }
public func CMTimeAdd(_ lhs: CMTime, _ rhs: CMTime) -> CMTime { lhs + rhs }
public func CMTimeSubtract(_ lhs: CMTime, _ rhs: CMTime) -> CMTime { lhs - rhs }
public func CMTimeMultiplyByFloat64(_ time: CMTime, multiplier: Float64) -> CMTime {
    time.isNumeric
        ? CMTime(seconds: time.seconds * multiplier, preferredTimescale: max(time.timescale, 1_000_000_000)) : time
}
public func CMTimeCompare(_ time1: CMTime, _ time2: CMTime) -> Int32 { time1 < time2 ? -1 : time1 == time2 ? 0 : 1 }

/// A span of time.
public struct CMTimeRange: Hashable, Sendable {
    public var start: CMTime
    public var duration: CMTime
    public var end: CMTime { start + duration }
    public static let zero = CMTimeRange(start: .zero, duration: .zero)
    public init(start: CMTime, duration: CMTime) { (self.start, self.duration) = (start, duration) }
    public init(start: CMTime, end: CMTime) { self.init(start: start, duration: end - start) }
}

extension NSValue {
    public convenience init(time: CMTime) {
        var seconds = time.seconds
        self.init(bytes: &seconds, objCType: "d")
    }

    public var timeValue: CMTime {
        var seconds = 0.0
        getValue(&seconds)
        return CMTime(seconds: seconds, preferredTimescale: 1_000_000_000)
    }
}
