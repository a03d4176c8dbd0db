import Foundation
import JSON
import TestSupport
import Testing

/// A recording, read according to its documented format.
struct RecordedFile {
    let records: [JSON]

    /// Reads a recording; a truncated last line is ignored.
    init(_ path: String) throws {
        let data = try Data(contentsOf: URL(filePath: path))
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
        records = try lines.enumerated().compactMap { index, line in
            if index == lines.count - 1, data.last != UInt8(ascii: "\n") { return nil }
            return try JSON(parsing: String(line))
        }
    }

    var header: JSON { records.first?["session"] ?? .null }

    /// The bytes that one participant sent to another, in order.
    func bytes(from: String, to: String) -> [UInt8] {
        records.filter { $0["from"] == .string(from) && $0["to"] == .string(to) }
            .flatMap { record -> [UInt8] in
                guard let bytes = Self.bytes(of: record) else { return [] }
                return bytes + (record["partial"] == true ? [] : [UInt8(ascii: "\n")])
            }
    }

    static func bytes(of record: JSON) -> [UInt8]? {
        record["raw"]?.string.map { Array($0.utf8) }
            ?? record["base64"]?.string.flatMap { Data(base64Encoded: $0) }.map { Array($0) }
    }

    /// The sender and receiver of each record, in order: `client>host` and so on.
    var directions: [String] {
        records.compactMap { record in
            guard let from = record["from"]?.string, let to = record["to"]?.string, record["ended"] == nil else {
                return nil
            }
            return "\(from)>\(to)"
        }
    }
}

/// Runs the program to its end, with bytes as its input; a replay in this process.
func runPushhost(
    _ arguments: [String],
    input: some Collection<UInt8> = [],
    directory: String? = nil,
    environment: [String: String]? = nil
) throws -> (output: String, error: String, status: ChildProcess.Status) {
    if arguments.first == "replay" {
        let all = environment ?? ProcessInfo.processInfo.environment
        let run = try CommandRun(arguments, environment: all, directory: directory)
        return (run.output, run.standardError, run.status)
    }
    // A host can write only one recording.
    let isChecked = !arguments.contains { $0.hasPrefix("--record") }
    let command = try hostCommand(arguments, unchecked: isChecked ? nil : "it records itself")
    let process = try ChildProcess(
        command[0],
        Array(command.dropFirst()),
        environment: environment,
        directory: directory
    )
    try process.write(input)
    process.closeInput()
    let output = try process.readToEnd()
    let status = try process.wait()
    return (output, process.standardError, status)
}
