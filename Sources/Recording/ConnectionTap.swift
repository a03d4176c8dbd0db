internal import Contract
internal import JSON
internal import JSONRPC
internal import Platform

/// Records one connection of the host, one record for each line.
package final class ConnectionTap: WireTap {
    private let recorder: Recorder
    private let peer: String
    /// The endpoints of lines to the peer; see ``Recorder/endpoints(from:to:)``.
    private let outgoing: [UInt8]
    /// Whether the next line to the peer may hold variables of the host's environment: only `activate` does.
    @exclusivity(unchecked) private var mayHoldVariables: Bool
    private var incoming: Stream
    private var error: Stream
    /// A longer line is recorded in pieces, because the session drops it.
    private let lineLimit: Int

    /// A stream of incoming bytes.
    private struct Stream {
        let endpoints: [UInt8]
        /// The beginning of a line whose end has not arrived yet.
        var unfinished: [UInt8] = []
    }

    /// A tap on a connection.
    ///
    /// - Parameters:
    ///   - peer: The participant at the other end.
    ///   - recorder: Receives the records.
    ///   - lineLimit: The maximum length of a line that the session accepts.
    ///   - mayHoldVariables: Whether the peer gets environment variables, whose values must not be recorded.
    package init(_ peer: String, _ recorder: Recorder, lineLimit: Int, mayHoldVariables: Bool = false) {
        self.mayHoldVariables = mayHoldVariables
        self.peer = peer
        self.recorder = recorder
        self.lineLimit = lineLimit
        outgoing = Recorder.endpoints(from: Participant.host, to: peer)
        incoming = Stream(endpoints: Recorder.endpoints(from: peer, to: Participant.host))
        error = Stream(endpoints: Recorder.endpoints(from: peer, to: Participant.standardError))
    }

    package func didRead(_ bytes: UnsafeRawBufferPointer) { recordLines(bytes, &incoming) }

    package func didReadEnd() {
        recordUnfinishedLine(&incoming)
        if peer == Participant.client { recordEnd() }
    }

    package func willWrite(_ line: UnsafeRawBufferPointer) {
        let activation = mayHoldVariables ? Self.withoutVariables(line) : nil
        mayHoldVariables = false
        guard let activation else { return recorder.record(line, outgoing) }
        activation.withUnsafeBytes { recorder.record($0, outgoing) }
    }

    /// The line with each variable's name in place of its value, however short the value is; nil if it holds no variables.
    private static func withoutVariables(_ line: UnsafeRawBufferPointer) -> [UInt8]? {
        guard let message = (try? JSON(parsing: line))?.object, let params = message["params"]?.object,
            let environment = params["environment"]?.object
        else { return nil }
        let names = environment.map { ($0.name, JSON.string("[\($0.name)]")) }
        let masked = params.setting("environment", to: .object(JSON.Object(names)))
        return JSON.object(message.setting("params", to: .object(masked))).bytes
    }

    private func recordLines(_ bytes: UnsafeRawBufferPointer, _ stream: inout Stream) {
        var rest = bytes
        while let start = rest.baseAddress, let end = memchr(start, 0x0A, rest.count) {
            let count = UnsafeRawPointer(end) - start
            let line = UnsafeRawBufferPointer(rebasing: rest[..<count])
            if stream.unfinished.isEmpty {
                recorder.record(line, stream.endpoints)
            } else {
                stream.unfinished.append(contentsOf: line)
                stream.unfinished.withUnsafeBytes { recorder.record($0, stream.endpoints) }
                stream.unfinished.removeAll(keepingCapacity: true)
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[(count + 1)...])
        }
        stream.unfinished.append(contentsOf: rest)
        // A byte order mark and a CR do not count towards the limit, so a line may be four bytes longer.
        guard stream.unfinished.count > lineLimit + 4 else { return }
        // A secret must not be cut in two: neither part would be recognised.
        let left = stream.unfinished.suffix(recorder.countOfBegunSecret(stream.unfinished))
        stream.unfinished.removeLast(left.count)
        recordUnfinishedLine(&stream)
        stream.unfinished = Array(left)
    }

    /// Records a line that has no LF, if there is one.
    private func recordUnfinishedLine(_ stream: inout Stream) {
        guard !stream.unfinished.isEmpty else { return }
        stream.unfinished.withUnsafeBytes { recorder.record($0, stream.endpoints, isPartial: true) }
        stream.unfinished = []
    }

    // MARK: Processes

    package func didReadError(_ bytes: UnsafeRawBufferPointer) { recordLines(bytes, &error) }

    package func didCloseOutput() { recorder.record([("from", .string(peer)), ("closed", "stdout")]) }

    package func didEnd(exitCode: Int32?, signal: Int32?, wasStopped: Bool) {
        recordUnfinishedLine(&error)
        recordEnd(
            [
                "exitCode": exitCode.map { .integer(Int64($0)) }, "signal": signal.map { .integer(Int64($0)) },
                // An extension may send itself the same signals, so the number alone does not say who stopped it.
                "stopped": signal == nil ? nil : .bool(wasStopped),
            ]
        )
    }

    /// Records that the peer ended, or closed its output.
    private func recordEnd(_ end: MemberList = [:]) {
        recorder.record([
            ("from", .string(peer)), ("to", .string(Participant.host)), ("ended", JSON(present: end)),
        ])
    }
}
