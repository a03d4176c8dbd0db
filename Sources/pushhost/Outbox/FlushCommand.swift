internal import ArgumentParser
internal import Configuration
internal import HostClient
internal import JSON
internal import Platform
internal import PushClient

/// Delivers pending records to a destination.
struct FlushCommand: OutboxCommand {
    static let configuration = CommandConfiguration(
        commandName: "flush",
        abstract: "Deliver pending records to a destination.",
        prose: """
            Without --suite it flushes every suite, one after the other. Delivered records are deleted; rejected \
            ones become dead letters. If stderr is a terminal, a line shows the rate, the remaining records, and \
            during a pause the next attempt. Ctrl-C stops after the batch in flight; records that were not delivered \
            stay pending. A new flush waits for the rest of a pause.

            With --dry-run it prints the requests that the destination would make for the first batch of each suite, \
            without keys, and sends and changes nothing.
            """,
        examples: [
            "pushhost flush --plugins plugins",
            "pushhost flush --dry-run",
            "pushhost flush --suite outbox --to file --deliver-file events.jsonl",
            "pushhost flush --retry-patience 120000 || test $? = 75  # cron tries again",
        ],
        exitCodes: """
            0 everything was delivered, or nothing was pending; 1 a suite cannot be read; 2 the destination rejected \
            records (now dead letters) or held some back (still pending); 64 wrong command line or \
            unknown destination; 66 there is no such suite; 69 the destination cannot make a dry run; 70 the host \
            failed; 74 a full disk; 75 the destination accepts nothing now, or another process uses the suite: try \
            again later; 78 the destination needs an operator, such as for a wrong key; 128+n ended by signal n. With \
            several suites it is the code of the first one that failed.
            """
    )

    @Option(
        help: ArgumentHelp("Deliver to this destination: file, or the name that a bundle declares.", valueName: "name"),
        completion: Completions.destinations
    )
    var to = DeliverySettings().policyDestination

    @Flag(help: "Print what would be sent, and send nothing.")
    var dryRun = false

    @Option(
        help: ArgumentHelp("Write the destination `file` to this file.", valueName: "file"),
        completion: .file()
    )
    var deliverFile: String?

    @Option(help: .milliseconds("Try this long while nothing is accepted."))
    var retryPatience: Int?

    @Option(help: .milliseconds("Pause at most this long after the first failed delivery."))
    var retryBase: Int?

    @OptionGroup var host: HostOptions
    @OptionGroup var options: OutboxOptions

    var hostArguments: [String] {
        let file = deliverFile.map { ["--deliver-file", Paths.absolute($0)] } ?? []
        let patience = retryPatience.map { ["--retry-patience", String($0)] } ?? []
        return file + patience + (retryBase.map { ["--retry-base", String($0)] } ?? [])
    }

    func validate() throws {
        if to == "caller" { throw ValidationError("--to caller: a shell cannot take the calls; name a destination") }
        if let retryPatience { try requireOption("retry-patience", retryPatience, in: 0...86_400_000) }
        if let retryBase { try requireOption("retry-base", retryBase, in: 0...86_400_000) }
    }

    func run(_ suites: SuiteClient) throws(ClientError) -> Int32 {
        let all = try suites.entries()
        let extensions = try suites.client.result("extensions")
        for text in DestinationCheckup(to, isNamed: true, extensions).misspellings() { console.writeWarning(text) }
        if !all.contains(where: { ($0["pending"]?.integer ?? 0) > 0 }), isUnknownDestination(extensions) {
            return EX_USAGE
        }
        if all.isEmpty, !options.json { console.write("Nothing is pending.\n") }
        var codes: [Int32] = []
        for suite in all {
            guard let name = suite["suite"]?.string else { continue }
            if let message = suite["error"]?["message"]?.string {
                console.writeError(message)
                codes.append(OutboxExit.code(of: [suite]))
            } else if let pending = suite["pending"]?.integer, pending > 0 {
                let (code, reason) = try flush(name, pending, suites)
                codes.append(code)
                // Only the suite itself is held, by another process.
                if reason == "flushBusy" || reason == "suiteBusy" { continue }
                // The other suites would meet the same answer, after the same patience.
                if code == EX_CONFIG || code == EX_USAGE || code == EX_TEMPFAIL || code == EX_UNAVAILABLE { break }
            } else if !dryRun || options.json {
                report(
                    name,
                    dryRun
                        ? Self.emptyDryRun
                        : ["delivered": 0, "rejected": 0, "possiblySent": 0, "remaining": 0, "diagnostics": []]
                )
            }
        }
        return codes.first { $0 != OutboxExit.success } ?? OutboxExit.success
    }

    /// Reports a destination that was named on the command line and does not exist.
    ///
    /// If something is pending, the host does that.
    private func isUnknownDestination(_ catalog: JSON) -> Bool {
        guard to != DeliverySettings().policyDestination else { return false }
        let extensions = catalog["extensions"]?.array.map(Array.init) ?? []
        let known = ["file"] + Set(extensions.compactMap { $0["destinationName"]?.string }).sorted()
        guard !known.contains(to) else { return false }
        console.writeError("--to \(to): there is no such destination; there are \(known.joined(separator: ", "))")
        return true
    }

    /// Flushes a suite, and returns its exit code, with the reason if the flush was refused.
    private func flush(
        _ name: String,
        _ pending: Int64,
        _ suites: SuiteClient
    ) throws(ClientError) -> (code: Int32, reason: String?) {
        var bar = ProgressBar(name, to: to, total: pending)
        defer { bar.remove() }
        do throws(ClientError) {
            if dryRun { return (try self.dryRun(of: name, suites), nil) }
            let params: JSON = ["suite": .string(name), "to": .string(to)]
            let result = try suites.client.result("flushPending", params, every: bar.interval) { bar.show($0) }
            bar.remove()
            report(name, result)
            let isComplete = result["rejected"]?.integer == 0 && result["held"] == nil
            return (isComplete ? OutboxExit.success : OutboxExit.notAccepted, nil)
        } catch {
            bar.remove()
            switch error {
            case .refused(let refusal):
                if options.json {
                    let line: JSON = [
                        "suite": .string(name), "to": .string(to), "error": .string(refusal.message),
                        "reason": refusal.reason.map(JSON.string) ?? .null,
                    ]
                    console.print(line)
                }
                console.writeError("\(name): \(refusal.message)")
                return (OutboxExit.code(of: refusal), refusal.reason)
            case .interrupted:
                console.writeToError("Interrupted: what was not delivered stays pending.\n")
                throw error
            case .failed: throw error
            }
        }
    }

    private static let emptyDryRun: JSON = ["requests": [], "records": 0, "remaining": 0, "diagnostics": []]

    private func dryRun(of name: String, _ suites: SuiteClient) throws(ClientError) -> Int32 {
        let params: JSON = ["suite": .string(name), "to": .string(to), "dryRun": true]
        let result = try suites.client.result("flushPending", params)
        if options.json {
            report(name, result)
        } else {
            console.write(FlushDryRunReport(suite: name, destination: to, result: result).text)
            warn(result)
        }
        return result["rejected"] == nil && result["held"] == nil ? OutboxExit.success : OutboxExit.notAccepted
    }

    private func report(_ name: String, _ result: JSON) {
        if options.json {
            return console.print(JSON(present: ["suite": .string(name), "to": .string(to)] + result.members))
        }
        let counts = ["delivered", "rejected", "possiblySent", "held", "remaining"].compactMap { member -> String? in
            guard let count = result[member]?.integer, count > 0 || member == "delivered" else { return nil }
            // Each attempt of a record counts, so this is not a number of records.
            guard member == "possiblySent" else { return "\(count) \(member)" }
            return "\(CheckReport.count(Int(count), "attempt")) without a clear answer"
        }
        console.write("\(name) to \(to): \(counts.joined(separator: ", "))\n")
        warn(result)
    }

    private func warn(_ result: JSON) {
        for diagnostic in result["diagnostics"]?.array.map(Array.init) ?? [] {
            console.writeWarning(diagnostic["message"]?.string ?? "")
        }
    }
}

/// The progress of a flush on one line of stderr, if that is a terminal.
private struct ProgressBar {
    private let suite: String
    private let destination: String
    private let total: Int64
    private let start = Clock.monotonic()
    private var retries = 0
    private var wasPaused = false
    private var line = StatusLine()

    /// How many cells the bar has.
    private static let width: Int64 = 20
    /// How many milliseconds lie between two redraws.
    private static let redraw: Int64 = 200

    init(_ suite: String, to destination: String, total: Int64) {
        (self.suite, self.destination, self.total) = (suite, destination, max(1, total))
    }

    /// How often to ask for the progress, in milliseconds; nil if it is not shown.
    var interval: Int64? { console.errorColumns == nil ? nil : Self.redraw }

    /// Draws the line again, from a result of `status`.
    mutating func show(_ status: JSON) {
        let running = status["deliveries"]?.array.map(Array.init) ?? []
        guard console.errorColumns != nil, let flush = running.first(where: { $0["suite"]?.string == suite }) else {
            return
        }
        let pause = flush["retryAfter"]?.integer
        if pause != nil, !wasPaused { retries += 1 }
        wasPaused = pause != nil
        line.show(text(flush, pause, elapsed: max(1, Clock.monotonic() - start)))
    }

    /// Removes the line.
    mutating func remove() { line.remove() }

    private func text(_ flush: JSON, _ pause: Int64?, elapsed: Int64) -> String {
        let delivered = flush["delivered"]?.integer ?? 0
        let settled = min(total, delivered + (flush["rejected"]?.integer ?? 0))
        let full = Int(settled * Self.width / total)
        let bar = String(repeating: "#", count: full) + String(repeating: ".", count: Int(Self.width) - full)
        var parts = ["\(suite) to \(destination) [\(bar)] \(total - settled) remain, \(delivered * 1000 / elapsed)/s"]
        if retries > 0 { parts.append("\(retries) \(retries == 1 ? "retry" : "retries")") }
        if let pause { parts.append("next attempt in \((pause + 999) / 1000) s") }
        if pause != nil, let problem = flush["problem"]?.string { parts.append(problem) }
        return parts.joined(separator: ", ")
    }
}
