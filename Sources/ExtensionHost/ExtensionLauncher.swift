internal import JSON
internal import JSONRPC
internal import Logging
internal import Platform

/// Starts processes of one extension.
struct ExtensionLauncher {
    let bundle: ExtensionBundle
    let history: ExtensionHistory
    /// The folder of the host's own executable, links resolved.
    let hostFolder: String
    let environment: [String: String]
    let limits: ExtensionLimits
    let family: ProcessFamily
    let logger: Logger
    /// The source of the jitter of restarts.
    let random: any RandomNumberGenerator
    /// Makes the params of `activate`.
    let activation: () -> JSON

    /// Starts a process; its session has no handlers yet.
    ///
    /// - Parameters:
    ///   - now: The monotonic clock in milliseconds.
    ///   - tap: Makes the recorder of the process; called when the process runs.
    ///   - onErrorLine: Receives each line of its stderr.
    /// - Returns: The process.
    /// - Throws: Why it cannot be started.
    func start(
        now: () -> Int64,
        tap: () -> (any ExtensionTap)?,
        onErrorLine: @escaping (String) -> Void
    ) throws(BundleProblem) -> ProcessRun {
        let path = try bundle.executablePath(hostFolder: hostFolder)
        let watch = BundleWatch(bundle, executable: path)
        let child = try family.start(
            history,
            path: path,
            directory: bundle.path,
            environment: environment,
            files: limits.files
        )
        history.starts += 1
        let session = Session(lineLimit: limits.line, answersInvalidLines: false)
        let pipes = ProcessPipes(child, session, tap: tap(), history: history) { [logger] line in
            logger.info("stderr: \(line)")
            onErrorLine(line)
        }
        return ProcessRun(pipes, watch: watch, limits: limits, now: now())
    }

    /// The likely reason why a process ended with an exit code that does not say it; nil if there is none.
    func explanation(of status: ExitStatus, _ run: ProcessRun) -> String? {
        guard case .code(let code) = status, run.activationTime == nil else { return nil }
        switch code {
        case 0:
            return "it ended before it answered activate; an extension answers until its stdin ends, for example by "
                + "calling main of a kit"
        // This is how env and shells say that there is no such program.
        case 127:
            let path = try? bundle.executablePath(hostFolder: hostFolder)
            return path.flatMap(BundleProblem.init(ofFirstLineOf:))?.message
        default: return nil
        }
    }

    /// The files that the bundle has now.
    var files: BundleFingerprint {
        BundleFingerprint(bundle: bundle, executable: try? bundle.executablePath(hostFolder: hostFolder))
    }

    /// The process and those of its descendants that left it.
    func processes(of run: ProcessRun) -> [Int32] { family.processes(of: run.child) }
}
