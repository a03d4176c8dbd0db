import Foundation
import Testing

@testable import Platform

@Suite struct RandomGeneratorTests {
    @Test("The same seed gives the same numbers and ids, and another seed gives different ones")
    func seeded() {
        func ids(_ seed: UInt64) -> [String] {
            var random = RandomGenerator(seed: seed)
            return (0..<10).map { _ in random.uuid() }
        }
        #expect(ids(7) == ids(7))
        #expect(ids(7) != ids(8))
        #expect(Set(ids(0) + ids(1)).count == 20)
    }

    @Test("The numbers are those of SplitMix64")
    func reference() {
        var random = RandomGenerator(seed: 1_234_567)
        #expect(random.next() == 6_457_827_717_110_365_317)
        #expect(random.next() == 3_203_168_211_198_807_973)
    }

    @Test("An id is a UUID of version 4 in lower case", arguments: [UInt64?.none, 5])
    func form(seed: UInt64?) {
        var random = RandomGenerator(seed: seed)
        for _ in 0..<1_000 {
            let text = random.uuid()
            let id = UUID(uuidString: text)
            #expect(id?.uuidString.lowercased() == text)
            #expect(id.map { $0.uuid.6 >> 4 } == 4)
            #expect(id.map { $0.uuid.8 >> 6 } == 2)
        }
    }

    @Test("Without a seed, two generators give different numbers")
    func system() {
        var first = RandomGenerator(seed: nil)
        var second = RandomGenerator(seed: nil)
        #expect(first.uuid() != second.uuid())
    }
}

@Suite struct ClockTests {
    @Test("A fixed clock starts at its time and advances by a millisecond with each reading")
    func fixed() {
        let clock = Clock(start: 1_000)
        #expect((0..<3).map { _ in clock.wallTime() } == [1_000, 1_001, 1_002])
    }

    @Test("A clock without a start time is the system's clock")
    func system() {
        let clock = Clock(start: nil)
        let before = Int64(Date().timeIntervalSince1970 * 1000) - 1
        let time = clock.wallTime()
        #expect((before...before + 60_000).contains(time))
    }

    @Test("The monotonic clock never goes backwards")
    func monotonic() {
        let times = (0..<1_000).map { _ in Clock.monotonic() }
        #expect(times == times.sorted())
    }
}
