internal import ArgumentParser
internal import HostClient
internal import JSON
internal import Platform

/// A command about the suites of the data folder.
protocol OutboxCommand: ClientCommand {
    var host: HostOptions { get }
    var options: OutboxOptions { get }

    /// Arguments of the host beside the folders.
    var hostArguments: [String] { get }

    /// Whether the command saves something, so that the data folder may be new.
    var isSaving: Bool { get }

    /// Does the work of the command with a host that runs, and returns the exit code.
    func run(_ suites: SuiteClient) throws(ClientError) -> Int32
}

extension OutboxCommand {
    var hostArguments: [String] { [] }

    var isSaving: Bool { false }

    func run(_ signals: SignalSource) throws(ClientError) -> Int32 {
        if !isSaving, let data = host.data, !FileManager.default.fileExists(atPath: data) {
            console.writeWarning("--data \(data): there is no such folder, so it has no suites")
        }
        let client = try host.start(hostArguments, signals)
        do throws(ClientError) {
            let suites = SuiteClient(client, suite: options.suite)
            if !isSaving, let problem = try suites.problem() {
                console.writeError(problem)
                _ = client.stop(isHasty: false)
                return EX_NOINPUT
            }
            let code = try run(suites)
            _ = client.stop(isHasty: false)
            return code
        } catch {
            let end = client.stop(isHasty: true).end
            switch error {
            case .failed where end == .code(EX_USAGE):
                // The options that this command passes on are wrong, and the host said which one.
                let line = client.log.split(separator: "\n").first.map(String.init) ?? "the host refused its options"
                console.writeError(line.replacing("Error: ", with: "", maxReplacements: 1))
                return EX_USAGE
            case .failed(let text) where !client.log.isEmpty: throw .failed("\(text); its log ends: \(client.log)")
            case .refused(let refusal):
                console.writeError(refusal.message)
                return OutboxExit.code(of: refusal)
            case .failed, .interrupted: throw error
            }
        }
    }
}

/// The options of every command about suites, beside those of its host.
struct OutboxOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Use this suite: the name of an App Group.", valueName: "name"),
        completion: Completions.suites
    )
    var suite: String?

    @Flag(help: "Print JSON, one object per line.")
    var json = false
}

/// The suites, as a client of the host sees them.
struct SuiteClient {
    let client: HostClient
    /// The suite that the command line names.
    let suite: String?

    init(_ client: HostClient, suite: String?) { (self.client, self.suite) = (client, suite) }

    /// Calls a method about the suite that the command line names, or else about the default suite.
    func result(_ method: String, _ params: MemberList = [:]) throws(ClientError) -> JSON {
        try result(method, of: suite, params)
    }

    func result(_ method: String, of suite: String?, _ params: MemberList = [:]) throws(ClientError) -> JSON {
        let params = JSON(present: ["suite": suite.map(JSON.string)] + params)
        // Without a deadline: a job about a million records takes its time.
        return try client.result(method, params, every: nil) { _ in }
    }

    /// The entry in `suites` of the suite that the command line names, or else of every suite.
    func entries() throws(ClientError) -> [JSON] {
        let all = try client.result("suites")["suites"]?.array.map(Array.init) ?? []
        return all.filter { suite == nil || $0["suite"]?.string == suite }
    }

    /// Why there is no work: the suite that the command line names does not exist.
    func problem() throws(ClientError) -> String? {
        guard let suite, try entries().isEmpty else { return nil }
        // The host says what is wrong with the name, or which suites there are.
        let page = try result("pending", ["limit": 1])
        let diagnostics = page["diagnostics"]?.array.map(Array.init) ?? []
        return diagnostics.first { $0["reason"] == "noSuite" }?["message"]?.string ?? "there is no suite \(suite)"
    }

    /// The suite that the command line names, or else every suite that can be read.
    ///
    /// For each suite that cannot be read, stderr gets the reason, and the exit code is not 0.
    func names() throws(ClientError) -> (readable: [String], code: Int32) {
        if let suite { return ([suite], OutboxExit.success) }
        let all = try entries()
        for suite in all {
            if let message = suite["error"]?["message"]?.string { console.writeError(message) }
        }
        let readable = all.filter { $0["error"] == nil }.compactMap { $0["suite"]?.string }
        return (readable, OutboxExit.code(of: all))
    }

    /// Passes the items of a method that answers in pages to a closure, page by page.
    ///
    /// `member` is the member of the result that has the items, and `limit` the greatest number of them; nil means all.
    ///
    /// - Returns: How many items there are in total.
    func pages(
        _ method: String,
        _ member: String,
        of suite: String,
        _ params: MemberList = [:],
        limit: Int?,
        _ body: ([JSON]) -> Void
    ) throws(ClientError) -> Int64 {
        var (after, left): (JSON, Int) = (0, limit ?? .max)
        while true {
            let own: MemberList = ["after": after, "limit": JSON(max(1, min(left, 1000)))]
            let page = try result(method, of: suite, params + own)
            for diagnostic in page["diagnostics"]?.array.map(Array.init) ?? [] {
                console.writeWarning(diagnostic["message"]?.string ?? "")
            }
            let items = page[member]?.array.map(Array.init) ?? []
            body(items)
            left -= items.count
            guard let last = items.last?["id"], left > 0 else { return page["total"]?.integer ?? 0 }
            after = last
        }
    }
}

/// The exit codes of the commands about suites; those of `sysexits.h` where one fits.
enum OutboxExit {
    static let success: Int32 = 0
    static let failure: Int32 = 1
    /// A flush left records that the destination does not accept.
    static let notAccepted: Int32 = 2

    /// The exit codes in the help of a command.
    static let help = """
        0 done; 1 a suite cannot be read or changed; 64 wrong command line; 65 invalid data; 66 there is no such suite \
        or dead letter, or the file cannot be read; 70 the host failed; 73 the file cannot be written; 74 not stored, \
        such as on a full disk; 75 busy: try again later; 128+n ended by signal n.
        """

    /// The exit code for the entries of `suites`: that of its worst error.
    static func code(of entries: [JSON]) -> Int32 {
        let reasons = entries.compactMap { $0["error"]?["data"]?["reason"]?.string }
        if reasons.isEmpty { return success }
        return reasons.allSatisfy { $0 == "suiteBusy" } ? EX_TEMPFAIL : failure
    }

    /// The exit code for an error of the host.
    static func code(of refusal: ClientError.Refusal) -> Int32 {
        switch refusal.reason {
        case "invalidSuiteName", "unknownDestination": EX_USAGE
        case "invalidParams", "invalidRecord", "idempotencyKeyReused", "tooLarge": EX_DATAERR
        case "fileUnreadable": EX_NOINPUT
        case "fileUnwritable": EX_CANTCREAT
        case "notStored", "suiteFull": EX_IOERR
        case "suiteBusy", "flushBusy", "destinationUnavailable", "stopping": EX_TEMPFAIL
        case "destinationStopped": EX_CONFIG
        case "unsupportedByDestination": EX_UNAVAILABLE
        default: refusal.code == -32_602 ? EX_DATAERR : failure
        }
    }
}
