internal import HostClient
internal import JSON
internal import Platform
internal import PushClient
internal import Recording

/// A payload, or a recorded session whose last notification is shown.
struct PictureSource {
    /// Where the file is, from the working folder if it is in there.
    let path: String
    /// The name of its pictures: the path from the folder of all sources, without the suffix.
    ///
    /// A `payload.apns` has the name of its folder, as a bundle does.
    let name: String

    /// Whether it is a session.
    private var isSession: Bool { path.hasSuffix(".jsonl") }

    /// The sources of the command line, each once, sorted by name.
    ///
    /// - Parameter words: Payloads, sessions, and folders in which every payload counts.
    /// - Returns: Them; none if the folders have no payloads.
    static func all(_ words: [String]) -> [PictureSource] {
        var paths: [String] = []
        var anchors: [[Substring]] = []
        for word in words {
            let path = URL(fileURLWithPath: Paths.absolute(word)).standardizedFileURL.path
            let parts = path.split(separator: "/")
            let isFolder = StandardFolders.isFolder(path)
            let isBundle = isFolder && FileStamp(of: "\(path)/Info.plist") != nil
            // The folder is the name of such a payload.
            let depth = !isFolder && parts.last == "payload.apns" ? 2 : isFolder && !isBundle ? 0 : 1
            anchors.append(Array(parts.dropLast(depth)))
            paths += isFolder ? payloads(in: path) : [path]
        }
        let root = anchors.dropFirst().reduce(anchors.first ?? []) { common, next in
            Array(zip(common, next).prefix { $0 == $1 }.map(\.0))
        }
        let files = Array(Set(paths)).map { path in
            (path: path, inner: path.split(separator: "/").dropFirst(root.count).joined(separator: "/"))
        }
        let names = Dictionary(grouping: files) { shortName($0.inner, root) }
        return files.map { path, inner in
            let short = shortName(inner, root)
            // Two files that differ only in their suffix keep it.
            let folder = Paths.workingFolder + "/"
            let path = path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : path
            return PictureSource(path: path, name: names[short]?.count == 1 ? short : inner)
        }
        .sorted { $0.name < $1.name }
    }

    private static func payloads(in folder: String) -> [String] {
        var paths: [String] = []
        Folders.walk(folder) { path in
            if path.hasSuffix(".apns") { paths.append(path) }
            return true
        }
        return paths
    }

    /// The path without its suffix, or that of its folder for `payload.apns`.
    private static func shortName(_ inner: String, _ root: [Substring]) -> String {
        if inner == "payload.apns" { return root.last.map(String.init) ?? inner }
        for suffix in ["/payload.apns", ".apns", ".session.jsonl", ".jsonl"] where inner.hasSuffix(suffix) {
            return String(inner.dropLast(suffix.count))
        }
        return inner
    }

    // MARK: What it shows

    /// What a source shows.
    struct Content {
        /// Whether an extension should show it.
        let hasCategory: Bool
        /// Whether an extension may run for it.
        let runsExtensions: Bool
        /// Shows it; the params replace those of `didReceive`.
        let play: (PushSession, MemberList) throws -> Void
    }

    /// Reads what it holds.
    ///
    /// - Throws: Why it cannot be read.
    func content() throws -> Content {
        guard isSession else {
            let payload = try PushFile(path).object()
            let hasCategory = Self.hasCategory(payload)
            let isMutable = payload["aps"]?["mutable-content"].map { $0 != 0 } ?? false
            return Content(hasCategory: hasCategory, runsExtensions: hasCategory || isMutable) { session, params in
                session.params = params
                try session.push(payload)
            }
        }
        let input = try RecordedSession(path: Paths.absolute(path), mayLackReplies: true).input
        let calls = input.split(separator: UInt8(ascii: "\n")).compactMap { try? JSON(parsing: Array($0)) }
        guard calls.contains(where: { $0["method"] == "didReceive" }) else {
            throw ClientError.failed("no line of the session calls didReceive; record a notification")
        }
        let hasCategory = calls.contains { Self.hasCategory($0["params"]?["payload"] ?? .null) }
        return Content(hasCategory: hasCategory, runsExtensions: true) { try Self.play(calls, $0, $1) }
    }

    private static func hasCategory(_ payload: JSON) -> Bool {
        payload["aps"]?["category"]?.string?.isEmpty == false
    }

    /// Makes the calls of a session that are about its newest notification.
    private static func play(_ calls: [JSON], _ session: PushSession, _ params: MemberList) throws {
        for call in calls {
            let own = call["params"]?.members ?? [:]
            switch call["method"]?.string {
            case "didReceive":
                session.params = MemberList(own.filter { $0.0 != "payload" }) + params
                try session.push(call["params"]?["payload"] ?? .null)
            case let method? where touching.contains(method):
                try session.change(method, MemberList(own.filter { $0.0 != "notification" }))
            default: break
            }
        }
    }

    private static let touching: Set = [
        "interact", "didReceiveResponse", "mediaPlay", "mediaPause", "advanceClock", "dismiss",
    ]
}
