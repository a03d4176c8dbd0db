internal import ArgumentParser
internal import HostClient
internal import JSON

/// Lists pending records.
struct PendingCommand: OutboxCommand {
    static let configuration = CommandConfiguration(
        commandName: "pending",
        abstract: "List pending records; delete nothing.",
        discussion: """
            Without --suite it lists every suite. A table has at most 100 records of each suite unless --limit says \
            otherwise; --json prints all of them, each as pending returns it, with its suite in front.

            Examples:
              pushhost pending --suite group.com.example.app --kind customEvent
              pushhost pending --json | jq -r .name

            \(OutboxExit.help)
            """
    )

    /// How many records of each suite a table has at most.
    private static let tableLimit = 100

    @OptionGroup var options: OutboxOptions

    enum Kind: String, ExpressibleByArgument, CaseIterable { case customEvent, customAttribute, userAttribute }

    @Option(help: "Only records of this kind.")
    var kind: Kind?

    @Option(help: ArgumentHelp("The maximum number of records of each suite.", valueName: "n"))
    var limit: Int?

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit \(limit): it must be at least 1") }
    }

    func run(_ outbox: Outbox) throws(ClientError) -> Int32 {
        let params: MemberList = ["kind": kind.map { .string($0.rawValue) }]
        let limit = limit ?? (options.json ? nil : Self.tableLimit)
        let (names, isComplete) = try outbox.names()
        var list = RecordList(isJSON: options.json, note: "NOTE") { record in
            let sent = record["possiblySent"]?.integer.map { "possibly sent \($0)×" }
            return [record["leased"]?.bool == true ? "leased" : nil, sent].compactMap(\.self).joined(separator: ", ")
        }
        for name in names {
            let total = try outbox.pages("pending", "records", of: name, params, limit: limit) { list.add($0, name) }
            list.endSuite(name, total: total)
        }
        list.finish(ifEmpty: "Nothing is pending.")
        return isComplete ? OutboxExit.success : OutboxExit.failure
    }
}
