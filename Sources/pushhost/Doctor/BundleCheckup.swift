internal import ExtensionHost
internal import Foundation
internal import HostClient
internal import JSON
internal import Platform

/// Checks the bundles: what the host reports about them, and whether their executables start.
struct BundleCheckup {
    /// How long an executable may take to start and to end, in milliseconds.
    private static let limit: Int64 = 5_000
    private static let name = "bundle"

    private let extensions: JSON
    private let signals: SignalSource
    private let folders = StandardFolders()

    /// A checkup of the bundles in a result of `extensions`.
    init(_ extensions: JSON, _ signals: SignalSource) {
        self.extensions = extensions
        self.signals = signals
    }

    func findings() throws(ClientError) -> [DoctorFinding] {
        var findings = Self.problems(extensions["problems"])
        for bundle in extensions["extensions"]?.array.map(Array.init) ?? [] {
            let identifier = bundle["identifier"]?.string ?? ""
            findings += Self.problems(bundle["problems"])
            findings.append(try start(bundle["path"]?.string ?? "", identifier))
        }
        return findings
    }

    private static func problems(_ list: JSON?) -> [DoctorFinding] {
        (list?.array.map(Array.init) ?? []).map { problem in
            let text = "\(problem["path"]?.string ?? ""): \(problem["message"]?.string ?? "")"
            return problem["severity"]?.string == "warning" ? .warning(name, text) : .error(name, text)
        }
    }

    /// Starts the executable of a bundle without input, which ends it, unless the system or a loader cannot start it.
    private func start(_ folder: String, _ identifier: String) throws(ClientError) -> DoctorFinding {
        let path: String
        do throws(BundleProblem) {
            path = try ExtensionBundle(folder: folder).executablePath(hostFolder: folders.host)
        } catch {
            return .error(Self.name, "\(identifier): \(error.message)")
        }
        let program = Program(path: path, environment: folders.extensionEnvironment, directory: folder)
        let connection: LineConnection
        do throws(ClientError) {
            connection = try LineConnection(program, signals: signals)
        } catch {
            if case .interrupted = error { throw error }
            return .error(Self.name, "\(identifier): \(error.text)", "check the interpreter in its first line")
        }
        connection.closeInput()
        defer { connection.program.killGroup() }
        let end = try connection.waitForEnd(until: Clock.monotonic() + Self.limit)
        let line = connection.standardError.split(whereSeparator: \.isNewline).last.map(String.init) ?? ""
        switch end {
        case .code(0): return .ok(Self.name, "\(identifier) starts")
        // What a shell, `env` and the loader of shared libraries end with.
        case .code(126), .code(127):
            return .error(Self.name, "\(identifier) cannot start: \(line)", "install what is missing")
        case nil:
            return .warning(Self.name, "\(identifier) starts, but does not end at the end of its input")
        case let end?:
            let text = "\(identifier) ended \(end.explanation) without input\(line.isEmpty ? "" : ": \(line)")"
            return .warning(Self.name, text, "pushhost extensions check \(folder) tells more")
        }
    }
}
