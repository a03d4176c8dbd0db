internal import ArgumentParser
internal import CSystem
internal import Foundation
internal import HostCore
internal import JSON
internal import Localization
internal import Platform
internal import Spelling

/// A dry run of a bundle, for its author and for CI.
struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Judges a bundle and runs it once: start, notification, response, stop.",
        discussion: """
            A destination gets a batch without records instead, and the variables that it names.

            Exit codes: 0 without errors (perhaps with warnings), 1 with errors, 64 for a wrong command line, \
            66 where there is no such bundle or payload.
            """
    )

    @Argument(help: "The bundle: a folder with an Info.plist.")
    var bundle: String

    @Option(
        help: ArgumentHelp(
            "The payload to show; else the bundle's payload.apns, else one made up from its first category.",
            valueName: "file"
        )
    )
    var payload: String?

    @Flag(help: "Print the report as one JSON object.")
    var json = false

    @Option(help: "The locale of the notification.")
    var locale: String = "en"

    func run() throws {
        Turn.fillStandardDescriptors()
        csystem_hide_memory()
        let folders = StandardFolders()
        let folder = URL(fileURLWithPath: folders.absolute(bundle)).resolvingSymlinksInPath().path
        if let missing = whatIsMissing(folder, folders) {
            FileHandle.standardError.write(Data("Error: \(PlainText.escaped(missing))\n".utf8))
            throw ExitCode(EX_NOINPUT)
        }
        let report = CheckReport(bundle: folder)
        InfoPlistJudge(folder: folder)?.judge(report)
        var rehearsal = Rehearsal(
            folder: folder,
            payloadFile: payload.map(folders.absolute),
            locale: locale,
            folders: folders
        )
        if let signal = rehearsal.run(report) { throw ExitCode(128 + signal) }
        print(json ? report.json.description : report.text)
        throw ExitCode(report.errors == 0 ? 0 : 1)
    }

    private func whatIsMissing(_ folder: String, _ folders: StandardFolders) -> String? {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
            return "\(bundle): there is no such folder"
        }
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        guard entries.contains("Info.plist") else {
            let near = EditDistance.nearest("Info.plist", in: entries.sorted())
            let hint = near.map { "; \($0) is not it, case counts" } ?? ""
            return "\(bundle): it has no Info.plist, so it is no bundle\(hint)"
        }
        if let payload, !FileManager.default.isReadableFile(atPath: folders.absolute(payload)) {
            return "--payload \(payload): there is no such file, or it cannot be read"
        }
        return nil
    }
}
