internal import CCurl
internal import Platform

/// The URL of a request, parsed by libcurl and checked against the client's rules.
struct Target {
    /// libcurl's handle of the URL; the owner frees it with `curl_url_cleanup`.
    let url: OpaquePointer
    /// Whether its host is this machine itself.
    let isLoopback: Bool

    /// Parses a URL.
    ///
    /// - Throws: An error if libcurl cannot parse it, it contains credentials, or its scheme is neither `https` nor
    ///   `http` to this machine itself.
    init(_ text: String) throws(HTTPClientError) {
        guard let url = curl_url() else { throw HTTPClientError(description: "there is no memory left for a URL") }
        var isValid = false
        defer { if !isValid { curl_url_cleanup(url) } }
        func error(_ rule: String) -> HTTPClientError {
            HTTPClientError(description: "libcurl does not send it: \(rule)")
        }
        guard curl_url_set(url, CURLUPART_URL, text, 0) == CURLUE_OK else { throw error("it is not a URL") }
        guard Self.part(CURLUPART_USER, of: url) == nil, Self.part(CURLUPART_PASSWORD, of: url) == nil else {
            throw error("the URL holds credentials")
        }
        guard let scheme = Self.part(CURLUPART_SCHEME, of: url), let host = Self.part(CURLUPART_HOST, of: url) else {
            throw error("the URL names no host")
        }
        isLoopback = Loopback.contains(host)
        guard scheme == "https" || scheme == "http" && isLoopback else {
            throw error("only https is allowed, and http to this machine itself")
        }
        self.url = url
        isValid = true
    }

    private static func part(_ part: CURLUPart, of url: OpaquePointer) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(url, part, &text, 0) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }
}

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

/// Recognizes hosts that are this machine itself.
public enum Loopback {
    /// Whether the host of a URL is this machine: `localhost`, an address of 127.0.0.0/8 as four decimal numbers, or
    /// `[::1]`.
    public static func contains(_ host: String) -> Bool {
        if host.lowercased() == "localhost" { return true }
        if host.hasPrefix("["), host.hasSuffix("]") {
            var address = in6_addr()
            guard inet_pton(AF_INET6, String(host.dropFirst().dropLast()), &address) == 1 else { return false }
            return withUnsafeBytes(of: &address) { $0.dropLast().allSatisfy { $0 == 0 } && $0.last == 1 }
        }
        // inet_pton accepts only four decimal numbers; programs interpret other forms differently.
        var address = in_addr()
        return inet_pton(AF_INET, host, &address) == 1 && withUnsafeBytes(of: &address) { $0.first == 127 }
    }
}
