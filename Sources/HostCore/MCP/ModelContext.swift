internal import Contract
internal import JSON

/// The words of the Model Context Protocol that do not depend on a message.
///
/// Both of its eras are spoken on the client's connection, beside the contract: with a handshake up to
/// 2025-11-25, and from 2026-07-28 on with the version in each request.
enum ModelContext {
    /// The versions that a request may name in its `_meta`.
    static let modernVersions = ["2026-07-28"]
    /// The versions that a handshake may ask for, the newest first.
    static let handshakeVersions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]

    static let capabilities: JSON = ["tools": [:]]
    static let serverInfo: JSON = ["name": "pushhost", "version": .string(ContractDocuments.version)]

    /// What a model is told of the tools as a whole.
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

    /// How long a client may keep what is the same as long as the process runs, in milliseconds.
    static let timeToLive: JSON = 3_600_000

    /// The members of `_meta` that the protocol names.
    enum Meta {
        static let version = "io.modelcontextprotocol/protocolVersion"
        static let clientCapabilities = "io.modelcontextprotocol/clientCapabilities"
        static let serverInfo = "io.modelcontextprotocol/serverInfo"
        /// Ours: the error of a method that failed, as the contract has it.
        static let error = "pushhost/error"
    }
}
