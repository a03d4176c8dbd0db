public import BrazeRules
package import Delivery
public import ExtensionHost
internal import Suites

/// Everything that can be set from outside.
public struct HostConfiguration: Sendable {
    /// The folder of the suites.
    public var dataFolder: String
    /// The folders of bundles, in the order in which they count.
    public var pluginFolders: [String]
    /// Whether somebody named those folders, so that a missing one is a problem.
    public var pluginFoldersAreNamed = false
    /// Whether bundles run that any user may write into.
    public var allowsWritableBundles = false
    /// The folder of the host's own executable, links resolved.
    public var hostFolder: String
    /// The surroundings that extensions may know.
    public var environment: [String: String] = [:]
    /// The host's own environment, from which a destination gets the variables that its property list names.
    public var hostEnvironment: [String: String] = [:]
    /// The only folder whose files clients may import and export to; nil if they may use any file.
    public var filesFolder: String?
    /// The wall time at the start, in milliseconds since 1970; fixes the clock.
    public var clock: Int64?
    /// Fixes chance.
    public var seed: UInt64?
    /// Whether each line waits for the reply to the one before, so that the same session gives the same bytes.
    public var isLockStep = false
    /// The suite of a client that names none.
    public private(set) var defaultSuite = SuiteName.standard.text
    /// The locale of a request that names none.
    public var locale = "en"
    /// The greatest number of pending records in a suite.
    public var suiteRecords = SuiteLimits().records
    /// The greatest size of what a suite holds, records and the keys of `store`, in bytes.
    public var suiteBytes = SuiteLimits().bytes
    /// How many of the newest idempotency keys a suite keeps regardless of their age: about the saves of a busy day.
    public var idempotencyKeys = 1_000_000
    /// For how many days a suite keeps a key regardless of how many are newer: longer than clients wait to retry.
    public var idempotencyDays = 30
    /// The times and sizes that extensions must keep to.
    public var extensionLimits = ExtensionLimits()
    /// The longest time for a service extension's answer to a call, in milliseconds; Apple gives about 30 s.
    public var serviceDeadline: Int64 = 30_000
    /// The longest time for a personalization extension's answer to a call, in milliseconds.
    public var personalizationDeadline: Int64 = 10_000
    /// The longest time for a destination's answer to a batch, in milliseconds.
    public var deliverDeadline: Int64 = 60_000
    /// Whether the service extension is given a folder for attachments, and so may fetch them.
    public var fetchesAttachments = false
    /// How records are flushed to destinations.
    package var delivery = DeliverySettings()
    /// The limits of what may be captured, by a save or an import.
    public var recordLimits = RecordLimits()
    /// The greatest number of notifications that are shown; beyond it the oldest presentation ends.
    ///
    /// The default takes about 35 MB; a phone shows a hundred or so.
    public var presentations = 10_000
    /// The greatest length of a line in bytes.
    public var lineLimit = 16 << 20
    /// Past this many bytes of unread replies the client's lines wait.
    public var outputLimit = 64 << 20
    /// How long a save waits for a suite that another process holds, in milliseconds.
    public var busyLimit: Int64 = 5_000

    /// The defaults of the command line.
    public static let defaults = HostConfiguration(dataFolder: "", pluginFolders: [], hostFolder: "")

    /// A configuration; the other settings have defaults.
    public init(dataFolder: String, pluginFolders: [String], hostFolder: String) {
        self.dataFolder = dataFolder
        self.pluginFolders = pluginFolders
        self.hostFolder = hostFolder
    }

    /// Sets the suite of a client that names none.
    ///
    /// - Parameter name: The name.
    /// - Returns: The rule that the name breaks; nil if the name is valid.
    public mutating func setDefaultSuite(_ name: String) -> String? {
        if let rule = Self.suiteRule(brokenBy: name) { return rule }
        defaultSuite = name
        return nil
    }

    /// How a suite that another process holds is tried again.
    var heldSuite: RetryPolicy { .heldQueue(patience: busyLimit) }

    /// The rule for names of suites, if a text breaks it.
    ///
    /// - Parameter text: A text that may be a name.
    /// - Returns: The rule; nil if the text is a valid name.
    public static func suiteRule(brokenBy text: String) -> String? {
        SuiteName(text) == nil ? SuiteName.rule : nil
    }

    var suiteLimits: SuiteLimits {
        SuiteLimits(
            records: suiteRecords,
            bytes: suiteBytes,
            valueBytes: recordLimits.valueBytes,
            idempotencyKeys: Int64(idempotencyKeys),
            idempotencyTime: Int64(idempotencyDays) * 86_400_000
        )
    }
}
