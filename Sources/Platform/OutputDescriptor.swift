internal import CSystem

/// A descriptor for writing that never blocks the caller and does not change the mode of descriptors that others share.
package final class OutputDescriptor {
    /// The result of one write.
    package enum Outcome: Equatable {
        /// So many bytes were written; 0 if none can be written now.
        case wrote(Int)
        /// The reader has closed its end.
        case gone
        /// Writing failed for another reason, with the number of the system's error.
        case failed(Int32)
    }

    private var output = csystem_output()

    /// Opens a descriptor that writes to the same file; `nil` if that fails.
    package init?(_ descriptor: Int32) {
        output.fd = -1
        guard csystem_open_output(descriptor, &output) == 0 else {
            output.fd = -1
            return nil
        }
    }

    deinit {
        // The descriptor is -1 if the initializer failed.
        if output.fd >= 0 { close(output.fd) }
    }

    /// The descriptor to poll for writing.
    package var descriptor: Int32 { output.fd }

    /// Writes as many of the bytes as possible without blocking.
    package func write(_ bytes: UnsafeRawBufferPointer) -> Outcome {
        guard !bytes.isEmpty else { return .wrote(0) }
        // This kind of descriptor may block unless poll(2) reports it as writable.
        if output.kind == CSYSTEM_OUTPUT_ATOMIC, !PollSet.isWritable(output.fd) { return .wrote(0) }
        let written = csystem_output_write(&output, bytes.baseAddress, bytes.count)
        guard written < 0 else { return .wrote(written) }
        return written == -Int(EPIPE) || written == -Int(ECONNRESET) ? .gone : .failed(Int32(-written))
    }
}
