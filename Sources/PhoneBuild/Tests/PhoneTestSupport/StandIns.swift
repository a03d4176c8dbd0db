internal import Foundation

/// Small modules with the names of Apple's, compiled once, against which the tests build.
package enum StandIns {
    /// The folder with the modules, their libraries and `phonekit.flags`.
    package static let folder: String = {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("phone-stand-ins-\(getpid())")
        do {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            let names = ["PhoneRuntime", "UIKit", "UserNotifications", "UserNotificationsUI", "PhoneKit"]
            // Linked only if they are imported, as CryptoKit is.
            let optional = ["CryptoKit", "Intents"]
            for name in names + optional {
                let output = compile([
                    "-emit-module", "-emit-library", "-static", "-parse-as-library", "-module-name", name,
                    "-I", url.path, "-o", "\(url.path)/lib\(name).a",
                    "-emit-module-path", "\(url.path)/\(name).swiftmodule", "\(fixtures)/StandIns/\(name).swift",
                ])
                precondition(output.isEmpty, output)
            }
            let shadows = try Data(contentsOf: URL(fileURLWithPath: "\(fixtures)/StandIns/Shadows.swift"))
            try shadows.write(to: url.appendingPathComponent("Shadows.swift"))
            let flags = names.reversed().map { "-l\($0)" }.joined(separator: "\n")
            try Data("\(flags)\n".utf8).write(to: url.appendingPathComponent("phonekit.flags"))
            for name in optional { try Data("-l\(name)\n".utf8).write(to: url.appendingPathComponent("\(name).flags")) }
        } catch {
            preconditionFailure("the stand-ins cannot be written: \(error)")
        }
        return url.path
    }()

    /// The folder with the fixtures.
    package static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Fixtures").path

    /// What the compiler says about sources that are compiled together.
    ///
    /// - Throws: An error if they cannot be written.
    package static func check(
        _ sources: [(name: String, text: String)],
        flags: [String] = ["-swift-version", "5"]
    ) throws -> String {
        try withTemporaryFolder { folder in
            let paths = try sources.map { source in
                let path = "\(folder)/\(source.name)"
                try write(source.text, to: path)
                return path
            }
            let arguments = ["-typecheck", "-parse-as-library", "-module-name", "Extension", "-I", Self.folder]
            return compile(arguments + flags + paths)
        }
    }

    private static func compile(_ arguments: [String]) -> String {
        let result = run("/usr/bin/env", ["swiftc", "-diagnostic-style", "llvm"] + arguments)
        return result.status == 0 ? "" : result.output
    }

    /// Runs a program to its end.
    ///
    /// - Returns: Its exit code, and what it wrote to both streams.
    package static func run(_ program: String, _ arguments: [String] = []) -> (status: Int32, output: String) {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = output
        do { try process.run() } catch { return (-1, "\(program) cannot be started: \(error)") }
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }
}

/// Runs a test with a folder of its own.
///
/// - Throws: What the body throws, or an error if the folder cannot be made.
package func withTemporaryFolder<Result>(_ body: (String) throws -> Result) throws -> Result {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("phone-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: url) }
    return try body(url.resolvingSymlinksInPath().path)
}

/// Writes a file and the folders above it.
///
/// - Throws: An error if that fails.
package func write(_ text: String, to path: String) throws {
    let url = URL(fileURLWithPath: path)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
}
