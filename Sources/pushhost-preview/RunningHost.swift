internal import Foundation
internal import HostClient
internal import Platform
internal import PushClient

/// A host of the preview, with what is shown by it.
final class RunningHost {
    let session: PushSession
    let watch: PushWatch
    let tail: WireTail
    let log = HostLog()
    private let client: HostClient

    /// Starts a host.
    ///
    /// - Parameters:
    ///   - settings: The settings of the preview.
    ///   - clock: The time to which its clock is fixed; empty for the system's.
    ///   - folder: The folder of the preview, which gets the recording and, unless another one is named, the suites.
    ///   - number: How many hosts there were before.
    ///   - signals: The signals to this process.
    /// - Throws: Why the host cannot be started.
    init(
        _ settings: PreviewSettings,
        clock: String,
        folder: String,
        number: Int,
        signals: SignalSource
    ) throws(ClientError) {
        let recording = "\(folder)/host-\(number).jsonl"
        let fixed = clock.isEmpty ? [] : ["--clock", clock]
        let own = ["--data", settings.dataFolder ?? "\(folder)/data", "--record", recording]
        client = try HostClient(
            Program(path: settings.program, arguments: ["serve", "--no-control"] + own + fixed + settings.arguments),
            signals: signals
        )
        client.onLog = { [log] in log.add($0) }
        do throws(ClientError) {
            session = try PushSession(client)
            let files = [settings.payload, settings.profile].compactMap(\.self)
            watch = try PushWatch(files, session, folders: [Paths.parent(of: settings.program)])
        } catch {
            _ = client.stop(isHasty: true)
            if case .failed(let text) = error { throw .failed(Self.explain(text, client.log)) }
            throw error
        }
        tail = WireTail(path: recording)
        // Nobody else needs its name, and it goes with the preview in any case.
        unlink(recording)
    }

    /// Why the host failed, with the end of its log.
    func explain(_ text: String) -> String { Self.explain(text, client.log) }

    private static func explain(_ text: String, _ log: String) -> String {
        let last = log.split(separator: "\n").suffix(3).joined(separator: "\n")
        return last.isEmpty ? text : "\(text); its log ends: \(last)"
    }

    /// Ends it.
    func stop(isHasty: Bool) { _ = client.stop(isHasty: isHasty) }
}
