internal import CSystem
internal import Foundation

/// The signals to this process as a descriptor, which can be polled together with a child's output.
///
/// Create it before anything that must be cleaned up: from then on SIGHUP, SIGINT and SIGTERM do not end this process.
package struct SignalSource {
    let descriptor: CInt

    /// Redirects the signals; must be called at most once in a process.
    package init() { descriptor = csystem_signal_descriptor() }

    /// Reads the signals that arrived; to be called if the descriptor is readable.
    ///
    /// - Returns: The first signal that asks this process to end; nil if only children ended.
    func read() -> Int32? {
        var numbers = [UInt8](repeating: 0, count: 256)
        let count = numbers.withUnsafeMutableBytes { Foundation.read(descriptor, $0.baseAddress, $0.count) }
        return numbers.prefix(max(0, count)).map(Int32.init).first { $0 != SIGCHLD }
    }
}
