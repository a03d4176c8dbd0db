internal import CSystem

/// A socket that accepts connections from programs of this machine at a port of 127.0.0.1.
package struct LoopbackListener: Sendable {
    private static let queueLength: Int32 = 16

    /// Becomes readable when a connection can be accepted.
    package let descriptor: Int32
    /// The port.
    package let port: UInt16

    /// Listens at a port; 0 is any free one.
    ///
    /// - Throws: Why that is not possible, such as that another program uses the port.
    package init(port: UInt16) throws(SystemError) {
        var port = port
        descriptor = csystem_listen_loopback(&port, Self.queueLength)
        guard descriptor >= 0 else { throw SystemError(-descriptor) }
        self.port = port
    }

    /// Accepts a connection.
    ///
    /// - Returns: A nonblocking descriptor; nil if there is no connection.
    /// - Throws: Why it cannot be accepted, such as too few descriptors.
    package func accept() throws(SystemError) -> Int32? {
        let result = csystem_accept_any(descriptor)
        if result >= 0 { return result }
        // The other end may be gone already.
        if [EAGAIN, EINTR, ECONNABORTED].contains(-result) { return nil }
        throw SystemError(-result)
    }

    /// Stops listening.
    package func close() { Platform.close(descriptor) }

    /// Writes to a connection without blocking.
    ///
    /// - Returns: The number of bytes that were written, which may be 0; nil if the other end is gone.
    package static func send(_ bytes: UnsafeRawBufferPointer, to connection: Int32) -> Int? {
        let count = csystem_send(connection, bytes.baseAddress, bytes.count)
        if count >= 0 { return count }
        return [EAGAIN, EINTR].contains(Int32(-count)) ? 0 : nil
    }

    /// Ends the stream to the other end of a connection, from which more can be read.
    package static func endOutput(of connection: Int32) { csystem_end_output(connection) }
}

/// A socket that sends datagrams to Unix addresses without blocking.
package final class DatagramSocket {
    private let descriptor: Int32
    private let address: String

    /// A socket for datagrams to an address: a path, or an abstract address (Linux only) after an `@` in front.
    ///
    /// - Throws: Why there is no socket.
    package init(to address: String) throws(SystemError) {
        self.address = address
        descriptor = csystem_open_datagram()
        guard descriptor >= 0 else { throw SystemError(-descriptor) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Sends a datagram.
    ///
    /// - Throws: Why it was not sent; `EAGAIN` if the receiver has not read earlier ones.
    package func send(_ text: String) throws(SystemError) {
        let result = Array(text.utf8).withUnsafeBytes {
            csystem_send_datagram(descriptor, address, $0.baseAddress, $0.count)
        }
        guard result == 0 else { throw SystemError(-result) }
    }
}
