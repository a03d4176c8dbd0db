internal import CSystem
internal import Foundation
internal import HostClient
internal import Recording

/// Prevents hosts from recording into the file of a session while it is updated.
///
/// The lock is held until the object is released.
final class SessionLock {
    private let descriptor: CInt

    /// Acquires the lock that a recording host acquires too.
    ///
    /// - Parameter path: The file; a missing one needs no lock.
    /// - Throws: An error if a host holds the lock.
    init(path: String) throws(ClientError) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0, csystem_lock(descriptor, 1, 0) == -EWOULDBLOCK else { return }
        throw .failed("a host is recording into it; try again when that host has ended")
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
}
