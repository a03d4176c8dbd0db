internal import Foundation
internal import JSON
internal import JSONRPC
internal import Logging
internal import Platform

// How a process is started and how its first answer and its mistakes are taken.

extension ExtensionProcess {
    func spawn() {
        do throws(BundleProblem) {
            let path = try bundle.executablePath(hostFolder: hostFolder)
            watch = BundleWatch(bundle, executable: path)
            child = try family.start(
                history,
                path: path,
                directory: bundle.path,
                environment: environment,
                files: limits.files
            )
        } catch {
            let reason = ExtensionFailure.Reason.cannotStart(error.description)
            return perform(error.isOfHost ? .spawnImpossible(reason) : .spawnFailed(reason))
        }
        history.starts += 1
        strayLines = 0
        activationStart = now()
        outputBefore = outputRead
        activationTime = nil
        closesInput = false
        outputInTime = nil
        lastStrayLine = nil
        endCause = nil
        suspension = (false, 0)
        usage = ResourceUsage(now: now())
        standardError = StandardErrorTail()
        let session = Session(lineLimit: limits.line, answersInvalidLines: false)
        session.onCall = { [weak self] in self?.onCall($0) }
        session.report = { [weak self] in self?.report($0) }
        tap = makeTap()
        session.tap = tap
        self.session = session
        let params = activation()
        guard let host = ContractVersion(params["version"]?.string ?? "") else {
            preconditionFailure("activate's params name no version of the contract: \(params)")
        }
        activationID = session.request("activate", params: params) { [weak self] in self?.activated($0, host: host) }
        perform(.spawned)
        write()
    }

    private func activated(_ result: Result<JSON, ResponseError>, host: ContractVersion) {
        switch result {
        case .success(let value):
            guard let version = value["version"]?.string else {
                return perform(.activationFailed(.badReply("activate must be answered with a version")))
            }
            if let refusal = host.refusal(of: version) { return perform(.activationFailed(.badReply(refusal))) }
            activationTime = now() - activationStart
            perform(.activated)
        case .failure(let error): perform(.activationFailed(failure(error, since: 0).reason))
        }
    }

    /// Why an answer is no result, with what the extension wrote on its stderr from a byte up to it.
    func failure(_ error: ResponseError, since start: Int) -> ExtensionFailure {
        withUnsafeTemporaryAllocation(byteCount: StandardErrorTail.limit, alignment: 1) { readError($0) }
        let reason: ExtensionFailure.Reason =
            switch error {
            case .error(let error): .refused(error)
            case .malformed(let text): .badReply(text)
            }
        return ExtensionFailure(reason: reason, standardErrorTail: standardError.text(since: start), wasSent: true)
    }

    private func report(_ report: Session.Report) {
        switch report {
        case .failedNotification(let call, let error):
            logger.warning("\(call.method) failed: \(error.message)")
            onNotificationFailure(call.params, error)
        case .strayResponse(let id):
            let awaited = awaitedID.map { "; the request that waits has the id \($0)" } ?? ""
            lastStrayLine = "it answered the id \(id), which no request has\(awaited)"
            logger.warning("it answered \(id), which nobody waits for")
        case .invalidMessage(let error, let line):
            strayLines += 1
            let text = Self.describe(error, line)
            lastStrayLine =
                error.reason == "lineTooLong"
                ? "a line on its stdout is longer than \(limits.line) bytes and was skipped"
                : "a line on its stdout is no message: \(text)"
            // The first few tell the author; a flood of them only costs.
            guard strayLines <= 20 else { return }
            logger.warning("a line on its stdout is no message and was skipped: \(text)")
        }
    }

    /// A line that is no message, with what is wrong if it is JSON: a stray print explains itself, an answer without
    /// `jsonrpc` does not.
    private static func describe(_ error: RPCError, _ line: String?) -> String {
        guard let line else { return error.message }
        return error.code == .parseError ? line : "\(line) (\(error.message))"
    }

    /// The id of the request whose answer is due first.
    private var awaitedID: Int64? { lifecycle.state == .activating ? activationID : outstanding.first?.id }
}
