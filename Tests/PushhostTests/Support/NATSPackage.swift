import Foundation
import TestSupport

/// The package in `plugins/nats`, which the tests build once; everything else builds without it.
enum NATSPackage {
    /// The folder of its two bundles, for `--plugins`; builds them if that was not done yet.
    static func bundles() throws -> String { try built.get() }

    private static let built = Result { try build() }

    /// The build takes minutes on a slow machine that compiles for the first time.
    private static let patience = 40

    private static func build() throws -> String {
        let folder = "\(repositoryRoot)/plugins/nats"
        let pkgConfig = try Tool(name: "pkg-config", package: "pkg-config").path()
        let check = try ChildProcess(pkgConfig, ["--exists", "libnats"])
        guard try check.wait() == .code(0) else {
            throw TestFailure("libnats is missing; install Debian's package libnats-dev")
        }
        let build = try ChildProcess(
            "swift",
            ["build", "-c", "release", "--static-swift-stdlib", "--package-path", folder]
        )
        build.closeInput()
        guard try status(of: build) == .code(0) else {
            throw TestFailure(
                "plugins/nats cannot be built:\n\(try build.readToEnd().suffix(4_000))\(build.standardError)"
            )
        }
        return folder
    }

    private static func status(of build: ChildProcess) throws -> ChildProcess.Status {
        for _ in 1..<patience {
            if let status = try? build.wait() { return status }
        }
        return try build.wait()
    }
}
