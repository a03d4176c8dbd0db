internal import Foundation

extension SuiteStore {
    /// Makes libdispatch open its file descriptors now.
    ///
    /// GRDB uses libdispatch, which needs two descriptors when the first suite is closed and terminates the process if
    /// it cannot open them.
    public static func prepare() {
        let isReady = DispatchSemaphore(value: 0)
        DispatchQueue.global().async { isReady.signal() }
        isReady.wait()
    }
}
