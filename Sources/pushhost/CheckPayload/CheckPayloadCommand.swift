internal import ArgumentParser
internal import CSystem
internal import Foundation
internal import HostClient
internal import JSON
internal import Platform

/// Checks payloads without delivering them.
struct CheckPayloadCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Checks payloads without delivering them.",
        discussion: """
            Finds unknown categories, key-value pairs that are missing, misspelt or of a wrong type, members that a \
            phone ignores, reserved keys of Braze, Liquid that was left in, and what takes how many of the 4096 bytes. \
            To check an extension, use pushhost extensions check.

            Without --plugins, the bundles in whose folders the payloads are show them, or else installed ones.

            Exit codes: 0 without findings of the level error, 1 with such findings, 64 for a wrong command line, \
            66 if a file cannot be read.
            """
    )

    @Argument(help: "The payloads: .apns files; - is stdin.")
    var payloads: [String]

    @OptionGroup var host: HostOptions

    @Flag(help: "Print the report as one JSON object.")
    var json = false

    @Flag(help: "The payloads are templates: Liquid is expected.")
    var template = false

    @Option(help: "The locale of the notification.")
    var locale: String?

    func validate() throws {
        guard payloads.count(where: { $0 == "-" }) < 2 else { throw ValidationError("stdin can be read once") }
        try requireLocale(locale)
    }

    func run(_ signals: SignalSource) throws(ClientError) -> Int32 {
        let root = try TemporaryFolder.create(prefix: "pushhost-check")
        defer { root.remove() }
        let files = payloads.filter { $0 != "-" }.map(StandardFolders.absolute)
        let client = try host.usingBundles(of: files).start(dataFolder: root.path, [], signals)
        defer { _ = client.stop(isHasty: false) }
        var reports: [PayloadReport] = []
        var failures = 0
        for name in payloads {
            switch PayloadFile.read(name) {
            case .success(let payload): reports.append(try check(payload, client))
            case .failure(let error):
                failures += 1
                let text = "Error: \(PlainText.escaped("\(name): \(error.text)"))\n"
                Terminal.writeToError(text)
            }
        }
        // Without a report there is nothing to print.
        if !json && reports.isEmpty { return EX_NOINPUT }
        Terminal.print(json ? PayloadReport.json(reports).description : reports.map(\.text).joined(separator: "\n\n"))
        if failures > 0 { return EX_NOINPUT }
        return reports.allSatisfy { $0.errors == 0 } ? 0 : 1
    }

    private func check(_ payload: PayloadFile, _ client: HostClient) throws(ClientError) -> PayloadReport {
        switch payload.content {
        case .failure(let error): return PayloadReport(file: payload.title, error)
        case .success(let value):
            var params: [(String, JSON)] = [("payload", value), ("template", .bool(template))]
            if let locale { params.append(("locale", .string(locale))) }
            return PayloadReport(file: payload.title, try client.result("checkPayload", .object(JSON.Object(params))))
        }
    }
}
