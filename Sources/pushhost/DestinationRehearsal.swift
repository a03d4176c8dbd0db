internal import CSystem
internal import ExtensionHost
internal import Foundation
internal import HostCore
internal import JSON
internal import JSONRPC
internal import Logging

/// The dry run of a destination: start, a batch without records, stop.
///
/// Nothing is delivered. The process runs below this one, because a host starts a destination for records alone.
final class DestinationRehearsal: ExtensionProcessDelegate {
    private let bundle: ExtensionBundle
    private let configuration: HostConfiguration
    private let report: CheckReport
    private let family = ProcessFamily()
    private let history = ExtensionHistory()
    private let process: ExtensionProcess
    /// Why the batch was not answered, once the report says so.
    private var toldFailure: ExtensionFailure.Reason?
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)

    /// Reads the bundle; nothing where that fails, which the host tells.
    init?(folder: String, locale: String, folders: StandardFolders, _ report: CheckReport) {
        guard let bundle = try? ExtensionBundle(folder: folder) else { return nil }
        var settings = HostConfiguration(dataFolder: folders.data, pluginFolders: [folder], hostFolder: folders.host)
        settings.environment = folders.extensionEnvironment
        settings.hostEnvironment = folders.environment
        settings.locale = locale
        self.bundle = bundle
        self.report = report
        configuration = settings
        process = ExtensionProcess(
            bundle: bundle,
            history: history,
            hostFolder: settings.hostFolder,
            environment: settings.environment,
            limits: settings.limits(of: bundle),
            family: family,
            random: SystemRandomNumberGenerator(),
            activation: { .object(JSON.Object(settings.activation(of: bundle))) },
            now: HostChild.now,
            logger: Logger(label: "pushhost") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    deinit { buffer.deallocate() }

    /// Runs it.
    ///
    /// - Parameter signals: The descriptor of signals to this process; see `csystem_signal_descriptor`.
    /// - Throws: The signal that asked this process to end meanwhile.
    func run(_ signals: Int32) throws(HostChild.Failure) {
        defer { family.end() }
        for name in bundle.environmentNames where configuration.hostEnvironment[name] == nil {
            report.add(.warning, "environment", "\(name) is not set here, so the destination does not get it")
        }
        process.delegate = self
        do throws(HostChild.Failure) {
            try deliverNothing(signals)
            try stop(signals)
        } catch {
            process.kill()
            // Asked again, it is as quick.
            while process.pid != nil { try? turn(signals) }
            throw error
        }
        report.add(strayLines: process.strayLines)
        report.add(orphans: history.orphans)
    }

    // MARK: The steps

    private func deliverNothing(_ signals: Int32) throws(HostChild.Failure) {
        let start = HostChild.now()
        var outcome: Result<JSON, ExtensionFailure>?
        let suite = JSON.string(configuration.defaultSuite)
        process.call("deliver", params: ["suite": suite, "batch": []]) { outcome = $0 }
        while outcome == nil { try turn(signals) }
        if let time = process.activationTime {
            report.add(.ok, "handshake", "the process started and answered activate", milliseconds: time)
        }
        guard let outcome else { return }
        judge(outcome, milliseconds: HostChild.now() - start)
    }

    private func judge(_ outcome: Result<JSON, ExtensionFailure>, milliseconds: Int64) {
        switch outcome {
        case .success(let value):
            let lists = ["accepted", "rejected", "uncertain", "held"]
            if value.object == nil {
                report.add(.error, "deliver", "the answer must be an object, it is \(value.typeName)")
            } else if let list = lists.first(where: { value[$0]?.array?.isEmpty == false }) {
                report.add(.error, "deliver", "\(list) names records of a batch that has none")
            } else if let text = value["stop"]?.string {
                report.add(.warning, "deliver", "it wants to be left alone: \(text)", milliseconds: milliseconds)
            } else {
                report.add(.ok, "deliver", "a batch without records was answered", milliseconds: milliseconds)
            }
        case .failure(let failure):
            toldFailure = failure.reason
            let isRefusal = if case .refused = failure.reason { failure.wasSent } else { false }
            report.add(
                isRefusal ? .warning : .error,
                failure.wasSent ? "deliver" : "handshake",
                "\(bundle.identifier) \(failure.reason)",
                milliseconds: milliseconds,
                stderr: failure.standardErrorTail.isEmpty ? nil : failure.standardErrorTail
            )
        }
    }

    /// Lets it leave, where it did not end before.
    private func stop(_ signals: Int32) throws(HostChild.Failure) {
        let start = HostChild.now()
        let wasReady = process.state == "ready"
        process.stop(because: .hostStopping)
        while process.pid != nil { try turn(signals) }
        guard let end = history.ends.last else { return }
        guard wasReady else {
            let isTold = toldFailure.map { end.cause == .failed($0) } ?? false
            return isTold ? () : report.add(.error, "process", "the extension \(end.cause)")
        }
        report.add(
            endAfterStop: end.exitCode,
            signal: end.signal,
            grace: configuration.limits(of: bundle).stop,
            milliseconds: HostChild.now() - start
        )
    }

    func extensionProcess(_ process: ExtensionProcess, didReceive call: Call) {
        let params = call.params ?? [:]
        let level = params["level"] ?? params[0]
        let message = params["message"] ?? params[1]
        guard call.method == "log", let level = level?.string, let message = message?.string else {
            let text = "it called \(call.method); a destination may call log alone, with level and message"
            report.add(.error, "calls", text)
            return call.answer(.failure(.methodNotFound(call.method)))
        }
        report.add(log: level, message)
        call.answer(.success([:]))
    }

    // MARK: The loop

    /// Waits for something to happen and does what it asks for.
    private func turn(_ signals: Int32) throws(HostChild.Failure) {
        process.write()
        var polled = [pollfd(fd: signals, events: Int16(POLLIN), revents: 0)]
        process.forEachDescriptor {
            polled.append(pollfd(fd: $0, events: Int16($1 ? POLLOUT : POLLIN), revents: 0))
        }
        let due = process.deadline
        poll(&polled, nfds_t(polled.count), due.map { Int32(clamping: max(0, $0 - HostChild.now())) } ?? -1)
        for ready in polled where ready.revents != 0 {
            if ready.fd == signals { try readSignals(ready.fd) } else { process.ready(ready.fd, buffer: buffer) }
        }
        if let due, due <= HostChild.now() { process.expire() }
    }

    private func readSignals(_ signals: Int32) throws(HostChild.Failure) {
        let count = read(signals, buffer.baseAddress, 4096)
        let numbers = buffer[..<max(0, count)].map(Int32.init)
        process.reap(buffer: buffer)
        family.sweep()
        guard let number = numbers.first(where: { $0 != SIGCHLD }) else { return }
        throw .interrupted(number)
    }
}
