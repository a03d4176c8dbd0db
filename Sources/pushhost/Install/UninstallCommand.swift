internal import ArgumentParser
internal import Foundation
internal import Platform

/// Removes what `pushhost install` installed.
struct UninstallCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "uninstall",
        abstract: "Remove what pushhost install has installed, and nothing else.",
        discussion: """
            A list in libexec/pushhost names the installed files. A file that was changed since is kept unless --force \
            is given, and so are suites, recordings, and bundles of the user. Without --prefix, an installed program \
            removes its own installation.

            Exit codes: 0 removed; 64 wrong command line; 65 the list is damaged; 66 nothing is installed there; 73 a \
            file cannot be removed; 75 another pushhost install or uninstall works there.
            """
    )

    @OptionGroup var place: InstallOptions

    @Flag(help: "Remove also installed files that were changed since.")
    var force = false

    func run() throws {
        try InstallError.report {
            let folders = StandardFolders()
            let prefix = try InstallPrefix(place.prefix.map(StandardFolders.absolute) ?? Self.ownPrefix(folders))
            let kept = try prefix.uninstall(removesChanged: force)
            for path in kept {
                Terminal.writeWarning("\(prefix.path)/\(path) was changed since it was installed, and is kept")
            }
            Terminal.write("Uninstalled pushhost from \(prefix.shown). Suites and your own bundles are kept.\n")
        }
    }

    /// The prefix in which this program is installed, or else the standard one.
    private static func ownPrefix(_ folders: StandardFolders) throws(InstallError) -> String {
        let own = Paths.parent(of: folders.host)
        return InstallManifest.exists(in: own) ? own : try InstallPrefix.standard(folders)
    }
}
