package import Notifications

/// A folder that holds one extension, described by its property lists.
public struct ExtensionBundle: Equatable, Sendable {
    /// What kind of extension it is.
    public enum Point: String, CaseIterable, Sendable {
        /// Shows notifications of its categories.
        case content = "com.apple.usernotifications.content-extension"
        /// Changes notifications before they are shown.
        case service = "com.apple.usernotifications.service"
        /// Renders the templates of payloads, as Braze does before it sends a push.
        case personalization = "pushhost.personalization"
        /// Delivers records that are flushed.
        case destination = "pushhost.destination"
        /// Hands out the records of a queue for a relay.
        case source = "pushhost.source"

        /// Whether it gets variables of the host's environment, which may be secrets.
        public var getsVariables: Bool { self == .destination || self == .source }
    }

    /// Its folder, links resolved.
    public let path: String
    /// `CFBundleIdentifier`.
    public let identifier: String
    /// `CFBundleExecutable`: one path component.
    public let executable: String
    /// `NSExtensionPointIdentifier`.
    public let point: Point
    /// `UNNotificationExtensionCategory`, compared exactly.
    public let categories: [String]
    /// `UNNotificationExtensionInitialContentSizeRatio`: height over width.
    public let initialContentSizeRatio: Double
    /// `UNNotificationExtensionDefaultContentHidden`.
    public let defaultContentHidden: Bool
    /// `UNNotificationExtensionOverridesDefaultTitle`.
    public let overridesDefaultTitle: Bool
    /// `UNNotificationExtensionUserInteractionEnabled`: whether `interact` works.
    public let userInteractionEnabled: Bool
    /// Whether `interact` works only because of the guide's misspelt key, and so not on a phone.
    public let reliesOnMisspeltInteractionKey: Bool
    /// `PushhostUserInfoKeys`: the key-value pairs that it reads, sorted by name; only of a content extension.
    package let userInfoKeys: [UserInfoKey]
    /// `PushhostDestinationName`: the name that flushes use; `nil` unless it is a destination with a valid name.
    public let destinationName: String?
    /// `PushhostSourceName`: the name that relays use; `nil` unless it is a source with a valid name.
    public let sourceName: String?
    /// `PushhostEnvironment`: the variables of the host's environment that it gets; only for a destination or a source.
    public let environmentNames: [String]
    /// `PushhostDestinationConcurrentBatches`: how many batches it works on at a time, one or two.
    public let concurrentBatches: Int
    /// `PushhostDestinationIsIdempotent`: whether a record that it gets again is stored once.
    public let isIdempotent: Bool
    /// The App Groups of its entitlements, in order: the suites that it may touch.
    public let applicationGroups: [String]
    /// The errors and warnings for its author.
    public let problems: [BundleProblem]
}

/// What is wrong with a bundle, for its author.
public struct BundleProblem: Error, Equatable, Sendable, CustomStringConvertible {
    /// How much it matters.
    public enum Severity: String, Sendable {
        /// It works here, but perhaps not as its author intended.
        case warning
        /// Something does not work, here or on a phone.
        case error
    }

    /// The file or folder that it is about.
    public let path: String
    /// What is wrong and what to do.
    public let message: String
    /// How much it matters.
    public let severity: Severity
    /// Whether the cause is the host, which lacks memory, processes or descriptors, and not the bundle.
    var isOfHost = false
    /// Whether the extension cannot be started because of it.
    public internal(set) var preventsStart = false
    /// The key of the property list whose value is wrong, if it is about one.
    public let key: String?

    init(path: String, message: String, severity: Severity = .error, key: String? = nil) {
        self.path = path
        self.message = message
        self.severity = severity
        self.key = key
    }

    /// File and message.
    public var description: String { "\(path): \(message)" }
}
