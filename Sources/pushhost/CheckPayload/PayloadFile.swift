internal import Foundation
internal import JSON
internal import Platform
internal import PushClient

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
    /// What the file holds.
    let bytes: [UInt8]
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
        let bytes: [UInt8]
        do throws(NamedFile.Problem) {
            bytes = try PushFile.contents(name == "-" ? nil : name, limit: Self.limit)
        } catch {
            if case .larger = error {
                throw Failure(text: "\(error.text), which is no payload: Apple delivers 4096")
            }
            throw Failure(text: error.text)
        }
        self.bytes = bytes
        content = Result { () throws(JSONParseError) in try JSON(authored: bytes) }
    }
}
