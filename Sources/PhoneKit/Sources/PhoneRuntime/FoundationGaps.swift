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
