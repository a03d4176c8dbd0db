internal import ArgumentParser
internal import JSON
internal import Platform
internal import Suites

/// Copies suites into another folder, while hosts use them.
///
/// It needs no host: it reads each suite like any other process that shares it.
struct BackupCommand: ParsableCommand {
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

    @Option(help: ArgumentHelp("Copy the suites of this folder.", valueName: "dir"), completion: .directory)
    var data: String?

    @Option(
        help: ArgumentHelp("Copy this suite only: the name of an App Group.", valueName: "name"),
        completion: Completions.suites
    )
    var suite: String?

    @Flag(help: "Print JSON, one object per line.")
    var json = false

    func validate() throws {
        if let data { try requireExistingFolder("data", data) }
        guard let suite, SuiteName(suite) == nil else { return }
        throw ValidationError("--suite \(suite): it is not a valid suite name; a name is \(SuiteName.rule)")
    }

    func run() throws {
        let source = SuiteStore(folder: data.map(Paths.absolute) ?? StandardFolders().data)
        let target = SuiteStore(folder: Paths.absolute(folder))
        defer { source.close() }
        let names: [SuiteName]
        do throws(SuiteError) {
            names = try source.names().filter { suite == nil || $0.text == suite }
            for name in names { try target.requireAbsent(name) }
        } catch {
            console.writeError(error.text)
            throw ExitCode(EX_CANTCREAT)
        }
        guard !names.isEmpty else {
            let what = suite.map { "suite \($0)" } ?? "suite"
            console.writeError("there is no \(what) in \(source.folder); nothing was copied")
            throw ExitCode(EX_NOINPUT)
        }
        var code = OutboxExit.success
        for name in names {
            do throws(SuiteError) {
                let pending = try copy(source.suite(name), to: target)
                report(name, pending)
            } catch {
                // The others are copied nevertheless: a damaged suite must not keep them out of every backup.
                console.writeError("\(name) is not copied: \(error.text)")
                code = Self.code(of: error)
            }
        }
        guard code == OutboxExit.success else { throw ExitCode(code) }
    }

    /// Copies a suite, and waits while other processes open the suites of one of the folders.
    private func copy(_ suite: Suite, to target: SuiteStore) throws(SuiteError) -> Int64 {
        let end = Clock.monotonic() + 5_000
        while true {
            do throws(SuiteError) { return try suite.copy(to: target) } catch {
                guard error.isPassing, Clock.monotonic() < end else { throw error }
                // A lock of the file system tells nobody that it is free, except those that block on it.
                usleep(10_000)
            }
        }
    }

    private func report(_ name: SuiteName, _ pending: Int64) {
        guard json else {
            return console.print("\(name): copied, \(CheckReport.count(Int(pending), "pending record")).")
        }
        console.print(["suite": .string(name.text), "pending": .integer(pending)] as JSON)
    }

    private static func code(of error: SuiteError) -> Int32 {
        switch error {
        case .busy, .beingFlushed: EX_TEMPFAIL
        case .notStored, .transactionLost: EX_IOERR
        default: OutboxExit.failure
        }
    }
}
