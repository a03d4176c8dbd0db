import JSONRPC
import Testing

@Suite struct ByteQueueTests {
    @Test(
        "Bytes are written in the order in which they were added, however few a writer accepts",
        arguments: [1, 2, 3, 7, 64, 1_000]
    )
    func order(portion: Int) {
        var queue = ByteQueue()
        var sent: [UInt8] = []
        var received: [UInt8] = []
        for round in 0..<200 {
            let line = Array("line \(round)\n".utf8)
            sent += line
            queue.append { $0 += line }
            queue.drain { bytes in
                received += bytes.prefix(portion)
                return min(portion, bytes.count)
            }
            #expect(queue.count == sent.count - received.count)
        }
        while !queue.isEmpty {
            queue.drain { bytes in
                received += bytes.prefix(portion)
                return min(portion, bytes.count)
            }
        }
        #expect(received == sent)
        #expect(queue.count == 0)
    }

    @Test("If a writer accepts nothing, nothing is lost")
    func blocked() {
        var queue = ByteQueue()
        queue.append { $0 += [1, 2, 3] }
        queue.drain { _ in 0 }
        #expect(queue.count == 3)
        queue.removeAll()
        #expect(queue.isEmpty)
    }

    @Test("After everything was dropped, only what is added then is written")
    func removeAll() {
        var queue = ByteQueue()
        queue.append { $0 += [1, 2, 3] }
        queue.drain { _ in 1 }
        #expect(queue.count == 2)
        queue.removeAll()
        #expect(queue.isEmpty && queue.count == 0)
        queue.append { $0 += [4] }
        var written: [UInt8] = []
        queue.drain { bytes in
            written += bytes
            return bytes.count
        }
        #expect(written == [4])
    }

    /// The number of bytes for which a queue has memory.
    private func capacity(_ queue: inout ByteQueue) -> Int {
        var capacity = 0
        queue.append { capacity = $0.capacity }
        return capacity
    }

    @Test("The memory of a burst is freed, and that of a few bytes is kept for the next ones")
    func memoryOfBurst() {
        var queue = ByteQueue()
        let chunk = [UInt8](repeating: 1, count: 1 << 16)
        queue.append { $0 += chunk }
        queue.drain { $0.count }
        let kept = capacity(&queue)
        #expect(kept >= 1 << 16)
        for _ in 0..<32 { queue.append { $0 += chunk } }
        queue.drain { $0.count }
        let rest = capacity(&queue)
        #expect(rest <= 1 << 20)
    }

    @Test("A queue that is never empty does not keep what was written")
    func memoryOfRest() {
        var queue = ByteQueue()
        let chunk = [UInt8](repeating: 1, count: 1 << 16)
        for _ in 0..<32 {
            queue.append { $0 += chunk }
            queue.drain { $0.count - 1 }
        }
        #expect(queue.count == 1)
        let rest = capacity(&queue)
        #expect(rest <= 1 << 20)
    }
}
