internal import HostClient
internal import JSON
internal import PushClient

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
