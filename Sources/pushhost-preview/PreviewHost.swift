internal import HostClient
internal import JSON
internal import Platform
internal import PushClient

/// A host of the preview, with what is shown by it.
final class PreviewHost {
    let session: PushSession
    let watch: PushWatch
    let tail: WireTail
    let log = HostLog()
    private let client: HostClient

    /// Starts a host.
    ///
    /// - Parameters:
    ///   - settings: The settings of the preview.
    ///   - files: The files that are watched besides those of bundles.
    ///   - clock: The time to which its clock is fixed; empty for the system's.
    ///   - folder: The folder of the preview, which gets the recording.
    ///   - data: The folder of the suites, unless the settings name another one.
    ///   - number: How many hosts there were before.
    ///   - signals: The signals to this process.
    /// - Throws: Why the host cannot be started.
    init(
        _ settings: PreviewSettings,
        files: [String],
        clock: String,
        folder: String,
        data: String,
        number: Int,
        signals: SignalSource
    ) throws(ClientError) {
        let recording = "\(folder)/host-\(number).jsonl"
        let fixed = clock.isEmpty ? [] : ["--clock", clock]
        let own = ["--data", settings.dataFolder ?? data, "--record", recording]
        // What a host that is killed leaves goes with the preview too.
        let environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": folder]) { $1 }
        let arguments = ["serve", "--no-control"] + own + fixed + settings.arguments
        client = try HostClient(
            Program(path: settings.program, arguments: arguments, environment: environment),
            signals: signals
        )
        client.onLog = { [log] in log.add($0) }
        do throws(ClientError) {
            session = try PushSession(client)
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

/// The bundles that the host knows.
struct Catalog {
    private let bundles: [JSON]

    /// An empty catalog.
    init() { bundles = [] }

    /// Reads it from a host.
    init(_ host: HostClient) throws(ClientError) {
        bundles = try host.result("extensions")["extensions"]?.array.map(Array.init) ?? []
    }

    /// The file with the sample payload of a bundle; nil if it has none.
    func sample(of identifier: String) -> String? {
        bundles.first { $0["identifier"]?.string == identifier }.flatMap(Self.sample)
    }

    /// The folder of a bundle; nil if it is not known.
    func folder(of identifier: String?) -> String? {
        identifier.flatMap { name in bundles.first { $0["identifier"]?.string == name } }?["path"]?.string
    }

    /// The first sample payload; nil if no bundle has one.
    var firstSample: String? { bundles.lazy.compactMap(Self.sample).first }

    /// Where records can be sent; `file` is the host's own.
    var destinations: [String] { Set(bundles.compactMap { $0["destinationName"]?.string }).sorted() + ["file"] }

    /// The folders of the bundles.
    var folders: [String] { bundles.compactMap { $0["path"]?.string } }

    /// The categories that bundles show, each with the name of the bundle's folder.
    private var categories: [JSON] {
        bundles.flatMap { bundle in
            (bundle["categories"]?.array.map(Array.init) ?? []).map {
                ["category": $0, "name": JSON(Self.name(bundle))]
            }
        }
    }

    private static func name(_ bundle: JSON) -> String? {
        bundle["path"]?.string?.split(separator: "/").last.map(String.init)
    }

    /// The bundle that is a destination; nil if the host itself is.
    func destination(_ name: String) -> String? {
        bundles.first { $0["destinationName"]?.string == name }.flatMap { $0["identifier"]?.string }
    }

    /// What a bundle is, such as `content extension`.
    func role(of identifier: String) -> String {
        let bundle = bundles.first { $0["identifier"]?.string == identifier }
        let point = bundle?["point"]?.string?.split(separator: ".").last ?? "extension"
        return String(point.map { $0 == "-" ? " " : $0 })
    }

    private static func sample(_ bundle: JSON) -> String? {
        guard let folder = bundle["path"]?.string else { return nil }
        let path = "\(folder)/payload.apns"
        return FileStamp(of: path)?.kind == .file ? path : nil
    }

    /// The message for the windows: the bundles that have a sample payload, all categories and destinations.
    var members: [(String, JSON)] {
        let list = bundles.filter { Self.sample($0) != nil }.map { bundle -> JSON in
            ["identifier": bundle["identifier"] ?? .null, "name": JSON(Self.name(bundle))]
        }
        return [
            ("bundles", JSON(list)), ("categories", JSON(categories)),
            ("destinations", JSON(destinations.map(JSON.string))),
        ]
    }
}

/// The records that were saved since the preview began.
struct SavedRecords {
    /// The number of the newest ones that are kept.
    private static let limit = 200

    private var records: [PushSession.SavedRecord] = []
    private var count = 0
    /// Whether something was saved that the windows do not show yet.
    private var isNews = true
    /// Whether what a flush would send must be asked again.
    var isStale = true

    /// Takes the records that a session has read, which forgets them.
    mutating func take(_ session: PushSession) {
        let new = session.saved
        session.forget()
        guard !new.isEmpty else { return }
        count += new.count
        records = (records + new).suffix(Self.limit)
        (isNews, isStale) = (true, true)
    }

    /// The message for the windows; nil if they have it.
    mutating func news() -> [(String, JSON)]? {
        guard isNews else { return nil }
        isNews = false
        let list = records.map { ["suite": .string($0.suite), "record": $0.record] as JSON }
        return [("count", JSON(count)), ("records", JSON(list))]
    }

    /// What a flush of every suite would send now, as a message for the windows.
    mutating func dryRun(_ host: HostClient, to destination: String) throws(ClientError) -> [(String, JSON)] {
        isStale = false
        var parts: [String] = []
        for suite in try host.result("suites")["suites"]?.array.map(Array.init) ?? [] {
            guard let name = suite["suite"]?.string, suite["pending"]?.integer ?? 0 > 0 else { continue }
            do throws(ClientError) {
                let params: JSON = ["suite": .string(name), "to": .string(destination), "dryRun": true]
                let result = try host.result("flushPending", params)
                parts.append(FlushDryRunReport(suite: name, destination: destination, result: result).text)
            } catch {
                guard case .refused(let refusal) = error else { throw error }
                parts.append("\(name) to \(destination): \(refusal.message)\n")
            }
        }
        let text = parts.isEmpty ? "Nothing is pending.\n" : parts.joined(separator: "\n")
        return [("destination", .string(destination)), ("text", .string(text))]
    }
}
