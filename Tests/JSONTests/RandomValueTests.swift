import JSON
import TestSupport
import Testing

@Suite struct RandomValueTests {
    @Test("Any value is the same after it was written, read and written again", arguments: 0..<20 as Range<UInt64>)
    func roundTrip(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let value = JSON.random(depth: 5, using: &generator)
            let text = value.bytes
            let read = try JSON(parsing: text)
            #expect(read == value)
            // The bytes also show the order of members and the sign of zero, which equality ignores.
            #expect(read.bytes == text)
            #expect(!text.contains { $0 < 0x20 }, "a line must stay one line")
        }
    }

    @Test("A truncated text, or one with a changed byte, is read or refused, and what was read can be written")
    func damage() throws {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<2_000 {
            var text = JSON.random(depth: 4, using: &generator).bytes
            if Bool.random(using: &generator) {
                text.removeLast(Int.random(in: 0...text.count, using: &generator))
            } else {
                text[Int.random(in: 0..<text.count, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            do throws(JSONParseError) {
                let value = try JSON(parsing: text)
                #expect((try? JSON(parsing: value.bytes)) == value)
            } catch {
                #expect(!error.message.isEmpty)
                #expect(error.line >= 1 && error.column >= 0 && (0...text.count).contains(error.position))
            }
        }
    }

    @Test("The same seed gives the same values, and another seed gives different ones")
    func seeds() {
        func values(_ seed: UInt64) -> [JSON] {
            var generator = SeededGenerator(seed: seed)
            return (0..<50).map { _ in JSON.random(depth: 3, using: &generator) }
        }
        #expect(values(1) == values(1))
        #expect(values(1) != values(2))
    }
}
