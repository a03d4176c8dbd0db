// swift-tools-version: 6.0

import PackageDescription

let package = Package(
    name: "Menu",
    products: [.library(name: "Menu", targets: ["Menu"])],
    targets: [.target(name: "Menu", resources: [.process("Resources")])]
)
