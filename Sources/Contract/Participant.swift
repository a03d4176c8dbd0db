/// The names of participants in recordings, except extensions, which have their bundle identifiers.
package enum Participant {
    /// The client of the host.
    package static let client = "client"
    /// The host itself.
    package static let host = "host"
    /// Where an extension writes text for people instead of messages.
    package static let standardError = "stderr"

    /// The names that no bundle may have, because its lines could not be told from another's.
    package static let all = [client, host, standardError]
}
