// swift-tools-version: 6.2

import PackageDescription

// The code with which Braze's guide saves a custom event, on Foundation's UserDefaults.
let package = Package(
    name: "guide",
    platforms: [.macOS(.v15)],
    targets: [.executableTarget(name: "guide")]
)
