import Foundation
import JSON
import TestSupport

/// A window of the preview: a WebSocket that speaks as the page's script does.
final class PreviewWindow {
    private let connection: LoopbackConnection
    /// The last message of each type.
    private(set) var state: [String: JSON] = [:]
    /// All entries of the timeline.
    private(set) var timeline: [JSON] = []

    init(port: Int, token: String) throws {
        connection = try LoopbackConnection(port: port)
        let lines = [
            "GET /\(token)/socket HTTP/1.1", "Host: 127.0.0.1:\(port)", "Origin: http://127.0.0.1:\(port)",
            "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
            "Sec-WebSocket-Version: 13",
        ]
        try connection.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
        let head = try connection.receive(upTo: Array("\r\n\r\n".utf8))
        guard head.hasPrefix("HTTP/1.1 101 ") else { throw TestFailure("no WebSocket: \(head)") }
        // The value that RFC 6455 defines for this key.
        guard head.contains("ICX+Yqv66kxgM0FcWaLWlFLwTAI=") else { throw TestFailure("wrong handshake: \(head)") }
    }

    /// Sends a message.
    func send(_ message: JSON) throws { try send(frame: 1, message.bytes) }

    /// Sends a frame.
    func send(frame opcode: UInt8, _ payload: [UInt8]) throws {
        // It changes nothing, so that a debug build need not touch each byte of large frames.
        let mask: [UInt8] = [0, 0, 0, 0]
        let count = payload.count
        let length: [UInt8] =
            switch count {
            case ..<126: [0x80 | UInt8(count)]
            case ..<65_536: [0xFE, UInt8(count >> 8), UInt8(count & 0xFF)]
            default: [0xFF] + (0..<8).map { UInt8(truncatingIfNeeded: count >> (56 - 8 * $0)) }
            }
        try connection.send(bytes: [0x80 | opcode] + length + mask + payload)
    }

    /// The next frame.
    func frame() throws -> (opcode: UInt8, payload: [UInt8]) {
        let head = try connection.receive(bytes: 2)
        var count = Int(head[1])
        if count > 125 {
            count = try connection.receive(bytes: count == 126 ? 2 : 8).reduce(0) { $0 << 8 | Int($1) }
        }
        return (head[0] & 15, try connection.receive(bytes: count))
    }

    /// Reads messages until one of a type fulfils a condition, and returns it.
    @discardableResult
    func wait(_ type: String, until isWanted: (JSON) -> Bool = { _ in true }) throws -> JSON {
        while true {
            let message = try next()
            if message["type"]?.string == type, isWanted(message) { return message }
        }
    }

    /// Reads messages until the last one of a type fulfils a condition, which one that was read before may do.
    func settle(_ type: String, until isWanted: (JSON) -> Bool) throws {
        while state[type].map(isWanted) != true { _ = try next() }
    }

    /// Reads messages until the timeline has an entry of a kind whose text contains another.
    func waitForEntry(_ kind: String, _ text: String) throws {
        while !timeline.contains(where: { $0["kind"]?.string == kind && $0["text"]?.string?.contains(text) == true }) {
            _ = try next()
        }
    }

    /// Reads frames up to the one that closes the connection, and returns its code and reason.
    func waitForClose() throws -> (code: Int, reason: String) {
        while true {
            let (opcode, payload) = try frame()
            guard opcode == 8 else { continue }
            return (
                payload.prefix(2).reduce(0) { $0 << 8 | Int($1) }, String(decoding: payload.dropFirst(2), as: UTF8.self)
            )
        }
    }

    private func next() throws -> JSON {
        let (opcode, payload) = try frame()
        guard opcode == 1 else {
            throw TestFailure("the window was closed: \(String(decoding: payload, as: UTF8.self))")
        }
        let message = try JSON(parsing: payload)
        if let type = message["type"]?.string { state[type] = message }
        timeline += message["entries"]?.array.map { Array($0) } ?? []
        return message
    }
}

extension JSON {
    /// The picture in a message `picture`.
    var html: String { self["html"]?.string ?? "" }
    /// The diagnostics in a message `lsp`; empty for another answer of the language server.
    var diagnostics: [JSON] { self["message"]?["params"]?["diagnostics"]?.array.map { [JSON]($0) } ?? [] }
}
