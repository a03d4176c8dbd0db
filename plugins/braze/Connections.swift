import Foundation

/// The TCP connections of this process, all of which lead to the endpoint.
enum Connections {
    /// Shuts them down: what is under way on them ends at once, and what comes next opens others.
    ///
    /// A task is cancelled only when libcurl stops reading for a moment, which it does
    /// not while a server floods it (7.88): measured, 20 s and 2 GB. This needs nobody.
    static func cut() {
        for descriptor in 3..<Int32(clamping: min(sysconf(Int32(_SC_OPEN_MAX)), 65_536)) where isTCP(descriptor) {
            shutdown(descriptor, Int32(SHUT_RDWR))
        }
    }

    private static func isTCP(_ descriptor: Int32) -> Bool {
        var address = sockaddr()
        var size = socklen_t(MemoryLayout<sockaddr>.size)
        // The address of a socket of IPv6 is longer than that; its family stands at the begin.
        guard getpeername(descriptor, &address, &size) == 0 else { return false }
        guard [AF_INET, AF_INET6].contains(Int32(address.sa_family)) else { return false }
        var type: Int32 = 0
        size = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0 else { return false }
        #if os(Linux)
        return type == Int32(SOCK_STREAM.rawValue)
        #else
        return type == SOCK_STREAM
        #endif
    }
}
