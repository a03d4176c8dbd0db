import Foundation
import TestSupport

/// A program that the tests need and this package does not build.
struct Tool: Equatable {
    let name: String
    /// The Debian package that contains it.
    let package: String

    static let python = Tool(name: "python3", package: "python3")
    static let neovim = Tool(name: "nvim", package: "neovim")
    static let node = Tool(name: "node", package: "nodejs")
    static let ruby = Tool(name: "ruby", package: "ruby")

    /// Finds the program in `PATH`; throws an error that names the Debian package if it is missing.
    func path() throws -> String {
        guard let path = paths().first else {
            throw TestFailure("\(name) is missing; install Debian's package \(package)")
        }
        return path
    }

    /// The first Python in `PATH` that has a module: Debian's packages are for Debian's Python only.
    static func python(with module: String) throws -> String {
        for path in python.paths() {
            let check = try ChildProcess(path, ["-c", "import \(module)"])
            if try check.wait() == .code(0) { return path }
        }
        throw TestFailure("no python3 in PATH has the module \(module); install Debian's package python3-\(module)")
    }

    /// The programs of that name, in the order of `PATH`.
    func paths() -> [String] {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return folders.map { "\($0)/\(name)" }.filter { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
