import Foundation
import JSON
import TestSupport
import Testing

/// An authoring kit, and the program that calls every part of it, both correctly and incorrectly.
enum Kit: String, CaseIterable, Sendable {
    case python
    case node
    /// ExtensionKit, whose program is `Tests/Fixtures/kit-extension`.
    case swift

    /// The kits that authors copy.
    static let singleFiles: [Kit] = [.python, .node]

    static let folder = "\(repositoryRoot)/plugins/kits"

    /// The single file that authors copy.
    private var file: String? {
        switch self {
        case .python: "pushhost_extension.py"
        case .node: "pushhost-extension.mjs"
        case .swift: nil
        }
    }

    /// The path of that file.
    var filePath: String? { file.map { "\(Self.folder)/\($0)" } }

    /// The file name extension of executables.
    var suffix: String { self == .python ? "py" : self == .node ? "mjs" : "sh" }

    var tool: Tool { self == .python ? .python : .node }

    /// The language tag of a fenced code block in Markdown.
    var language: String { self == .python ? "python" : "js" }

    /// Creates a bundle next to the linked kit and returns its path; the default program is in `Tests/Fixtures/kits`.
    ///
    /// The bundle shows the category `kit` and accepts touches.
    @discardableResult
    func makeBundle(_ folder: String, program: String? = nil, name: String = "behaviours") throws -> String {
        if file != nil { _ = try tool.path() }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let executable = "\(name).\(suffix)"
        let info: [String: Any] = [
            "CFBundleIdentifier": "com.example.kit",
            "CFBundleExecutable": executable,
            "PushhostPermissions": try Workspace.permissions(writing: folder)
                .merging(file.map { ["Read": [$0]] } ?? [:]) { $1 },
            "NSExtension": [
                "NSExtensionPointIdentifier": "com.apple.usernotifications.content-extension",
                "NSExtensionAttributes": [
                    "UNNotificationExtensionCategory": "kit", "UNNotificationExtensionUserInteractionEnabled": true,
                    "UNNotificationExtensionOverridesDefaultTitle": true,
                ],
            ],
        ]
        try write(info, to: "\(folder)/Info.plist")
        let groups = ["com.apple.security.application-groups": [Workspace.group]]
        try write(groups, to: "\(folder)/\(executable).entitlements")
        let fixture = "\(repositoryRoot)/Tests/Fixtures/kits/\(executable)"
        let ownProgram = self == .swift ? "#!/bin/sh\nexec '\(try builtProduct("kit-extension"))'\n" : nil
        let text = try program ?? ownProgram ?? String(contentsOfFile: fixture, encoding: .utf8)
        try writeExecutable(text, to: "\(folder)/\(executable)")
        if let file, let filePath {
            try FileManager.default.createSymbolicLink(atPath: "\(folder)/\(file)", withDestinationPath: filePath)
        }
        return "\(folder)/\(executable)"
    }

    private func write(_ list: [String: Any], to path: String) throws {
        try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
            .write(to: URL(filePath: path))
    }
}

/// A host that shows one notification with a program that uses a kit.
struct KitHost {
    let host: HostProcess
    let notification: JSON

    /// Runs the closure with a host, after `prepare` received the bundle's folder; returns the host's stderr.
    @discardableResult
    static func with(
        _ kit: Kit,
        _ options: [String] = [],
        locale: String? = nil,
        prepare: (String) throws -> Void = { _ in },
        _ body: (KitHost) throws -> Void
    ) throws -> String {
        var standardError = ""
        try Workspace.open { workspace in
            let bundle = "\(workspace.plugins)/kit"
            try kit.makeBundle(bundle)
            try prepare(bundle)
            let host = try workspace.host(options)
            try host.result("subscribe", ["topics": ["$/log", "viewDidChange"]])
            var members = HostProcess.payload("kit").object?.map { ($0.name, $0.value) } ?? []
            if let locale { members.append(("locale", .string(locale))) }
            let shown = try host.result("didReceive", .object(JSON.Object(members)))
            try body(KitHost(host: host, notification: shown["notification"] ?? .null))
            let status = try host.finish()
            standardError = host.process.standardError
            guard status == .code(0) else { throw TestFailure("the host ended with \(status): \(standardError)") }
        }
        return standardError
    }

    /// Triggers a behaviour of the program through a touch, and returns the whole reply.
    func touch(_ behaviour: String) throws -> JSON {
        try host.call("interact", ["notification": notification, "element": "way", "value": .string(behaviour)])
    }

    /// The text that the program shows after a touch.
    func text(_ behaviour: String) throws -> String? { try touch(behaviour)["result"]?.shownText }

    /// Presses a button of the program, and returns the whole reply.
    func press(_ action: String, text: String? = nil) throws -> JSON {
        var members: [(String, JSON)] = [("notification", notification), ("actionIdentifier", .string(action))]
        if let text { members.append(("userText", .string(text))) }
        return try host.call("didReceiveResponse", .object(JSON.Object(members)))
    }
}

extension JSON {
    /// The text that the program shows.
    var shownText: String? { self["view"]?.children.first?["text"]?.string }

    /// The extension's own error within the host's error.
    var refusal: JSON? { self["error"]?["data"]?["cause"] }
}

/// The program that uses a kit, with the test as its host.
final class KitProcess {
    let process: ChildProcess
    private var last: Int64 = 0

    private init(_ process: ChildProcess) { self.process = process }

    /// Runs the closure with an activated process.
    static func with(_ kit: Kit, _ body: (KitProcess) throws -> Void) throws {
        try withTemporaryDirectory { folder in
            let program = try kit.makeBundle(folder)
            let process = KitProcess(try ChildProcess(program, directory: folder))
            let params: JSON = ["version": "1.2", "bundle": "com.example.kit", "locale": "en", "suites": []]
            #expect(try process.call("activate", params)["result"] == ["version": "1.2"], "the program declares it")
            try body(process)
        }
    }

    func call(_ method: String, _ params: JSON) throws -> JSON {
        last += 1
        let call: JSON = ["jsonrpc": "2.0", "id": .integer(last), "method": .string(method), "params": params]
        try process.write(line: call.description)
        let answer = try answer()
        #expect(answer["id"] == .integer(last))
        return answer
    }

    /// The next message that is not a call from the program; lines printed before the kit's import are skipped.
    func answer() throws -> JSON {
        while let line = try process.readLine() {
            guard line.hasPrefix("{") else { continue }
            let message = try JSON(parsing: line)
            if message["method"] == nil { return message }
        }
        throw TestFailure("it ended before it answered: \(process.standardError)")
    }

    func show(
        _ notification: String,
        title: String = "Hello",
        actions: JSON? = nil,
        number: JSON? = nil
    ) throws -> JSON {
        let userInfo = JSON.Object([("aps", [:])] + (number.map { [("number", $0)] } ?? []))
        let request: JSON = [
            "identifier": .string(notification), "date": "2026-01-01T00:00:00.000Z",
            "content": [
                "title": .string(title), "subtitle": "", "body": "", "categoryIdentifier": "kit",
                "threadIdentifier": "",
                "attachments": [], "userInfo": .object(userInfo),
            ],
        ]
        return try show(notification, request, actions: actions)
    }

    func show(_ notification: String, _ request: JSON, actions: JSON? = nil) throws -> JSON {
        let offered = actions.map { [("actions", $0)] } ?? []
        let params: [(String, JSON)] = [("notification", .string(notification)), ("request", request)]
        return try call("didReceive", .object(JSON.Object(params + offered)))
    }

    func touch(_ notification: String, _ behaviour: String) throws -> JSON {
        let params: JSON = ["notification": .string(notification), "element": "way", "value": .string(behaviour)]
        return try call("interact", params)
    }

    func press(_ notification: String, _ action: String) throws -> JSON {
        try call("didReceiveResponse", ["notification": .string(notification), "actionIdentifier": .string(action)])
    }
}
