package import HostClient
package import JSON
package import Notifications

/// A notification that a host shows, and what its extension saved.
package final class PushSession {
    /// A call that the host refused.
    package struct Refusal: Error {
        package let message: String
        package let diagnostics: [JSON]
        /// The end of what the extension wrote on its stderr during the call, such as a traceback.
        package let standardError: String
    }

    /// A line that an extension wrote on its stderr.
    package struct ErrorLine {
        package let bundle: String
        package let text: String

        package init(bundle: String, text: String) { (self.bundle, self.text) = (bundle, text) }
    }

    /// A record that was saved since the session began.
    package struct SavedRecord {
        package let suite: String
        package let record: JSON

        package init(suite: String, record: JSON) { (self.suite, self.record) = (suite, record) }
    }

    private static let topics: JSON = ["viewDidChange", "didDismiss", "didSave", "openApplication", "$/stderr"]
    /// At most so many lines of stderr are kept.
    private static let lineLimit = 1_000
    /// More banners than this are not kept; the oldest one goes.
    private static let bannerLimit = 20
    /// At most so many records of a suite are read at once.
    private static let page: Int64 = 1_000

    package let host: HostClient
    /// The params of `didReceive` except the payload.
    package var params: MemberList
    /// Every call of the user and what came of it.
    package private(set) var replies: [JSON] = []
    package private(set) var shown: ShownNotification?
    /// The banners that were delivered before and that nobody opened or cleared, the newest first.
    package private(set) var earlier: [ShownNotification] = []
    /// Whether the extension changed what is shown since the last call of the user, as a timer does.
    package private(set) var changedByItself = false
    package private(set) var diagnostics: [JSON] = []
    package private(set) var saved: [SavedRecord] = []
    /// The last lines that extensions wrote on their stderr since the payload was pushed.
    package private(set) var errorLines: [ErrorLine] = []
    /// The last id of each suite that was read.
    private var lastIDs: [String: Int64] = [:]

    /// A session with a host.
    ///
    /// - Parameters:
    ///   - host: The host.
    ///   - params: The params of `didReceive` except the payload.
    /// - Throws: Why the host cannot be used.
    package init(_ host: HostClient, params: MemberList = [:]) throws(ClientError) {
        (self.host, self.params) = (host, params)
        _ = try host.result("subscribe", ["topics": Self.topics])
        try readRecords(areNew: false)
    }

    /// Forgets the replies and the records of what was shown before.
    package func forget() {
        replies = []
        saved = []
    }

    /// Shows a payload in place of what is shown, or above it if that is a banner and is to be kept.
    package func push(_ payload: JSON, keepsBanner: Bool = false) throws {
        try leave(keepsBanner: keepsBanner)
        diagnostics = []
        takeErrorLines()
        errorLines = []
        shown = ShownNotification(try call("didReceive", JSON(present: ["payload": payload] + params)))
        try refresh()
        changedByItself = false
    }

    /// Shows a banner that was delivered before; what is shown becomes one of them if it is a banner, and ends otherwise.
    package func show(earlier id: JSON) throws(ClientError) {
        guard let index = earlier.firstIndex(where: { $0.id == id }) else { return }
        let banner = earlier.remove(at: index)
        try leave(keepsBanner: true)
        shown = banner
    }

    /// Clears a banner that was delivered before, as a swipe does.
    package func clear(earlier id: JSON) throws {
        guard let index = earlier.firstIndex(where: { $0.id == id }) else { return }
        earlier.remove(at: index)
        let action = JSON.string(OfferedAction.dismissIdentifier)
        _ = try call("didReceiveResponse", ["notification": id, "actionIdentifier": action])
        try refresh()
    }

    private func leave(keepsBanner: Bool) throws(ClientError) {
        guard let shown else { return }
        self.shown = nil
        guard shown.end == nil else { return }
        var leaving = [shown]
        if keepsBanner, !shown.isExpanded {
            leaving = earlier.count < Self.bannerLimit ? [] : [earlier.removeLast()]
            earlier.insert(shown, at: 0)
        }
        for banner in leaving { _ = try host.call("dismiss", ["notification": banner.id]) }
    }

    /// Touches an element.
    package func interact(_ element: String, _ value: JSON? = nil) throws {
        try change("interact", ["element": .string(element), "value": value])
    }

    /// Responds with an action.
    package func respond(_ identifier: String, _ text: String?) throws {
        try change("didReceiveResponse", ["actionIdentifier": .string(identifier), "userText": text.map(JSON.string)])
    }

    /// Plays or pauses media.
    package func toggleMedia() throws { try change(shown?.media?["playing"] == true ? "mediaPause" : "mediaPlay", [:]) }

    /// Lets time pass for the extension; the host's clock must be fixed.
    package func wait(milliseconds: Int64) throws {
        try change("advanceClock", ["milliseconds": .integer(milliseconds)])
    }

    /// Calls a method about the notification and takes over what it shows then.
    package func change(_ method: String, _ params: MemberList) throws {
        let notification: JSON = shown?.id ?? .null
        let result = try call(method, JSON(present: ["notification": notification] + params))
        shown?.show(result)
        try refresh()
        changedByItself = false
    }

    private func call(_ method: String, _ params: JSON) throws -> JSON {
        defer { takeErrorLines() }
        let message = try host.call(method, params).message
        guard let error = message["error"] else {
            let result = message["result"] ?? .null
            replies.append(["method": .string(method), "result": result])
            diagnostics = result["diagnostics"]?.array.map { Array($0) } ?? []
            return result
        }
        replies.append(["method": .string(method), "error": error])
        throw Refusal(
            message: error["message"]?.string ?? "the host refused \(method)",
            diagnostics: error["data"]?["diagnostics"]?.array.map { Array($0) } ?? [],
            standardError: error["data"]?["stderr"]?.string ?? ""
        )
    }

    // MARK: What changes meanwhile

    /// Takes over what the host told meanwhile, and reads the records that were saved since.
    package func refresh() throws(ClientError) {
        takeErrorLines()
        for (method, params) in host.drainNotifications() {
            guard params["notification"] == shown?.id else {
                if method == "didDismiss" { earlier.removeAll { $0.id == params["notification"] } }
                continue
            }
            changedByItself = true
            switch method {
            case "viewDidChange": shown?.show(params)
            case "openApplication": shown?.open(params)
            case "didDismiss": shown?.finish(params["reason"]?.string ?? "dismissed")
            default: break
            }
        }
        try readRecords(areNew: true)
    }

    /// Takes over what extensions wrote on their stderr, as far as the host has told.
    package func takeErrorLines() {
        for params in host.drainErrorLines() {
            let bundle = params["extension"]?.string ?? ""
            if let missed = params["missed"]?.integer {
                errorLines.append(ErrorLine(bundle: bundle, text: "(\(missed) lines are missing here)"))
            }
            errorLines.append(ErrorLine(bundle: bundle, text: params["line"]?.string ?? ""))
        }
        errorLines.removeFirst(max(0, errorLines.count - Self.lineLimit))
    }

    private func readRecords(areNew: Bool) throws(ClientError) {
        let suites = try host.result("suites")["suites"]?.array.map { Array($0) } ?? []
        for name in suites.compactMap({ $0["suite"]?.string }) {
            while true {
                let after = lastIDs[name] ?? 0
                let params: JSON = ["suite": .string(name), "after": .integer(after), "limit": .integer(Self.page)]
                let records = try host.result("pending", params)["records"]?.array.map { Array($0) } ?? []
                if areNew { saved += records.map { SavedRecord(suite: name, record: $0) } }
                guard let last = records.last?["id"]?.integer else { break }
                lastIDs[name] = last
            }
        }
    }
}
