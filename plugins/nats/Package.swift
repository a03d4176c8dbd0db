// swift-tools-version: 6.2

import PackageDescription

// A package of its own, so that everything else builds without libnats-dev.

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .treatWarning("DeprecatedDeclaration", as: .warning),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let kit: [Target.Dependency] = ["BrazeRules", "ExtensionKit", "JSON"].map { .product(name: $0, package: "pushhost") }

let package = Package(
    name: "nats",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "pushhost", path: "../..")],
    targets: [
        .systemLibrary(
            name: "CNATS",
            path: "CNATS",
            pkgConfig: "libnats",
            providers: [.apt(["libnats-dev"]), .brew(["cnats"])]
        ),
        .target(name: "NATS", dependencies: ["CNATS"], path: "NATS", swiftSettings: strict),
        .executableTarget(
            name: "nats-destination",
            dependencies: ["NATS", .product(name: "PartitionLeases", package: "pushhost")] + kit,
            path: "destination",
            exclude: ["Info.plist", "nats-destination"],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "nats-source",
            dependencies: ["NATS", .product(name: "PartitionLeases", package: "pushhost")] + kit,
            path: "source",
            exclude: ["Info.plist", "nats-source"],
            swiftSettings: strict
        ),
    ],
    swiftLanguageModes: [.v6]
)
