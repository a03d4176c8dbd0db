internal import Contract
internal import Foundation
internal import JSON
internal import JSONRPC

/// Records one connection of the host, one record for each line.
package final class ConnectionTap: WireTap {
    private let recorder: Recorder
    private let peer: String
    private let outgoing: [UInt8]
    /// Whether the next line to the peer may tell it variables of the host's environment.
    private var mayTellVariables: Bool
    private var incoming: Stream
    private var error: Stream
    /// The length past which a line is recorded in pieces, because the session drops it.
    private let lineLimit: Int

    /// One stream on which bytes come that are not lines yet.
    private struct Stream {
        let ends: [UInt8]
        /// The begin of a line whose end has not come yet.
        var unfinished: [UInt8] = []
    }

    /// A tap on a connection.
    ///
    /// - Parameters:
    ///   - peer: Who is at the other end.
    ///   - recorder: Takes the records.
    ///   - lineLimit: The greatest length of a line that the session takes.
    ///   - isDestination: Whether it gets variables, which no recording has.
    package init(_ peer: String, _ recorder: Recorder, lineLimit: Int, isDestination: Bool = false) {
        mayTellVariables = isDestination
        self.peer = peer
        self.recorder = recorder
        self.lineLimit = lineLimit
        outgoing = Recorder.ends(from: Participant.host, to: peer)
        incoming = Stream(ends: Recorder.ends(from: peer, to: Participant.host))
        error = Stream(ends: Recorder.ends(from: peer, to: Participant.standardError))
    }

    package func didRead(_ bytes: UnsafeRawBufferPointer) { take(bytes, &incoming) }

    package func didReadEnd() {
        finish(&incoming)
        if peer == Participant.client { recordEnd() }
    }

    package func willWrite(_ line: UnsafeRawBufferPointer) {
        let activation = mayTellVariables ? Self.withoutVariables(line) : nil
        mayTellVariables = false
        guard let activation else { return recorder.record(line, outgoing) }
        activation.withUnsafeBytes { recorder.record($0, outgoing) }
    }

    /// The line of `activate` with names in place of the values of variables, however short these are.
    private static func withoutVariables(_ line: UnsafeRawBufferPointer) -> [UInt8]? {
        guard let message = (try? JSON(parsing: line))?.object, let params = message["params"]?.object,
            let environment = params["environment"]?.object
        else { return nil }
        let names = environment.map { ($0.name, JSON.string("[\($0.name)]")) }
        let masked = params.setting("environment", to: .object(JSON.Object(names)))
        return JSON.object(message.setting("params", to: .object(masked))).bytes
    }

    private func take(_ bytes: UnsafeRawBufferPointer, _ stream: inout Stream) {
        var rest = bytes
        while let start = rest.baseAddress, let end = memchr(start, 0x0A, rest.count) {
            let count = UnsafeRawPointer(end) - start
            let line = UnsafeRawBufferPointer(rebasing: rest[..<count])
            if stream.unfinished.isEmpty {
                recorder.record(line, stream.ends)
            } else {
                stream.unfinished.append(contentsOf: line)
                stream.unfinished.withUnsafeBytes { recorder.record($0, stream.ends) }
                stream.unfinished.removeAll(keepingCapacity: true)
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[(count + 1)...])
        }
        stream.unfinished.append(contentsOf: rest)
        // A byte order mark and a CR do not count, so a line may be longer by four.
        guard stream.unfinished.count > lineLimit + 4 else { return }
        // No secret is cut in two, which would show both.
        let left = stream.unfinished.suffix(recorder.countOfBegunSecret(stream.unfinished))
        stream.unfinished.removeLast(left.count)
        finish(&stream)
        stream.unfinished = Array(left)
    }

    /// Records what has no end.
    private func finish(_ stream: inout Stream) {
        guard !stream.unfinished.isEmpty else { return }
        stream.unfinished.withUnsafeBytes { recorder.record($0, stream.ends, isPartial: true) }
        stream.unfinished = []
    }

    // MARK: Of a process

    package func didReadError(_ bytes: UnsafeRawBufferPointer) { take(bytes, &error) }

    package func didCloseOutput() { recorder.record([("from", .string(peer)), ("closed", "stdout")]) }

    package func didEnd(exitCode: Int32?, signal: Int32?, wasStopped: Bool) {
        finish(&error)
        var end: [(String, JSON)] = []
        if let exitCode { end.append(("exitCode", .integer(Int64(exitCode)))) }
        if let signal {
            end.append(("signal", .integer(Int64(signal))))
            // An extension may send itself the signals that the host sends.
            end.append(("stopped", .bool(wasStopped)))
        }
        recordEnd(end)
    }

    /// Records that the peer is gone, or says nothing more.
    private func recordEnd(_ end: [(String, JSON)] = []) {
        recorder.record([
            ("from", .string(peer)), ("to", .string(Participant.host)), ("ended", .object(JSON.Object(end))),
        ])
    }
}
