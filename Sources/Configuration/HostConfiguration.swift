public import BrazeRules
package import Delivery
public import ExtensionHost
package import Platform
package import Suites

/// The settings of the host.
public struct HostConfiguration: Sendable {
    /// The folder of the suites.
    public var dataFolder: String
    /// The folders of bundles, in order of precedence.
    public var pluginFolders: [String]
    /// Whether the user named those folders, so that a missing one is reported.
    public var pluginFoldersAreNamed = false
    /// Whether the host runs bundles that every user may modify.
    public var allowsWritableBundles = false
    /// Whether the processes of bundles run in a sandbox.
    public var sandbox = SandboxMode.available
    /// The bundles that may have what they declare.
    public var allowedBundles = AllowedBundles(file: "/dev/null")
    /// Whether service extensions get no more memory, network and files than a phone grants them.
    public var isPhone = false
    /// The folder of the host's own executable, links resolved.
    public var hostFolder: String
    /// The path that starts this program again.
    public var program = "/proc/self/exe"
    /// Reads the environment variables of extensions, which only a session that starts one needs.
    public var environment: @Sendable () -> [String: String] = { [:] }
    /// Reads the host's environment, from which a destination receives the variables that its property list names.
    public var hostEnvironment: @Sendable () -> [String: String] = { [:] }
    /// The only folder from which clients may import and to which they may export; nil if they may use any file.
    public var filesFolder: String?
    /// The folder of the socket for control connections; nil if the host accepts none.
    public var controlFolder: String?
    /// The wall time at which the host's clock starts, in milliseconds since 1970; nil for the system's clock.
    ///
    /// Such a clock advances by a millisecond with each reading, so it does not depend on the speed.
    public var clock: Int64?
    /// The seed that makes random numbers reproducible.
    public var seed: UInt64?
    /// Whether each line waits for the reply to the previous one, so that the same session produces the same bytes.
    public var isLockStep = false
    /// The suite of a client that names none.
    public private(set) var defaultSuite = SuiteName.standard.text
    /// The locale of a request that names none.
    public var locale = "en"
    /// The folder with the texts of the app that contains the extensions; nil if it is not known.
    public var appFolder: String?
    /// The greatest number of pending records in a suite.
    public var suiteRecords = SuiteLimits().records
    /// The greatest total size of a suite's records and of the values of `store`, in bytes.
    public var suiteBytes = SuiteLimits().bytes
    /// The number of newest idempotency keys that a suite keeps at any age: about the saves of a busy day.
    public var idempotencyKeys = 1_000_000
    /// The number of days for which a suite keeps every idempotency key: longer than clients wait to retry.
    public var idempotencyDays = 30
    /// The times and sizes that extensions must keep to.
    public var extensionLimits = ExtensionLimits()
    // Named as the options of `pushhost serve` are: each deadline is a duration.
    /// The longest time for a service extension's answer to a call, in milliseconds; Apple gives about 30 s.
    public var serviceDeadline: Int64 = 30_000
    /// The longest time for a personalization extension's answer to a call, in milliseconds.
    public var personalizationDeadline: Int64 = 10_000
    /// The longest time for a destination's answer to a batch, and for a source's answer to a call, in milliseconds.
    public var deliverDeadline: Int64 = 60_000
    /// Whether the service extension may fetch attachments, for which it receives a folder.
    public var fetchesAttachments = false
    /// The source and the destination of a relay; nil if the host serves a client.
    package var relay: RelaySettings?
    /// How records are flushed to destinations.
    package var delivery = DeliverySettings()
    /// The limits for records that are saved or imported.
    public var recordLimits = RecordLimits()
    /// The greatest number of notifications that are shown; if it is exceeded, the oldest presentation ends.
    ///
    /// The default number needs about 35 MB; a phone shows about a hundred.
    public var presentations = 10_000
    /// The greatest length of a line in bytes.
    public var lineLimit = 16 << 20
    /// The number of bytes of unread replies beyond which the client's lines wait.
    public var outputLimit = 64 << 20
    /// How long the check of a bundle may take, in milliseconds: some of its steps wait for several deadlines.
    public var checkDeadline: Int64 = 300_000

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

    /// How a suite that another process has locked is tried again: for five seconds.
    package var lockedSuite: RetryPolicy { .lockedQueue(patience: 5_000) }

    /// The rule for names of suites, if a text breaks it.
    ///
    /// - Parameter text: A text that may be a name.
    /// - Returns: The rule; nil if the text is a valid name.
    public static func suiteRule(brokenBy text: String) -> String? {
        SuiteName(text) == nil ? SuiteName.rule : nil
    }

    package var suiteLimits: SuiteLimits {
        SuiteLimits(
            records: suiteRecords,
            bytes: suiteBytes,
            valueBytes: recordLimits.valueBytes,
            idempotencyKeys: Int64(idempotencyKeys),
            idempotencyTime: Int64(idempotencyDays) * 86_400_000
        )
    }
}

/// Whether the processes of bundles run in a sandbox.
public enum SandboxMode: String, Sendable {
    /// They may do everything that the user may do.
    case off
    /// They are restricted as far as the system can.
    case available
    /// The host does not start if the system cannot restrict them in every way.
    case required
}

extension HostConfiguration {
    /// Whether the data folder already contains suites.
    public var hasSuites: Bool {
        // An unreadable folder is reported when a suite is needed.
        let names = try? SuiteStore(folder: dataFolder, limits: suiteLimits).names()
        return names?.isEmpty == false
    }
}

/// The settings for flushes to destinations.
package struct DeliverySettings: Sendable {
    /// When a flush begins without a request.
    package var policy = FlushPolicy.manual
    /// The destination of such a flush.
    package var policyDestination = "braze"
    /// The retry policy for destinations that fail; the patience is that of a `flushPending` call.
    package var retry = RetryPolicy(base: 1_000, limit: 300_000, patience: 60_000)
    /// The file of the destination `file`; nil for one beside the suites.
    package var file: String?
    /// The size in bytes at which that file is closed and the next one begun.
    package var fileBytes: Int64 = 64 << 20

    /// Whether a flush to a bundle delivers a batch without records if nothing is pending: a trial of its process.
    package var deliversEmptyBatches = false

    /// The defaults.
    package init() {}
}

/// The source and the destination of a relay, and how it waits.
package struct RelaySettings: Sendable {
    /// The name of the source.
    package var source: String
    /// The name of the destination.
    package var destination: String
    /// How long the source waits for records before it answers without any, in milliseconds.
    package var pullWait: Int64 = 5_000
    /// How long a relay that stops tries to store what became of its records, in milliseconds.
    package var stopPatience: Int64 = 5_000

    /// The socket on which metrics are asked for; nil for none.
    package var listener: LoopbackListener?

    package init(source: String, destination: String) {
        self.source = source
        self.destination = destination
    }
}

/// The limits for the size of a reply.
package enum ReplyLimits {
    /// The greatest size of records in the guide's flat form, in bytes.
    package static let flatBytes: Int64 = 16 << 20
    /// The greatest size of a page of records or of a flush to the caller, in bytes.
    package static let pageBytes: Int64 = 8 << 20
    /// The greatest number of records in a page or a flush to the caller.
    package static let records: Int64 = 1_000
}
