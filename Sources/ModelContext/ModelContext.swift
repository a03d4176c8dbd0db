internal import Contract
internal import JSON

/// The constants of the Model Context Protocol (MCP).
///
/// The host supports both eras of MCP on the client's connection, besides its own contract: up to version 2025-11-25 the
/// client begins with a handshake, from 2026-07-28 on each request names the version.
enum ModelContext {
    /// The versions that a request may name in its `_meta`.
    static let modernVersions = ["2026-07-28"]
    /// The versions that a handshake may ask for, the newest first.
    static let handshakeVersions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]

    static let capabilities: JSON = ["tools": [:]]
    static let serverInfo: JSON = ["name": "pushhost", "version": .string(ContractDocuments.version)]

    /// What a model should know about the tools as a whole.
    static let instructions = """
        pushhost runs iOS notification content extensions without a phone. didReceive takes the payload of an .apns \
        file and shows it: the reply draws the view and names the notification. What stands behind # is the id of an \
        element for interact; a button's identifier is for didReceiveResponse. The tool extensions tells which \
        categories there are; notifications draws the one that is named as it is now. What is saved waits in suites \
        until it is flushed: pending reads it and deletes nothing, flushPending takes it out. checkPayload finds mistakes \
        in a payload without showing it. The schemas of the tools are short; an error names the place of what is wrong \
        and what is needed, and the method rpc.discover returns the whole schemas. To check the bundle of an extension, run the command \
        pushhost extensions check with its folder.
        """

    /// How long a client may cache a result that stays the same while the process runs, in milliseconds.
    static let timeToLive: JSON = 3_600_000

    /// The names of members of `_meta`; all but one are the protocol's.
    enum Meta {
        static let version = "io.modelcontextprotocol/protocolVersion"
        static let clientCapabilities = "io.modelcontextprotocol/clientCapabilities"
        static let serverInfo = "io.modelcontextprotocol/serverInfo"
        /// The host's own: the error of a failed method, as the contract defines it.
        static let error = "pushhost/error"
    }
}
