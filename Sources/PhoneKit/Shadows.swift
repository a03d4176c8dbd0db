// Compiled as a part of each extension. A typealias in the extension's own module stands before the type of the same
// name in Foundation, in every file and without an ambiguity.
//
// The first group keeps the time and the values of the host, the second has what Apple's Foundation has in one module.

import Foundation
import FoundationNetworking
import PhoneRuntime
import PhoneShadows

typealias DateComponentsFormatter = PhoneShadows.DateComponentsFormatter
typealias DispatchGroup = PhoneShadows.DispatchGroup
typealias DispatchQueue = PhoneShadows.DispatchQueue
typealias DispatchSource = PhoneShadows.DispatchSource
typealias DispatchWorkItem = PhoneShadows.DispatchWorkItem
typealias ListFormatter = PhoneShadows.ListFormatter
typealias MeasurementFormatter = PhoneShadows.MeasurementFormatter
typealias NSPredicate = PhoneShadows.NSPredicate
typealias RelativeDateTimeFormatter = PhoneShadows.RelativeDateTimeFormatter
typealias Timer = PhoneShadows.Timer
typealias UserDefaults = PhoneShadows.UserDefaults

typealias CachedURLResponse = FoundationNetworking.CachedURLResponse
typealias HTTPCookie = FoundationNetworking.HTTPCookie
typealias HTTPCookieStorage = FoundationNetworking.HTTPCookieStorage
typealias HTTPURLResponse = FoundationNetworking.HTTPURLResponse
typealias URLAuthenticationChallenge = FoundationNetworking.URLAuthenticationChallenge
typealias URLCache = FoundationNetworking.URLCache
typealias URLCredential = FoundationNetworking.URLCredential
typealias URLProtectionSpace = FoundationNetworking.URLProtectionSpace
typealias URLProtocol = FoundationNetworking.URLProtocol
typealias URLProtocolClient = FoundationNetworking.URLProtocolClient
typealias URLRequest = FoundationNetworking.URLRequest
typealias URLResponse = FoundationNetworking.URLResponse
typealias URLSession = FoundationNetworking.URLSession
typealias URLSessionConfiguration = FoundationNetworking.URLSessionConfiguration
typealias URLSessionDataDelegate = FoundationNetworking.URLSessionDataDelegate
typealias URLSessionDataTask = FoundationNetworking.URLSessionDataTask
typealias URLSessionDelegate = FoundationNetworking.URLSessionDelegate
typealias URLSessionDownloadDelegate = FoundationNetworking.URLSessionDownloadDelegate
typealias URLSessionDownloadTask = FoundationNetworking.URLSessionDownloadTask
typealias URLSessionTask = FoundationNetworking.URLSessionTask
typealias URLSessionTaskDelegate = FoundationNetworking.URLSessionTaskDelegate
typealias URLSessionUploadTask = FoundationNetworking.URLSessionUploadTask

// What URLSession on Linux only reads, or lacks: a request does not wait for a network here.

extension URLSessionConfiguration {
    var waitsForConnectivity: Bool {
        get { false }
        set {}
    }
    var allowsExpensiveNetworkAccess: Bool {
        get { true }
        set {}
    }
    var allowsConstrainedNetworkAccess: Bool {
        get { true }
        set {}
    }
}

/// The text of a key in the language of the notification, which the host chooses.
func NSLocalizedString(
    _ key: String,
    tableName: String? = nil,
    bundle: Bundle = .main,
    value: String = "",
    comment: String
) -> String {
    PhoneRuntime.LocalizedTexts.text(key, table: tableName, bundle: bundle, value: value)
}

// The time of the host. A member of the extension's own module stands before Foundation's of the same signature.

extension Date {
    init() { self = PhoneRuntime.MainClock.shared.now }

    init(timeIntervalSinceNow seconds: TimeInterval) { self = PhoneRuntime.MainClock.shared.now + seconds }

    static var now: Date { PhoneRuntime.MainClock.shared.now }

    var timeIntervalSinceNow: TimeInterval { timeIntervalSince(PhoneRuntime.MainClock.shared.now) }
}

extension Task where Success == Never, Failure == Never {
    nonisolated(nonsending) static func sleep(_ duration: UInt64) async throws {
        try await PhoneRuntime.MainClock.shared.sleep(seconds: Double(duration) / 1_000_000_000)
    }

    nonisolated(nonsending) static func sleep(nanoseconds duration: UInt64) async throws {
        try await PhoneRuntime.MainClock.shared.sleep(seconds: Double(duration) / 1_000_000_000)
    }

    nonisolated(nonsending) static func sleep<C: Clock>(
        for duration: C.Instant.Duration,
        tolerance: C.Instant.Duration? = nil,
        clock: C = ContinuousClock()
    ) async throws {
        guard let duration = duration as? Duration else { return try await clock.sleep(for: duration) }
        try await PhoneRuntime.MainClock.shared.sleep(seconds: duration / .seconds(1))
    }

    nonisolated(nonsending) static func sleep<C: Clock>(
        until deadline: C.Instant,
        tolerance: C.Instant.Duration? = nil,
        clock: C = ContinuousClock()
    ) async throws {
        try await sleep(for: clock.now.duration(to: deadline), tolerance: tolerance, clock: clock)
    }
}

// Formats whose numbers choose the forms of a plural. They stand before Foundation's because their types are the same.

extension String {
    static func localizedStringWithFormat(_ format: String, _ arguments: any CVarArg...) -> String {
        PhoneRuntime.LocalizedTexts.format(format, .current, arguments)
    }

    init(format: __shared String, _ arguments: any CVarArg...) {
        self = PhoneRuntime.LocalizedTexts.format(format, nil, arguments)
    }

    init(format: __shared String, arguments: __shared [any CVarArg]) {
        self = PhoneRuntime.LocalizedTexts.format(format, nil, arguments)
    }

    init(format: __shared String, locale: __shared Locale?, _ arguments: any CVarArg...) {
        self = PhoneRuntime.LocalizedTexts.format(format, locale, arguments)
    }

    init(format: __shared String, locale: __shared Locale?, arguments: __shared [any CVarArg]) {
        self = PhoneRuntime.LocalizedTexts.format(format, locale, arguments)
    }
}

// Random numbers that are the same in each run if the host has a seed.

extension Collection {
    func randomElement() -> Element? {
        var generator = PhoneRuntime.PhoneRandomGenerator()
        return randomElement(using: &generator)
    }
}

extension Sequence {
    func shuffled() -> [Element] {
        var generator = PhoneRuntime.PhoneRandomGenerator()
        return shuffled(using: &generator)
    }
}

extension MutableCollection where Self: RandomAccessCollection {
    mutating func shuffle() {
        var generator = PhoneRuntime.PhoneRandomGenerator()
        shuffle(using: &generator)
    }
}

extension FixedWidthInteger {
    static func random(in range: Range<Self>) -> Self {
        var generator = PhoneRuntime.PhoneRandomGenerator()
        return random(in: range, using: &generator)
    }

    static func random(in range: ClosedRange<Self>) -> Self {
        var generator = PhoneRuntime.PhoneRandomGenerator()
        return random(in: range, using: &generator)
    }
}

extension BinaryFloatingPoint where RawSignificand: FixedWidthInteger {
    static func random(in range: Range<Self>) -> Self {
        var generator = PhoneRuntime.PhoneRandomGenerator()
        return random(in: range, using: &generator)
    }

    static func random(in range: ClosedRange<Self>) -> Self {
        var generator = PhoneRuntime.PhoneRandomGenerator()
        return random(in: range, using: &generator)
    }
}

extension Bool {
    static func random() -> Bool {
        var generator = PhoneRuntime.PhoneRandomGenerator()
        return random(using: &generator)
    }
}

// Functions of Apple's system that Linux lacks, or that are random.

func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }

func arc4random() -> UInt32 { UInt32.random(in: .min ... .max) }

func arc4random_uniform(_ upperBound: UInt32) -> UInt32 { upperBound == 0 ? 0 : UInt32.random(in: 0..<upperBound) }

func drand48() -> Double { Double.random(in: 0..<1) }
