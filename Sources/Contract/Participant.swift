/// The names of participants in recordings, except extensions, which have their bundle identifiers.
package enum Participant {
    /// The client of the host.
    package static let client = "client"
    /// The host itself.
    package static let host = "host"
    /// The destination of text that an extension writes on its stderr.
    package static let standardError = "stderr"

    /// The names that no bundle may have, because its lines could not be distinguished from those of another participant.
    package static let all = [client, host, standardError]
}
