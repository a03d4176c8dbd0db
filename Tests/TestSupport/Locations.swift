import Foundation

/// The folder that holds `Package.swift`.
public let repositoryRoot = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .path

/// The path of an executable of this package, which SwiftPM puts beside the test runner.
///
/// The host itself is started only with ``hostCommand(_:unchecked:)``, so that its messages are always checked.
public func builtProduct(_ name: String) throws -> String {
    guard name != "pushhost" else { throw TestFailure("start the host with hostCommand or hostExecutable") }
    return try product(name)
}

/// The path of the built host.
func hostProgram() throws -> String { try product("pushhost") }

private func product(_ name: String) throws -> String {
    let path = "\(try productsDirectory())/\(name)"
    guard FileManager.default.isExecutableFile(atPath: path) else {
        throw TestFailure("there is no executable \(path); the test target must depend on \(name)")
    }
    return path
}

/// The folder of the executables: the test runner's, unless `TESTED_PRODUCTS` names another one, as `.ci/run` does: a
/// release build is what people use, and its processes need a fraction of the time.
private func productsDirectory() throws -> String {
    if let folder = ProcessInfo.processInfo.environment["TESTED_PRODUCTS"] { return folder }
    #if os(Linux)
    let runner = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return URL(filePath: runner).deletingLastPathComponent().path
    #else
    // The runner is one of Xcode's tools, and loads the tests as a bundle.
    guard let tests = Bundle.allBundles.first(where: { $0.bundlePath.hasSuffix(".xctest") }) else {
        throw TestFailure("no test bundle is loaded")
    }
    return tests.bundleURL.deletingLastPathComponent().path
    #endif
}

/// Calls the closure with the path of a new folder, and removes the folder with its contents afterwards.
public func withTemporaryDirectory<Result>(_ body: (String) throws -> Result) throws -> Result {
    let root = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
    let path = root.appending(path: "pushhost-tests-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try body(path)
}
