internal import CSystem
internal import Foundation

/// A descriptor to write to that never blocks the caller and changes no descriptor that others share.
package final class OutputDescriptor {
    /// The result of one write.
    package enum Outcome: Equatable {
        /// So many bytes were written; 0 if the descriptor takes none now.
        case wrote(Int)
        /// The reader is gone.
        case gone
        /// The descriptor cannot take the bytes for another reason: the number of the system's error.
        case failed(Int32)
    }

    private var output = csystem_output()

    /// Opens a way to where a descriptor writes; `nil` if that is impossible.
    package init?(_ descriptor: Int32) {
        output.fd = -1
        guard csystem_open_output(descriptor, &output) == 0 else {
            output.fd = -1
            return nil
        }
    }

    deinit {
        // A failed initializer ends here too.
        if output.fd >= 0 { close(output.fd) }
    }

    /// The descriptor to poll for writing.
    package var descriptor: Int32 { output.fd }

    /// Writes as many of the bytes as possible without blocking.
    package func write(_ bytes: UnsafeRawBufferPointer) -> Outcome {
        guard !bytes.isEmpty else { return .wrote(0) }
        // Such a write must not block either, and only poll(2) can say that it will not.
        if output.kind == CSYSTEM_OUTPUT_ATOMIC, !PollSet.isWritable(output.fd) { return .wrote(0) }
        let written = csystem_output_write(&output, bytes.baseAddress, bytes.count)
        guard written < 0 else { return .wrote(written) }
        return written == -Int(EPIPE) || written == -Int(ECONNRESET) ? .gone : .failed(Int32(-written))
    }
}
