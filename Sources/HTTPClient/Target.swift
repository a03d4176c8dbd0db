internal import CCurl

/// A URL as libcurl reads it, judged by what libcurl will do with it.
struct Target {
    /// libcurl's own form; the owner frees it with `curl_url_cleanup`.
    let url: OpaquePointer
    /// Whether its host is this machine itself.
    let isLoopback: Bool

    /// Reads a URL.
    ///
    /// - Throws: If libcurl cannot read it, it holds credentials, or its scheme is not `https`, nor `http` to this
    ///   machine itself.
    init(_ text: String) throws(HTTPClientError) {
        guard let url = curl_url() else { throw HTTPClientError(description: "there is no memory left for a URL") }
        var isTaken = false
        defer { if !isTaken { curl_url_cleanup(url) } }
        func error(_ rule: String) -> HTTPClientError {
            HTTPClientError(description: "libcurl does not send it: \(rule)")
        }
        guard curl_url_set(url, CURLUPART_URL, text, 0) == CURLUE_OK else { throw error("it is no URL") }
        guard Self.part(CURLUPART_USER, of: url) == nil, Self.part(CURLUPART_PASSWORD, of: url) == nil else {
            throw error("the URL holds credentials")
        }
        guard let scheme = Self.part(CURLUPART_SCHEME, of: url), let host = Self.part(CURLUPART_HOST, of: url) else {
            throw error("the URL names no host")
        }
        isLoopback = Loopback.contains(host)
        guard scheme == "https" || scheme == "http" && isLoopback else {
            throw error("only https is, and http to this machine itself")
        }
        self.url = url
        isTaken = true
    }

    private static func part(_ part: CURLUPart, of url: OpaquePointer) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(url, part, &text, 0) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }
}
