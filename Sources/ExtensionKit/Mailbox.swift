internal import Platform
internal import Synchronization

/// A queue of messages from other threads to the main thread, which may be waiting for the host.
final class Mailbox<Message: Sendable>: Sendable {
    private let messages = Mutex<[Message]>([])
    /// Readable while messages wait.
    let descriptor: Int32
    private let wakeDescriptor: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { preconditionFailure("cannot create a pipe: \(String(cString: strerror(errno)))") }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        (descriptor, wakeDescriptor) = (ends[0], ends[1])
    }

    deinit {
        close(descriptor)
        close(wakeDescriptor)
    }

    /// Adds a message; callable from any thread.
    func post(_ message: Message) {
        messages.withLock { $0.append(message) }
        // If the pipe is full, the descriptor is readable already.
        write(wakeDescriptor, "!", 1)
    }

    /// Removes and returns all messages, in the order in which they were posted.
    func removeAll() -> [Message] {
        var discarded: [UInt8] = Array(repeating: 0, count: 64)
        // The pipe is emptied first, so that a message posted meanwhile makes it readable again.
        while read(descriptor, &discarded, discarded.count) > 0 {}
        return messages.withLock { messages in
            defer { messages = [] }
            return messages
        }
    }
}
