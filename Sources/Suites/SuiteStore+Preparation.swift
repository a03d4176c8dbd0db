internal import Foundation

extension SuiteStore {
    /// Opens now what the database library would open later.
    ///
    /// GRDB's queues are libdispatch's, which ends the process where it cannot open its two descriptors when
    /// the first suite is closed.
    public static func prepare() {
        let isReady = DispatchSemaphore(value: 0)
        DispatchQueue.global().async { isReady.signal() }
        isReady.wait()
    }
}
