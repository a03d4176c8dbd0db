internal import CSystem
internal import Foundation

/// A way out that never blocks the loop and changes no descriptor that others share.
final class OutputDescriptor {
    /// What became of an attempt to write.
    enum Outcome: Equatable {
        /// So many bytes went; none when it takes none now.
        case wrote(Int)
        /// Nobody reads any more.
        case gone
        /// It cannot take the bytes, for another reason: the number of the system's error.
        case failed(Int32)
    }

    private var output = csystem_output()

    /// A way out to where a descriptor writes.
    init?(_ descriptor: Int32) {
        guard csystem_open_output(descriptor, &output) == 0 else { return nil }
    }

    deinit { close(output.fd) }

    /// The descriptor to poll for writing.
    var descriptor: Int32 { output.fd }

    func write(_ bytes: UnsafeRawBufferPointer) -> Outcome {
        guard !bytes.isEmpty else { return .wrote(0) }
        if output.kind == CSYSTEM_OUTPUT_ATOMIC {
            // Such a write must not block either, and only poll can say that it will not.
            var poll = pollfd(fd: output.fd, events: Int16(POLLOUT), revents: 0)
            guard Foundation.poll(&poll, 1, 0) == 1 else { return .wrote(0) }
        }
        let written = csystem_output_write(&output, bytes.baseAddress, bytes.count)
        guard written < 0 else { return .wrote(written) }
        return written == -Int(EPIPE) || written == -Int(ECONNRESET) ? .gone : .failed(Int32(-written))
    }
}
