/// Which proxy requests go through: what libcurl would read from the environment, taken from a dictionary.
///
/// Requests to this machine itself never go through a proxy.
public struct ProxySettings: Equatable, Sendable {
    /// The names of the variables, in the order in which they count.
    public static let variables = proxyVariables + exceptionVariables
    /// No proxy at all.
    public static let none = ProxySettings([:])

    // There is no `http_proxy`: http is spoken to this machine itself alone.
    private static let proxyVariables = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
    private static let exceptionVariables = ["no_proxy", "NO_PROXY"]

    /// The URL of the proxy; `nil` for none.
    let proxy: String?
    /// The hosts that are reached without it, as `no_proxy` lists them.
    let exceptions: String

    /// Reads the variables; an empty one counts as absent.
    public init(_ environment: [String: String]) {
        func first(_ names: [String]) -> String? { names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty } }
        proxy = first(Self.proxyVariables)
        exceptions = first(Self.exceptionVariables) ?? ""
    }
}
