internal import Foundation

/// Finds a port of the loopback interface for the server.
enum LoopbackPort {
    /// Why a port cannot be used.
    struct Problem: Error {
        let message: String
    }

    /// A port that can be listened at: the given one, or any if it is 0.
    static func free(_ port: UInt16) throws(Problem) -> UInt16 {
        #if os(Linux)
        let stream = Int32(SOCK_STREAM.rawValue)
        #else
        let stream = SOCK_STREAM
        #endif
        let descriptor = socket(AF_INET, stream, 0)
        guard descriptor >= 0 else { throw problem(port) }
        defer { close(descriptor) }
        var isReused: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutableBytes(of: &address) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { buffer -> Int32 in
                guard let start = buffer.baseAddress, bind(descriptor, start, size) == 0,
                    listen(descriptor, 1) == 0
                else { return -1 }
                return getsockname(descriptor, start, &size)
            }
        }
        guard result == 0 else { throw problem(port) }
        return UInt16(bigEndian: address.sin_port)
    }

    private static func problem(_ port: UInt16) -> Problem {
        let reason = String(cString: strerror(errno))
        return Problem(message: "--port \(port): 127.0.0.1:\(port) cannot be used: \(reason); name another port")
    }
}
