import Foundation
import HTTPClient

/// A URL that may be fetched: `https`, or `http` to this machine itself.
struct SourceURL: Equatable, CustomStringConvertible {
    let url: URL

    /// Judges a URL.
    ///
    /// - Throws: Which rule it breaks.
    init(_ text: String) throws(Refusal) {
        func refusal(_ rule: String) -> Refusal { Refusal(.refused, "\(text) is not fetched: \(rule)") }
        // Nothing is repaired: what is repaired here and there differently leads elsewhere than it was judged for.
        guard let url = URL(string: text, encodingInvalidCharacters: false), let scheme = url.scheme?.lowercased(),
            let parts = URLComponents(string: text, encodingInvalidCharacters: false)
        else { throw refusal("it is no absolute URL") }
        let host = parts.encodedHost ?? ""
        guard scheme == "https" || (scheme == "http" && Loopback.contains(host)) else {
            throw refusal("only https is, and http from this machine itself")
        }
        guard !host.isEmpty, !host.contains("%") else { throw refusal("it names no host") }
        guard url.user == nil, url.password == nil else { throw refusal("it holds credentials") }
        self.url = url
    }

    /// Judges where a server redirects to: by the same rules, and never from a secure connection to a plain one.
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
