import Foundation
import JSON
import TestSupport

/// A bundle for `extensions check`, with the files that a test needs.
struct CheckedBundle {
    static let groups = "com.apple.security.application-groups"
    private static let prefix = "UNNotificationExtension"

    let folder: String
    /// The root of the Info.plist.
    var info: [String: Any]
    /// `NSExtension` without its attributes.
    var nsExtension: [String: Any] = [
        "NSExtensionPointIdentifier": "com.apple.usernotifications.content-extension"
    ]
    var attributes: [String: Any]? = [prefix + "Category": "checked"]
    /// The entitlements property lists, by file name.
    var entitlements: [String: [String: Any]] = ["run.entitlements": [groups: ["group.com.example.checked"]]]
    /// The behaviour of the hostile extension that is the executable.
    var behaviour = "good"

    /// Creates a description of a valid bundle.
    init(_ folder: String) {
        self.folder = folder
        info = ["CFBundleIdentifier": "com.example.checked", "CFBundleExecutable": "run"]
    }

    /// Replaces an attribute.
    mutating func set(_ name: String, _ value: Any) { attributes?[Self.prefix + name] = value }

    /// Writes the files.
    func make() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        var root = info
        var own = nsExtension
        own["NSExtensionAttributes"] = attributes
        if root["NSExtension"] == nil { root["NSExtension"] = own }
        if root["PushhostPermissions"] == nil {
            root["PushhostPermissions"] = try Workspace.permissions(writing: folder)
        }
        try write(root, "Info.plist")
        for (name, list) in entitlements { try write(list, name) }
        let program = try builtProduct("hostile-extension")
        try writeExecutable("#!/bin/sh\nexec '\(program)' \(behaviour)\n", to: "\(folder)/run")
    }

    /// Passes the description of a valid bundle in a temporary folder to the closure.
    static func with<Result>(_ body: (CheckedBundle) throws -> Result) throws -> Result {
        try withTemporaryDirectory { root in try body(CheckedBundle("\(root)/checked")) }
    }

    /// Runs `extensions check` on a bundle that the closure has modified.
    static func check(_ change: (inout CheckedBundle) -> Void, _ options: [String] = []) throws -> CommandRun {
        try with { bundle in
            var bundle = bundle
            change(&bundle)
            try bundle.make()
            return try CommandRun.check([bundle.folder] + options)
        }
    }

    private func write(_ list: [String: Any], _ name: String) throws {
        try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
            .write(to: URL(filePath: "\(folder)/\(name)"))
    }
}

extension CommandRun {
    /// Runs `extensions check` with its own temporary folder, which must be empty afterwards.
    static func check(_ arguments: [String], environment: [String: String] = [:]) throws -> CommandRun {
        try leavingNothing(["extensions", "check"] + arguments, environment: environment)
    }

    /// Starts `extensions check` as a process, whose descendants a test looks for.
    static func startCheck(_ arguments: [String], temporary: String) throws -> ChildProcess {
        try ChildProcess(
            try hostCommand(unchecked: "extensions check serves no client")[0],
            ["extensions", "check"] + arguments,
            environment: ProcessInfo.processInfo.environment.merging(["TMPDIR": temporary]) { $1 }
        )
    }

    /// The lines of the report that start with a word.
    func lines(_ severity: String) -> [String] {
        output.split(separator: "\n").map(String.init).filter { $0.hasPrefix(severity + " ") }
    }
}
