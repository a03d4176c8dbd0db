internal import Foundation
internal import Synchronization

extension SuiteStore {
    /// The descriptors that are kept open for libdispatch.
    private static let placeholders = Mutex<[Int32]>([])

    /// Keeps as many descriptors open as libdispatch needs, until the first suite is opened.
    ///
    /// GRDB uses libdispatch, which on Linux opens descriptors when the first connection is closed, and terminates the
    /// process if it cannot: one for events, one to wake the thread that waits for events, and one for timers. A host that
    /// opens no suite does without, and so without libdispatch's threads, which take long to start.
    public static func reserveDescriptors() {
        #if os(Linux)
        placeholders.withLock { placeholders in
            placeholders = (0..<3).map { _ in fcntl(0, F_DUPFD_CLOEXEC, 3) }.filter { $0 >= 0 }
        }
        #endif
    }

    /// Makes libdispatch open its descriptors now, in place of those that were kept.
    ///
    /// Must be read before the first connection is made, while no other thread opens descriptors.
    static let dispatchIsReady: Void = {
        let reserved = placeholders.withLock(\.self)
        guard let last = reserved.max() else { return }
        // A new descriptor gets the lowest free number, so libdispatch has as many as were kept when as many are open.
        let open = { (0...last).count { fcntl($0, F_GETFD) >= 0 } }
        let wanted = open()
        for descriptor in reserved { Foundation.close(descriptor) }
        // It has the one for timers only once a timer was not due at once; on a busy system that takes several.
        for _ in 0..<20 where open() < wanted {
            let isReady = DispatchSemaphore(value: 0)
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1)) { isReady.signal() }
            isReady.wait()
        }
    }()
}
