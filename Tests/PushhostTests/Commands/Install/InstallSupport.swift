import Foundation
import TestSupport

/// A prefix into which `pushhost install` installs, in a folder of its own.
struct Installation {
    /// An installation of the built program, which needs the toolchain.
    static let dynamic = "--allow-dynamic"

    let root: String
    var prefix: String { "\(root)/prefix" }

    private var environment: [String: String] { ["HOME": "\(root)/home", "PATH": "/usr/bin:/bin"] }

    /// Runs a command as the built program, or as an installed one, with `HOME` in the folder.
    func run(_ arguments: [String], installed: Bool = false) throws -> CommandRun {
        try CommandRun(arguments, environment: environment, program: installed ? "\(prefix)/bin/pushhost" : nil)
    }

    /// Starts the built program, or an installed one, with the umask 077; for what is executed afterwards, see
    /// ``writeExecutable(_:to:)``.
    func runProgram(_ arguments: [String], installed: Bool = false) throws -> CommandRun {
        let program = installed ? "\(prefix)/bin/pushhost" : try hostCommand(unchecked: "it serves no client")[0]
        let words = ["-c", #"umask 077; exec "$0" "$@""#, program] + arguments
        return try CommandRun(ChildProcess("/bin/sh", words, environment: environment, directory: root))
    }

    /// Installs one bundle of this package and expects success.
    func install(_ bundle: String = "like", _ more: [String] = []) throws {
        let folder = "\(repositoryRoot)/plugins/\(bundle)"
        let run = try run(["install", "--prefix", prefix, "--plugins", folder, Self.dynamic] + more)
        guard run.status == .code(0) else { throw TestFailure("install: \(run.standardError)") }
    }

    /// The paths below the prefix, and what is there: the mode of a folder; mode, size and time of a file.
    func tree() throws -> [String: String] {
        var tree: [String: String] = [:]
        let names = FileManager.default.enumerator(atPath: prefix)?.compactMap { $0 as? String } ?? []
        for name in names {
            var status = stat()
            guard lstat("\(prefix)/\(name)", &status) == 0 else { throw TestFailure("\(name) is gone") }
            let mode = String(status.st_mode, radix: 8)
            let changed =
                try FileManager.default.attributesOfItem(atPath: "\(prefix)/\(name)")[.modificationDate] as? Date
            let isFile = status.st_mode & S_IFMT == S_IFREG
            tree[name] = isFile ? "\(mode) \(status.st_size) \(changed?.timeIntervalSince1970 ?? 0)" : mode
        }
        return tree
    }

    /// The paths of the files below the prefix.
    func files() throws -> Set<String> { Set(try tree().filter { $0.value.hasPrefix("100") }.keys) }

    func write(_ text: String, to path: String) throws {
        let url = URL(filePath: "\(prefix)/\(path)")
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    /// Calls the closure with an installation in a temporary folder.
    static func with(_ body: (Installation) throws -> Void) throws {
        try withTemporaryDirectory { root in
            for bundle in ["match-game", "register", "braze"] { _ = try builtProduct(bundle) }
            try body(Installation(root: root))
        }
    }
}
