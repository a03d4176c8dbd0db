internal import ArgumentParser
internal import Foundation
internal import HostClient
internal import JSON
internal import Platform

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

    /// What was built of a project.
    struct Built {
        /// The folder of each bundle.
        let bundles: [String]
        /// The files and folders whose change asks for another build.
        let inputs: [String]
    }

    /// Builds the extensions; without a change since the last build nothing is compiled.
    ///
    /// - Returns: Nil without `--from`.
    /// - Throws: That the tool is missing, or that the project cannot be built; the compiler's errors are on stderr.
    func build() throws(ClientError) -> Built? {
        guard let from else { return nil }
        let folders = StandardFolders()
        guard let tool = Tool.find(folders) else { throw .failed(Tool.advice) }
        let project = URL(filePath: Paths.absolute(from)).standardizedFileURL.path
        let output = "\(Self.cache(folders))/\(Self.name(project))"
        var arguments = ["build", project, "--output", output, "--modules", tool.modules, "--json"]
        for name in target { arguments += ["--target", name] }
        let printed = try Self.run(tool.program, arguments, folders.environment)
        let targets = (try? JSON(parsing: printed))?["bundles"]?.array.map(Array.init) ?? []
        // A target that cannot be built has inputs, and no bundle.
        let bundles = targets.compactMap { $0["bundle"]?.string }
        guard !bundles.isEmpty else {
            throw .failed("\(from): its notification extensions cannot be built; the errors are above")
        }
        let inputs = targets.flatMap { ($0["inputs"]?.array.map(Array.init) ?? []).compactMap(\.string) }
        return Built(bundles: bundles, inputs: inputs)
    }

    /// Where builds are kept: `$XDG_CACHE_HOME/pushhost/projects`, or below `~/.cache`.
    private static func cache(_ folders: StandardFolders) -> String {
        let variables = folders.environment
        let cache = variables["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return "\(cache ?? "\(variables["HOME"] ?? NSHomeDirectory())/.cache")/pushhost/projects"
    }

    /// A name for a project's folder of builds, in which two projects of one name differ.
    private static func name(_ project: String) -> String {
        // FNV-1a, since Swift's own hashes differ from run to run.
        let hash = project.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
        return "\(URL(filePath: project).deletingPathExtension().lastPathComponent)-\(String(hash, radix: 16))"
    }

    /// Runs the tool.
    ///
    /// - Returns: What it printed, also if it failed for some of the extensions.
    private static func run(
        _ program: String,
        _ arguments: [String],
        _ environment: [String: String]
    ) throws(ClientError) -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.environment = environment
        // The errors of a compiler go to stderr as they come, in colour at a terminal.
        (process.standardInput, process.standardOutput) = (FileHandle.nullDevice, output)
        do {
            try process.run()
        } catch {
            throw .failed("\(program) cannot be started: \(error.localizedDescription)")
        }
        let printed = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: printed, as: UTF8.self)
    }

    /// The program that builds, and PhoneKit's modules.
    private struct Tool {
        let program: String
        let modules: String

        static let advice = """
            --from needs pushhost-phone and PhoneKit, which are packages of their own; in the checkout of pushhost run \
            swift build -c release --package-path Sources/PhoneBuild && \
            Sources/PhoneBuild/.build/release/pushhost-phone modules Sources/PhoneKit --output .build/phonekit
            """

        /// The tool of the checkout in whose `.build` this program is; nil if it is not built.
        static func find(_ folders: StandardFolders) -> Tool? {
            let parts = folders.host.split(separator: "/")
            guard let end = parts.lastIndex(of: ".build") else { return nil }
            let checkout = "/" + parts[..<end].joined(separator: "/")
            let modules = "\(checkout)/.build/phonekit"
            return ["release", "debug"].map { "\(checkout)/Sources/PhoneBuild/.build/\($0)/pushhost-phone" }
                .first { FileStamp(of: $0)?.kind == .file && FileStamp(of: modules)?.kind == .folder }
                .map { Tool(program: $0, modules: modules) }
        }
    }
}
