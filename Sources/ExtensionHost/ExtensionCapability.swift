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
