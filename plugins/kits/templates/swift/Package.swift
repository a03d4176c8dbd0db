// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "my-coupon",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "pushhost", path: "/path/to/pushhost")],
    targets: [
        .executableTarget(
            name: "my-coupon",
            dependencies: [
                .product(name: "ExtensionKit", package: "pushhost"),
                .product(name: "JSON", package: "pushhost"),
            ]
        )
    ]
)
