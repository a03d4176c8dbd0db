import Foundation

/// The first Python in `PATH` that has a module: Debian's packages are for Debian's Python only.
///
/// - Throws: The name of Debian's package, if no Python has the module.
public func pythonProgram(with module: String) throws -> String {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    for path in folders.map({ "\($0)/python3" }) where FileManager.default.isExecutableFile(atPath: path) {
        if try ChildProcess(path, ["-c", "import \(module)"]).wait() == .code(0) { return path }
    }
    throw TestFailure("no python3 in PATH has the module \(module); install Debian's package python3-\(module)")
}
