internal import Contract
internal import Foundation
internal import JSON
internal import Recording

/// The events of one recorded process, read one at a time from a file of their own.
///
/// ``ExtensionPlayer`` must begin to answer at once, however long the recording is.
final class RecordedEvents {
    private let file: UnsafeMutablePointer<FILE>
    private let identifier: String
    private var line: UnsafeMutablePointer<CChar>?
    private var capacity = 0

    /// The events in a file that ``write(_:to:)`` made; nil if there is no such file.
    init?(path: String, identifier: String) {
        guard let file = fopen(path, "re") else { return nil }
        self.file = file
        self.identifier = identifier
    }

    deinit {
        fclose(file)
        free(line)
    }

    /// Writes the events of a process to a file.
    static func write(_ run: RecordedRun, to path: String) throws {
        var text: [UInt8] = []
        for event in run.events { text += json(event).bytes + [UInt8(ascii: "\n")] }
        try Data(text).write(to: URL(fileURLWithPath: path))
    }

    private static func json(_ event: RecordedRun.Event) -> JSON {
        func json(_ name: String, _ line: WireLine) -> JSON {
            [
                .string(name), JSON(line.number), .bool(line.isPartial),
                .string(Data(line.bytes).base64EncodedString()),
            ]
        }
        return switch event {
        case .received(let line): json("received", line)
        case .wroteOutput(let line): json("wroteOutput", line)
        case .wroteError(let line): json("wroteError", line)
        case .closedOutput: ["closedOutput"]
        case .exited(let code): ["exited", JSON(Int(code))]
        case .killed(let signal): ["killed", JSON(Int(signal))]
        case .stopped: ["stopped"]
        }
    }

    /// The next event; nil after the last one.
    func next() -> RecordedRun.Event? {
        let count = getline(&line, &capacity, file)
        guard count > 0, let line else { return nil }
        guard let json = try? JSON(parsing: UnsafeRawBufferPointer(start: line, count: count)) else { return nil }
        let number = json[1]?.integer.map { Int32(truncatingIfNeeded: $0) } ?? 0
        return switch json[0]?.string {
        case "received": .received(wireLine(json, from: Participant.host, to: identifier))
        case "wroteOutput": .wroteOutput(wireLine(json, from: identifier, to: Participant.host))
        case "wroteError": .wroteError(wireLine(json, from: identifier, to: Participant.standardError))
        case "closedOutput": .closedOutput
        case "exited": .exited(number)
        case "killed": .killed(number)
        default: .stopped
        }
    }

    private func wireLine(_ json: JSON, from: String, to: String) -> WireLine {
        WireLine(
            number: Int(json[1]?.integer ?? 0),
            from: from,
            to: to,
            bytes: json[3]?.string.flatMap { Data(base64Encoded: $0) }.map { Array($0) } ?? [],
            isPartial: json[2]?.bool == true
        )
    }
}
