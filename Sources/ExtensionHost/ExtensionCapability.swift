/// An optional part of the contract that an extension declares in its answer to `activate`.
///
/// A call that needs one is never sent to a process that did not declare it: a program may treat a call or param that it
/// does not know as one that it does.
public enum ExtensionCapability: String, CaseIterable, Sendable {
    /// `deliver` with `dryRun`.
    case dryRun
    /// `check`.
    case check

    /// The known capabilities of an answer to `activate`; a newer extension may declare others.
    static func declared(in names: [String]) -> Set<ExtensionCapability> { Set(names.compactMap(Self.init(rawValue:))) }
}
