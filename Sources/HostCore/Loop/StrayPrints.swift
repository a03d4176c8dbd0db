internal import Foundation
internal import Logging
internal import Platform

/// The output of a stray `print` in this process: descriptor 1 leads here, so that it does not reach the client.
struct StrayPrints {
    /// Becomes readable when something was printed; nil if output could not be diverted.
    let descriptor: Int32?

    /// Diverts descriptor 1.
    init() {
        let descriptor = StandardStreams.divertOutput()
        self.descriptor = descriptor >= 0 ? descriptor : nil
    }

    /// Logs what was printed.
    func read(into buffer: UnsafeMutableRawBufferPointer, _ logger: Logger) {
        guard let descriptor else { return }
        let count = Foundation.read(descriptor, buffer.baseAddress, 4096)
        guard count > 0 else { return }
        let text = String(decoding: UnsafeRawBufferPointer(rebasing: buffer[..<count]), as: UTF8.self)
        logger.warning("something in the host printed: \(text)")
    }
}
