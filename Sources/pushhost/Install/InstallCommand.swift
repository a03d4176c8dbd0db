internal import ArgumentParser
internal import Platform

/// Copies the program, its bundles, its manual and its completions to where they are found.
struct InstallCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install",
        abstract: "Install the program, its bundles, manual pages and completions.",
        prose: """
            Everything goes below one folder: the program to bin, the bundles to libexec/pushhost/plugins, manual \
            pages to share/man/man1, and completions to the places where bash, zsh and fish look for them. The copy \
            needs neither this folder nor a Swift toolchain. It replaces a file that something else installed, or \
            that you changed, only with --force.

            It refuses a bundle that has a file that cannot be read, or a link out of the bundle other than its \
            executable; pushhost extensions check finds both. A file that not all users may read stays private.
            """,
        examples: [
            "swift build -c release --static-swift-stdlib",
            ".build/release/pushhost install",
            "sudo .build/release/pushhost install --prefix /usr/local",
        ],
        exitCodes: """
            0 installed; 64 wrong command line; 65 a bundle is invalid, its executable is missing, or a \
            file of it cannot be installed; 69 the program needs a Swift toolchain; 73 a file cannot be written, or \
            exists and is not replaced; 75 another pushhost install or uninstall is running there.
            """
    )

    @OptionGroup var place: InstallOptions

    @Option(
        help: ArgumentHelp(
            "Install this bundle, or the bundles in this folder; by default those of the checkout or the installation.",
            valueName: "dir"
        ),
        completion: .directory
    )
    var plugins: [String] = []

    @Flag(help: "Install even programs that need the Swift toolchain of this machine.")
    var allowDynamic = false

    @Flag(help: "Replace files that this command did not install, or that were changed since.")
    var force = false

    func run() throws {
        try InstallError.report {
            let folders = StandardFolders()
            let prefix = try InstallPrefix(
                place.prefix.map(Paths.absolute) ?? InstallPrefix.standard(folders)
            )
            let files = try InstallPlan(
                folders,
                plugins: plugins.map(Paths.absolute),
                allowsDynamic: allowDynamic
            )
            try prefix.install(files.files, replacesForeign: force)
            if geteuid() == 0, let name = files.firstPrivateFile {
                console.writeWarning(
                    "\(prefix.path)/\(name) is not readable by other users, because the file of the bundle is not"
                )
            }
            console.write("Installed \(Version.text) in \(prefix.shown): \(files.summary).\n")
            let path = folders.environment["PATH"]?.split(separator: ":").map(String.init) ?? []
            if !path.contains("\(prefix.path)/bin") {
                console.write("\(prefix.shown)/bin is not in PATH; add it to run pushhost by its name.\n")
            }
        }
    }
}

/// The option of the commands about an installation.
struct InstallOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Install into bin, libexec and share of this folder; by default ~/.local, or /usr/local for root.",
            valueName: "dir"
        ),
        completion: .directory
    )
    var prefix: String?
}

/// Removes what `pushhost install` installed.
struct UninstallCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "uninstall",
        abstract: "Remove the files that pushhost install installed, and nothing else.",
        prose: """
            A list in libexec/pushhost names the installed files. A file that was changed since stays unless you \
            give --force. Suites, recordings and bundles of the user always stay. \
            Without --prefix, an installed program \
            removes its own installation.
            """,
        examples: [
            "pushhost uninstall",
            "sudo pushhost uninstall --prefix /usr/local",
        ],
        exitCodes: """
            0 removed; 64 wrong command line; 65 the list is damaged; 66 nothing is installed there; 73 a \
            file cannot be removed; 75 another pushhost install or uninstall is running there.
            """
    )

    @OptionGroup var place: InstallOptions

    @Flag(help: "Also remove installed files that were changed since.")
    var force = false

    func run() throws {
        try InstallError.report {
            let folders = StandardFolders()
            let prefix = try InstallPrefix(place.prefix.map(Paths.absolute) ?? Self.ownPrefix(folders))
            let kept = try prefix.uninstall(removesChanged: force)
            for path in kept {
                console.writeWarning("\(prefix.path)/\(path) was changed since it was installed, and is kept")
            }
            console.write("Uninstalled pushhost from \(prefix.shown). Suites and your own bundles are kept.\n")
        }
    }

    /// The prefix in which this program is installed, or else the standard one.
    private static func ownPrefix(_ folders: StandardFolders) throws(InstallError) -> String {
        let own = Paths.parent(of: folders.host)
        return InstallManifest.exists(in: own) ? own : try InstallPrefix.standard(folders)
    }
}

/// Why something cannot be installed or removed.
struct InstallError: Error {
    let message: String
    /// Commands to type, one per line.
    var commands: [String] = []
    /// The exit code, one of `sysexits.h`.
    let code: Int32

    init(_ message: String, commands: [String] = [], code: Int32) {
        (self.message, self.commands, self.code) = (message, commands, code)
    }

    /// A failure of the system with a file.
    init(_ action: String, _ path: String, _ reason: SystemError, code: Int32 = EX_CANTCREAT) {
        let isDenied = [EACCES, EPERM, EROFS].contains(reason.number)
        let advice = isDenied ? "; choose a folder in which you may write with --prefix, or run this as root" : ""
        self.init("cannot \(action) \(path): \(reason)\(advice)", code: code)
    }

    /// Does something, and ends the process with a message if it throws this error.
    static func report(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as InstallError {
            console.writeError(error.message)
            for command in error.commands { console.writeToError("  \(command)\n") }
            throw ExitCode(error.code)
        }
    }
}
