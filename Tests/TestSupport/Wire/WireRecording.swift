import Foundation
import JSON

/// The messages of a host, as recorded with `--record`.
struct WireRecording {
    /// One record, with its number in the file.
    struct Record {
        let number: Int
        let json: JSON
        private(set) var from = ""
        private(set) var to = ""
        /// The content of the line, if it is JSON.
        private(set) var message: JSON?
        /// Whether the record contains a line or a part of one.
        private(set) var isLine = false
        /// Whether the line was not complete when it was recorded.
        private(set) var isPartial = false
        /// Whether the record says that the process `from` has exited.
        private(set) var isEnd = false

        /// Visits the members only once, because a recording may have hundreds of thousands of records.
        init(_ number: Int, _ json: JSON) {
            (self.number, self.json) = (number, json)
            var (from, to, message, isLine, isPartial, isEnd) = ("", "", nil as JSON?, false, false, false)
            json.object?.visit { member in
                if member.isNamed("from") {
                    from = member.value.string ?? ""
                } else if member.isNamed("to") {
                    to = member.value.string ?? ""
                } else if member.isNamed("raw"), let bytes = member.textBytes {
                    isLine = true
                    message = Self.parse(bytes)
                } else if member.isNamed("base64") {
                    isLine = true
                } else if member.isNamed("partial") {
                    isPartial = true
                } else if member.isNamed("ended") {
                    isEnd = true
                }
            }
            (self.from, self.to, self.message) = (from, to, message)
            (self.isLine, self.isPartial, self.isEnd) = (isLine, isPartial, isEnd)
        }

        /// A line as JSON, without a byte order mark.
        private static func parse(_ line: UnsafeRawBufferPointer) -> JSON? {
            let isMarked = line.count > 2 && line[0] == 0xEF && line[1] == 0xBB && line[2] == 0xBF
            do {
                return try JSON(parsing: isMarked ? UnsafeRawBufferPointer(rebasing: line[3...]) : line)
            } catch {
                return nil
            }
        }

        /// The messages of the line: those of a batch, or one; nil if it is not JSON.
        var messages: [JSON]? { message.map { $0.array.map { Array($0) } ?? [$0] } }

        /// The identifier of a bundle that the host read, and its extension point by its Info.plist.
        var bundle: (identifier: String, role: WireRole)? {
            guard let identifier = json["bundle"]?["identifier"]?.string,
                let file = json["bundle"]?["files"]?["Info.plist"],
                let data = file.string.map({ Data($0.utf8) })
                    ?? file["base64"]?.string.flatMap({ Data(base64Encoded: $0) }),
                let list = try? PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any],
                let point = (list["NSExtension"] as? [String: Any])?["NSExtensionPointIdentifier"] as? String
            else { return nil }
            let roles: [String: WireRole] = [
                "pushhost.destination": .destination, "pushhost.personalization": .personalization,
                "pushhost.source": .source,
                "com.apple.usernotifications.service": .service,
            ]
            return (identifier, roles[point] ?? .content)
        }
    }

    let records: [Record]
    /// Whether the file has the header with which every recording begins.
    let hasHeader: Bool
    /// Records within the file that cannot be read.
    let damage: [Int]

    /// Reads a recording; the last line may be truncated, as by a host that was killed.
    init(_ data: Data) {
        var records: [Record] = []
        var damage: [Int] = []
        data.withUnsafeBytes { bytes in
            var rest = bytes
            var number = 0
            // The rest after the last LF is empty or a truncated line.
            while let start = rest.baseAddress, let end = memchr(start, 0x0A, rest.count) {
                let length = UnsafeRawPointer(end) - start
                number += 1
                do {
                    let line = UnsafeRawBufferPointer(rebasing: rest[..<length])
                    records.append(Record(number, try JSON(parsing: line)))
                } catch {
                    damage.append(number)
                }
                rest = UnsafeRawBufferPointer(rebasing: rest[(length + 1)...])
            }
        }
        hasHeader = records.first?.json["session"]?.object != nil
        self.records = records
        self.damage = damage
    }
}

/// One message or member that the documents do not declare.
public struct WireFinding: Equatable, Sendable, CustomStringConvertible {
    /// The line number of the record in the recording, from 1.
    public let line: Int
    /// What is wrong, with the path in the message.
    public let sentence: String
    /// The record, shortened if it is long.
    public let record: String

    /// The line number, the sentence and the record.
    public var description: String { "line \(line) of the recording: \(sentence)\n\(record)" }
}
