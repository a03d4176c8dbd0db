// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public typealias CMTimeValue = Int64
public typealias CMTimeScale = Int32

/// A time as a number of parts of a second.
public struct CMTime: Comparable, Hashable, Sendable {
    public var value: CMTimeValue
    public var timescale: CMTimeScale
    private var isKnown = true

    public init() { (value, timescale, isKnown) = (0, 0, false) }
    public init(value: CMTimeValue, timescale: CMTimeScale) { (self.value, self.timescale) = (value, timescale) }
    public init(seconds: Double, preferredTimescale: CMTimeScale) {
        self.init(value: CMTimeValue((seconds * Double(preferredTimescale)).rounded()), timescale: preferredTimescale)
    }

    public static let zero = CMTime(value: 0, timescale: 1)
    public static let invalid = CMTime()
    public static let indefinite = CMTime()
    public static let positiveInfinity = CMTime(value: .max, timescale: 1)

    public var seconds: Double { isKnown && timescale != 0 ? Double(value) / Double(timescale) : .nan }
    public var isValid: Bool { isKnown }
    public var isNumeric: Bool { isKnown }
    public var isIndefinite: Bool { !isKnown }

    public static func < (left: CMTime, right: CMTime) -> Bool { left.seconds < right.seconds }
    public static func == (left: CMTime, right: CMTime) -> Bool {
        left.isKnown == right.isKnown && (!left.isKnown || left.seconds == right.seconds)
    }
    public func hash(into hasher: inout Hasher) { hasher.combine(isKnown ? seconds : -1) }
    public static func + (left: CMTime, right: CMTime) -> CMTime {
        CMTime(seconds: left.seconds + right.seconds, preferredTimescale: max(left.timescale, right.timescale, 1))
    }
    public static func - (left: CMTime, right: CMTime) -> CMTime {
        CMTime(seconds: left.seconds - right.seconds, preferredTimescale: max(left.timescale, right.timescale, 1))
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
