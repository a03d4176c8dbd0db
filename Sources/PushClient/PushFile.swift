package import JSON
package import Platform

/// A file of JSON that the command line names.
package struct PushFile {
    /// Why it cannot be used.
    package struct Problem: Error {
        package let message: String
        package let code: Int32
    }

    /// The name that the user gave it.
    package let name: String
    /// Where it is; nil for stdin.
    package let path: String?
    /// The descriptor of stdin.
    private let input: Int32

    /// A file with the name that the user gave it; `-` is stdin, whose descriptor is `input`.
    package init(_ name: String, input: Int32 = STDIN_FILENO) {
        (self.name, self.input) = (name, input)
        path = name == "-" ? nil : Paths.absolute(name)
    }

    /// A payload with the name that the user gave it; a bundle's folder stands for the payload in it.
    package static func payload(_ name: String, input: Int32 = STDIN_FILENO) -> PushFile {
        let isFolder = name != "-" && FileStamp(of: Paths.absolute(name))?.kind == .folder
        let sample = (name.hasSuffix("/") ? name : name + "/") + "payload.apns"
        return PushFile(isFolder && FileStamp(of: Paths.absolute(sample))?.kind == .file ? sample : name, input: input)
    }

    /// Reads the object that the file holds.
    package func object() throws(Problem) -> JSON {
        let bytes = try bytes()
        let value: JSON
        do {
            value = try JSON(authored: bytes)
        } catch {
            let place = "\(title):\(error.line):\(max(1, error.column))"
            throw Problem(message: "\(place): it is not JSON: \(error.message)", code: EX_DATAERR)
        }
        guard value.object != nil else {
            throw Problem(message: "\(title): it must be a JSON object, it is \(value.typeName)", code: EX_DATAERR)
        }
        return value
    }

    /// Reads the text that the file holds.
    package func text() throws(Problem) -> String { String(decoding: try bytes(), as: UTF8.self) }

    private var title: String { path == nil ? "stdin" : name }

    /// The greatest size that is read: far more than a payload or a profile has.
    private static let limit = 16 << 20

    private func bytes() throws(Problem) -> [UInt8] {
        do throws(NamedFile.Problem) {
            return try contents(limit: Self.limit)
        } catch {
            throw Problem(message: "\(title): \(error.text)", code: EX_NOINPUT)
        }
    }

    /// The bytes of the file.
    ///
    /// - Parameter limit: The greatest size in bytes that is read.
    /// - Returns: All bytes.
    /// - Throws: Why they were not read.
    package func contents(limit: Int) throws(NamedFile.Problem) -> [UInt8] {
        guard let path else { return try NamedFile.contents(of: input, limit: limit, waits: true) }
        return try NamedFile.contents(at: path, limit: limit, awaitsPipes: true)
    }
}
