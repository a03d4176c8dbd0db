import Foundation
import Platform
import Testing

@Suite struct PollSetTests {
    @Test("A pipe is ready to read if it contains bytes or has no writers any more")
    func reading() throws {
        let pipe = try Descriptors.makePipe()
        defer { close(pipe.reading) }
        var set = PollSet()
        set.add(pipe.reading, for: .reading)
        set.add(pipe.writing, for: .writing)
        #expect(set.wait(milliseconds: 0) == 1)
        #expect(set.ready == [pipe.writing])
        #expect(!set.isReady(at: 0))
        #expect(set.isReady(at: 1))
        #expect(write(pipe.writing, "x", 1) == 1)
        #expect(set.wait(until: nil) == 2)
        #expect(set.ready == [pipe.reading, pipe.writing])

        close(pipe.writing)
        set.removeAll()
        set.add(pipe.reading, for: .reading)
        withUnsafeTemporaryAllocation(byteCount: 8, alignment: 1) { buffer in
            #expect(Descriptors.read(pipe.reading, into: buffer) == .bytes(1))
            #expect(set.wait(until: nil) == 1)
            #expect(Descriptors.read(pipe.reading, into: buffer) == .end)
        }
    }

    @Test("A deadline in the past does not wait, and clears the descriptors that were ready")
    func deadline() throws {
        let pipe = try Descriptors.makePipe()
        defer { pipe.close() }
        var set = PollSet()
        set.add(pipe.reading, for: .reading)
        #expect(set.wait(until: Clock.monotonic() - 1_000) == 0)
        #expect(set.ready.isEmpty)
        #expect(set.count == 1)
    }

    @Test("A full pipe is not ready to write until it is read")
    func full() throws {
        let pipe = try Descriptors.makePipe()
        defer { pipe.close() }
        Descriptors.setNonblocking(pipe.writing)
        Descriptors.setNonblocking(pipe.reading)
        #expect(PollSet.isWritable(pipe.writing))
        let bytes = [UInt8](repeating: 0, count: 1 << 20)
        let error = #expect(throws: SystemError.self) {
            try Descriptors.writeAll(bytes[...], to: pipe.writing)
        }
        #expect(error == SystemError(EAGAIN))
        #expect(!PollSet.isWritable(pipe.writing))
        let unread = Descriptors.unreadCount(pipe.reading)
        #expect(unread > 0)
        #expect(throws: SystemError(EAGAIN)) { try Descriptors.readAll(pipe.reading, limit: 1 << 20) }
        #expect(Descriptors.unreadCount(pipe.reading) == 0)
        #expect(PollSet.isWritable(pipe.writing))
    }
}
