public import Foundation

// What Apple's Foundation has and Foundation on Linux lacks.

/// The seconds since the first of January 2001, by the clock of the host.
public func CFAbsoluteTimeGetCurrent() -> TimeInterval { MainClock.shared.now.timeIntervalSinceReferenceDate }

extension URL {
    /// Begins to use a file outside the sandbox; no sandbox is here, so this returns true.
    @discardableResult
    public func startAccessingSecurityScopedResource() -> Bool { true }

    /// Ends the use of a file outside the sandbox.
    public func stopAccessingSecurityScopedResource() {}
}

extension FileManager {
    /// The folder of an App Group, which is made if it does not exist; nil if the entitlements do not name the group.
    public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? {
        let isEntitled = HostLink.current == nil || CurrentPresentation.suites.contains(groupIdentifier)
        guard isEntitled, !groupIdentifier.contains("/") else { return nil }
        let base =
            ProcessInfo.processInfo.environment["XDG_DATA_HOME"].map { URL(fileURLWithPath: $0) }
            ?? URL(fileURLWithPath: NSHomeDirectory()).appendingPathComponent(".local/share")
        let folder = base.appendingPathComponent("pushhost/groups/\(groupIdentifier)", isDirectory: true)
        try? createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }
}

// Core Foundation's names, by which Apple's frameworks take the same objects.

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
public typealias CFArray = NSArray
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
public typealias CFString = NSString
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
public typealias CFDictionary = NSDictionary
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
public typealias CFData = NSData
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
public typealias CFURL = NSURL

extension CGRect {
    /// The rectangle as a dictionary, as an attachment's options take it.
    public var dictionaryRepresentation: CFDictionary {
        let numbers = [("X", minX), ("Y", minY), ("Width", width), ("Height", height)]
        return NSDictionary(dictionary: Dictionary(uniqueKeysWithValues: numbers.map { ($0.0, Double($0.1)) }))
    }

    /// The rectangle of a dictionary; nil if one of its numbers is missing.
    public init?(dictionaryRepresentation dict: CFDictionary) {
        let numbers = ["X", "Y", "Width", "Height"].compactMap { (dict[$0] as? NSNumber)?.doubleValue }
        guard numbers.count == 4 else { return nil }
        self.init(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }
}

// Objects that may stand for `%@`, which needs a text here. NSObject itself cannot have the conformance, because NSString
// has one of its own.

extension NSArray: @retroactive CVarArg, @retroactive _CVarArgObject {
    // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
    public var _cVarArgEncoding: [Int] { _encodeBitsAsWords(Unmanaged.passUnretained(self)) }
    // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
    public var _cVarArgObject: any CVarArg { NSString(string: description) }
}

extension NSData: @retroactive CVarArg, @retroactive _CVarArgObject {
    // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
    public var _cVarArgEncoding: [Int] { _encodeBitsAsWords(Unmanaged.passUnretained(self)) }
    // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
    public var _cVarArgObject: any CVarArg { NSString(string: description) }
}

extension NSDate: @retroactive CVarArg, @retroactive _CVarArgObject {
    // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
    public var _cVarArgEncoding: [Int] { _encodeBitsAsWords(Unmanaged.passUnretained(self)) }
    // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
    public var _cVarArgObject: any CVarArg { NSString(string: description) }
}

extension NSDictionary: @retroactive CVarArg, @retroactive _CVarArgObject {
    // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
    public var _cVarArgEncoding: [Int] { _encodeBitsAsWords(Unmanaged.passUnretained(self)) }
    // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
    public var _cVarArgObject: any CVarArg { NSString(string: description) }
}

extension NSError: @retroactive CVarArg, @retroactive _CVarArgObject {
    // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
    public var _cVarArgEncoding: [Int] { _encodeBitsAsWords(Unmanaged.passUnretained(self)) }
    // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
    public var _cVarArgObject: any CVarArg { NSString(string: description) }
}

extension NSNull: @retroactive CVarArg, @retroactive _CVarArgObject {
    // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
    public var _cVarArgEncoding: [Int] { _encodeBitsAsWords(Unmanaged.passUnretained(self)) }
    // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
    public var _cVarArgObject: any CVarArg { NSString(string: description) }
}

extension NSNumber: @retroactive CVarArg, @retroactive _CVarArgObject {
    // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
    public var _cVarArgEncoding: [Int] { _encodeBitsAsWords(Unmanaged.passUnretained(self)) }
    // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
    public var _cVarArgObject: any CVarArg { NSString(string: description) }
}

extension NSSet: @retroactive CVarArg, @retroactive _CVarArgObject {
    // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
    public var _cVarArgEncoding: [Int] { _encodeBitsAsWords(Unmanaged.passUnretained(self)) }
    // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
    public var _cVarArgObject: any CVarArg { NSString(string: description) }
}

extension NSURL: @retroactive CVarArg, @retroactive _CVarArgObject {
    // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
    public var _cVarArgEncoding: [Int] { _encodeBitsAsWords(Unmanaged.passUnretained(self)) }
    // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
    public var _cVarArgObject: any CVarArg { NSString(string: description) }
}

extension PhoneObject {
    /// A value as an argument of a format, as `value as CVarArg` makes it of any value on a phone.
    public nonisolated static func formatArgument(_ value: Any) -> any CVarArg {
        value as? any CVarArg ?? NSString(string: "\(value)")
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?

extension ProcessInfo {
    /// Whether the phone saves energy; it does not.
    public var isLowPowerModeEnabled: Bool { false }
}

// What a debugger shows on a phone.

extension CGPoint: @retroactive CustomDebugStringConvertible {
    // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
    public var debugDescription: String { "(\(x), \(y))" }
}

extension CGSize: @retroactive CustomDebugStringConvertible {
    // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
    public var debugDescription: String { "(\(width), \(height))" }
}

extension CGRect: @retroactive CustomDebugStringConvertible {
    // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
    public var debugDescription: String { "(\(minX), \(minY), \(width), \(height))" }
}
