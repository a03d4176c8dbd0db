/// Why a child process cannot be used any longer.
package enum ClientError: Error {
    /// A signal asked this process to end.
    case interrupted(signal: Int32)
    /// The process could not be started, or it did not do what its client needs; a sentence without its full stop.
    case failed(String)
}
