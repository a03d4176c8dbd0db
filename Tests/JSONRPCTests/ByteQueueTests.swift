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
}
