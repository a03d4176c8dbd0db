internal import CSystem

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
