internal import Foundation

/// What other threads hand to the main one while that waits for the host.
final class Mailbox<Letter: Sendable>: @unchecked Sendable {
    // Guarded by the lock.
    private var letters: [Letter] = []
    private let lock = NSLock()
    /// Readable while there are letters.
    let descriptor: Int32
    private let bell: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { preconditionFailure("no pipe: \(String(cString: strerror(errno)))") }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        (descriptor, bell) = (ends[0], ends[1])
    }

    deinit {
        close(descriptor)
        close(bell)
    }

    /// Leaves a letter; from any thread.
    func post(_ letter: Letter) {
        lock.withLock { letters.append(letter) }
        // A pipe that is full rings already.
        write(bell, "!", 1)
    }

    /// The letters, in the order in which they came.
    func take() -> [Letter] {
        var rings: [UInt8] = Array(repeating: 0, count: 64)
        // Silenced first: a letter that comes meanwhile rings again.
        while read(descriptor, &rings, rings.count) > 0 {}
        return lock.withLock {
            defer { letters = [] }
            return letters
        }
    }
}
