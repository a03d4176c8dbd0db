internal import Platform

/// A run of a program that belongs to the host and is not an extension: its output is collected until it ends.
///
/// It is a member of the host's ``ProcessFamily``, so that neither it nor its descendants outlive the host.
///
/// - Important: Not thread-safe; owned by the thread of the event loop.
public final class CollectedRun {
    /// What to start, and its limits.
    public struct Settings: Sendable {
        /// The path of the executable.
        public var path: String
        /// The arguments after the program's name.
        public var arguments: [String]
        /// All variables of its environment.
        public var environment: [String: String]
        /// The folder in which it runs.
        public var directory: String
        /// How long it may run, in milliseconds.
        public var deadline: Int64
        /// How long it may run after it was asked to end, in milliseconds.
        public var grace: Int64
        /// The greatest size of its output in bytes.
        public var outputLimit: Int

        /// The settings of a run.
        public init(
            path: String,
            arguments: [String],
            environment: [String: String],
            directory: String,
            deadline: Int64,
            grace: Int64,
            outputLimit: Int
        ) {
            self.path = path
            self.arguments = arguments
            self.environment = environment
            self.directory = directory
            self.deadline = deadline
            self.grace = grace
            self.outputLimit = outputLimit
        }
    }

    /// How the run ended.
    public enum End: Equatable, Sendable {
        /// The program exited with a code; what it wrote on stdout, and the end of what it wrote on stderr.
        case exited(code: Int32, output: [UInt8], standardError: String)
        /// The program did not end by itself, or a signal ended it; the reason is the end of a sentence.
        case failed(String)
    }

    private let settings: Settings
    private let family: ProcessFamily
    private let child: ChildProcess
    private let now: () -> Int64
    private var output: [UInt8] = []
    private var standardError = StandardErrorTail()
    /// Why it was asked to end.
    private var failure: String?
    private var isKilled = false
    private var nextDeadline: Int64

    /// Starts the program, with an empty stdin.
    ///
    /// - Parameters:
    ///   - settings: What to start.
    ///   - family: The processes of the host, which the program joins.
    ///   - now: The monotonic clock in milliseconds.
    /// - Throws: Why it cannot be started.
    public init(_ settings: Settings, family: ProcessFamily, now: @escaping () -> Int64) throws(BundleProblem) {
        self.settings = settings
        self.family = family
        self.now = now
        child = try family.start(
            ExtensionHistory(),
            path: settings.path,
            arguments: settings.arguments,
            directory: settings.directory,
            environment: settings.environment,
            files: 0
        )
        child.closeInput()
        nextDeadline = now() + settings.deadline
    }

    // MARK: The event loop

    /// Names the descriptors to poll for reading.
    public func forEachDescriptor(_ body: (_ descriptor: Int32) -> Void) {
        if child.output >= 0 { body(child.output) }
        if child.error >= 0 { body(child.error) }
    }

    /// Reads a descriptor that poll(2) says is ready.
    ///
    /// - Parameters:
    ///   - descriptor: One of those that ``forEachDescriptor(_:)`` names.
    ///   - buffer: Room for a read.
    public func ready(_ descriptor: Int32, buffer: UnsafeMutableRawBufferPointer) {
        if descriptor == child.output {
            if Descriptors.read(descriptor, into: buffer, appendOutput) == .end { child.closeOutput() }
        } else if descriptor == child.error {
            if Descriptors.read(descriptor, into: buffer, appendError) == .end { child.closeError() }
        }
    }

    /// Handles the end of the program; to be called when any child ended.
    ///
    /// - Parameter buffer: Room for the last reads.
    /// - Returns: How it ended; nil while it runs.
    public func reap(buffer: UnsafeMutableRawBufferPointer) -> End? {
        guard let status = family.reap(child) else { return nil }
        // Only what is there now, because a descendant that left the group may write without end.
        for (descriptor, body) in [(child.output, appendOutput), (child.error, appendError)] {
            var rest = Descriptors.unreadCount(descriptor)
            while rest > 0, case .bytes(let count) = Descriptors.read(descriptor, into: buffer, body) { rest -= count }
        }
        if let failure { return .failed(failure) }
        return switch status {
        case .code(let code): .exited(code: code, output: output, standardError: standardError.text)
        case .signal(let number): .failed("was ended by signal \(number)")
        }
    }

    /// The time at which ``expire()`` is to be called, on the monotonic clock in milliseconds.
    public var deadline: Int64? { isKilled ? nil : nextDeadline }

    /// Handles the deadline if it has passed.
    public func expire() {
        guard nextDeadline <= now() else { return }
        if failure == nil { stop("did not end within \(settings.deadline) ms") } else { kill() }
    }

    // MARK: Stopping

    /// Asks the program to end; after the grace it is killed.
    ///
    /// - Parameter reason: Why, as the end of a sentence.
    public func stop(_ reason: String) {
        guard failure == nil else { return }
        failure = reason
        nextDeadline = now() + settings.grace
        child.signal(SIGTERM)
        child.signal(SIGCONT)
    }

    /// Kills the program at once.
    public func kill() {
        isKilled = true
        failure = failure ?? "was killed"
        child.signal(SIGKILL)
    }

    // MARK: Reading

    private func appendOutput(_ bytes: UnsafeRawBufferPointer) {
        output += bytes.prefix(max(0, settings.outputLimit + 1 - output.count))
        if output.count > settings.outputLimit { stop("wrote more than \(settings.outputLimit) bytes") }
    }

    private func appendError(_ bytes: UnsafeRawBufferPointer) { standardError.append(bytes) { _ in } }
}
