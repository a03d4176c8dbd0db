import Foundation
import JSON
import TestSupport
import Testing

/// A folder of bundles, a folder of suites, and hosts that use them.
struct Workspace {
    /// The App Group of every bundle in it.
    static let group = "group.com.example.hostile"

    let root: String

    var plugins: String { "\(root)/plugins" }
    var data: String { "\(root)/data" }

    /// Creates a workspace for the closure, and removes it with its contents afterwards.
    static func open(_ body: (Workspace) throws -> Void) throws {
        try withTemporaryDirectory { root in
            let workspace = Workspace(root: root)
            try FileManager.default.createDirectory(atPath: workspace.plugins, withIntermediateDirectories: true)
            try body(workspace)
        }
    }

    /// Starts a host with these bundles and suites.
    func host(
        _ options: [String] = [],
        environment: [String: String]? = nil,
        under wrapper: [String] = [],
        unchecked reason: String? = nil
    ) throws -> HostProcess {
        try HostProcess(arguments(options), environment: environment, under: wrapper, unchecked: reason)
    }

    func arguments(_ options: [String] = []) -> [String] { ["--plugins", plugins, "--data", data] + options }

    /// Creates a bundle with the hostile extension; its name and category are the name of the behaviour.
    ///
    /// If a method is given, the extension misbehaves only in calls of that method. If `saving`, it first saves an
    /// event in each call.
    @discardableResult
    func add(
        _ behaviour: String,
        in method: String = "",
        saving: Bool = false,
        attributes: [String: Any] = [:]
    ) throws -> String {
        let script = try Self.script(behaviour, in: method, saving: saving)
        return try add(named: behaviour, script: script, attributes: attributes)
    }

    /// The permissions of bundles that run programs of this package and write into a folder, or another one of the test.
    static func permissions(writing folder: String) throws -> [String: Any] {
        let programs = ["hostile-extension", "kit-destination", "kit-extension", "kit-service", "kit-source"]
        // A child in Swift reads its arguments in /proc.
        let others = ["/proc", repositoryRoot]
        let temporary = FileManager.default.temporaryDirectory.path
        return ["Read": try programs.map(builtProduct) + others, "Write": [folder, temporary]]
    }

    /// The shell script that runs the hostile extension.
    static func script(_ behaviour: String, in method: String = "", saving: Bool = false) throws -> String {
        "exec '\(try builtProduct("hostile-extension"))' \(behaviour) \(method)\(saving ? " saving" : "")"
    }

    /// Creates a bundle whose executable is a shell script, or is missing if the script is `nil`.
    ///
    /// The attributes replace the defaults; `NSNull` removes one. By default it may run programs of this package and
    /// write into the workspace.
    @discardableResult
    func add(
        named name: String,
        point: String = "com.apple.usernotifications.content-extension",
        script: String?,
        attributes: [String: Any] = [:],
        permissions: [String: Any]? = nil
    ) throws -> String {
        let folder = "\(plugins)/\(name)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let own: [String: Any] = [
            "UNNotificationExtensionCategory": name, "UNNotificationExtensionUserInteractionEnabled": true,
        ]
        let info: [String: Any] = [
            "CFBundleIdentifier": "com.example.\(name)",
            "CFBundleExecutable": "run",
            "PushhostPermissions": try permissions ?? Self.permissions(writing: root),
            "NSExtension": [
                "NSExtensionPointIdentifier": point,
                "NSExtensionAttributes": own.merging(attributes) { $1 }.filter { !($0.value is NSNull) },
            ],
        ]
        try write(info, to: "\(folder)/Info.plist")
        try write(["com.apple.security.application-groups": [Self.group]], to: "\(folder)/run.entitlements")
        if let script { try writeExecutable("#!/bin/sh\n\(script)\n", to: "\(folder)/run") }
        return folder
    }

    private func write(_ list: [String: Any], to path: String) throws {
        try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
            .write(to: URL(filePath: path))
    }
}

/// A named pipe at which an extension waits in its calls until the test releases it.
final class Gate {
    private let descriptor: Int32

    /// Creates a gate in a bundle's folder.
    init(_ folder: String) throws {
        guard mkfifo("\(folder)/gate", 0o600) == 0 else { throw TestFailure("cannot create a named pipe in \(folder)") }
        // Opened for reading and writing, so that opening blocks neither side.
        descriptor = open("\(folder)/gate", O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw TestFailure("the named pipe in \(folder) cannot be opened") }
    }

    deinit { close(descriptor) }

    /// Lets one waiting call continue.
    func releaseOne() throws {
        guard write(descriptor, "x", 1) == 1 else { throw TestFailure("cannot write to the gate's named pipe") }
    }
}

extension HostProcess {
    /// The params of `didReceive` for a notification of a category.
    static func payload(_ category: String, title: String = "Hello") -> JSON {
        ["payload": ["aps": ["category": .string(category), "alert": ["title": .string(title)]]]]
    }

    /// Shows a notification and returns the whole reply.
    func show(_ category: String, title: String = "Hello") throws -> JSON {
        try call("didReceive", Self.payload(category, title: title))
    }

    /// Shows a notification, which must succeed, and returns its id.
    func shown(_ category: String, title: String = "Hello") throws -> JSON {
        let result = try result("didReceive", Self.payload(category, title: title))
        guard let notification = result["notification"] else { throw TestFailure("no notification in \(result)") }
        return notification
    }

    /// Returns what `extensions` reports about a bundle.
    func describe(_ name: String) throws -> JSON {
        try Self.description(of: name, in: try result("extensions"))
    }

    /// The description of a bundle in a result of `extensions`.
    static func description(of name: String, in result: JSON?) throws -> JSON {
        let all = result?["extensions"]?.array.map(Array.init) ?? []
        guard let one = all.first(where: { $0["identifier"] == .string("com.example.\(name)") }) else {
            throw TestFailure("there is no extension \(name) in \(all)")
        }
        return one
    }

    /// The process id of a running extension.
    func pid(of name: String) throws -> Int32 {
        guard let pid = try describe(name)["pid"]?.integer else { throw TestFailure("\(name) does not run") }
        return Int32(pid)
    }

    /// Sends SIGTERM while a call waits for an extension: the call is answered, and the extension's process ends too.
    func expectStop(answering call: JSON, to name: String) throws {
        let pid = try pid(of: name)
        process.kill(SIGTERM)
        let reply = try reply()
        #expect(reply["id"] == call)
        #expect(reply["error"]?["data"]?["reason"] == "stopping")
        #expect(try finish() == .code(128 + SIGTERM))
        #expect(!Processes.isRunning(pid))
    }
}
