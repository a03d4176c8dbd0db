internal import ArgumentParser
internal import HostClient
internal import JSON
internal import Platform

/// Lists the bundles that a host finds, and their problems.
struct ListCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the extension bundles and their problems.",
        prose: """
            Problems include a missing executable or interpreter. Use pushhost extensions check to try a bundle.
            """,
        examples: [
            "pushhost extensions list --plugins plugins",
            "pushhost extensions list --json | jq -r '.extensions[].identifier'",
        ],
        exitCodes: "0 without errors, 1 with errors, 64 for a wrong command line."
    )

    @OptionGroup var host: HostOptions

    @Flag(help: "Print the result of the method extensions as one JSON object.")
    var json = false

    func run(_ signals: SignalSource) throws(ClientError) -> Int32 {
        let root = try TemporaryFolder.create(prefix: "pushhost-list")
        defer { root.remove() }
        let client = try host.start(dataFolder: root.path, runsBundles: false, [], signals)
        defer { _ = client.stop(isHasty: false) }
        let catalog = try client.result("extensions")
        let list = BundleList(catalog)
        if json { console.print(catalog) } else { console.page(list.text) }
        return list.hasErrors ? 1 : 0
    }
}

/// The bundles and problems in a result of `extensions`, for people.
struct BundleList {
    private let bundles: [JSON]
    /// All problems: those of each bundle, then those of folders and of several bundles together.
    private let problems: [JSON]

    init(_ catalog: JSON) {
        bundles = Self.elements(catalog["extensions"])
        problems = bundles.flatMap { Self.elements($0["problems"]) } + Self.elements(catalog["problems"])
    }

    var hasErrors: Bool { problems.contains { $0["severity"] != "warning" } }

    var text: String {
        if bundles.isEmpty && problems.isEmpty {
            return "There are no bundles; name a folder of bundles with --plugins.\n"
        }
        let parts = [bundles.isEmpty ? "" : table.text, problems.map(Self.line(for:)).joined()]
        return parts.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    /// The line about a problem.
    static func line(for problem: JSON) -> String {
        let severity = (problem["severity"]?.string ?? "").padding(to: 9)
        let text = "\(problem["path"]?.string ?? ""): \(problem["message"]?.string ?? "")"
        return severity + PlainText.escaped(text) + "\n"
    }

    private var table: Table {
        var table = Table([
            Table.Column("NAME"), Table.Column("IDENTIFIER"), Table.Column("POINT"), Table.Column("CATEGORIES"),
            Table.Column("EXECUTABLE"), Table.Column("PERMISSIONS"), Table.Column("PROBLEMS", isNumber: true),
        ])
        table.rows = bundles.map { bundle in
            [
                URL(fileURLWithPath: bundle["path"]?.string ?? "").lastPathComponent,
                bundle["identifier"]?.string ?? "", Self.point(bundle),
                Self.elements(bundle["categories"]).compactMap(\.string).joined(separator: ", "),
                bundle["executable"]?.string ?? "",
                ["network", "read", "write"].filter { !Self.elements(bundle["permissions"]?[$0]).isEmpty }
                    .joined(separator: ", ") + (bundle["allowed"] == false ? " (not allowed)" : ""),
                String(Self.elements(bundle["problems"]).count),
            ]
        }
        return table
    }

    /// The extension point in one word, with the name of a destination or a source.
    private static func point(_ bundle: JSON) -> String {
        let point = bundle["point"]?.string ?? ""
        switch point {
        case "com.apple.usernotifications.content-extension": return "content"
        case "com.apple.usernotifications.service": return "service"
        case "pushhost.source": return "source \(bundle["sourceName"]?.string ?? "")"
        case "pushhost.destination": return "destination \(bundle["destinationName"]?.string ?? "")"
        default: return point.split(separator: ".").last.map(String.init) ?? ""
        }
    }

    private static func elements(_ value: JSON?) -> [JSON] { value?.array.map(Array.init) ?? [] }
}
