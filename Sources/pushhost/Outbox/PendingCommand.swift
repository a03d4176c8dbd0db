internal import ArgumentParser
internal import HostClient
internal import JSON

/// Lists pending records.
struct PendingCommand: OutboxCommand {
    static let configuration = CommandConfiguration(
        commandName: "pending",
        abstract: "List pending records without deleting them.",
        prose: """
            Without --suite it lists every suite. A table has at most 100 records of each suite unless you give \
            --limit. --json prints all records, in the form of the method pending with suite as the first member. A \
            list that is longer than the terminal goes through the program in PAGER, if that is set.
            """,
        examples: [
            "pushhost pending --suite group.com.example.app --kind customEvent",
            "pushhost pending --json | jq -r .name",
        ],
        exitCodes: OutboxExit.help
    )

    /// How many records of each suite a table has at most.
    private static let tableLimit = 100

    @OptionGroup var host: HostOptions
    @OptionGroup var options: OutboxOptions

    enum Kind: String, ExpressibleByArgument, CaseIterable { case customEvent, customAttribute, userAttribute }

    @Option(help: "List only records of this kind.")
    var kind: Kind?

    @Option(help: ArgumentHelp("List at most this many records of each suite.", valueName: "n"))
    var limit: Int?

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit \(limit): it must be at least 1") }
    }

    func run(_ suites: SuiteClient) throws(ClientError) -> Int32 {
        let params: MemberList = ["kind": kind.map { .string($0.rawValue) }]
        let limit = limit ?? (options.json ? nil : Self.tableLimit)
        let (names, code) = try suites.names()
        var list = RecordList(isJSON: options.json, note: "NOTE") { record in
            let sent = record["possiblySent"]?.integer.map { "possibly sent \($0)×" }
            return [record["leased"]?.bool == true ? "leased" : nil, sent].compactMap(\.self).joined(separator: ", ")
        }
        for name in names {
            let total = try suites.pages("pending", "records", of: name, params, limit: limit) { list.add($0, name) }
            list.endSuite(name, total: total)
        }
        let isWhole = code == OutboxExit.success
        list.finish(ifEmpty: isWhole ? "Nothing is pending." : "Nothing is pending in the suites that can be read.")
        return code
    }
}

/// Records of several suites, as a table for people or as lines of JSON.
struct RecordList {
    /// Whether each record is printed as a line of JSON at once.
    private let isJSON: Bool
    private let note: (JSON) -> String
    private var table: Table
    /// The number of records of the current suite that were added.
    private var shown: Int64 = 0
    /// A line for each suite of which not all records are shown.
    private var omissions: [String] = []

    /// How many characters of a value are shown.
    private static let valueLimit = 40

    /// An empty list, with the title of its last column and the text of a record in it.
    init(isJSON: Bool, note title: String, _ note: @escaping (JSON) -> String) {
        self.isJSON = isJSON
        self.note = note
        table = Table([
            Table.Column("SUITE"), Table.Column("ID", isNumber: true), Table.Column("KIND"), Table.Column("NAME"),
            Table.Column("VALUE"), Table.Column("USER"), Table.Column("TIME"), Table.Column(title),
        ])
    }

    /// Adds records of a suite: prints them as JSON, or keeps them for the table.
    mutating func add(_ records: [JSON], _ suite: String) {
        shown += Int64(records.count)
        for record in records {
            if isJSON {
                console.print(JSON(present: ["suite": .string(suite)] + record.members))
            } else {
                table.rows.append(row(record, suite))
            }
        }
    }

    /// Ends a suite: notes how many of its records are not shown.
    mutating func endSuite(_ suite: String, total: Int64) {
        if shown < total { omissions.append("\(total - shown) more in \(suite): see --limit\n") }
        shown = 0
    }

    /// Prints the table, or a text if it is empty.
    func finish(ifEmpty text: String) {
        guard !isJSON else { return }
        console.page((table.rows.isEmpty ? "\(text)\n" : table.text) + omissions.joined())
    }

    private func row(_ record: JSON, _ suite: String) -> [String] {
        let name = ["name", "key", "field"].lazy.compactMap { record[$0]?.string }.first ?? ""
        // A dead letter whose text is not UTF-8 has `bytes` in base64 instead.
        let value = (record["value"] ?? record["properties"] ?? record["bytes"])?.description ?? ""
        let user = record["user"]?.object?.map { "\($0.name)=\($0.value.string ?? $0.value.description)" }
        return [
            suite, record["id"]?.integer.map(String.init) ?? "", record["kind"]?.string ?? "", name,
            value.count > Self.valueLimit ? value.prefix(Self.valueLimit - 1) + "…" : value,
            user?.joined(separator: " ") ?? "", record["time"]?.string ?? "", note(record),
        ]
    }
}
