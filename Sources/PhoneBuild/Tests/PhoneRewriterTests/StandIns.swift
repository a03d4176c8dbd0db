import Foundation

/// Small modules with the names of Apple's, compiled once, against which the tests check the copies.
enum StandIns {
    /// The folder with the modules.
    static let folder: String = {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("phone-stand-ins-\(getpid())")
        try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Fixtures/StandIns").path
        for name in ["PhoneRuntime", "UIKit", "UserNotifications", "UserNotificationsUI"] {
            let output = compile(
                [
                    "-emit-module", "-parse-as-library", "-module-name", name, "-I", url.path,
                    "-emit-module-path", "\(url.path)/\(name).swiftmodule", "\(sources)/\(name).swift",
                ],
                in: url.path
            )
            precondition(output.isEmpty, output)
        }
        return url.path
    }()

    /// What the compiler says about sources that are compiled together.
    static func check(_ sources: [(name: String, text: String)], flags: [String] = ["-swift-version", "5"]) throws -> String {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("phone-check-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: url) }
        let paths = try sources.map { source in
            let path = "\(url.path)/\(source.name)"
            try Data(source.text.utf8).write(to: URL(fileURLWithPath: path))
            return path
        }
        let arguments = ["-typecheck", "-parse-as-library", "-module-name", "Extension", "-I", folder] + flags
        return compile(arguments + paths, in: url.path)
    }

    private static func compile(_ arguments: [String], in folder: String) -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["swiftc", "-diagnostic-style", "llvm"] + arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        process.standardOutput = output
        process.standardError = output
        do { try process.run() } catch { return "swiftc cannot be started: \(error)" }
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }
}
