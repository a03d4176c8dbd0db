internal import JSON

/// Records of several suites, as a table for people or as lines of JSON.
struct RecordList {
    private let isJSON: Bool
    private let note: (JSON) -> String
    private var table: Table
    /// The number of records of the current suite that were added.
    private var shown: Int64 = 0
    /// A line for each suite of which not all records are shown.
    private var omissions: [String] = []

    /// How many characters of a value are shown.
    private static let valueLimit = 40

    /// An empty list.
    ///
    /// - Parameters:
    ///   - isJSON: Whether each record is printed as a line of JSON at once.
    ///   - title: The title of the last column.
    ///   - note: What the last column says of a record.
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
                Terminal.print(JSON(present: ["suite": .string(suite)] + record.members))
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
        Terminal.write(table.rows.isEmpty ? "\(text)\n" : table.text)
        for line in omissions { Terminal.write(line) }
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
