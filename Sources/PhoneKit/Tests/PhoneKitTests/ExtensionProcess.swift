import Foundation
import JSON
import Testing

/// The process of a fixture, to which a test speaks as the host does.
///
/// The fixture's executable and the files of its bundle are copied into a folder of their own, as `pushhost` finds a
/// bundle. Requests of the extension are answered at once; what it sends is kept.
final class ExtensionProcess {
    /// What the extension sent: the method and its params.
    private(set) var sent: [(method: String, params: JSON)] = []
    /// The values of suites, by suite and key.
    var stored: [String: JSON] = [:]
    let folder: URL

    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var unread = Data()
    private var lastID = 0

    /// Starts a fixture and activates it.
    init(_ fixture: String, clock: String? = nil, attachments: URL? = nil, locale: String = "en") throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("phonekit-\(UUID().uuidString)")
        let files = FileManager.default
        try files.copyItem(at: Self.fixtures.appendingPathComponent("\(fixture)/bundle"), to: folder)
        let executable = folder.appendingPathComponent(fixture)
        // A link if possible: a copy that is still written while another test starts its process cannot be started.
        do { try files.linkItem(at: Self.products.appendingPathComponent(fixture), to: executable) } catch {
            try files.copyItem(at: Self.products.appendingPathComponent(fixture), to: executable)
        }
        process.executableURL = executable
        process.currentDirectoryURL = folder
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let result = try call(
            "activate",
            [
                ("version", "1.3"), ("bundle", "com.example"), ("locale", .string(locale)),
                ("clock", clock.map(JSON.string)), ("suites", ["group.com.example.\(fixture)"]),
                ("attachments", attachments.map { .string($0.path) }),
            ]
        )
        #expect(result["version"] == "1.1")
    }

    deinit {
        input.fileHandleForWriting.closeFile()
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    private static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Fixtures")
    private static let products = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()

    // MARK: Calls

    /// Calls the extension and returns its result; an error is thrown.
    ///
    /// The notifications are sent before the answer is waited for.
    @discardableResult
    func call(_ method: String, _ params: [(String, JSON?)], notifications: [(String, JSON)] = []) throws -> JSON {
        lastID += 1
        let id = JSON(lastID)
        let present = params.compactMap { name, value in value.map { (name, $0) } }
        try write([
            "jsonrpc": "2.0", "id": id, "method": .string(method), "params": .object(JSON.Object(present)),
        ])
        for (method, params) in notifications {
            try write(["jsonrpc": "2.0", "method": .string(method), "params": params])
        }
        while true {
            let message = try nextMessage()
            guard message["method"] == nil else {
                try take(message)
                continue
            }
            #expect(message["id"] == id)
            if let error = message["error"] { throw Refusal(error: error) }
            return message["result"] ?? .null
        }
    }

    /// Shows a notification with this user info and content.
    @discardableResult
    func receive(
        title: String = "Title",
        body: String = "Body",
        userInfo: JSON = [:],
        content: [(String, JSON)] = [],
        date: String = "2026-01-01T10:00:00.000Z",
        texts: JSON? = nil
    ) throws -> JSON {
        let members: [(String, JSON)] = [("title", .string(title)), ("body", .string(body)), ("userInfo", userInfo)]
        return try call(
            "didReceive",
            [
                ("notification", "n1"),
                ("request", ["content": .object(JSON.Object(members + content)), "date": .string(date)]),
                ("actions", []), ("texts", texts),
            ]
        )
    }

    /// Touches an element.
    @discardableResult
    func touch(_ element: String, _ value: JSON? = nil) throws -> JSON {
        try call("interact", [("notification", "n1"), ("element", .string(element)), ("value", value)])
    }

    /// Chooses an action.
    @discardableResult
    func choose(_ action: String, text: String? = nil) throws -> JSON {
        try call(
            "didReceiveResponse",
            [("notification", "n1"), ("actionIdentifier", .string(action)), ("userText", text.map(JSON.string))]
        )
    }

    /// Waits until the extension sends something by itself, and returns its params.
    func next(_ method: String) throws -> JSON {
        while true {
            if let index = sent.firstIndex(where: { $0.method == method }) { return sent.remove(at: index).params }
            try take(try nextMessage())
        }
    }

    /// What the extension sent of that kind.
    func all(_ method: String) -> [JSON] { sent.filter { $0.method == method }.map(\.params) }

    // MARK: Messages

    private func take(_ message: JSON) throws {
        guard let method = message["method"]?.string else { return }
        let params = message["params"] ?? [:]
        sent.append((method, params))
        guard let id = message["id"] else { return }
        try write(["jsonrpc": "2.0", "id": id, "result": answer(method, params)])
    }

    private func answer(_ method: String, _ params: JSON) -> JSON {
        let key = "\(params["suite"]?.string ?? "")/\(params["key"]?.string ?? "")"
        switch method {
        case "retrieve": return ["value": stored[key] ?? .null]
        case "store": stored[key] = params["value"]
        case "removeObject": stored[key] = nil
        default: break
        }
        return [:]
    }

    private func write(_ message: JSON) throws {
        try input.fileHandleForWriting.write(contentsOf: Data(message.bytes + [UInt8(ascii: "\n")]))
    }

    private func nextMessage() throws -> JSON {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                let line = Array(unread[..<end])
                unread.removeSubrange(...end)
                return try JSON(parsing: line)
            }
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { throw Refusal(error: "the extension ended") }
            unread.append(data)
        }
    }
}

/// The error with which the extension refused a call.
struct Refusal: Error {
    let error: JSON
}

extension JSON {
    /// The node with an id in a view.
    func node(_ id: String) -> JSON? {
        if self["id"]?.string == id { return self }
        return self["children"]?.array?.lazy.compactMap { $0.node(id) }.first
    }

    /// The texts and titles in a view, in order.
    var texts: [String] {
        let own = [self["text"]?.string, self["title"]?.string].compactMap { $0 }
        return own + (self["children"]?.array?.flatMap(\.texts) ?? [])
    }
}
