// swift-tools-version: 6.2

import PackageDescription

// The floor for the time the host needs to start: a program that links GRDB and
// does nothing with it.
let package = Package(
    name: "links-grdb",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0")
    ],
    targets: [
        .executableTarget(
            name: "links-grdb",
            dependencies: [.product(name: "GRDB", package: "GRDB.swift")]
        )
    ]
)
