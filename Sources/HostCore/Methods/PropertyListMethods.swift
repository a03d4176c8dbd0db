internal import Foundation
internal import JSON
internal import JSONRPC
internal import Suites

extension MethodTable<HostMethod> {
    /// The methods that take an App Group's property list in and write one.
    mutating func addPropertyListMethods() {
        add("importSuite", ["suite?", "path"], order: .suite) { host, call in
            .done(try host.importSuite(call))
        }
        add("exportSuite", ["suite?", "path", "format?"], order: .suite) { host, call in
            .done(try host.exportSuite(call))
        }
    }
}

extension Host {
    fileprivate func importSuite(_ invocation: Invocation) throws -> JSON {
        let path = try invocation.arguments.filePath()
        let bytes: [UInt8]
        do throws(ClientFile.Failure) {
            bytes = try ClientFile.read(path)
        } catch {
            throw error.error(invocation, reading: path)
        }
        guard !bytes.isEmpty else {
            throw HostError.fileUnreadable(
                "\(path) is empty: there is nothing to import",
                path: invocation.arguments.path("path")
            )
        }
        var work = SuiteImport(
            suite: invocation.knownSuite,
            limits: configuration.recordLimits,
            time: invocation.time(self),
            file: URL(fileURLWithPath: path).lastPathComponent
        )
        try invocation.knownSuite.atomically { try work.take(bytes) }
        noteSave(invocation.knownSuite)
        return work.json
    }

    fileprivate func exportSuite(_ invocation: Invocation) throws -> JSON {
        let arguments = invocation.arguments
        let path = try arguments.filePath()
        let word = try arguments.optionalString("format") ?? SuiteExport.Format.xml.rawValue
        guard let format = SuiteExport.Format(rawValue: word) else {
            throw arguments.mistyped("format", "xml or binary")
        }
        try protectSuites(path, arguments)
        var work = SuiteExport(suite: invocation.knownSuite, format: format)
        let bytes: [UInt8]
        do throws(SuiteError) {
            bytes = try work.bytes(limit: Int64(ClientFile.limit))
        } catch {
            guard case .tooLarge(let limit) = error else { throw error }
            let text = "the suite makes a property list of more than \(limit) bytes; flush some of its records first"
            throw HostError.tooLarge(text, details: ["suite": .string(invocation.knownSuite.name.text)])
        }
        do throws(ClientFile.Failure) {
            try ClientFile.replace(path, with: bytes)
        } catch {
            throw error.error(invocation, reading: nil)
        }
        return work.json(bytes: bytes.count)
    }

    /// A slip of the path must not put a property list in the place of a suite.
    private func protectSuites(_ path: String, _ arguments: Arguments) throws(RPCError) {
        func resolved(_ path: String) -> String { URL(fileURLWithPath: path).resolvingSymlinksInPath().path }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        guard resolved(folder) == resolved(store.folder) else { return }
        throw HostError.fileUnwritable(
            "\(path) lies in the folder of the suites; name another folder",
            path: arguments.path("path")
        )
    }
}

extension Arguments {
    /// A path of a file; the system's calls end a text at U+0000.
    fileprivate func filePath() throws(RPCError) -> String {
        let path = try name("path")
        guard !path.hasSuffix("/") else { throw mistyped("path", "the path of a file") }
        guard path.utf8.count < PATH_MAX else { throw mistyped("path", "a path of less than \(PATH_MAX) bytes") }
        return path
    }
}

extension ClientFile.Failure {
    /// The error for the caller.
    fileprivate func error(_ invocation: Invocation, reading path: String?) -> RPCError {
        let place = invocation.arguments.path("path")
        switch self {
        case .unusable(let text):
            let kind = path == nil ? HostError.fileUnwritable : HostError.fileUnreadable
            return kind(text, path: place)
        case .tooLarge:
            let text = "\(path ?? "the file") has more than \(ClientFile.limit) bytes, the most that is imported"
            return HostError.tooLarge(text, path: place)
        }
    }
}
