import CSystem
import Foundation
import Testing

@Suite struct RecyclingTests {
    @Test(
        "A block that was given back is the next of its size, and no two blocks overlap",
        arguments: [0, 1, 16, 17, 100]
    )
    func reuse(size: Int) throws {
        let blocks = try (0..<100).map { _ in try block(size) }
        for (index, block) in blocks.enumerated() { fill(block, size, with: UInt8(index)) }
        for (index, block) in blocks.enumerated() { #expect(holds(block, size, UInt8(index))) }
        for block in blocks { csystem_recycling_free(block) }
        let again = try block(size)
        #expect(again == blocks.last)
        csystem_recycling_free(again)
    }

    @Test(
        "A block has room for what was asked for, whether it is small or large",
        arguments: [1, 16, 17, 1_024, 1_025, 1 << 20]
    )
    func size(size: Int) throws {
        let block = try block(size)
        let room = csystem_recycling_size(block)
        #expect(room >= size)
        fill(block, room, with: 1)
        csystem_recycling_free(block)
    }

    @Test("More blocks than the arena holds are made and given back")
    func exhaustion() throws {
        let size = 512
        let count = (1 << 20) / size + 100
        let blocks = try (0..<count).map { _ in try block(size) }
        for (index, block) in blocks.enumerated() { fill(block, size, with: UInt8(index & 0xFF)) }
        for (index, block) in blocks.enumerated() { #expect(holds(block, size, UInt8(index & 0xFF))) }
        for block in blocks { csystem_recycling_free(block) }
    }

    @Test("A thread that ends leaves its blocks to others")
    func endOfThread() throws {
        // All blocks of one size, which no other test uses.
        let size = 976
        var blocks: Set<UnsafeMutableRawPointer> = []
        let count = (1 << 20) / size
        for _ in 0..<count { blocks.insert(try block(size)) }
        let given = blocks
        nonisolated(unsafe) let freed = given
        let isFreed = DispatchSemaphore(value: 0)
        let thread = Thread {
            for block in freed { csystem_recycling_free(block) }
            isFreed.signal()
        }
        thread.start()
        isFreed.wait()
        // Once the thread has ended, its blocks are handed out again.
        var taken: Set<UnsafeMutableRawPointer> = []
        while taken.isDisjoint(with: given) {
            taken.insert(try block(size))
            sched_yield()
        }
        for block in taken { csystem_recycling_free(block) }
    }

    @Test("A block of malloc, or none, may be given back")
    func foreign() {
        csystem_recycling_free(malloc(24))
        csystem_recycling_free(nil)
    }

    private func block(_ size: Int) throws -> UnsafeMutableRawPointer {
        let block = try #require(csystem_recycling_malloc(size))
        #expect(UInt(bitPattern: block) % 16 == 0)
        return block
    }

    private func fill(_ block: UnsafeMutableRawPointer, _ size: Int, with byte: UInt8) {
        memset(block, Int32(byte), size)
    }

    private func holds(_ block: UnsafeMutableRawPointer, _ size: Int, _ byte: UInt8) -> Bool {
        UnsafeRawBufferPointer(start: block, count: size).allSatisfy { $0 == byte }
    }
}
