internal import ArgumentParser
internal import CSystem
internal import Foundation
internal import HostClient
internal import JSON
internal import Platform
internal import PushClient

/// Checks payloads without delivering them.
struct CheckPayloadCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check payloads without delivering them.",
        discussion: """
            Finds unknown categories, key-value pairs that are missing, misspelt or of a wrong type, members that a \
            phone ignores, reserved keys of Braze, Liquid that was left in, and which keys use the 4096 bytes. \
            To check an extension, use pushhost extensions check.

            Without --plugins, the bundles in whose folders the payloads are show them, or else installed ones.

            Exit codes: 0 without findings of the level error, 1 with such findings, 64 for a wrong command line, \
            65 if the profile is not a JSON object, 66 if a file cannot be read.
            """
    )

    @Argument(help: "The payloads: .apns files; - is stdin.", completion: .file())
    var payloads: [String]

    @OptionGroup var host: HostOptions

    @Flag(help: "Print the report as one JSON object.")
    var json = false

    @Flag(help: "The payloads are templates: check the Liquid in them.")
    var template = false

    @Option(
        help: ArgumentHelp("Render the payloads with this profile first.", valueName: "file"),
        completion: .file()
    )
    var profile: String?

    @Option(help: "The locale of the notification.", completion: Completions.locales)
    var locale: String?

    func validate() throws {
        let files = payloads + [profile].compactMap { $0 }
        guard files.count(where: { $0 == "-" }) < 2 else { throw ValidationError("stdin can be read once") }
        try requireLocale(locale)
    }

    func run(_ signals: SignalSource) throws(ClientError) -> Int32 {
        let params: MemberList
        do throws(PushFile.Problem) {
            let profile = try profile.map { path throws(PushFile.Problem) in try PushFile(path).object() }
            params = ["template": .bool(template), "locale": locale.map(JSON.string), "profile": profile]
        } catch {
            Terminal.writeError(error.message)
            return error.code
        }
        let root = try TemporaryFolder.create(prefix: "pushhost-check")
        defer { root.remove() }
        let files = payloads.filter { $0 != "-" }.map(StandardFolders.absolute)
        let host = host.usingBundles(of: files, rendering: template || profile != nil)
        let client = try host.start(dataFolder: root.path, [], signals)
        defer { _ = client.stop(isHasty: false) }
        var reports: [PayloadReport] = []
        var failures = 0
        var refusal: ClientError?
        for name in payloads {
            switch PayloadFile.read(name) {
            case .success(let payload):
                do throws(ClientError) {
                    reports.append(try check(payload, params, client))
                } catch {
                    // The reports of the other payloads are worth as much.
                    refusal = refusal ?? error
                }
            case .failure(let error):
                failures += 1
                let text = "Error: \(PlainText.escaped("\(name): \(error.text)"))\n"
                Terminal.writeToError(text)
            }
        }
        if let refusal, reports.isEmpty { throw refusal }
        // Without a report there is nothing to print.
        if !json && reports.isEmpty { return EX_NOINPUT }
        if json {
            Terminal.print(PayloadReport.json(reports))
        } else {
            Terminal.print(reports.map(\.text).joined(separator: "\n\n"))
        }
        if let refusal { throw refusal }
        if failures > 0 { return EX_NOINPUT }
        return reports.allSatisfy { $0.errors == 0 } ? 0 : 1
    }

    private func check(
        _ payload: PayloadFile,
        _ params: MemberList,
        _ client: HostClient
    ) throws(ClientError) -> PayloadReport {
        switch payload.content {
        case .failure(let error): return PayloadReport(file: payload.title, error)
        case .success(let value):
            let params = JSON(present: ["payload": value] + params)
            return PayloadReport(file: payload.title, payload.bytes, try client.result("checkPayload", params))
        }
    }
}
