internal import Platform

/// The options of a recorded session that a replay uses again.
struct RecordedArguments {
    /// The options that a replay chooses itself, or that have their own members in the header.
    private static let omitted: Set = [
        "--record", "--data", "--ephemeral", "--clock", "--seed", "--log-level", "--log-format", "--deliver-file",
        "--files-within", "--allow",
    ]

    private let arguments: [String]
    private let folders: StandardFolders

    /// The options among the arguments of the command line.
    init(_ arguments: some Sequence<String>, folders: StandardFolders) {
        self.folders = folders
        var kept: [String] = []
        var isOmitted = false
        for (index, argument) in arguments.enumerated() where !(index == 0 && argument == "serve") {
            // `--name value` is kept as `--name=value`, so that each argument is complete.
            if argument.hasPrefix("--") {
                let name = argument.split(separator: "=", maxSplits: 1).first.map(String.init) ?? ""
                isOmitted = Self.omitted.contains(name)
                if !isOmitted { kept.append(argument) }
                // The next argument is its value unless this one holds it.
                isOmitted = isOmitted && !argument.contains("=")
            } else if isOmitted {
                isOmitted = false
            } else if let last = kept.popLast() {
                kept.append("\(last)=\(argument)")
            }
        }
        self.arguments = kept
    }

    /// The options, with the paths of folders that they read relative to the folder of the recording.
    ///
    /// Absolute paths are kept.
    func relative(toFolderOf recording: String) -> [String] {
        arguments.map { Self.movingFolder($0) { Self.relative(Paths.absolute($0), to: recording) } }
    }

    /// The options, with absolute paths of such folders, and with the secrets whose environment variables are set.
    func absolute(fromFolderOf recording: String) -> [String] {
        arguments.map(withSecrets).map { argument in
            Self.movingFolder(argument) {
                Self.folder(of: recording).appendingPathComponent($0).standardizedFileURL.path
            }
        }
    }

    /// An option with another path, if it names a folder that the host reads by a relative path.
    private static func movingFolder(_ argument: String, _ move: (String) -> String) -> String {
        for prefix in [prefix, "--app="] where argument.hasPrefix(prefix) {
            let path = String(argument.dropFirst(prefix.count))
            return path.hasPrefix("/") ? argument : prefix + move(path)
        }
        return argument
    }

    /// Replaces each name in brackets, which hides a secret, by the value of that environment variable.
    private func withSecrets(_ argument: String) -> String {
        argument.replacing(#/\[(?<name>\w+)\]/#) { folders.environment[String($0.output.name)] ?? String($0.output.0) }
    }

    /// The options for folders of bundles, with paths relative to the folder of the recording.
    static func naming(_ plugins: [String], fromFolderOf recording: String) -> [String] {
        plugins.map { prefix + relative($0, to: recording) }
    }

    /// Whether an option names a folder of bundles.
    static func namesBundles(_ argument: String) -> Bool { argument.hasPrefix(prefix) }

    private static let prefix = "--plugins="

    /// The folder of a recording, links resolved; the recording need not exist yet.
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
