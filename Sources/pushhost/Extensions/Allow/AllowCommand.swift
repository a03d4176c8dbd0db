internal import ArgumentParser
internal import ExtensionHost
internal import HostClient
internal import Platform

/// Lets bundles have what they declare.
struct AllowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "allow",
        abstract: "Let bundles have the network, files and variables that they declare.",
        prose: """
            A bundle that declares PushhostPermissions or PushhostEnvironment runs only after you have allowed it. The \
            bundles that came with pushhost, and those that pushhost extensions new makes for you, need no permission. \
            At a terminal, a command whose bundle lacks it asks you.

            Your permission is for a bundle as it is now. When one of its files has changed, pushhost asks again. Use \
            --always for a folder in which you write bundles yourself.

            It applies to running hosts too. It is kept in $XDG_STATE_HOME/pushhost/allowed-bundles.json, by default \
            below ~/.local/state.
            """,
        examples: [
            "pushhost extensions allow ~/Downloads/weather",
            "pushhost extensions allow --always ~/bundles",
            "pushhost extensions allow --forget ~/Downloads/weather",
        ],
        exitCodes: """
            0 if the answer is kept, 64 for a wrong command line, 66 if there is no bundle, 73 if it cannot be kept.
            """
    )

    @Argument(
        help: ArgumentHelp("Bundles, or folders of bundles.", valueName: "folders"),
        completion: .directory
    )
    var folders: [String]

    @Flag(help: "Allow every bundle in these folders, also when it changes and when one is added.")
    var always = false

    @Flag(help: "Forget what was allowed for these folders.")
    var forget = false

    func validate() throws {
        if always, forget { throw ValidationError("--always and --forget exclude each other; leave out one") }
        if folders.isEmpty { throw ValidationError("name a bundle, or a folder of bundles") }
    }

    func run() throws {
        let allowed = StandardFolders().allowedBundles()
        for folder in folders.map(Paths.absolute) {
            let bundles = forget ? [] : BundleCatalog(folders: [folder]).bundles
            guard forget || !bundles.isEmpty || always && StandardFolders.isFolder(folder) else {
                console.writeError("\(folder): there is no bundle")
                throw ExitCode(EX_NOINPUT)
            }
            do throws(SystemError) {
                if forget, !(try allowed.forget(folder)) {
                    console.writeWarning("\(folder): nothing was allowed there")
                }
                if always { try allowed.allow(folder: folder) }
                for bundle in bundles where !always { try allowed.allow(bundle) }
            } catch {
                console.writeError("the answer cannot be kept in \(allowed.file): \(error)")
                throw ExitCode(EX_CANTCREAT)
            }
            for bundle in bundles {
                let text = "\(bundle.identifier): \(bundle.declaration ?? "it declares nothing")"
                console.print(PlainText.escaped(text))
            }
        }
    }
}

extension SandboxOptions {
    /// Asks at the terminal about each bundle in some folders that declares what nobody has allowed yet.
    ///
    /// Without a terminal the host's error says how to allow it.
    ///
    /// - Throws: A signal, or that the answer cannot be kept.
    func askAbout(_ folders: [String], _ signals: SignalSource) throws(ClientError) {
        let input = CommandContext.current.input
        guard !noSandbox, !folders.isEmpty, isatty(input) == 1, console.errorColumns != nil else { return }
        let allowed = allowedBundles
        for bundle in BundleCatalog(folders: folders.map(Paths.absolute)).bundles {
            guard let declaration = bundle.declaration, !allowed.allows(bundle) else { continue }
            console.writeToError(
                PlainText.escaped("\(bundle.path) was not made here, and \(declaration).")
                    + "\nAllow that? [y] yes, [a] always in this folder, also when it changes, [N] no: "
            )
            let answer = try Self.line(from: input, signals).lowercased()
            do throws(SystemError) {
                switch answer {
                case "y", "yes": try allowed.allow(bundle)
                case "a", "always": try allowed.allow(folder: bundle.path)
                default: break
                }
            } catch {
                throw .failed("the answer cannot be kept in \(allowed.file): \(error)")
            }
        }
    }

    /// A line that somebody types, without blanks; empty at the end of the input.
    private static func line(from input: Int32, _ signals: SignalSource) throws(ClientError) -> String {
        var bytes: [UInt8] = []
        while bytes.last != UInt8(ascii: "\n") {
            guard try signals.wait(for: [input], until: .max).contains(input) else { continue }
            var byte: UInt8 = 0
            guard Platform.read(input, &byte, 1) == 1 else { break }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
    }
}
