internal import CCurl

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
