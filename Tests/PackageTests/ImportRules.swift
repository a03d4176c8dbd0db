/// The modules that a file may import: a target exists because only it may use
/// a dependency, or because it has a reason of its own to change.
struct ImportRules {
    /// The modules that each folder of `Sources` may import besides those allowed for all targets above JSON.
    static let targets: [String: Set<String>] = [
        "JSON": ["CJansson"],
        "JSONRPC": ["JSON"],
        "Platform": ["CSystem"],
        "PropertyLists": ["Platform"],
        "Localization": ["Platform", "PropertyLists"],
        "Spelling": [],
        "Terminal": ["Platform"],
        "AttachmentRules": [],
        "BrazeRules": ["Platform", "Spelling"],
        "ExtensionKit": ["CSystem", "Dispatch", "JSONRPC", "Localization", "Platform"],
        "Suites": ["CSuites", "CSystem", "Dispatch", "GRDB", "GRDBSQLite", "Platform"],
        "ExtensionHost": [
            "CSystem", "Contract", "JSONRPC", "Localization", "Notifications", "Platform", "PropertyLists",
        ],
        "HTTPClient": ["CCurl", "Dispatch", "Platform"],
        "Contract": ["CContract", "JSONRPC"],
        "Delivery": ["BrazeRules", "Contract", "Platform", "Suites"],
        "Notifications": [
            "AttachmentRules", "BrazeRules", "Contract", "JSONRPC", "Localization", "Platform", "Spelling",
        ],
        "NotificationHTML": ["Notifications", "Platform"],
        "Calls": [
            "Contract", "Dispatch", "JSONRPC", "Platform", "Spelling", "Suites",
        ],
        "Configuration": [
            "BrazeRules", "Contract", "Delivery", "ExtensionHost", "Platform", "Suites",
        ],
        "Presenting": [
            "BrazeRules", "Calls", "Configuration", "Contract", "ExtensionHost", "JSONRPC", "Localization",
            "NotificationHTML", "Notifications", "Platform", "Recording", "Spelling", "Suites",
        ],
        "Delivering": [
            "BrazeRules", "CSystem", "Calls", "Configuration", "Contract", "Delivery", "ExtensionHost", "JSONRPC",
            "Platform", "Presenting", "Suites",
        ],
        "Records": [
            "BrazeRules", "Calls", "Configuration", "Contract", "Delivering", "Delivery", "JSONRPC", "Notifications",
            "Platform", "Presenting", "PropertyLists", "Spelling", "Suites",
        ],
        "Relay": [
            "Configuration", "Contract", "Delivering", "Delivery", "ExtensionHost", "JSONRPC", "Platform", "Suites",
        ],
        "ModelContext": [
            "Calls", "Contract", "JSONRPC", "Notifications", "Spelling",
        ],
        "HostCore": [
            "BrazeRules", "CSystem", "Calls", "Configuration", "Contract", "Delivering", "Delivery", "ExtensionHost",
            "JSONRPC", "ModelContext", "Notifications", "Platform", "Presenting", "Recording", "Records", "Relay",
            "Suites",
        ],
        "Recording": ["CSystem", "Contract", "JSONRPC", "Platform"],
        "HostClient": ["CSystem", "JSONRPC", "Platform"],
        "PushClient": [
            "HostClient", "Localization", "NotificationHTML", "Notifications", "Platform", "PropertyLists",
        ],
        "BundleChecks": [
            "ExtensionHost", "Localization", "Platform", "PropertyLists", "Spelling",
        ],
        "LanguageServer": [
            "BundleChecks", "Contract", "ExtensionHost", "JSONRPC", "Localization", "Notifications", "Platform",
        ],
        "pushhost-preview": [
            "CPreview", "CSystem", "Dispatch", "FlyingFox", "FlyingSocks", "HostClient", "JSONRPC", "LanguageServer",
            "Localization",
            "NotificationHTML", "Notifications", "Platform", "PushClient",
        ],
        "pushhost": [
            "ArgumentParser", "BrazeRules", "BundleChecks", "CPictures", "CSystem", "CTemplates", "Configuration",
            "Contract", "Delivering", "Delivery", "ExtensionHost", "HostClient", "HostCore", "JSONRPC",
            "LanguageServer", "Localization",
            "NotificationHTML", "Notifications", "Platform", "PropertyLists", "PushClient", "Recording", "Spelling",
            "Terminal",
        ],
    ]

    /// The modules that every target above JSON may import; Glibc and Darwin are the system itself.
    static let everywhere: Set<String> = [
        "Darwin", "Foundation", "FoundationEssentials", "Glibc", "JSON", "Logging", "Synchronization",
    ]

    /// The modules that a Swift file of `Sources/PhoneKit` may import besides these: its own, which have Apple's names.
    ///
    /// It is a package of its own, so the compiler knows which of its targets may import which.
    private static let phoneKit: Set<String> = [
        "AVFoundation", "AVKit", "AirshipNotificationServiceExtension", "BrazeNotificationService",
        "CTNotificationService", "Combine", "CommonCrypto", "CoreLocation", "Crypto", "CryptoKit", "Dispatch",
        "FoundationNetworking", "FoundationXML", "Intents", "JSONRPC", "MapKit", "MobileCoreServices", "Observation",
        "OneSignalExtension", "PhoneKit", "PhoneRuntime", "PhoneShadows", "Security", "Swift", "SwiftUI", "Testing",
        "UIKit", "UniformTypeIdentifiers", "UserNotifications", "UserNotificationsUI", "_AVKit_SwiftUI",
        "_MapKit_SwiftUI", "os",
    ]

    /// The modules that a Swift file of `Sources/PhoneBuild` may import besides these, or name in what it generates.
    ///
    /// It is a package of its own, so the compiler knows which of its targets may import which.
    private static let phoneBuild: Set<String> = [
        "ArgumentParser", "FoundationNetworking", "FoundationXML", "PhoneBundle", "PhoneCheckup", "PhoneDiagnostics",
        "PhoneKit", "PhoneProject", "PhoneRewriter", "PhoneRuntime", "PhoneTestSupport", "SwiftParser", "SwiftSyntax",
        "Testing", "UIKit",
    ]

    /// The modules that the tests and the fixtures of `Sources/PhoneBuild` name besides.
    private static let phoneBuildTests: Set<String> = [
        "AVFoundation", "AppKit", "CafeKit", "CoreGraphics", "CoreLocation", "CryptoKit", "Intents", "MapKit", "Menu",
        "Nothing", "Observation",
        "PackageDescription", "SwiftUI", "UserNotifications", "UserNotificationsUI", "os",
    ]

    /// The modules that a Swift file of a bundle may import besides these.
    ///
    /// Only bundles use HTTP and NATS, and only the targets of the package `nats` use NATS.
    private static func bundles(_ folders: [String]) -> Set<String> {
        switch folders[1] {
        case "braze": ["BrazeRules", "ExtensionKit", "HTTPClient"]
        case "rich-push": ["AttachmentRules", "ExtensionKit", "HTTPClient"]
        case "nats" where folders[2] == "NATS": ["CNATS", "Dispatch"]
        case "nats" where folders[2] == "leases": []
        case "nats": ["BrazeRules", "Dispatch", "ExtensionKit", "NATS", "PartitionLeases"]
        default: ["ExtensionKit", "HTTPClient"]
        }
    }

    /// The modules that the file at a path relative to the root may import; nil if no rule covers its folder.
    static func allowed(in path: String) -> Set<String>? {
        let folders = path.split(separator: "/").map(String.init)
        guard folders.count > 2 else { return nil }
        // The manifest of a template for a package of its own.
        if folders.last == "Package.swift" { return ["PackageDescription"] }
        switch folders[0] {
        case "Sources" where folders[1] == "PhoneKit": return phoneKit.union(everywhere)
        case "Sources" where folders[1] == "PhoneBuild":
            return phoneBuild.union(everywhere).union(folders[2] == "Tests" ? phoneBuildTests : [])
        case "Sources": return targets[folders[1]].map { folders[1] == "JSON" ? $0 : $0.union(everywhere) }
        case "plugins": return bundles(folders).union(everywhere)
        default: return nil
        }
    }

    /// One sentence for each import of a Swift file, at a path relative to the root, that the rules do not allow.
    static func violations(in text: String, at path: String) -> [String] {
        guard let allowed = allowed(in: path) else { return ["\(path) belongs to no target of the table"] }
        return imports(in: text).filter { !allowed.contains($0) }.map { "\(path) must not import \($0)" }
    }

    /// The modules that a Swift text imports, in every form of import.
    static func imports(in text: String) -> [String] {
        let statement =
            #/
            ^ \s* (?: @ \w+ (?: \( [^)]* \) )? \s+ )*                          # attributes
            (?: (?: public | package | internal | fileprivate | private ) \s+ )?  # access
            import \s+
            (?: (?: struct | class | enum | protocol | typealias | func | let | var | actor ) \s+ )?
            `? (?<module> \w+ )
            /#
        return text.split(whereSeparator: { $0.isNewline || $0 == ";" })
            .compactMap { line in line.prefixMatch(of: statement).map { String($0.output.module) } }
    }
}
