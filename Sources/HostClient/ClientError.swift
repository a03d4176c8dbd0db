internal import CSystem
package import Platform

/// Why a child process cannot be used any longer.
package enum ClientError: Error {
    /// A signal asked this process to end.
    case interrupted(signal: Int32)
    /// The process could not be started, or it did not do what its client needs; a sentence without its full stop.
    case failed(String)
    /// The host answered a call with an error.
    case refused(Refusal)

    /// What happened, for people; without its full stop.
    package var text: String {
        switch self {
        case .interrupted(let signal): "it was interrupted by signal \(signal)"
        case .failed(let text): text
        case .refused(let refusal): refusal.message
        }
    }

    /// The error of a response.
    package struct Refusal: Equatable, Sendable {
        /// The code on the wire.
        package let code: Int64
        /// One sentence for people.
        package let message: String
        /// The member `reason` of the error's data, which programs compare.
        package let reason: String?
        /// The member `path` of the error's data: a JSON Pointer into the request.
        package let path: String?
    }
}

extension TemporaryFolder {
    /// Creates a private folder for a client's work; as ``init(prefix:)``, but its error names the parent folder.
    package static func create(prefix: String) throws(ClientError) -> TemporaryFolder {
        do throws(SystemError) {
            return try TemporaryFolder(prefix: prefix)
        } catch {
            throw .failed("no folder can be created in \(parent): \(error)")
        }
    }

    /// Makes a folder in this one.
    ///
    /// - Returns: Its path.
    package func makeFolder(_ name: String) throws(ClientError) -> String {
        let path = "\(path)/\(name)"
        guard mkdir(path, 0o700) == 0 else { throw .failed("\(path) cannot be made: \(SystemError.last)") }
        return path
    }
}

/// The signals to this process as a descriptor, which can be polled together with a child's output.
///
/// Create it before anything that must be cleaned up: from then on SIGHUP, SIGINT and SIGTERM do not end this process.
package struct SignalSource: Sendable {
    let descriptor: CInt
    /// Whether the signals are those of the process.
    private let isOfProcess: Bool

    /// Redirects the signals; must be called at most once in a process.
    package init() { (descriptor, isOfProcess) = (csystem_signal_descriptor(), true) }

    /// Signals for a client that is not the owner of its process: the bytes that come from a descriptor are their numbers.
    package init(descriptor: CInt) { (self.descriptor, isOfProcess) = (descriptor, false) }

    /// No signals, for a client that is not the owner of its process.
    package static let none = SignalSource(descriptor: -1)

    /// Lets a change of the terminal's size interrupt waiting, without ending it.
    package func includeWindowSize() { if isOfProcess { _ = csystem_report_window_size() } }

    /// Waits until a descriptor can be read, a signal arrives or the deadline has passed, while there is no child to wait for.
    ///
    /// - Parameters:
    ///   - descriptors: The descriptors.
    ///   - writable: Descriptors to wait for until they can be written.
    ///   - deadline: When to stop waiting, on the monotonic clock in milliseconds.
    /// - Returns: The descriptors that can be read.
    /// - Throws: The signal that asks this process to end.
    package func wait(
        for descriptors: [Int32],
        writing writable: [Int32] = [],
        until deadline: Int64
    ) throws(ClientError) -> Set<Int32> {
        var set = PollSet()
        for descriptor in writable { set.add(descriptor, for: .writing) }
        for descriptor in [descriptor] + descriptors where descriptor >= 0 { set.add(descriptor, for: .reading) }
        set.wait(until: deadline)
        let ready = Set(set.ready)
        if descriptor >= 0, ready.contains(descriptor), let number = read() { throw .interrupted(signal: number) }
        return ready.intersection(descriptors)
    }

    /// Notices a signal that came while it could not interrupt, as during the end of a host.
    ///
    /// - Throws: The signal that asks this process to end.
    package func check() throws(ClientError) {
        let number = isOfProcess ? csystem_ending_signal() : 0
        if number != 0 { throw .interrupted(signal: number) }
    }

    /// Reads the signals that arrived; to be called if the descriptor is readable.
    ///
    /// - Returns: The first signal that asks this process to end; nil if there was only another one.
    package func read() -> Int32? {
        var numbers = [UInt8](repeating: 0, count: 256)
        let count = numbers.withUnsafeMutableBytes { Descriptors.readOwnPipe(descriptor, into: $0) }
        return numbers.prefix(count).map(Int32.init).first { $0 != SIGCHLD && $0 != SIGWINCH }
    }
}
