package import Platform

/// Why a child process cannot be used any longer.
package enum ClientError: Error {
    /// A signal asked this process to end.
    case interrupted(signal: Int32)
    /// The process could not be started, or it did not do what its client needs; a sentence without its full stop.
    case failed(String)
    /// The host answered a call with an error.
    case refused(Refusal)

    /// What happened, for people; without its full stop.
    package var text: String {
        switch self {
        case .interrupted(let signal): "it was interrupted by signal \(signal)"
        case .failed(let text): text
        case .refused(let refusal): refusal.message
        }
    }

    /// The error of a response.
    package struct Refusal: Equatable, Sendable {
        /// The code on the wire.
        package let code: Int64
        /// One sentence for people.
        package let message: String
        /// The member `reason` of the error's data, which programs compare.
        package let reason: String?
        /// The member `path` of the error's data: a JSON Pointer into the request.
        package let path: String?
    }
}

extension TemporaryFolder {
    /// Creates a private folder for a client's work; as ``init(prefix:)``, but its error names the parent folder.
    package static func create(prefix: String) throws(ClientError) -> TemporaryFolder {
        do throws(SystemError) {
            return try TemporaryFolder(prefix: prefix)
        } catch {
            throw .failed("no folder can be created in \(parent): \(error)")
        }
    }
}
