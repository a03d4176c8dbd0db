/// Binary property lists that no standard writer produces.
public enum BinaryPropertyLists {
    /// A file with these encoded objects, of which the first is the root; object references have one byte.
    public static func file(_ objects: [[UInt8]]) -> [UInt8] {
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for object in objects {
            offsets += [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)]
            bytes += object
        }
        let table = bytes.count
        bytes += offsets + [0, 0, 0, 0, 0, 0, 2, 1]
        for number in [objects.count, 0, table] { bytes += (0..<8).map { UInt8(number >> (56 - 8 * $0) & 0xFF) } }
        return bytes
    }

    /// A dictionary with nested arrays, each of which refers to the next one `width` times.
    ///
    /// A few bytes expand to `width` to the power of `depth` values.
    public static func bomb(key: String = "a", depth: Int = 14, width: Int = 7) -> [UInt8] {
        let arrays = (0..<depth).map { level -> [UInt8] in
            let head: [UInt8] = width < 15 ? [0xA0 | UInt8(width)] : [0xAF, 0x10, UInt8(width)]
            return head + [UInt8](repeating: UInt8(level + 3), count: width)
        }
        let text: [UInt8] =
            key.utf8.count < 15 ? [0x50 | UInt8(key.utf8.count)] : [0x5F, 0x10, UInt8(key.utf8.count)]
        return file([[0xD1, 1, 2], text + Array(key.utf8)] + arrays + [[0xA0]])
    }
}
