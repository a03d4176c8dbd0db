internal import ArgumentParser
internal import HostClient
internal import Platform
internal import PushClient

/// The Xcode project whose own notification extensions show a payload.
///
/// `pushhost-phone`, a package of its own, reads the project and compiles its sources.
struct ProjectOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Build and use the extensions of this Xcode project, or of this folder.", valueName: "path"),
        completion: .file()
    )
    var from: String?

    @Option(help: ArgumentHelp("Use only this target of --from; repeat for more.", valueName: "name"))
    var target: [String] = []

    func validate() throws {
        if from == nil, !target.isEmpty { throw ValidationError("--target: it names a target of --from; add that") }
        if let from, FileStamp(of: from) == nil { throw ValidationError("--from \(from): there is no such project") }
    }

    /// How the extensions are built.
    ///
    /// - Parameter output: The folder for the bundles; by default one for this project in the user's cache.
    /// - Returns: Nil without `--from`.
    /// - Throws: That the program which builds them is missing.
    func project(output: String? = nil) throws(ClientError) -> ProjectBuild? {
        guard let from else { return nil }
        let folders = StandardFolders()
        let tool = try ProjectTool.found(folders)
        let project = URL(filePath: Paths.absolute(from)).standardizedFileURL.path
        let output = output.map(Paths.absolute) ?? "\(Self.cache(folders))/\(Self.name(project))"
        let command = [tool.program, "build", project, "--output", output, "--modules", tool.modules, "--json"]
        return ProjectBuild(command: command + target.flatMap { ["--target", $0] })
    }

    /// Builds the extensions; without a change since the last build nothing is compiled.
    ///
    /// - Parameter output: The folder for the bundles; by default one for this project in the user's cache.
    /// - Returns: Nil without `--from`.
    /// - Throws: That the tool is missing, or that the project cannot be built; the compiler's errors are on stderr.
    func build(output: String? = nil) throws(ClientError) -> ProjectBuild.Products? {
        guard let products = try project(output: output)?.run() else { return nil }
        guard !products.bundles.isEmpty else {
            throw .failed("\(from ?? ""): its notification extensions cannot be built; the errors are above")
        }
        return products
    }

    /// Where builds are kept: `$XDG_CACHE_HOME/pushhost/projects`, or below `~/.cache`.
    private static func cache(_ folders: StandardFolders) -> String {
        let variables = folders.environment
        let cache = variables["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return
            "\(cache ?? "\(variables["HOME"] ?? FileManager.default.homeDirectoryForCurrentUser.path)/.cache")/pushhost/projects"
    }

    /// A name for a project's folder of builds, in which two projects of one name differ.
    private static func name(_ project: String) -> String {
        // FNV-1a, since Swift's own hashes differ from run to run.
        let hash = project.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
        return "\(URL(filePath: project).deletingPathExtension().lastPathComponent)-\(String(hash, radix: 16))"
    }
}
