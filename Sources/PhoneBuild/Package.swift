// swift-tools-version: 6.2

import PackageDescription

// A package of its own, so that the program builds without swift-syntax.

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .treatWarning("DeprecatedDeclaration", as: .warning),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let syntax: [Target.Dependency] = ["SwiftSyntax", "SwiftParser"].map { .product(name: $0, package: "swift-syntax") }

let package = Package(
    name: "phonebuild",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "pushhost-phone", targets: ["pushhost-phone"])],
    dependencies: [
        .package(url: "https://github.com/swiftlang/swift-syntax", exact: "603.0.1"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    ],
    targets: [
        .target(name: "PhoneDiagnostics", swiftSettings: strict),
        .target(name: "PhoneProject", dependencies: ["PhoneDiagnostics"] + syntax, swiftSettings: strict),
        .target(name: "PhoneRewriter", dependencies: ["PhoneDiagnostics"] + syntax, swiftSettings: strict),
        .target(
            name: "PhoneBundle",
            dependencies: ["PhoneDiagnostics", "PhoneProject", "PhoneRewriter"],
            swiftSettings: strict
        ),
        .target(
            name: "PhoneCheckup",
            dependencies: ["PhoneDiagnostics", "PhoneProject"] + syntax,
            swiftSettings: strict
        ),
        .executableTarget(
            name: "pushhost-phone",
            dependencies: [
                "PhoneBundle", "PhoneCheckup", "PhoneDiagnostics", "PhoneProject",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict
        ),
        .target(name: "PhoneTestSupport", path: "Tests/PhoneTestSupport", swiftSettings: strict),
    ]
        + ["PhoneBundle", "PhoneCheckup", "PhoneProject", "PhoneRewriter"].map { name in
            .testTarget(
                name: "\(name)Tests",
                dependencies: ["PhoneDiagnostics", "PhoneTestSupport", .target(name: name)]
                    + (name == "PhoneBundle" ? ["PhoneProject", "PhoneRewriter", "pushhost-phone"] : []),
                swiftSettings: strict
            )
        },
    swiftLanguageModes: [.v6]
)
