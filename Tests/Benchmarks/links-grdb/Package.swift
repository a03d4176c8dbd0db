// swift-tools-version: 6.2

import PackageDescription

// The lower bound for the start of the host: a program that links GRDB and
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
