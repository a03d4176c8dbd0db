internal import ArgumentParser
internal import HostClient
internal import JSON
internal import Platform

/// Lists, retries and discards dead letters.
struct DeadLettersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dead-letters",
        abstract: "List, retry or discard records that cannot be delivered.",
        examples: [
            "pushhost dead-letters",
            "pushhost dead-letters retry --suite group.com.example.app 17 18",
            "pushhost dead-letters discard --all",
        ],
        exitCodes: OutboxExit.help,
        subcommands: [DeadLettersListCommand.self, DeadLettersRetryCommand.self, DeadLettersDiscardCommand.self],
        defaultSubcommand: DeadLettersListCommand.self
    )
}

/// Lists dead letters.
private struct DeadLettersListCommand: OutboxCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List dead letters with their reasons.",
        prose: "Without --suite it lists every suite.",
        examples: ["pushhost dead-letters list --json | jq -r .reason"],
        exitCodes: OutboxExit.help
    )

    /// How many dead letters of each suite a table has at most.
    private static let tableLimit = 100

    @OptionGroup var host: HostOptions
    @OptionGroup var options: OutboxOptions

    @Option(help: ArgumentHelp("List at most this many of each suite.", valueName: "n"))
    var limit: Int?

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit \(limit): it must be at least 1") }
    }

    func run(_ suites: SuiteClient) throws(ClientError) -> Int32 {
        let limit = limit ?? (options.json ? nil : Self.tableLimit)
        let (names, code) = try suites.names()
        var list = RecordList(isJSON: options.json, note: "REASON") { $0["reason"]?.string ?? "" }
        for name in names {
            let total = try suites.pages("deadLetters", "deadLetters", of: name, limit: limit) { list.add($0, name) }
            list.endSuite(name, total: total)
        }
        let isWhole = code == OutboxExit.success
        list.finish(ifEmpty: "There are no dead letters\(isWhole ? "" : " in the suites that can be read").")
        return code
    }
}

/// Which dead letters a command changes.
private struct DeadLetterSelection: ParsableArguments {
    @Argument(help: ArgumentHelp("The ids of dead letters of the suite; all if absent.", valueName: "id"))
    var ids: [Int64] = []

    @Flag(help: "Take all dead letters of all suites.")
    var all = false

    /// Refuses a command line that does not say clearly which dead letters it means.
    func validate(suite: String?) throws {
        if all, suite != nil || !ids.isEmpty { throw ValidationError("--all: leave out --suite and the ids") }
        if !all, suite == nil { throw ValidationError("give --suite, or --all for all dead letters of all suites") }
    }

    /// Calls a method for each suite that is meant and prints the counts.
    func change(
        _ suites: SuiteClient,
        _ method: String,
        _ count: String,
        isJSON: Bool
    ) throws(ClientError) -> Int32 {
        let (names, code) = try suites.names()
        var missing: String?
        for name in names {
            let params: MemberList = ["ids": JSON(nonEmpty: ids)]
            let changed = try suites.result(method, of: name, params)[count]?.integer ?? 0
            let asked = Int64(Set(ids).count)
            if changed < asked {
                missing =
                    changed == 0
                    ? "\(name) has no dead letter \(ids.map(String.init).joined(separator: ", "))"
                    : "\(name) has no dead letters with \(asked - changed) of the \(asked) ids"
            }
            if isJSON {
                let line: JSON = ["suite": .string(name), "\(count)": .integer(changed)]
                console.print(line)
            } else {
                console.write("\(name): \(changed) \(count)\n")
            }
        }
        if let missing {
            console.writeError("\(missing); pushhost dead-letters lists the ids")
            return EX_NOINPUT
        }
        return code
    }
}

/// Makes dead letters pending again.
private struct DeadLettersRetryCommand: OutboxCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Make dead letters pending again.",
        prose: """
            A record that may have been sent may arrive twice if you retry it. Its reason tells you; check the \
            destination first.
            """,
        examples: ["pushhost dead-letters retry --suite group.com.example.app 17 18"],
        exitCodes: OutboxExit.help
    )

    @OptionGroup var selection: DeadLetterSelection
    @OptionGroup var host: HostOptions
    @OptionGroup var options: OutboxOptions

    func validate() throws { try selection.validate(suite: options.suite) }

    func run(_ suites: SuiteClient) throws(ClientError) -> Int32 {
        try selection.change(suites, "retryDeadLetters", "retried", isJSON: options.json)
    }
}

/// Deletes dead letters.
private struct DeadLettersDiscardCommand: OutboxCommand {
    static let configuration = CommandConfiguration(
        commandName: "discard",
        abstract: "Delete dead letters permanently.",
        examples: ["pushhost dead-letters discard --all"],
        exitCodes: OutboxExit.help
    )

    @OptionGroup var selection: DeadLetterSelection
    @OptionGroup var host: HostOptions
    @OptionGroup var options: OutboxOptions

    func validate() throws { try selection.validate(suite: options.suite) }

    func run(_ suites: SuiteClient) throws(ClientError) -> Int32 {
        try selection.change(suites, "discardDeadLetters", "discarded", isJSON: options.json)
    }
}
