package import Calls
package import Configuration
internal import Contract
internal import ExtensionHost
internal import JSON
internal import JSONRPC
internal import Platform

/// Checks bundles, each by `pushhost extensions check` in a process of its own, in which a bundle that misbehaves disturbs
/// nobody.
///
/// A check uses hosts and suites of its own. One runs at a time; the others wait in order.
package final class ExtensionChecks {
    /// The greatest size of a report in bytes.
    private static let reportLimit = 4 << 20
    /// How long a check may take to end after it was asked to, in milliseconds: its own host first stops the extension.
    private static let grace = 3 * ExtensionLimits.defaults.stop

    private let configuration: HostConfiguration
    private let extensions: Extensions
    private let outbox: Outbox
    /// The checks that wait, in the order in which they came.
    private var waiting: [(invocation: Invocation, path: String)] = []
    private var running: (invocation: Invocation, run: CollectedRun)?

    package init(_ configuration: HostConfiguration, _ extensions: Extensions, _ outbox: Outbox) {
        self.configuration = configuration
        self.extensions = extensions
        self.outbox = outbox
    }

    /// Begins the check that a call asks for, or lets it wait.
    package func checkExtension(_ invocation: Invocation) throws -> HostMethod.Outcome {
        let path = try absolutePath(invocation.arguments)
        invocation.peer.scheduler.begin(invocation)
        invocation.call.onAnswer { [weak self, weak invocation] in
            if let invocation { self?.cancel(invocation) }
        }
        waiting.append((invocation, path))
        startNext()
        return .later
    }

    /// The path of the bundle or executable, which may be relative to the host's folder.
    private func absolutePath(_ arguments: Arguments) throws(RPCError) -> String {
        let given = try arguments.name("path")
        let path = given.hasPrefix("/") ? given : "\(FileManager.default.currentDirectoryPath)/\(given)"
        guard FileManager.default.fileExists(atPath: path) else {
            throw .invalidParams(path: arguments.path("path"), "\(path): there is no such folder or executable")
        }
        if let folder = configuration.filesFolder {
            guard let resolved = Paths.resolved(path), let root = Paths.resolved(folder), Paths.lies(resolved, in: root)
            else {
                throw .invalidParams(
                    path: arguments.path("path"),
                    "\(path) is not in \(folder), as --files-within needs"
                )
            }
        }
        return path
    }

    private func startNext() {
        guard running == nil, !waiting.isEmpty else { return }
        let (invocation, path) = waiting.removeFirst()
        // The answers of the user are in a folder that only the host's environment names.
        let bundle = try? ExtensionBundle(folder: path)
        let allowed = bundle.map { configuration.allowedBundles.allows($0) ? ["--allow", $0.identifier] : [] } ?? []
        // A program in no bundle runs without a sandbox, and so without the budget.
        let isLimited = configuration.isPhone && FileStamp(of: path)?.kind == .folder
        let settings = CollectedRun.Settings(
            path: configuration.program,
            arguments: ["extensions", "check", "--json", path]
                + (configuration.sandbox == .off ? ["--no-sandbox"] : []) + allowed
                + (isLimited ? ["--phone"] : []),
            // The bundle may be any program, so it gets no secret of the host, not even as a destination.
            environment: configuration.environment(),
            directory: FileManager.default.currentDirectoryPath,
            deadline: configuration.checkDeadline,
            grace: Self.grace,
            outputLimit: Self.reportLimit
        )
        do throws(BundleProblem) {
            let run = try CollectedRun(settings, family: extensions.family, now: Clock.monotonic)
            running = (invocation, run)
        } catch {
            finish(invocation, .failure(HostError.checkFailed("the check could not be started: \(error)")))
        }
    }

    /// Ends the check of a call that was answered already.
    private func cancel(_ invocation: Invocation) {
        if let running, running.invocation === invocation { return running.run.stop("was cancelled") }
        guard let index = waiting.firstIndex(where: { $0.invocation === invocation }) else { return }
        waiting.remove(at: index)
        invocation.peer.scheduler.end(invocation)
    }

    private func finish(_ invocation: Invocation, _ result: Result<JSON, RPCError>) {
        invocation.peer.scheduler.end(invocation)
        outbox.finish(invocation.call, result)
        startNext()
    }

    /// The answer for a check that ended.
    private static func answer(_ end: CollectedRun.End, _ arguments: Arguments) -> Result<JSON, RPCError> {
        switch end {
        case .failed(let reason): return .failure(HostError.checkFailed("the check \(reason)"))
        case .exited(let code, let output, let standardError):
            if [0, 1].contains(code), let report = try? JSON(parsing: output), report["findings"] != nil {
                return .success(report)
            }
            let last = standardError.split(whereSeparator: \.isNewline).last.map(String.init) ?? "exit code \(code)"
            let text = last.hasPrefix("Error: ") ? String(last.dropFirst("Error: ".count)) : last
            guard code == EX_NOINPUT else {
                return .failure(HostError.checkFailed("the check failed: \(PlainText.spaced(text))"))
            }
            return .failure(.invalidParams(path: arguments.path("path"), PlainText.spaced(text)))
        }
    }

    // MARK: The event loop

    /// Whether no check runs.
    package var isEmpty: Bool { running == nil }

    /// Names the descriptors to poll for reading.
    package func forEachDescriptor(_ body: (Int32) -> Void) { running?.run.forEachDescriptor(body) }

    /// Reads a descriptor that is ready.
    package func ready(_ descriptor: Int32, buffer: UnsafeMutableRawBufferPointer) {
        running?.run.ready(descriptor, buffer: buffer)
    }

    /// Answers the call of a check that ended; to be called when any child ended, before orphans are looked for.
    package func reap(buffer: UnsafeMutableRawBufferPointer) {
        guard let (invocation, run) = running, let end = run.reap(buffer: buffer) else { return }
        running = nil
        finish(invocation, Self.answer(end, invocation.arguments))
    }

    /// When ``expire()`` is due, in milliseconds of the monotonic clock.
    package var deadline: Int64? { running?.run.deadline }

    /// Ends a check that takes too long.
    package func expire() { running?.run.expire() }

    // MARK: Stopping

    /// Ends every check, as the host is stopping.
    package func stop() {
        let ended = waiting
        waiting = []
        for (invocation, _) in ended { finish(invocation, .failure(HostError.hostIsStopping)) }
        guard let (invocation, run) = running else { return }
        outbox.finish(invocation.call, .failure(HostError.hostIsStopping))
        run.stop("was ended with the host")
    }

    /// Kills the check that runs.
    package func kill() { running?.run.kill() }
}
