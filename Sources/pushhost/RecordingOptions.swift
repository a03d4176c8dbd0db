internal import ArgumentParser
internal import Foundation
internal import HostCore
internal import Logging
internal import Recording

/// Whether the session is recorded, and where.
struct RecordingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Records every line to and from the client and the extensions, for pushhost replay.",
            valueName: "file"
        )
    )
    var record: String?

    /// The recorder, where one was asked for; chance is fixed then, so that it can come again.
    ///
    /// - Parameters:
    ///   - settings: What the host runs with.
    ///   - folders: Where things are.
    ///   - logger: Takes the warning where no replay can be the same.
    /// - Returns: The recorder; nil without the option.
    /// - Throws: Why the file cannot be written.
    func recorder(
        _ settings: inout HostConfiguration,
        _ folders: StandardFolders,
        _ logger: Logger
    ) throws -> Recorder? {
        guard let path = record.map(folders.absolute) else { return nil }
        let seed = settings.seed ?? .random(in: 0...UInt64(Int64.max))
        settings.seed = seed
        var header = RecordingHeader(
            arguments: RecordedArguments(CommandLine.arguments.dropFirst(), folders: folders)
                .relative(toFolderOf: path),
            start: settings.clock ?? Int64(Date().timeIntervalSince1970 * 1_000),
            isClockFixed: settings.clock != nil,
            seed: seed,
            isLockStep: settings.isLockStep
        )
        header.hasEarlierSuites = settings.hasSuites
        if header.hasEarlierSuites {
            let folder = settings.dataFolder
            logger.warning("--record: \(folder) holds suites already, which a replay does not have; use a new --data")
        }
        do throws(Recorder.Problem) {
            return try Recorder(path: path, header: header)
        } catch {
            throw ValidationError("--record \(error)")
        }
    }
}

/// The options of a session that a replay gives again.
struct RecordedArguments {
    /// What a replay chooses by itself, or what stands in the header as a member of its own.
    private static let left: Set = [
        "--record", "--data", "--ephemeral", "--clock", "--seed", "--log-level", "--deliver-file", "--files-within",
    ]

    private let arguments: [String]
    private let folders: StandardFolders

    /// The options among the arguments of the command line.
    init(_ arguments: some Sequence<String>, folders: StandardFolders) {
        self.folders = folders
        var kept: [String] = []
        var isLeft = false
        for (index, argument) in arguments.enumerated() where !(index == 0 && argument == "serve") {
            // `--name value` is kept as `--name=value`, so that each stands alone.
            if argument.hasPrefix("--") {
                isLeft = Self.left.contains(argument.split(separator: "=", maxSplits: 1).first.map(String.init) ?? "")
                if !isLeft { kept.append(argument) }
                isLeft = isLeft && !argument.contains("=")
            } else if isLeft {
                isLeft = false
            } else if let last = kept.popLast() {
                kept.append("\(last)=\(argument)")
            }
        }
        self.arguments = kept
    }

    /// The options, with folders of bundles as they are found from where the recording lies.
    ///
    /// One that was given as an absolute path stays that.
    func relative(toFolderOf recording: String) -> [String] {
        arguments.map { argument in
            guard let path = Self.bundleFolder(argument), !path.hasPrefix("/") else { return argument }
            return Self.prefix + Self.relative(folders.absolute(path), to: recording)
        }
    }

    /// The options, with folders of bundles as they are found from here, and secrets where their variables are set.
    func absolute(fromFolderOf recording: String) -> [String] {
        arguments.map(withSecrets).map { argument in
            guard let path = Self.bundleFolder(argument), !path.hasPrefix("/") else { return argument }
            return Self.prefix + Self.folder(of: recording).appendingPathComponent(path).standardizedFileURL.path
        }
    }

    /// An option in which names in brackets, which hide secrets, are the values of variables again.
    private func withSecrets(_ argument: String) -> String {
        argument.replacing(#/\[(?<name>\w+)\]/#) { folders.environment[String($0.output.name)] ?? String($0.output.0) }
    }

    /// The options that name folders of bundles, as they are found from where the recording lies.
    static func naming(_ plugins: [String], fromFolderOf recording: String) -> [String] {
        plugins.map { prefix + relative($0, to: recording) }
    }

    /// Whether an option names a folder of bundles.
    static func namesBundles(_ argument: String) -> Bool { bundleFolder(argument) != nil }

    private static let prefix = "--plugins="

    private static func bundleFolder(_ argument: String) -> String? {
        argument.hasPrefix(prefix) ? String(argument.dropFirst(prefix.count)) : nil
    }

    /// Where a recording lies, or the one to which a link leads; it need not be there yet.
    private static func folder(of recording: String) -> URL {
        URL(fileURLWithPath: recording).resolvingSymlinksInPath().deletingLastPathComponent()
    }

    private static func relative(_ path: String, to file: String) -> String {
        let components = { (path: String) in
            URL(fileURLWithPath: path).resolvingSymlinksInPath().standardizedFileURL.path.split(separator: "/")
        }
        let folder = components(Self.folder(of: file).path)
        let target = components(path)
        let common = zip(folder, target).prefix { $0 == $1 }.count
        let steps = Array(repeating: "..", count: folder.count - common) + target.dropFirst(common).map(String.init)
        return steps.isEmpty ? "." : steps.joined(separator: "/")
    }
}
