internal import JSON
internal import JSONRPC

/// An error with which an extension refuses a call; the caller receives it unchanged.
public struct ExtensionError: Error, Equatable, Sendable {
    /// A stable word for programs.
    public let reason: String
    /// One sentence for people: what is wrong and what is needed.
    public let message: String
    /// A JSON Pointer to the part of the request that is wrong.
    public let path: String?

    /// An error with that reason.
    public init(reason: String, _ message: String, path: String? = nil) {
        self.reason = reason
        self.message = message
        self.path = path
    }

    /// The error of a host that refused a request of the extension.
    init(_ error: RPCError) {
        self.init(reason: error.reason ?? "hostError", error.message, path: error.data?["path"]?.string)
    }

    /// The code of every such error; the reason distinguishes them.
    private static let code = RPCError.Code(rawValue: 1)

    var wireError: RPCError { RPCError(Self.code, reason: reason, message, path: path) }
}
