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
