/// A version of the contract, `<major>.<minor>`: a minor one only adds.
public struct ContractVersion: Comparable, Sendable, CustomStringConvertible {
    /// What changes when something that was there goes or means something else.
    public let major: Int
    /// What changes when something is added.
    public let minor: Int

    /// The version that a text names; nothing where it is no version.
    ///
    /// Both are decimal numbers without a sign or a leading zero, so that one version has one spelling.
    public init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { part in
            Int(part).flatMap { String($0) == part && $0 >= 0 ? $0 : nil }
        }
        guard parts.count == 2, let major = parts[0], let minor = parts[1] else { return nil }
        self.major = major
        self.minor = minor
    }

    /// The version as it stands on the wire.
    public var description: String { "\(major).\(minor)" }

    /// Whether the first came out before the second.
    public static func < (left: ContractVersion, right: ContractVersion) -> Bool {
        (left.major, left.minor) < (right.major, right.minor)
    }

    /// Why a host of this version cannot serve who needs that one at least, and what to do; nothing where it can.
    ///
    /// What needs an older major version needs something that may not be there any more.
    public func refusal(of needed: String) -> String? {
        guard let least = ContractVersion(needed) else {
            let form = "the least version of the contract that it needs, <major>.<minor>, such as \(self)"
            return "activate must be answered with \(form), and not with \"\(needed.prefix(64))\""
        }
        let remedy = least > self ? "update the host" : "update the extension"
        guard least.major == major, least <= self else {
            return "it needs version \(least) of the contract, and this host speaks \(self): \(remedy)"
        }
        return nil
    }
}
