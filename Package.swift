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
    // The README's film with its session, and what pictures show in place of images on the web.
    let film = ["film.svg", "session.jsonl", "session.replies.jsonl"]
    let pictures = ["match-game": film, "achievements": ["images"], "push-story": ["images"]][bundle] ?? []
    return ["Info.plist", "README.md"] + payload + pictures + texts
}

/// The bundles that speak HTTP.
let fetching = ["braze", "rich-push"]

/// The executables that tests start: a folder of `Tests/Fixtures` each.
let fixtures = [
    "hostile-extension", "kit-destination", "kit-extension", "kit-service", "kit-source", "process-driver",
    "spec-methods",
]

/// Whether `fuzz` is built, with which libFuzzer tries the readers of foreign bytes; see `Tests/Proof/README.md`.
let isFuzzing = Context.environment["PUSHHOST_FUZZ"] != nil

/// What reads foreign bytes, and the tests of it; a test target without tests, unless `fuzz` is built of it.
let fuzzed: [Target.Dependency] =
    [
        "BrazeRules", "Contract", "Delivery", "JSON", "JSONRPC", "LanguageServer", "Localization", "NotificationHTML",
        "Notifications", "Platform", "PropertyLists", "Recording", "Records", "Relay", "Suites", "pushhost-preview",
    ] + httpServer

/// What the preview uses.
let preview: [Target.Dependency] =
    [
        "CLocaleData", "CPreview", "CSystem", "HostClient", "JSON", "JSONRPC", "LanguageServer", "Localization",
        "NotificationHTML", "Notifications", "Platform", "PushClient",
    ] + httpServer

/// The tests that start the built program need it and every executable it starts.
let programs: [Target.Dependency] = (["pushhost", "pushhost-preview"] + bundles + fixtures).map { .target(name: $0) }

// One function for each kind of target, because all have the same settings.

func library(_ name: String, _ dependencies: [Target.Dependency] = [], path: String? = nil) -> Target {
    .target(name: name, dependencies: dependencies, path: path, swiftSettings: strict)
}

func program(
    _ name: String,
    _ dependencies: [Target.Dependency],
    path: String? = nil,
    exclude: [String] = []
) -> Target {
    .executableTarget(
        name: name,
        dependencies: dependencies,
        path: path,
        exclude: exclude,
        swiftSettings: strict
    )
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, path: "Tests/\(name)", swiftSettings: strict)
}

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
        .target(name: "CLocaleData", cSettings: strictC),
        .target(name: "CTemplates", cSettings: strictC),
        .target(name: "CPictures", exclude: ["page"], cSettings: strictC),
        .target(name: "CPreview", exclude: ["page"], cSettings: strictC),
        .target(name: "CSuites", cSettings: strictC, linkerSettings: [.linkedLibrary("sqlite3")]),

        // MARK: Wire

        library("JSON", ["CJansson"]),
        library("JSONRPC", ["JSON"]),
        library("Platform", ["CSystem"]),
        library("PropertyLists", ["Platform"]),
        library("Localization", ["JSON", "Platform", "PropertyLists"]),
        library("Spelling"),
        library("Terminal", ["Platform"]),
        library("AttachmentRules"),
        library("BrazeRules", ["JSON", "Platform", "Spelling"]),
        library("ExtensionKit", ["CSystem", "JSON", "JSONRPC", "Localization", "Platform"]),

        // MARK: Host

        library("Contract", ["CContract", "JSON", "JSONRPC"]),
        library(
            "Notifications",
            [
                "AttachmentRules", "BrazeRules", "Contract", "JSON", "JSONRPC", "Localization", "Platform", "Spelling",
            ]
        ),
        library("NotificationHTML", ["JSON", "Notifications", "Platform"]),
        library("Suites", ["CSuites", "CSystem", "JSON", "Platform", grdb, logging]),
        library("Delivery", ["BrazeRules", "Contract", "JSON", "Platform", "Suites"]),
        library(
            "ExtensionHost",
            [
                "CSystem", "Contract", "JSON", "JSONRPC", "Localization", "Notifications", "Platform", "PropertyLists",
                logging,
            ]
        ),
        // The rooms of the engine; each knows only those before it.
        library("Calls", ["Contract", "JSON", "JSONRPC", "Platform", "Spelling", "Suites", logging]),
        library(
            "Configuration",
            ["BrazeRules", "Contract", "Delivery", "ExtensionHost", "JSON", "Platform", "Suites"]
        ),
        library(
            "Presenting",
            [
                "BrazeRules", "Calls", "Configuration", "Contract", "ExtensionHost", "JSON", "JSONRPC", "Localization",
                "NotificationHTML", "Notifications", "Platform", "Recording", "Spelling", "Suites", logging,
            ]
        ),
        library(
            "Delivering",
            [
                "BrazeRules", "CSystem", "Calls", "Configuration", "Contract", "Delivery", "ExtensionHost", "JSON",
                "JSONRPC", "Platform", "Presenting", "Suites", logging,
            ]
        ),
        library(
            "Records",
            [
                "BrazeRules", "Calls", "Configuration", "Contract", "Delivering", "Delivery", "JSON", "JSONRPC",
                "Notifications", "Platform", "Presenting", "PropertyLists", "Spelling", "Suites", logging,
            ]
        ),
        library(
            "Relay",
            [
                "Configuration", "Contract", "Delivering", "Delivery", "ExtensionHost", "JSON", "JSONRPC", "Platform",
                "Suites", logging,
            ]
        ),
        library("ModelContext", ["Calls", "Contract", "JSON", "JSONRPC", "Notifications", "Spelling"]),
        library(
            "HostCore",
            [
                "BrazeRules", "CSystem", "Calls", "Configuration", "Contract", "Delivering", "Delivery",
                "ExtensionHost", "JSON", "JSONRPC", "ModelContext", "Notifications", "Platform", "Presenting",
                "Recording", "Records", "Relay", "Suites", logging,
            ]
        ),
        library("Recording", ["CSystem", "Contract", "JSON", "JSONRPC", "Platform"]),
        library("HostClient", ["CSystem", "JSON", "JSONRPC", "Platform"]),
        library(
            "PushClient",
            [
                "HostClient", "JSON", "Localization", "NotificationHTML", "Notifications", "Platform", "PropertyLists",
            ]
        ),
        // A program of its own, because FlyingFox triples the size of a program and delays its start. Only tests may be
        // linked with a program, so the fuzzer has it without the file that starts it.
        isFuzzing
            ? .target(name: "pushhost-preview", dependencies: preview, exclude: ["Main.swift"], swiftSettings: strict)
            : program("pushhost-preview", preview),
        library(
            "BundleChecks",
            ["ExtensionHost", "JSON", "Localization", "Platform", "PropertyLists", "Spelling"]
        ),
        // What an editor is answered, without input and output.
        library(
            "LanguageServer",
            [
                "BundleChecks", "Contract", "ExtensionHost", "JSON", "JSONRPC", "Localization", "Notifications",
                "Platform",
            ]
        ),
        program(
            "pushhost",
            [
                "BrazeRules", "BundleChecks", "CLocaleData", "CPictures", "CSystem", "CTemplates", "Configuration",
                "Contract", "Delivering", "Delivery", "ExtensionHost", "HostClient", "HostCore", "JSON", "JSONRPC",
                "LanguageServer", "Localization", "NotificationHTML", "Notifications", "Platform", "PropertyLists",
                "PushClient", "Recording", "Spelling", "Terminal", argumentParser, logging,
            ]
        ),

        // MARK: Bundles

        library("HTTPClient", ["CCurl", "Platform"]),
        library("PartitionLeases", ["JSON"], path: "plugins/nats/leases"),

        // MARK: Tests

        // A test target without tests, so that it is built only with tests.
        tests("TestSupport", ["CSystem", "JSON", "JSONRPC"]),
        tests("JSONTests", ["JSON", "TestSupport"]),
        tests("JSONRPCTests", ["JSON", "JSONRPC", "TestSupport", "spec-methods"]),
        tests("PropertyListsTests", ["PropertyLists", "TestSupport"]),
        tests("LocalizationTests", ["JSON", "Localization", "TestSupport"]),
        tests("PlatformTests", ["CSystem", "Platform", "TestSupport"]),
        tests("BundleChecksTests", ["BundleChecks", "TestSupport"]),
        tests("SpellingTests", ["Spelling"]),
        tests(
            "LanguageServerTests",
            ["ExtensionHost", "JSON", "JSONRPC", "LanguageServer", "Localization", "Notifications", "TestSupport"]
        ),
        tests("TerminalTests", ["Terminal"]),
        tests("BrazeRulesTests", ["BrazeRules", "JSON"]),
        tests("ExtensionKitTests", ["ExtensionKit", "JSON", "JSONRPC", "TestSupport"]),
        tests("SuitesTests", ["JSON", "Platform", "Suites", "TestSupport", grdb]),
        tests("DeliveryTests", ["Contract", "Delivery", "JSON", "Platform", "Suites", "TestSupport"]),
        tests("ExtensionHostTests", ["ExtensionHost", "JSON", "JSONRPC", "Platform", "TestSupport", logging]),
        tests("NotificationsTests", ["Contract", "JSON", "JSONRPC", "Localization", "Notifications", "TestSupport"]),
        tests("NotificationHTMLTests", ["JSON", "NotificationHTML", "Notifications", "TestSupport"]),
        tests(
            "HostCoreTests",
            [
                "BrazeRules", "Calls", "Configuration", "Contract", "Delivering", "Delivery", "ExtensionHost",
                "HostCore",
                "JSON", "JSONRPC", "Localization", "ModelContext", "Notifications", "Platform", "Presenting",
                "PropertyLists", "Recording", "Records", "Relay", "Suites", "TestSupport", logging,
            ]
        ),
        tests("PushhostTests", ["Contract", "HostClient", "JSON", "Platform", "Terminal", "TestSupport"] + programs),
        tests("CommandLineTests", ["HostClient", "JSON", "Platform", "TestSupport", "pushhost"]),
        tests(
            "BrazeTests",
            ["BrazeRules", "ExtensionKit", "HTTPClient", "JSON", "PartitionLeases", "TestSupport", "braze"]
        ),
        tests("HTTPClientTests", ["HTTPClient", "TestSupport"]),
        tests("PartitionLeasesTests", ["JSON", "PartitionLeases"]),
        tests("RichPushTests", ["AttachmentRules", "JSON", "rich-push"]),
        tests("PackageTests", ["JSON", "TestSupport"]),
        tests("FuzzTests", ["FuzzTargets", "TestSupport"]),
    ]
        + (isFuzzing
            ? [
                library("FuzzTargets", fuzzed, path: "Tests/FuzzTargets"),
                program("fuzz", ["FuzzTargets"], path: "Tests/Fuzz"),
            ]
            : [tests("FuzzTargets", fuzzed)])
        + bundles.map { name in
            program(
                name,
                ["ExtensionKit", "JSON"]
                    + (name == "braze" ? ["BrazeRules"] : [])
                    + (name == "rich-push" ? ["AttachmentRules"] : [])
                    + (fetching.contains(name) ? ["HTTPClient"] : []),
                path: "plugins/\(name)",
                exclude: resources(name)
            )
        }
        + fixtures.map { name in
            program(
                name,
                ["ExtensionKit", "JSON", "JSONRPC"]
                    + (name == "process-driver" ? ["CSystem", "ExtensionHost", "Platform", logging] : []),
                path: "Tests/Fixtures/\(name)"
            )
        },
    swiftLanguageModes: [.v6],
    cLanguageStandard: .gnu2x
)
