internal import ExtensionHost
internal import Foundation
internal import JSON
internal import JSONRPC

/// Records one connection of the host, a line a record.
final class ConnectionTap: ExtensionTap {
    /// How the client is called.
    static let client = "client"

    private let recorder: Recorder
    private let peer: String
    private let incoming: [UInt8]
    private let outgoing: [UInt8]
    private let error: [UInt8]
    /// The length past which a line is recorded in pieces, because the session drops it.
    private let lineLimit: Int
    /// The begin of a line whose end has not come yet.
    private var unfinished: [UInt8] = []

    /// A tap on a connection.
    ///
    /// - Parameters:
    ///   - peer: Who is at the other end.
    ///   - recorder: Takes the records.
    ///   - lineLimit: The greatest length of a line that the session takes.
    init(_ peer: String, _ recorder: Recorder, lineLimit: Int) {
        self.peer = peer
        self.recorder = recorder
        self.lineLimit = lineLimit
        incoming = Recorder.ends(from: peer, to: "host")
        outgoing = Recorder.ends(from: "host", to: peer)
        error = Recorder.ends(from: peer, to: "stderr")
    }

    func didRead(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes
        while let start = rest.baseAddress, let end = memchr(start, 0x0A, rest.count) {
            let count = UnsafeRawPointer(end) - start
            let line = UnsafeRawBufferPointer(rebasing: rest[..<count])
            if unfinished.isEmpty {
                recorder.record(line, incoming)
            } else {
                unfinished.append(contentsOf: line)
                unfinished.withUnsafeBytes { recorder.record($0, incoming) }
                unfinished.removeAll(keepingCapacity: true)
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[(count + 1)...])
        }
        unfinished.append(contentsOf: rest)
        // A byte order mark and a CR do not count, so a line may be longer by four.
        if unfinished.count > lineLimit + 4 { recordUnfinished() }
    }

    func didReadEnd() {
        if !unfinished.isEmpty { recordUnfinished() }
        if peer == Self.client { recordEnd() }
    }

    private func recordUnfinished() {
        unfinished.withUnsafeBytes { recorder.record($0, incoming, isPartial: true) }
        unfinished = []
    }

    func willWrite(_ line: UnsafeRawBufferPointer) { recorder.record(line, outgoing) }

    // MARK: Of a process

    func didReadError(_ line: String) {
        var line = line
        line.withUTF8 { recorder.record(UnsafeRawBufferPointer($0), error) }
    }

    func didEnd(exitCode: Int32?, signal: Int32?) {
        var end: [(String, JSON)] = []
        if let exitCode { end.append(("exitCode", .integer(Int64(exitCode)))) }
        if let signal { end.append(("signal", .integer(Int64(signal)))) }
        recordEnd(end)
    }

    /// Records that the peer is gone, or says nothing more.
    func recordEnd(_ end: [(String, JSON)] = []) {
        recorder.record([
            ("from", .string(peer)), ("to", .string("host")), ("ended", .object(JSON.Object(end))),
        ])
    }
}
