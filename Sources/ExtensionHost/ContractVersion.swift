/// A version of the contract, `<major>.<minor>`: a new minor version only adds.
public struct ContractVersion: Comparable, Sendable, CustomStringConvertible {
    /// Increases when something is removed or changes its meaning.
    public let major: Int
    /// Increases when something is added.
    public let minor: Int

    /// The version that a text names; `nil` if it names none.
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

    /// The version as it is written on the wire.
    public var description: String { "\(major).\(minor)" }

    /// Whether the first was released before the second.
    public static func < (left: ContractVersion, right: ContractVersion) -> Bool {
        (left.major, left.minor) < (right.major, right.minor)
    }

    /// Why a host of this version cannot serve an extension, and what to do.
    ///
    /// An older major version is not accepted either, because it may have features that no longer exist.
    ///
    /// - Parameter version: The least version that the extension needs; `nil` if it names none.
    /// - Returns: A sentence; `nil` if the host can serve it.
    public func problem(ofNeeded version: String?) -> String? {
        guard let version else { return "activate must be answered with a version" }
        guard let least = ContractVersion(version) else {
            let form = "the least version of the contract that it needs, <major>.<minor>, such as \(self)"
            return "activate must be answered with \(form), and not with \"\(version.prefix(64))\""
        }
        guard least.major == major, least <= self else {
            let remedy = least > self ? "update the host" : "update the extension"
            return "it needs version \(least) of the contract, and this host speaks \(self): \(remedy)"
        }
        return nil
    }
}

/// An optional part of the contract that an extension declares in its answer to `activate`.
///
/// A process that did not declare it never gets a call that needs it: it might ignore `dryRun` and really deliver.
public enum ExtensionCapability: String, CaseIterable, Sendable {
    /// `deliver` with `dryRun`.
    case dryRun
    /// `check`.
    case check

    /// The known capabilities of an answer to `activate`; a newer extension may declare others.
    static func declared(in names: [String]) -> Set<ExtensionCapability> { Set(names.compactMap(Self.init(rawValue:))) }
}
