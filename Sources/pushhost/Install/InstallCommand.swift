internal import ArgumentParser
internal import Foundation

/// Copies the program, its bundles, its manual and its completions to where they are found.
struct InstallCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install",
        abstract: "Install the program, its bundles, manual pages and completions.",
        discussion: """
            Everything is below one folder: the program in bin, the bundles in libexec/pushhost/plugins, manual pages \
            in share/man/man1, and completions for bash, zsh and fish where these shells look for them. The copy needs \
            neither this folder nor a Swift toolchain. Each file replaces an earlier one at once. A file that was not \
            installed by this command, or that was changed since, is not replaced unless --force is given.

            Examples:
              swift build -c release --static-swift-stdlib
              .build/release/pushhost install
              sudo .build/release/pushhost install --prefix /usr/local

            A bundle is refused if it holds a link to elsewhere, except its executable, or a file that cannot be read; \
            pushhost extensions check finds both. A file that not all users may read stays as private as it is.

            Exit codes: 0 installed; 64 wrong command line; 65 a bundle is invalid, its executable is missing, or a \
            file of it cannot be installed; 69 the program needs a Swift toolchain; 73 a file cannot be written, or \
            exists and is not replaced; 75 another pushhost install or uninstall works there.
            """
    )

    @OptionGroup var place: InstallOptions

    @Option(
        help: ArgumentHelp(
            "A bundle, or a folder of bundles, to install; by default those of the checkout or the installation.",
            valueName: "dir"
        ),
        completion: .directory
    )
    var plugins: [String] = []

    @Flag(help: "Install programs that run only with the Swift toolchain of this machine.")
    var allowDynamic = false

    @Flag(help: "Replace files that were not installed by this command, or that were changed since.")
    var force = false

    func run() throws {
        try InstallError.report {
            let folders = StandardFolders()
            let prefix = try InstallPrefix(
                place.prefix.map(StandardFolders.absolute) ?? InstallPrefix.standard(folders)
            )
            let files = try InstallPlan(
                folders,
                plugins: plugins.map(StandardFolders.absolute),
                allowsDynamic: allowDynamic
            )
            try prefix.install(files.files, replacesForeign: force)
            if geteuid() == 0, let name = files.firstPrivateFile {
                Terminal.writeWarning(
                    "\(prefix.path)/\(name) is not readable by other users, because the file of the bundle is not"
                )
            }
            Terminal.write("Installed \(Version.text) in \(prefix.shown): \(files.summary).\n")
            let path = folders.environment["PATH"]?.split(separator: ":").map(String.init) ?? []
            if !path.contains("\(prefix.path)/bin") {
                Terminal.write("\(prefix.shown)/bin is not in PATH; add it to run pushhost by its name.\n")
            }
        }
    }
}

/// The option of the commands about an installation.
struct InstallOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The folder that gets bin, libexec and share; by default ~/.local, or /usr/local for root.",
            valueName: "dir"
        ),
        completion: .directory
    )
    var prefix: String?
}
