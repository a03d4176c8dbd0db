internal import ArgumentParser
internal import ExtensionHost
internal import Platform

/// A file to install.
struct InstalledFile {
    enum Content {
        case file(String)
        case text(String)
    }

    /// Its path below the prefix.
    let path: String
    let content: Content
    /// Its permissions.
    let mode: UInt32
    var isExecutable: Bool { mode & 0o100 != 0 }

    /// A file with the permissions `mode`; by default one that all users may read.
    init(path: String, content: Content, mode: UInt32 = 0o644) {
        (self.path, self.content, self.mode) = (path, content, mode)
    }

    /// A file of a bundle.
    init(_ file: BundleFiles.File, in folder: String) {
        (path, content, mode) = ("\(folder)/\(file.name)", .file(file.source), file.mode)
    }
}

/// The files of an installation; it fails before anything is changed.
struct InstallPlan {
    /// Where bundles are; ``StandardFolders`` searches this folder.
    static let bundles = "libexec/pushhost/plugins"

    /// Where the program behind `pushhost preview` is.
    static let preview = "libexec/pushhost/pushhost-preview"

    private(set) var files: [InstalledFile] = []
    /// What is installed, for people.
    private(set) var summary = ""

    /// Without folders of bundles, those that belong to this program are installed.
    ///
    /// - Throws: What cannot be installed.
    init(_ folders: StandardFolders, plugins: [String], allowsDynamic: Bool) throws(InstallError) {
        files = [InstalledFile(path: "bin/pushhost", content: .file(folders.program), mode: 0o755)]
        guard let preview = PreviewCommand.program(folders) else {
            throw InstallError("\(folders.host)/pushhost-preview is missing; build it first", code: EX_DATAERR)
        }
        files.append(InstalledFile(path: Self.preview, content: .file(preview), mode: 0o755))
        let catalog = BundleCatalog(
            folders: plugins.isEmpty ? [try Self.ownBundles(folders)] : plugins,
            reportsMissing: true
        )
        if let problem = catalog.problems.first { throw InstallError(problem.description, code: EX_DATAERR) }
        for bundle in catalog.bundles { try add(bundle, hostFolder: folders.host) }
        if let twice = Dictionary(grouping: files, by: \.path).first(where: { $1.count > 1 }) {
            throw InstallError("two bundles have the file \(twice.key); rename the folder of one", code: EX_DATAERR)
        }
        if !allowsDynamic { try requireStaticRuntime() }
        let pages = ManualPage.all()
        files += pages.map { InstalledFile(path: "share/man/man1/\($0.name).1", content: .text($0.text)) }
        files += Self.completions.map { path, shell in
            InstalledFile(path: path, content: .text(Pushhost.completionScript(for: shell) + "\n"))
        }
        let bundles = CheckReport.count(catalog.bundles.count, "bundle")
        summary = "\(bundles), \(pages.count) manual pages, completions for bash, zsh and fish"
    }

    /// The path below the prefix of the first file that some users may not read; nil if there is none.
    var firstPrivateFile: String? { files.first { $0.mode & 0o004 == 0 }?.path }

    /// The completion scripts, where the shells look for them.
    static let completions: [(String, CompletionShell)] = [
        ("share/bash-completion/completions/pushhost", .bash),
        ("share/zsh/site-functions/_pushhost", .zsh),
        ("share/fish/vendor_completions.d/pushhost.fish", .fish),
    ]

    /// The folder with the bundles of the checkout in which this program was built, or of its installation.
    private static func ownBundles(_ folders: StandardFolders) throws(InstallError) -> String {
        let places = [
            ExtensionBundle.package(ofBuildFolder: folders.host).map { "\($0)/plugins" },
            "\(Paths.parent(of: folders.host))/\(bundles)",
        ]
        .compactMap(\.self)
        if let place = places.first(where: StandardFolders.isFolder) { return place }
        let looked = places.joined(separator: " and ")
        throw InstallError("there are no bundles; looked for \(looked); name a folder with --plugins", code: EX_DATAERR)
    }

    private mutating func add(_ bundle: ExtensionBundle, hostFolder: String) throws(InstallError) {
        let executable: String
        do throws(BundleProblem) {
            executable = try bundle.executablePath(hostFolder: hostFolder)
        } catch {
            throw InstallError("\(error.description); build the bundles first", code: EX_DATAERR)
        }
        let folder = "\(Self.bundles)/\(Self.name(of: bundle, executable, hostFolder))"
        let own = BundleFiles(of: bundle)
        if let problem = own.problems.first {
            let path = problem.name.isEmpty ? bundle.path : "\(bundle.path)/\(problem.name)"
            throw InstallError("\(path): \(problem.message)", code: EX_DATAERR)
        }
        files += own.files.map { InstalledFile($0, in: folder) }
        // `swift build` puts it beside the host; that of another package is found by a link in the bundle.
        let path = "\(folder)/\(bundle.executable)"
        if !files.contains(where: { $0.path == path }) {
            // A program of the host's own package is for all users, and any other one for those who may run it now.
            var status = stat()
            let isOwn = Paths.parent(of: executable) == hostFolder || stat(executable, &status) != 0
            let mode = isOwn ? 0o755 : UInt32(status.st_mode) & 0o755
            files.append(InstalledFile(path: path, content: .file(executable), mode: mode))
        }
    }

    /// The name of a bundle's folder, after that of another package than the host's to which the bundle is linked.
    private static func name(of bundle: ExtensionBundle, _ executable: String, _ hostFolder: String) -> String {
        let name = URL(fileURLWithPath: bundle.path).lastPathComponent
        guard let package = ExtensionBundle.package(ofBuildFolder: Paths.parent(of: executable)),
            package != ExtensionBundle.package(ofBuildFolder: hostFolder), package != bundle.path,
            FileStamp(of: "\(bundle.path)/\(bundle.executable)") != nil
        else { return name }
        return "\(URL(fileURLWithPath: package).lastPathComponent)-\(name)"
    }

    private func requireStaticRuntime() throws(InstallError) {
        let dynamic = files.filter { file in
            guard file.isExecutable, case .file(let path) = file.content else { return false }
            return LinkedRuntime.isDynamic(path)
        }
        guard let first = dynamic.first else { return }
        let name = URL(fileURLWithPath: first.path).lastPathComponent
        let subject = dynamic.count == 1 ? "\(name) needs" : "\(name) and \(dynamic.count - 1) other programs need"
        let text =
            "\(subject) the Swift toolchain of this machine and cannot run without it. "
            + "Install them as they are with --allow-dynamic, or build and install programs that need none:"
        let commands = ["swift build -c release --static-swift-stdlib", ".build/release/pushhost install"]
        throw InstallError(text, commands: commands, code: EX_UNAVAILABLE)
    }
}

/// How a program is linked to the Swift runtime.
private enum LinkedRuntime {
    /// Whether a program needs the Swift runtime of a toolchain; false for a script and for a file that cannot be read.
    ///
    /// On macOS the runtime is a part of the system.
    static func isDynamic(_ path: String) -> Bool {
        #if os(Linux)
        guard let data = try? Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe) else { return false }
        // An ELF file contains the NUL-terminated name of each library that it loads. The name is assembled at run time,
        // because as a literal it would be in this program too.
        let library = ["libswiftCore", "so\0"].joined(separator: ".")
        guard data.starts(with: [0x7F] + Array("ELF".utf8)) else { return false }
        return data.withUnsafeBytes { $0.firstRange(of: library.utf8) != nil }
        #else
        return false
        #endif
    }
}
