internal import CSystem
internal import Foundation
internal import HostClient
internal import Recording

/// Keeps hosts from recording into the file of a session while it is updated.
///
/// Held until it is released.
final class SessionLock {
    private let descriptor: CInt

    /// Takes the lock that a host takes which records.
    ///
    /// - Parameter path: The file; one that is not there has no need of it.
    /// - Throws: That a host has it.
    init(path: String) throws(ClientError) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0, csystem_lock(descriptor, 1, 0) == -EWOULDBLOCK else { return }
        throw .failed("a host records into it; record it anew when that has ended")
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
}
