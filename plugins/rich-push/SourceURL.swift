import HTTPClient

/// A URL that may be fetched: `https`, or `http` to this machine itself.
struct SourceURL: Equatable, CustomStringConvertible {
    let url: URL

    /// Checks a URL.
    ///
    /// - Throws: Which rule it breaks.
    init(_ text: String) throws(Refusal) {
        func refusal(_ rule: String) -> Refusal { Refusal(.refused, "\(text) is not fetched: \(rule)") }
        // An invalid URL is not repaired: if the HTTP client repaired it differently, it would fetch another URL than
        // the one that was checked.
        guard let url = URL(string: text, encodingInvalidCharacters: false), let scheme = url.scheme?.lowercased(),
            let parts = URLComponents(string: text, encodingInvalidCharacters: false)
        else { throw refusal("it is not an absolute URL") }
        let host = parts.encodedHost ?? ""
        guard scheme == "https" || (scheme == "http" && Loopback.contains(host)) else {
            throw refusal("only https is, and http from this machine itself")
        }
        guard !host.isEmpty, !host.contains("%") else { throw refusal("it names no host") }
        guard url.user == nil, url.password == nil else { throw refusal("it holds credentials") }
        self.url = url
    }

    /// Checks the target of a redirect: by the same rules, and never from https to http.
    ///
    /// - Parameter location: A URL, perhaps relative to this one.
    /// - Returns: The URL to follow.
    /// - Throws: Which rule it breaks.
    func redirected(to location: String) throws(Refusal) -> SourceURL {
        do throws(Refusal) {
            let target = try SourceURL(URL(string: location, relativeTo: url)?.absoluteString ?? location)
            guard url.scheme?.lowercased() == "http" || target.url.scheme?.lowercased() == "https" else {
                throw Refusal(.refused, "\(target) is not fetched: it is not secure")
            }
            return target
        } catch {
            throw Refusal(error.reason, "\(self) redirects: \(error.message)")
        }
    }

    var description: String { url.absoluteString }
}
