import Foundation
import JSON
import TestSupport

/// Property lists as an app writes them, and hosts that import them.
struct PlistFiles {
    static let suite: JSON = "group.com.example.pushhost"

    let folder: String
    let host: HostProcess

    /// Runs the closure with a host that has a new data folder; the files are in the folder that contains it.
    static func with<Result>(
        _ options: [String] = [],
        unchecked reason: String? = nil,
        _ body: (PlistFiles) throws -> Result
    ) throws -> Result {
        try withTemporaryDirectory { folder in
            let arguments = ["--data", "\(folder)/data", "--clock", "2026-01-01T00:00:00Z"] + options
            let files = PlistFiles(
                folder: folder,
                host: try HostProcess(arguments, directory: folder, unchecked: reason)
            )
            let result = try body(files)
            guard try files.host.finish() == .code(0) else { throw TestFailure(files.host.process.standardError) }
            return result
        }
    }

    func path(_ name: String) -> String { "\(folder)/\(name)" }

    func write(_ bytes: some Sequence<UInt8>, _ name: String) throws {
        try Data(bytes).write(to: URL(filePath: path(name)))
    }

    /// Writes a property list through Foundation.
    func write(
        _ object: Any,
        _ name: String,
        _ format: PropertyListSerialization.PropertyListFormat = .binary
    ) throws {
        try write(try PropertyListSerialization.data(fromPropertyList: object, format: format, options: 0), name)
    }

    /// The dictionary of a file, read through Foundation.
    func read(_ name: String) throws -> [String: Any] {
        let data = try Data(contentsOf: URL(filePath: path(name)))
        guard let object = try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any] else {
            throw TestFailure("\(name) is not a dictionary")
        }
        return object
    }

    func importSuite(_ name: String) throws -> JSON {
        try host.result("importSuite", ["suite": Self.suite, "path": .string(path(name))])
    }

    func exportSuite(_ name: String, _ format: JSON = "xml") throws -> JSON {
        try host.result("exportSuite", ["suite": Self.suite, "path": .string(path(name)), "format": format])
    }

    /// Calls a method that must fail, and returns the error's code, reason, path and message as one text.
    func refusal(_ method: String, _ params: KeyValuePairs<String, JSON>) throws -> String {
        let members = [("suite", Self.suite)] + params.map { ($0.key, $0.value) }
        let reply = try host.call(method, .object(JSON.Object(members)))
        guard let error = reply["error"], let code = error["code"]?.integer, let data = error["data"] else {
            throw TestFailure("\(method) \(params) did not fail: \(reply)")
        }
        return "\(code) \(data["reason"]?.string ?? "") \(data["path"]?.string ?? "") \(error["message"]?.string ?? "")"
    }

    /// The pending records, without ids.
    func pending() throws -> [JSON] {
        let records = try host.result("pending", ["suite": Self.suite])["records"]?.array.map(Array.init) ?? []
        return records.compactMap(\.object).map { record in
            .object(JSON.Object(record.filter { $0.name != "id" && $0.name != "time" }.map { ($0.name, $0.value) }))
        }
    }

    /// The encoded form of the guide's `UserAttribute.email`.
    static func email(_ text: String) throws -> Data {
        try PropertyListSerialization.data(fromPropertyList: ["email": text], format: .binary, options: 0)
    }
}
