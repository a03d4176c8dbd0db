/// How recordings call the ends of a line beside the extensions, which have their bundle identifiers.
public enum WireEnd {
    /// Whoever speaks to the host.
    public static let client = "client"
    /// The host itself.
    public static let host = "host"
    /// Where an extension writes what is for people, and no message.
    public static let standardError = "stderr"

    /// What no bundle may be called: its lines would pass for another's.
    static let all = [client, host, standardError]
}
