internal import Foundation
internal import JSON

/// A file with a payload, or stdin.
struct PayloadFile {
    /// Why a file cannot be read.
    struct Failure: Error {
        let text: String
    }

    /// The greatest size that is read: 256 times what Apple delivers.
    private static let limit = 1 << 20

    /// What a report calls the file.
    let title: String
    /// The payload, or why it is not JSON.
    let content: Result<JSON, JSONParseError>

    /// Reads a file.
    ///
    /// - Parameter name: Its path; `-` for stdin.
    /// - Returns: The file, or why it cannot be read.
    static func read(_ name: String) -> Result<PayloadFile, Failure> {
        Result { () throws(Failure) in try PayloadFile(name) }
    }

    private init(_ name: String) throws(Failure) {
        title = name == "-" ? "stdin" : name
        let data: Data?
        do {
            let file = name == "-" ? .standardInput : try FileHandle(forReadingFrom: URL(filePath: name))
            data = try file.read(upToCount: Self.limit + 1)
        } catch {
            throw Failure(text: "it cannot be read: \((error as NSError).localizedFailureReason ?? "\(error)")")
        }
        guard (data?.count ?? 0) <= Self.limit else {
            throw Failure(text: "it has more than \(Self.limit) bytes, which is no payload: Apple delivers 4096")
        }
        content = Result { () throws(JSONParseError) in try JSON(parsing: Array(data ?? Data())) }
    }
}
