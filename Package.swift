// swift-tools-version: 6.2

import PackageDescription

// Every Swift target is built with the same strict settings. A warning is an
// error; a deprecation in a dependency is not, so that an update of a library
// never stops a newcomer's build.
let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .treatWarning("DeprecatedDeclaration", as: .warning),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let strictC: [CSetting] = [
    .treatAllWarnings(as: .error)
]

let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let httpServer: [Target.Dependency] = ["FlyingFox", "FlyingSocks"].map { .product(name: $0, package: "FlyingFox") }
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")

/// The bundles written in Swift: a folder of `plugins` each, an executable each.
let bundles = ["achievements", "braze", "match-game", "push-story", "register", "rich-push", "session-progress"]

/// What of a bundle's folder is no code; only what is shown has texts, and a destination gets no payload.
func resources(_ bundle: String) -> [String] {
    let texts = ["braze", "rich-push"].contains(bundle) ? [] : ["de", "en", "es", "fr", "ko"].map { "\($0).lproj" }
    let payload = bundle == "braze" ? [] : ["\(bundle).entitlements", "payload.apns", "picture.svg"]
    return ["Info.plist", "README.md"] + payload + texts
}

/// The bundles that speak HTTP.
let fetching = ["braze", "rich-push"]

/// The executables that tests start: a folder of `Tests/Fixtures` each.
let fixtures = [
    "hostile-extension", "kit-destination", "kit-extension", "kit-service", "kit-source", "process-driver",
    "spec-methods",
]

/// The tests that start the built program need it and every executable it starts.
let programs: [Target.Dependency] = (["pushhost", "pushhost-preview"] + bundles + fixtures).map { .target(name: $0) }

let package = Package(
    name: "pushhost",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "pushhost", targets: ["pushhost"]),
        .library(name: "ExtensionKit", targets: ["ExtensionKit"]),
        // Views, events and user info contain JSON values, so authors of extensions import it too.
        .library(name: "JSON", targets: ["JSON"]),
        .library(name: "JSONRPC", targets: ["JSONRPC"]),
        // `plugins/nats`, a package of its own, finds the partition of a user with it.
        .library(name: "BrazeRules", targets: ["BrazeRules"]),
        // And with this it keeps track of partitions; a target here, because its tests need no libnats.
        .library(name: "PartitionLeases", targets: ["PartitionLeases"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    ],
    targets: [
        // MARK: C

        .systemLibrary(
            name: "CJansson",
            pkgConfig: "jansson",
            providers: [.apt(["libjansson-dev"]), .brew(["jansson"])]
        ),
        .systemLibrary(
            name: "CCurl",
            pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]
        ),
        .target(name: "CSystem", cSettings: strictC),
        .target(name: "CContract", cSettings: strictC),
        .target(name: "CTemplates", cSettings: strictC),
        .target(name: "CPreview", exclude: ["page"], cSettings: strictC),
        .target(name: "CSuites", cSettings: strictC, linkerSettings: [.linkedLibrary("sqlite3")]),

        // MARK: Wire

        .target(name: "JSON", dependencies: ["CJansson"], swiftSettings: strict),
        .target(name: "JSONRPC", dependencies: ["JSON"], swiftSettings: strict),
        .target(name: "Platform", dependencies: ["CSystem"], swiftSettings: strict),
        .target(name: "PropertyLists", dependencies: ["Platform"], swiftSettings: strict),
        .target(name: "Localization", dependencies: ["Platform", "PropertyLists"], swiftSettings: strict),
        .target(name: "Spelling", swiftSettings: strict),
        .target(name: "Terminal", swiftSettings: strict),
        .target(name: "AttachmentRules", swiftSettings: strict),
        .target(name: "BrazeRules", dependencies: ["JSON", "Platform", "Spelling"], swiftSettings: strict),
        .target(
            name: "ExtensionKit",
            dependencies: ["CSystem", "JSON", "JSONRPC", "Localization", "Platform"],
            swiftSettings: strict
        ),

        // MARK: Host

        .target(name: "Contract", dependencies: ["CContract", "JSON", "JSONRPC"], swiftSettings: strict),
        .target(
            name: "Notifications",
            dependencies: [
                "AttachmentRules", "BrazeRules", "Contract", "JSON", "JSONRPC", "Localization", "Platform", "Spelling",
            ],
            swiftSettings: strict
        ),
        .target(
            name: "NotificationHTML",
            dependencies: ["JSON", "Notifications", "Platform"],
            swiftSettings: strict
        ),
        .target(
            name: "Suites",
            dependencies: ["CSuites", "CSystem", "JSON", "Platform", grdb, logging],
            swiftSettings: strict
        ),
        .target(
            name: "Delivery",
            dependencies: ["BrazeRules", "Contract", "JSON", "Platform", "Suites"],
            swiftSettings: strict
        ),
        .target(
            name: "ExtensionHost",
            dependencies: [
                "CSystem", "Contract", "JSON", "JSONRPC", "Localization", "Notifications", "Platform", "PropertyLists",
                logging,
            ],
            swiftSettings: strict
        ),
        // The rooms of the engine; each knows only those before it.
        .target(
            name: "Calls",
            dependencies: ["Contract", "JSON", "JSONRPC", "Platform", "Spelling", "Suites", logging],
            swiftSettings: strict
        ),
        .target(
            name: "Configuration",
            dependencies: ["BrazeRules", "Contract", "Delivery", "ExtensionHost", "JSON", "Platform", "Suites"],
            swiftSettings: strict
        ),
        .target(
            name: "Presenting",
            dependencies: [
                "BrazeRules", "Calls", "Configuration", "Contract", "ExtensionHost", "JSON", "JSONRPC", "Localization",
                "NotificationHTML", "Notifications", "Platform", "Recording", "Spelling", "Suites", logging,
            ],
            swiftSettings: strict
        ),
        .target(
            name: "Delivering",
            dependencies: [
                "BrazeRules", "CSystem", "Calls", "Configuration", "Contract", "Delivery", "ExtensionHost", "JSON",
                "JSONRPC",
                "Platform", "Presenting", "Suites", logging,
            ],
            swiftSettings: strict
        ),
        .target(
            name: "Records",
            dependencies: [
                "BrazeRules", "Calls", "Configuration", "Contract", "Delivering", "Delivery", "JSON", "JSONRPC",
                "Notifications", "Platform", "Presenting", "PropertyLists", "Spelling", "Suites", logging,
            ],
            swiftSettings: strict
        ),
        .target(
            name: "Relay",
            dependencies: [
                "Configuration", "Contract", "Delivering", "Delivery", "ExtensionHost", "JSON", "JSONRPC", "Platform",
                "Suites", logging,
            ],
            swiftSettings: strict
        ),
        .target(
            name: "ModelContext",
            dependencies: ["Calls", "Contract", "JSON", "JSONRPC", "Notifications", "Spelling"],
            swiftSettings: strict
        ),
        .target(
            name: "HostCore",
            dependencies: [
                "BrazeRules", "CSystem", "Calls", "Configuration", "Contract", "Delivering", "Delivery",
                "ExtensionHost", "JSON", "JSONRPC", "ModelContext", "Notifications", "Platform",
                "Presenting", "Recording", "Records", "Relay", "Suites", logging,
            ],
            swiftSettings: strict
        ),
        .target(
            name: "Recording",
            dependencies: ["CSystem", "Contract", "JSON", "JSONRPC", "Platform"],
            swiftSettings: strict
        ),
        .target(
            name: "HostClient",
            dependencies: ["CSystem", "JSON", "JSONRPC", "Platform"],
            swiftSettings: strict
        ),
        .target(
            name: "PushClient",
            dependencies: ["HostClient", "JSON", "Notifications", "Platform"],
            swiftSettings: strict
        ),
        // A program of its own, because FlyingFox triples the size of a program and delays its start.
        .executableTarget(
            name: "pushhost-preview",
            dependencies: [
                "CPreview", "CSystem", "HostClient", "JSON", "NotificationHTML", "Notifications", "Platform",
                "PushClient",
            ] + httpServer,
            swiftSettings: strict
        ),
        .executableTarget(
            name: "pushhost",
            dependencies: [
                "BrazeRules", "CSystem", "CTemplates", "Configuration", "Contract", "Delivering", "Delivery",
                "ExtensionHost", "HostClient", "HostCore", "JSON", "JSONRPC", "Localization", "NotificationHTML",
                "Notifications", "Platform",
                "PropertyLists", "PushClient", "Recording", "Spelling", "Terminal", argumentParser, logging,
            ],
            swiftSettings: strict
        ),

        // MARK: Bundles

        .target(name: "HTTPClient", dependencies: ["CCurl"], swiftSettings: strict),
        .target(
            name: "PartitionLeases",
            dependencies: ["JSON"],
            path: "plugins/nats/leases",
            swiftSettings: strict
        ),

        // MARK: Tests

        // A test target without tests, so that it is built only with tests.
        .testTarget(
            name: "TestSupport",
            dependencies: ["CSystem", "JSON", "JSONRPC"],
            path: "Tests/TestSupport",
            swiftSettings: strict
        ),
        .testTarget(name: "JSONTests", dependencies: ["JSON", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "JSONRPCTests",
            dependencies: ["JSON", "JSONRPC", "TestSupport", "spec-methods"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "PropertyListsTests",
            dependencies: ["PropertyLists", "TestSupport"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "LocalizationTests",
            dependencies: ["Localization", "TestSupport"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "PlatformTests",
            dependencies: ["CSystem", "Platform", "TestSupport"],
            swiftSettings: strict
        ),
        .testTarget(name: "SpellingTests", dependencies: ["Spelling"], swiftSettings: strict),
        .testTarget(name: "TerminalTests", dependencies: ["Terminal"], swiftSettings: strict),
        .testTarget(name: "BrazeRulesTests", dependencies: ["BrazeRules", "JSON"], swiftSettings: strict),
        .testTarget(
            name: "ExtensionKitTests",
            dependencies: ["ExtensionKit", "JSON", "TestSupport"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "SuitesTests",
            dependencies: ["JSON", "Platform", "Suites", "TestSupport", grdb],
            swiftSettings: strict
        ),
        .testTarget(
            name: "DeliveryTests",
            dependencies: ["Contract", "Delivery", "JSON", "Platform", "Suites", "TestSupport"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ExtensionHostTests",
            dependencies: ["ExtensionHost", "JSON", "JSONRPC", "TestSupport"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "NotificationsTests",
            dependencies: ["Contract", "JSON", "JSONRPC", "Localization", "Notifications", "TestSupport"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "NotificationHTMLTests",
            dependencies: ["JSON", "NotificationHTML", "Notifications", "TestSupport"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "HostCoreTests",
            dependencies: [
                "BrazeRules", "Calls", "Configuration", "Contract", "Delivering", "Delivery", "ExtensionHost",
                "HostCore", "JSON", "JSONRPC", "Localization", "ModelContext", "Notifications", "Platform",
                "Presenting", "PropertyLists", "Recording", "Records", "Relay", "Suites", "TestSupport", logging,
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "PushhostTests",
            dependencies: ["Contract", "JSON", "TestSupport"] + programs,
            swiftSettings: strict
        ),
        .testTarget(
            name: "CommandLineTests",
            dependencies: ["Configuration", "HostCore", "TestSupport", "pushhost", argumentParser],
            swiftSettings: strict
        ),
        .testTarget(
            name: "BrazeTests",
            dependencies: ["BrazeRules", "ExtensionKit", "HTTPClient", "JSON", "TestSupport", "braze"],
            swiftSettings: strict
        ),
        .testTarget(name: "HTTPClientTests", dependencies: ["HTTPClient", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "PartitionLeasesTests",
            dependencies: ["JSON", "PartitionLeases"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "RichPushTests",
            dependencies: ["AttachmentRules", "JSON", "rich-push"],
            swiftSettings: strict
        ),
        .testTarget(name: "PackageTests", dependencies: ["JSON", "TestSupport"], swiftSettings: strict),
    ]
        + bundles.map { name in
            .executableTarget(
                name: name,
                dependencies: ["ExtensionKit", "JSON"]
                    + (name == "braze" ? ["BrazeRules"] : [])
                    + (name == "rich-push" ? ["AttachmentRules"] : [])
                    + (fetching.contains(name) ? ["HTTPClient"] : []),
                path: "plugins/\(name)",
                exclude: resources(name),
                swiftSettings: strict
            )
        }
        + fixtures.map { name in
            .executableTarget(
                name: name,
                dependencies: ["ExtensionKit", "JSON", "JSONRPC"]
                    + (name == "process-driver" ? ["CSystem", "ExtensionHost", "Platform", logging] : []),
                path: "Tests/Fixtures/\(name)",
                swiftSettings: strict
            )
        },
    swiftLanguageModes: [.v6],
    cLanguageStandard: .gnu2x
)
