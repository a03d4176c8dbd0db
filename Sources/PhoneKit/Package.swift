// swift-tools-version: 6.2

import PackageDescription

// A package of its own, because its modules have the names of Apple's, which exist already on macOS.

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .treatWarning("DeprecatedDeclaration", as: .warning),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

/// The values and the messages of the host's package.
let wire: [Target.Dependency] = ["JSON", "JSONRPC"].map { .product(name: $0, package: "pushhost") }

/// What the frameworks for cryptography are made of.
let crypto: [Target.Dependency] = [.product(name: "Crypto", package: "swift-crypto")]

/// What stands in for the SDKs of vendors, whose classes service extensions inherit from.
let vendors = [
    "AirshipNotificationServiceExtension", "BrazeNotificationService", "CTNotificationService", "OneSignalExtension",
]

func library(_ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource] = []) -> Target {
    .target(name: name, dependencies: dependencies, resources: resources, swiftSettings: strict)
}

/// Extensions as an engineer writes them for Xcode: a folder of `Tests/Fixtures` each, with the bundle beside the sources.
///
/// `Shadows.swift` in each is a link to the one that every extension is compiled with, and `Registration.swift` has what
/// the rewriter would generate.
let fixtures = ["countdown", "courses", "enrich", "memory", "newsletter", "parcel", "review", "story"]

let package = Package(
    name: "phonekit",
    platforms: [.macOS(.v15)],
    products: [
        .library(
            name: "PhoneKit",
            type: .static,
            targets: [
                "AVFoundation", "AVKit", "Combine", "CoreGraphics", "CoreLocation", "Intents", "MapKit",
                "MobileCoreServices", "NotificationCenter", "OSLog", "PhoneKit", "PhoneRuntime", "PhoneShadows",
                "QuartzCore", "Security", "SwiftUI", "UIKit", "UniformTypeIdentifiers", "UserNotifications",
                "UserNotificationsUI", "WidgetKit", "_AVKit_SwiftUI", "_MapKit_SwiftUI", "os",
            ] + vendors
        ),
        // A library of its own, because most extensions do without the cryptography that it brings.
        .library(name: "CryptoKit", type: .static, targets: ["CommonCrypto", "CryptoKit"]),
    ],
    dependencies: [
        .package(name: "pushhost", path: "../.."),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    ],
    targets: [
        library("PhoneRuntime", wire),
        library("PhoneShadows", ["PhoneRuntime"] + wire),
        library("UserNotifications", ["PhoneRuntime"] + wire),
        library("UIKit", ["PhoneRuntime"] + wire),
        library("UserNotificationsUI", ["PhoneRuntime", "UIKit", "UserNotifications"] + wire),
        library("AVFoundation", ["PhoneRuntime", "PhoneShadows", "UIKit"] + wire),
        library("AVKit", ["AVFoundation", "UIKit"]),
        library("Combine", ["PhoneRuntime", "PhoneShadows"] + wire),
        library("CoreGraphics", ["UIKit"]),
        library("CommonCrypto", crypto),
        library("CryptoKit", crypto),
        library("Intents", ["UserNotifications"]),
        library("CoreLocation"),
        library("MapKit", ["CoreLocation", "UIKit"] + wire),
        library("MobileCoreServices", ["UniformTypeIdentifiers"]),
        library("NotificationCenter", ["UIKit"]),
        library("QuartzCore", ["UIKit"]),
        library("Security", ["PhoneRuntime", "PhoneShadows"]),
        library("SwiftUI", ["Combine", "PhoneRuntime", "PhoneShadows", "UIKit"] + wire),
        library("UniformTypeIdentifiers"),
        library("WidgetKit"),
        // What the compiler imports by itself, as `Overlays` says, in a file that imports both modules.
        library("_AVKit_SwiftUI", ["AVKit", "SwiftUI"]),
        library("_MapKit_SwiftUI", ["MapKit", "SwiftUI"]),
        library("os"),
        library("OSLog", ["os"]),
        library(
            "PhoneKit",
            ["PhoneRuntime", "UIKit", "UserNotifications", "UserNotificationsUI"] + wire
        ),
    ]
        + vendors.map { library($0, ["UserNotifications"]) }
        + [
            .testTarget(
                name: "PhoneKitTests",
                dependencies: [
                    "AVFoundation", "AVKit", "CommonCrypto", "CryptoKit", "CoreLocation", "Intents", "MapKit",
                    "MobileCoreServices", "PhoneKit", "PhoneRuntime", "PhoneShadows", "Security", "SwiftUI", "UIKit",
                    "UserNotifications", "_AVKit_SwiftUI", "_MapKit_SwiftUI",
                ] + wire + vendors.map { .target(name: $0) }
                    + fixtures.map { .target(name: $0) },
                // Swift Testing has an overlay for a module named UIKit, which is on Apple's platforms only.
                swiftSettings: strict + [.unsafeFlags(["-Xfrontend", "-disable-cross-import-overlays"])]
            )
        ]
        + fixtures.map { name in
            .executableTarget(
                name: name,
                dependencies: [
                    "os",
                    "PhoneKit", "PhoneRuntime", "PhoneShadows", "SwiftUI", "UIKit", "UserNotifications",
                    "UserNotificationsUI",
                ],
                path: "Tests/Fixtures/\(name)",
                exclude: ["bundle"],
                swiftSettings: [.swiftLanguageMode(.v5)]
            )
        },
    swiftLanguageModes: [.v6]
)
