public import JSON

extension JSON {
    /// A random value, with edge cases more likely: extreme numbers, unusual characters, empty containers.
    public static func random(depth: Int, using generator: inout some RandomNumberGenerator) -> JSON {
        switch Int.random(in: 0..<(depth > 0 ? 10 : 7), using: &generator) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &generator))
        case 2: return .integer(randomInteger(using: &generator))
        case 3, 4: return .real(randomReal(using: &generator))
        case 5, 6: return .string(randomText(allowingNUL: true, using: &generator))
        case 7:
            let count = Int.random(in: 0...4, using: &generator)
            return JSON((0..<count).map { _ in random(depth: depth - 1, using: &generator) })
        default:
            let count = Int.random(in: 0...4, using: &generator)
            let members = (0..<count).map { _ in
                (randomText(allowingNUL: false, using: &generator), random(depth: depth - 1, using: &generator))
            }
            return .object(JSON.Object(members))
        }
    }

    private static func randomInteger(using generator: inout some RandomNumberGenerator) -> Int64 {
        let bits = Int.random(in: 0...63, using: &generator)
        return Int64(bitPattern: generator.next()) >> Int64(bits)
    }

    private static func randomReal(using generator: inout some RandomNumberGenerator) -> Double {
        let value =
            switch Int.random(in: 0..<3, using: &generator) {
            case 0: Double(bitPattern: generator.next())
            case 1: Double(randomInteger(using: &generator))
            default: Double(Int64.random(in: -100_000...100_000, using: &generator)) / 100
            }
        return value.isFinite ? value : 0.1
    }

    private static func randomText(allowingNUL: Bool, using generator: inout some RandomNumberGenerator) -> String {
        let ranges: [ClosedRange<UInt32>] = [
            0x20...0x7E, 0x20...0x7E, 0x01...0x1F, 0x7F...0xFF, 0x300...0x36F, 0x2020...0x202F, 0xD7F0...0xD7FF,
            0xE000...0xE010, 0xFFF0...0xFFFF, 0x1F600...0x1F64F, 0x10FFF0...0x10FFFF,
        ]
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...12, using: &generator) {
            let range = ranges[Int.random(in: 0..<ranges.count, using: &generator)]
            let isNUL = allowingNUL && Int.random(in: 0..<40, using: &generator) == 0
            let number = isNUL ? 0 : UInt32.random(in: range, using: &generator)
            if let scalar = Unicode.Scalar(number) { text.append(scalar) }
        }
        return String(text)
    }
}
