package import Platform

/// Why a child process cannot be used any longer.
package enum ClientError: Error {
    /// A signal asked this process to end.
    case interrupted(signal: Int32)
    /// The process could not be started, or it did not do what its client needs; a sentence without its full stop.
    case failed(String)
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
