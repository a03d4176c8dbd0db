internal import ArgumentParser
internal import HostClient
internal import JSON

/// Lists the suites of the data folder.
struct SuitesCommand: OutboxCommand {
    static let configuration = CommandConfiguration(
        commandName: "suites",
        abstract: "List the suites and their pending records.",
        prose: """
            FLUSHED TO has an entry for each destination: the number of delivered records, and the reason if the last attempt failed.
            """,
        examples: [
            "pushhost suites",
            "pushhost suites --json | jq -r 'select(.pending > 0).suite'",
        ],
        exitCodes: OutboxExit.help
    )

    @OptionGroup var host: HostOptions
    @OptionGroup var options: OutboxOptions

    func run(_ suites: SuiteClient) throws(ClientError) -> Int32 {
        let entries = try suites.entries()
        if options.json {
            for suite in entries { console.print(suite) }
        } else if entries.isEmpty {
            console.write("There are no suites to list.\n")
        } else {
            console.page(table(entries).text)
        }
        return OutboxExit.code(of: entries)
    }

    private func table(_ entries: [JSON]) -> Table {
        var table = Table([
            Table.Column("SUITE"), Table.Column("PENDING", isNumber: true),
            Table.Column("POSSIBLY SENT", isNumber: true), Table.Column("DEAD LETTERS", isNumber: true),
            Table.Column("FLUSHED TO"),
        ])
        for suite in entries {
            let counts = ["pending", "possiblySent", "deadLetters"].map { name in
                suite[name]?.integer.map(String.init) ?? (suite["error"] == nil ? "0" : "?")
            }
            let error = suite["error"]?["message"]?.string
            let deliveries = suite["deliveries"]?.array?.map(delivery).joined(separator: "; ") ?? ""
            table.rows.append([suite["suite"]?.string ?? ""] + counts + [error.map { "Error: \($0)" } ?? deliveries])
        }
        return table
    }

    private func delivery(_ totals: JSON) -> String {
        let count = totals["delivered"]?.integer ?? 0
        let problem = totals["problem"]?.string.map { " (\($0))" } ?? ""
        return "\(totals["to"]?.string ?? ""): \(count)\(problem)"
    }
}
