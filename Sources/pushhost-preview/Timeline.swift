internal import CSystem
internal import JSON
internal import Platform

/// Makes entries for people of what goes between the host and its extensions, and of the host's log.
struct Timeline {
    /// The greatest number of characters of a line that are shown.
    private static let lineLimit = 2_000
    /// The greatest number of calls whose answers are waited for.
    private static let callLimit = 1_000

    private var count = 0
    /// The methods of calls that were not answered yet, by who called and the id.
    private var calls: [String: String] = [:]

    /// The entries of records of a recording; what only concerns the host and this client has none.
    mutating func entries(_ records: [JSON]) -> [JSON] { records.compactMap { entry($0) } }

    /// The entries of lines of the host's log.
    mutating func entries(ofLog lines: [String]) -> [JSON] {
        lines.map { entry(nil, kind: "log", from: "host", to: "", text: $0, raw: nil) }
    }

    /// An entry that the preview makes itself.
    mutating func note(_ text: String, isError: Bool) -> JSON {
        entry(nil, kind: isError ? "error" : "note", from: "preview", to: "", text: text, raw: nil)
    }

    private mutating func entry(_ record: JSON) -> JSON? {
        guard let from = record["from"]?.string, record["exit"] == nil, from != "client" else { return nil }
        let time = record["t"]?.integer
        let to = record["to"]?.string ?? ""
        if let end = record["ended"] ?? record["closed"] {
            let code = end["exitCode"].map { "ended with exit code \($0)" }
            let how = code ?? end["signal"].map { "ended by signal \($0)" } ?? "closed its stdout"
            return entry(time, kind: "end", from: from, to: "", text: how, raw: nil)
        }
        let raw = record["raw"]?.string ?? "bytes that are not UTF-8"
        // Blank lines between messages are allowed and mean nothing.
        guard !raw.allSatisfy(\.isWhitespace) else { return nil }
        if to == "stderr" { return entry(time, kind: "stderr", from: from, to: to, text: raw, raw: nil) }
        guard let message = try? JSON(parsing: raw) else {
            return entry(time, kind: "error", from: from, to: to, text: "a line that is not JSON", raw: raw)
        }
        // The answers to this client are shown as what they mean, and lines of stderr were shown already.
        guard to != "client" || message["id"] == nil && message["method"] != "$/stderr" else { return nil }
        let (kind, text) = describe(message, from: from, to: to)
        return entry(time, kind: kind, from: from, to: to, text: text, raw: raw)
    }

    private mutating func entry(
        _ time: Int64?,
        kind: String,
        from: String,
        to: String,
        text: String,
        raw: String?
    ) -> JSON {
        count += 1
        return [
            "n": JSON(count), "t": time.map(JSON.integer) ?? .null, "kind": .string(kind), "from": .string(from),
            "to": .string(to), "text": .string(Self.cut(text)), "raw": raw.map { .string(Self.cut($0)) } ?? .null,
        ]
    }

    private mutating func describe(_ message: JSON, from: String, to: String) -> (kind: String, text: String) {
        if let method = message["method"]?.string {
            if let id = message["id"], calls.count < Self.callLimit { calls["\(from) \(to) \(id)"] = method }
            let params = message["params"]
            let names = ["element", "actionIdentifier", "name", "key", "field", "message", "reason", "url"]
            let subject = names.lazy.compactMap { params?[$0]?.string }.first
            return (
                message["id"] == nil ? "notification" : "call",
                [method, subject].compactMap(\.self).joined(separator: " ")
            )
        }
        let method = calls.removeValue(forKey: "\(to) \(from) \(message["id"] ?? .null)") ?? "a call"
        guard let error = message["error"] else { return ("answer", method) }
        return ("error", "\(method): \(error["message"]?.string ?? "an error")")
    }

    private static func cut(_ text: String) -> String {
        // Counting bytes is enough: a character has at least one.
        text.utf8.count <= lineLimit ? text : String(text.prefix(lineLimit)) + "…"
    }
}

/// Reads a recording while the host writes it.
final class WireTail {
    /// Records that were read are removed from the file in steps of this size.
    private static let step = 1 << 20

    private let descriptor: Int32
    private var rest: [UInt8] = []
    private var position = 0
    private var removed = 0

    /// The tail of a recording that a host has begun.
    init(path: String) { descriptor = open(path, O_RDWR | O_CLOEXEC) }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// The records that were written since.
    func records() -> [JSON] {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        var found: [JSON] = []
        while true {
            let count = pread(descriptor, &buffer, buffer.count, off_t(position))
            guard count > 0 else { break }
            position += count
            rest += buffer[..<count]
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                if let record = try? JSON(parsing: Array(rest[..<end])) { found.append(record) }
                rest.removeSubrange(...end)
            }
        }
        removeRead()
        return found
    }

    /// Gives the space of what was read back to the file system; a preview runs for days.
    private func removeRead() {
        guard position - removed >= Self.step,
            csystem_free_space(descriptor, off_t(removed), off_t(position - removed)) == 0
        else { return }
        removed = position
    }
}

/// The lines of a host's log that were not shown yet.
final class HostLog {
    private var bytes: [UInt8] = []

    /// Adds what the host wrote.
    func add(_ more: ArraySlice<UInt8>) { bytes += more }

    /// Takes the whole lines; the beginning of another one stays.
    func takeLines() -> [String] {
        guard let end = bytes.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
        let lines = bytes[..<end].split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
        bytes.removeSubrange(...end)
        return lines
    }
}
