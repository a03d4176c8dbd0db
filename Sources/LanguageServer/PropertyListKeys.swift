/// What the keys of a bundle's `Info.plist` mean, for completion and hover.
///
/// Sources: developer.apple.com, "NSExtension" and "UNNotificationExtensionCategory"; protocol/reference/bundles.md for
/// the keys that begin with Pushhost.
enum PropertyListKeys {
    /// A key of one dictionary.
    struct Key {
        let name: String
        /// One or two sentences.
        let meaning: String
        /// What completion writes as the value, as a snippet of the Language Server Protocol.
        let snippet: String

        init(_ name: String, _ snippet: String, _ meaning: String) {
            (self.name, self.meaning, self.snippet) = (name, meaning, snippet)
        }
    }

    /// The keys of a dictionary, by the keys that lead to it.
    static func keys(at path: [String], in kind: DocumentKind) -> [Key] {
        guard kind == .infoPlist else { return path.isEmpty ? entitlements : [] }
        return switch path {
        case []: top
        case ["NSExtension"]: extensions
        case ["NSExtension", "NSExtensionAttributes"]: attributes
        case ["PushhostPermissions"]: permissions
        case _ where path.count == 4 && path[2] == "PushhostUserInfoKeys": pair
        default: []
        }
    }

    private static let top = [
        Key(
            "CFBundleIdentifier",
            "<string>$1</string>",
            "The identifier of the bundle. Of two bundles with the same one, the first is used."
        ),
        Key("CFBundleExecutable", "<string>$1</string>", "The file in the bundle that the host starts."),
        Key("CFBundleDisplayName", "<string>$1</string>", "The name that the system shows for the app."),
        Key(
            "CFBundleDevelopmentRegion",
            "<string>${1:en}</string>",
            "The language that is used if a text is missing in a locale."
        ),
        Key("NSExtension", "<dict>$1</dict>", "What kind of extension the bundle is, and its attributes."),
        Key(
            "PushhostPermissions",
            "<dict>$1</dict>",
            "What the extension may do besides reading its bundle and writing a temporary folder. iOS ignores the key."
        ),
    ]

    private static let permissions = [
        Key(
            "Network",
            "<array><string>${1:*}</string></array>",
            "The hosts with which it connects, each perhaps with a port: `*`, `example.com`, `*:443`."
        ),
        Key(
            "Read",
            "<array><string>$1</string></array>",
            "Files and folders that it reads: absolute, relative to the bundle, below `~/`, or `$NAME` of a variable."
        ),
        Key(
            "Write",
            "<array><string>$1</string></array>",
            "Folders that it writes, named as for `Read`."
        ),
    ]

    private static let extensions = [
        Key(
            "NSExtensionPointIdentifier",
            "<string>${1|com.apple.usernotifications.content-extension,com.apple.usernotifications.service,pushhost.destination,pushhost.source,pushhost.personalization|}</string>",
            "What the bundle extends: the view of notifications, their content before they are shown, or the host."
        ),
        Key("NSExtensionAttributes", "<dict>$1</dict>", "The attributes of the extension point."),
        Key(
            "NSExtensionPrincipalClass",
            "<string>$1</string>",
            "The class that iOS creates; the host does not use it."
        ),
        Key(
            "NSExtensionMainStoryboard",
            "<string>$1</string>",
            "The storyboard that iOS loads; the host does not use it."
        ),
    ]

    private static let attributes = [
        Key(
            "UNNotificationExtensionCategory",
            "<string>$1</string>",
            "The category, or an array of categories, whose notifications the extension shows."
        ),
        Key(
            "UNNotificationExtensionInitialContentSizeRatio",
            "<real>${1:1.0}</real>",
            "The height of the view by its width, before the extension has set another one."
        ),
        Key(
            "UNNotificationExtensionDefaultContentHidden",
            "<true/>",
            "Whether title and body are left out below the view."
        ),
        Key(
            "UNNotificationExtensionOverridesDefaultTitle",
            "<true/>",
            "Whether the title that the extension sets replaces that of the notification."
        ),
        Key(
            "UNNotificationExtensionUserInteractionEnabled",
            "<true/>",
            "Whether users can touch the view. iOS 12 and later."
        ),
        Key(
            "PushhostUserInfoKeys",
            "<dict>$1</dict>",
            "The key-value pairs that the extension reads; payloads are compared with them. iOS ignores the key."
        ),
        Key("PushhostDestinationName", "<string>$1</string>", "The name of a destination, which a flush uses."),
        Key(
            "PushhostDestinationConcurrentBatches",
            "<integer>${1:1}</integer>",
            "How many batches a destination accepts at a time: 1 or 2."
        ),
        Key(
            "PushhostDestinationIsIdempotent",
            "<true/>",
            "Whether the service stores a record once even if it is delivered again."
        ),
        Key("PushhostSourceName", "<string>$1</string>", "The name of a source, which `pushhost relay` uses."),
        Key(
            "PushhostEnvironment",
            "<array><string>$1</string></array>",
            "The variables of the environment that a destination or source gets."
        ),
    ]

    private static let pair = [
        Key(
            "Type",
            "<string>${1|string,integer,number,boolean,url,array,object|}</string>",
            "The type of the value, which Braze sends as a string."
        ),
        Key("Example", "<string>$1</string>", "A valid value; JSON for `array` and `object`."),
        Key("Required", "<false/>", "Whether the payload must have the pair; true if the key is absent."),
    ]

    private static let entitlements = [
        Key(
            "com.apple.security.application-groups",
            "<array><string>group.$1</string></array>",
            "The App Groups, which are the suites that the extension may use. The first one is its default suite."
        )
    ]
}
