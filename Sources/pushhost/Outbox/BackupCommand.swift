internal import ArgumentParser
internal import HostClient
internal import JSON
internal import Platform

/// Copies suites into another folder, while hosts use them.
struct BackupCommand: OutboxCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy the suites into another folder, also while hosts save and flush.",
        prose: """
            A copy has every record that was answered before the command started. It appears in the folder when it is \
            complete, checked and durable. If the folder has one of the suites already, nothing is copied.

            To restore suites, copy them back: --data is the backup, and the folder is the data folder, from which you \
            removed the files of the old suites.
            """,
        examples: [
            "pushhost backup backup-2026-11-26",
            "pushhost backup --data backup-2026-11-26 ~/.local/share/pushhost",
        ],
        exitCodes: OutboxExit.help
    )

    @Argument(
        help: ArgumentHelp("Copy into this folder, which is created if it is missing.", valueName: "folder"),
        completion: .directory
    )
    var folder: String

    @OptionGroup var host: HostOptions
    @OptionGroup var options: OutboxOptions

    func validate() throws {
        guard !folder.isEmpty else { throw ValidationError("the folder has an empty name; name a folder") }
        if let data = host.data { try requireExistingFolder("data", data) }
    }

    func run(_ suites: SuiteClient) throws(ClientError) -> Int32 {
        let names = try suites.entries().compactMap { $0["suite"]?.string }
        guard !names.isEmpty else {
            console.writeError("there is no suite in \(host.dataFolder); nothing was copied")
            return EX_NOINPUT
        }
        let folder = JSON.string(Paths.absolute(folder))
        for name in names {
            do throws(ClientError) {
                _ = try suites.result("backUpSuite", of: name, ["folder": folder, "dryRun": true])
            } catch {
                // Other errors are those of one suite, which must not keep the others out of every backup.
                guard case .refused(let refusal) = error, refusal.reason != "fileUnwritable" else { throw error }
            }
        }
        var code = OutboxExit.success
        for name in names {
            do throws(ClientError) {
                report(name, try suites.result("backUpSuite", of: name, ["folder": folder])["pending"]?.integer ?? 0)
            } catch {
                guard case .refused(let refusal) = error else { throw error }
                console.writeError("\(name) is not copied: \(refusal.message)")
                code = OutboxExit.code(of: refusal)
            }
        }
        return code
    }

    private func report(_ name: String, _ pending: Int64) {
        guard !options.json else {
            return console.print(["suite": .string(name), "pending": .integer(pending)] as JSON)
        }
        console.print("\(name): copied, \(CheckReport.count(Int(pending), "pending record")).")
    }
}
