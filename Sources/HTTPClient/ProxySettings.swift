/// The proxy for requests: the settings that libcurl would read from the environment, read from a dictionary.
///
/// Requests to this machine itself never go through a proxy.
public struct ProxySettings: Equatable, Sendable {
    /// The names of the variables, in order of precedence.
    public static let variables = proxyVariables + exceptionVariables
    /// No proxy at all.
    public static let none = ProxySettings([:])

    // `http_proxy` is not needed, since http is allowed only to this machine itself.
    private static let proxyVariables = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
    private static let exceptionVariables = ["no_proxy", "NO_PROXY"]

    /// The URL of the proxy; `nil` for none.
    let proxy: String?
    /// The hosts that are reached without the proxy, in the syntax of `no_proxy`.
    let exceptions: String

    /// Reads the variables; an empty one counts as absent.
    public init(_ environment: [String: String]) {
        func first(_ names: [String]) -> String? { names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty } }
        proxy = first(Self.proxyVariables)
        exceptions = first(Self.exceptionVariables) ?? ""
    }
}
