internal import CSystem
internal import Foundation
internal import JSON

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
