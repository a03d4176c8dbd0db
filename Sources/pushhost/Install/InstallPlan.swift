internal import ArgumentParser
internal import ExtensionHost
internal import Foundation
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
    let isExecutable: Bool
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

    /// - Parameters:
    ///   - folders: The standard folders of this program.
    ///   - plugins: The folders of the bundles; empty for those that belong to this program.
    ///   - allowsDynamic: Whether the programs may need a Swift toolchain.
    /// - Throws: What cannot be installed.
    init(_ folders: StandardFolders, plugins: [String], allowsDynamic: Bool) throws(InstallError) {
        files = [InstalledFile(path: "bin/pushhost", content: .file(folders.program), isExecutable: true)]
        guard let preview = PreviewCommand.program(folders) else {
            throw InstallError("\(folders.host)/pushhost-preview is missing; build it first", code: EX_DATAERR)
        }
        files.append(InstalledFile(path: Self.preview, content: .file(preview), isExecutable: true))
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
        files += pages.map {
            InstalledFile(path: "share/man/man1/\($0.name).1", content: .text($0.text), isExecutable: false)
        }
        files += Self.completions.map { path, shell in
            InstalledFile(path: path, content: .text(Pushhost.completionScript(for: shell) + "\n"), isExecutable: false)
        }
        summary = "\(catalog.bundles.count) bundles, \(pages.count) manual pages, completions for bash, zsh and fish"
    }

    /// The completion scripts, where the shells look for them.
    private static let completions: [(String, CompletionShell)] = [
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
        try add(bundle.path, as: folder, depth: 0)
        // `swift build` puts it beside the host; that of another package is found by a link in the bundle.
        let path = "\(folder)/\(bundle.executable)"
        if !files.contains(where: { $0.path == path }) {
            files.append(InstalledFile(path: path, content: .file(executable), isExecutable: true))
        }
    }

    /// The name of a bundle's folder, after that of its package if the bundle belongs to another one than the host.
    private static func name(of bundle: ExtensionBundle, _ executable: String, _ hostFolder: String) -> String {
        let name = URL(fileURLWithPath: bundle.path).lastPathComponent
        guard let package = ExtensionBundle.package(ofBuildFolder: Paths.parent(of: executable)),
            package != ExtensionBundle.package(ofBuildFolder: hostFolder), package != bundle.path
        else { return name }
        return "\(URL(fileURLWithPath: package).lastPathComponent)-\(name)"
    }

    /// Adds what a bundle needs to run: links become copies, and sources in Swift and caches stay out.
    private mutating func add(_ folder: String, as path: String, depth: Int) throws(InstallError) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names.sorted() where !name.hasPrefix(".") && name != "__pycache__" && !name.hasSuffix(".swift") {
            var status = stat()
            guard stat("\(folder)/\(name)", &status) == 0 else {
                throw InstallError("read", "\(folder)/\(name)", .last, code: EX_DATAERR)
            }
            switch status.st_mode & S_IFMT {
            case S_IFDIR:
                // A link to a folder above would never end.
                guard depth < 16 else { throw InstallError("\(folder) is nested too deep", code: EX_DATAERR) }
                try add("\(folder)/\(name)", as: "\(path)/\(name)", depth: depth + 1)
            case S_IFREG:
                let isExecutable = status.st_mode & S_IXUSR != 0
                let content = InstalledFile.Content.file("\(folder)/\(name)")
                files.append(InstalledFile(path: "\(path)/\(name)", content: content, isExecutable: isExecutable))
            default: throw InstallError("\(folder)/\(name) is not a file", code: EX_DATAERR)
            }
        }
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
