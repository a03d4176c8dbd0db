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
        public var deliversRecords: Bool { self == .destination || self == .source }
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
    /// `PushhostPermissions`: what its processes may do besides reading the bundle and writing a temporary folder.
    public let permissions: Permissions
    /// The App Groups of its entitlements, in order: the suites that it may touch.
    public let applicationGroups: [String]
    /// Whether its entitlements protect files so that they cannot be opened while the device is locked.
    public let isLockedWithDevice: Bool
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
    /// What programs compare, and where it is in the file.
    package let place: Place

    init(
        path: String,
        message: String,
        severity: Severity = .error,
        key: String? = nil,
        place: Place = Place(reason: "bundleProblem")
    ) {
        self.path = path
        self.message = message
        self.severity = severity
        self.key = key
        self.place = place
    }

    /// The place in its file.
    package struct Place: Equatable, Sendable {
        /// The stable word that programs compare.
        package let reason: String
        /// A JSON Pointer to the key, which may be absent; nil if it is about all of the file.
        package var pointer: String?
        /// The line at which the file cannot be read, the first is 1.
        package var line: Int?
        /// The element of a property list in XML that says the same in the right type; nil if there is none.
        package var element: String?
    }

    /// File and message.
    public var description: String { "\(path): \(message)" }
}

/// What a property list says about the key-value pairs that an extension reads; an invalid entry is ignored and reported.
struct UserInfoKeyAttributes {
    private static let key = "PushhostUserInfoKeys"
    private static let members = ["Example", "Required", "Type"]

    private(set) var keys: [UserInfoKey] = []

    init(_ attributes: PropertyDictionary?, _ problems: inout [BundleProblem]) {
        guard let attributes, attributes.has(Self.key) else { return }
        do throws(BundleProblem) {
            let list = try attributes.requiredDictionary(Self.key)
            for name in list.keys {
                do throws(BundleProblem) {
                    keys.append(try Self.key(name, list))
                } catch {
                    let text = "\(Self.key), \(name): \(error.message)"
                    problems.append(BundleProblem(path: error.path, message: text, key: Self.key, place: error.place))
                }
            }
        } catch {
            problems.append(error)
        }
    }

    private static func key(_ name: String, _ list: PropertyDictionary) throws(BundleProblem) -> UserInfoKey {
        guard !name.isEmpty, name.count(where: { $0 == "#" }) <= 1, !name.hasPrefix("/") || !name.contains("#") else {
            let text = "a name is a key, a JSON Pointer, or a key with one # in place of a number"
            let place = BundleProblem.Place(reason: "misspeltKey", pointer: list.pointer(to: name))
            throw BundleProblem(path: list.path, message: text, place: place)
        }
        let entry = try list.requiredDictionary(name)
        if let unknown = entry.keys.first(where: { !members.contains($0) }) {
            let text = "there is no member \(unknown), there are \(members.joined(separator: ", "))"
            let place = BundleProblem.Place(reason: "unknownKey", pointer: entry.pointer(to: unknown))
            throw BundleProblem(path: list.path, message: text, place: place)
        }
        let types = UserInfoKey.ValueType.allCases.map(\.rawValue).joined(separator: ", ")
        guard let type = UserInfoKey.ValueType(rawValue: try entry.requiredString("Type")) else {
            throw entry.problem("Type", "one of \(types)")
        }
        let key = UserInfoKey(
            name,
            type,
            isRequired: try entry.bool("Required") ?? true,
            example: try entry.requiredString("Example")
        )
        guard key.isExampleRight else { throw entry.problem("Example", "a value of the type \(type.rawValue)") }
        return key
    }
}

/// What a property list says about a destination or a source; an invalid attribute is ignored and reported.
struct DeliveryAttributes {
    private static let destinationNameKey = "PushhostDestinationName"
    private static let sourceNameKey = "PushhostSourceName"
    private static let environmentKey = "PushhostEnvironment"
    private static let batchesKey = "PushhostDestinationConcurrentBatches"
    private static let idempotentKey = "PushhostDestinationIsIdempotent"
    /// The destinations that the host itself provides.
    private static let reservedNames = ["caller", "file"]

    private(set) var destinationName: String?
    private(set) var sourceName: String?
    private(set) var environmentNames: [String] = []
    private(set) var concurrentBatches = 1
    private(set) var isIdempotent = false

    init(_ attributes: PropertyDictionary?, _ point: ExtensionBundle.Point, _ problems: inout [BundleProblem]) {
        guard let attributes else { return }
        guard point.deliversRecords else {
            // The environment may hold secrets, which only a destination or a source needs.
            guard attributes.has(Self.environmentKey) else { return }
            let text =
                "\(Self.environmentKey) is ignored: only a destination or a source gets variables of the host's "
                + "environment"
            let place = BundleProblem.Place(reason: "unknownKey", pointer: attributes.pointer(to: Self.environmentKey))
            problems.append(BundleProblem(path: attributes.path, message: text, place: place))
            return
        }
        do throws(BundleProblem) {
            if point == .source {
                sourceName = try Self.name(Self.sourceNameKey, attributes)
            } else {
                destinationName = try Self.name(Self.destinationNameKey, attributes, reserved: Self.reservedNames)
            }
        } catch {
            problems.append(error)
        }
        do throws(BundleProblem) {
            environmentNames = try Self.environmentNames(attributes)
        } catch {
            problems.append(error)
        }
        guard point == .destination else { return }
        do throws(BundleProblem) {
            concurrentBatches = try Self.concurrentBatches(attributes)
        } catch {
            problems.append(error)
        }
        do throws(BundleProblem) {
            isIdempotent = try attributes.bool(Self.idempotentKey) ?? false
        } catch {
            problems.append(error)
        }
    }

    private static func name(
        _ key: String,
        _ attributes: PropertyDictionary,
        reserved: [String] = []
    ) throws(BundleProblem) -> String {
        let name = try attributes.requiredString(key)
        // The regular expression alone also matches characters that are canonically equal to ASCII.
        let isASCII = name.utf8.allSatisfy { $0 < 0x80 }
        guard isASCII, name.wholeMatch(of: #/[A-Za-z0-9][A-Za-z0-9._-]{0,63}/#) != nil else {
            throw attributes.problem(key, "1 to 64 of A-Z a-z 0-9 . _ -, a letter or digit first")
        }
        guard !reserved.contains(name) else {
            let names = reserved.joined(separator: " and ")
            throw attributes.problem(key, "another name than the host's own \(names)")
        }
        return name
    }

    private static func environmentNames(_ attributes: PropertyDictionary) throws(BundleProblem) -> [String] {
        let names = try attributes.strings(environmentKey) ?? []
        guard let wrong = names.firstIndex(where: { $0.isEmpty || $0.contains("=") }) else { return names }
        // Named by its number, because the entry may hold a secret value.
        let text = "\(environmentKey) must hold names of variables alone; its entry \(wrong + 1) is not one"
        let pointer = "\(attributes.pointer(to: environmentKey))/\(wrong)"
        throw BundleProblem(path: attributes.path, message: text, place: .init(reason: "wrongValue", pointer: pointer))
    }

    private static func concurrentBatches(_ attributes: PropertyDictionary) throws(BundleProblem) -> Int {
        guard let number = try attributes.number(batchesKey) else { return 1 }
        guard number == 1 || number == 2 else { throw attributes.problem(batchesKey, "1 or 2") }
        return Int(number)
    }
}
