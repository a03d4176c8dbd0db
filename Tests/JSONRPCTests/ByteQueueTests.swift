import JSONRPC
import TestSupport
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

    @Test("Bytes that were written need no memory, whether the queue is empty at times or never", .exits)
    func memory() async {
        // In a process of its own, because the memory is that of the whole process.
        await #expect(processExitsWith: .success) {
            var queue = ByteQueue()
            let chunk = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 16)
            func write(_ count: Int, leaving rest: Int) {
                for _ in 0..<count { queue.append { $0 += chunk } }
                queue.drain { $0.count - rest }
            }
            write(1, leaving: 1)
            let before = residentPages()
            // 64 MiB, of which at most one chunk waits at a time.
            for _ in 0..<1_024 { write(1, leaving: 1) }
            if let before, let after = residentPages() { precondition(after - before < 1 << 10, "\(after - before)") }
            // As many, which wait together.
            write(1_024, leaving: 0)
            if let before, let after = residentPages() { precondition(after - before < 1 << 10, "\(after - before)") }
        }
    }
}
