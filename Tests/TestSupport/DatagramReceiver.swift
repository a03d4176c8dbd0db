import Foundation

/// A socket that receives datagrams at a Unix address, as a supervisor does.
public final class DatagramReceiver {
    /// The address as `NOTIFY_SOCKET` names it: a path, or an abstract address after an `@`.
    public let address: String
    private let descriptor: Int32

    /// Binds a socket to an address that nobody uses.
    public init(_ address: String) throws {
        self.address = address
        #if os(Linux)
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        #else
        descriptor = socket(AF_UNIX, SOCK_DGRAM, 0)
        #endif
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        let isAbstract = address.hasPrefix("@")
        let bytes = isAbstract ? [0] + Array(address.utf8.dropFirst()) : Array(address.utf8) + [0]
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: bytes) }
        let size = (MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 0) + bytes.count
        let result = withUnsafeBytes(of: &name) { pointer in
            bind(descriptor, pointer.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t(size))
        }
        guard result == 0 else {
            let reason = String(cString: strerror(errno))
            close(descriptor)
            throw TestFailure("cannot receive at \(address): \(reason)")
        }
    }

    deinit {
        close(descriptor)
        if !address.hasPrefix("@") { unlink(address) }
    }

    /// Takes a datagram that has arrived; nil if there is none.
    public func receive() -> String? {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        return count < 0 ? nil : String(decoding: buffer.prefix(count), as: UTF8.self)
    }

    /// Takes all datagrams that have arrived.
    public func receiveAll() -> [String] {
        var all: [String] = []
        while let text = receive() { all.append(text) }
        return all
    }

    /// Waits for a datagram.
    public func next() throws -> String {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, Int32(ChildProcess.patience * 1_000)) > 0, let text = receive() else {
            throw TestFailure("no datagram arrived in time")
        }
        return text
    }
}
