import Foundation
import JSON
import TestSupport

/// An authoring kit, and the program that calls every part of it, both correctly and incorrectly.
enum Kit: String, CaseIterable, Sendable {
    case python
    case node
    /// ExtensionKit. Its program, `Tests/Fixtures/kit-extension`, has only some of the behaviours.
    case swift

    /// The kits of a single file, whose programs have all behaviours.
    static let allCases: [Kit] = [.python, .node]

    static let folder = "\(repositoryRoot)/plugins/kits"

    /// The single file that authors copy.
    private var file: String? {
        switch self {
        case .python: "pushhost_extension.py"
        case .node: "pushhost-extension.mjs"
        case .swift: nil
        }
    }

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
        if let file {
            let link = "\(folder)/\(file)"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "\(Kit.folder)/\(file)")
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
