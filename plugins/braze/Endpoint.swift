import HTTPClient

/// The REST endpoint of a Braze cluster, or of a server on this machine.
struct Endpoint: Equatable, Sendable {
    /// The clusters by the short name in their host's name (braze.com, "API and SDK endpoints").
    static let clusters: [String: String] = {
        let american = (1...8).map { "iad-0\($0)" } + ["us-10", "au-01", "id-01", "jp-01", "kr-01"]
        let european = ["fra-01", "fra-02"]
        let hosts = american.map { ($0, "rest.\($0).braze.com") } + european.map { ($0, "rest.\($0).braze.eu") }
        return Dictionary(uniqueKeysWithValues: hosts)
    }()

    /// The URL of `/users/track`.
    let url: URL
    /// Whether the host is this machine itself.
    let isLoopback: Bool

    /// Creates an endpoint from a short name such as `iad-01`, a host name or a URL.
    ///
    /// - Throws: What is wrong with it, and what is needed.
    init(_ text: String, from source: String) throws(ConfigurationError) {
        func error(_ text: String) -> ConfigurationError { ConfigurationError("\(source) \(text)") }
        guard !text.isEmpty else { throw error("is empty; \(Self.need)") }
        let name = Self.clusters[text.lowercased()] ?? text
        let whole = name.contains("://") ? name : "https://\(name)"
        guard let parts = URLComponents(string: whole, encodingInvalidCharacters: false), let host = parts.encodedHost,
            !host.isEmpty, !host.contains("%")
        else { throw error("is no URL; \(Self.need)") }
        guard parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil else {
            throw error("must not hold credentials, a query or a fragment; \(Self.need)")
        }
        isLoopback = Loopback.contains(host)
        switch parts.scheme?.lowercased() {
        case "https": break
        case "http" where isLoopback: break
        case "http": throw error("is plain http to \(host); use https, http is for this machine itself alone")
        default: throw error("has the scheme \(parts.scheme ?? "none"); \(Self.need)")
        }
        let lowercased = host.lowercased()
        if lowercased.hasSuffix(".braze.com") || lowercased.hasSuffix(".braze.eu") {
            if lowercased.hasPrefix("sdk.") {
                throw error("is the endpoint of the SDK, \(host); the REST one begins with rest.")
            }
            if lowercased.hasPrefix("dashboard") {
                let meant = Self.endpoint(ofDashboard: lowercased).map { ", as \($0)" } ?? ""
                throw error("is the address of the dashboard, \(host); the REST endpoint begins with rest.\(meant)")
            }
        }
        // The value is not quoted: it may be the key, written into the wrong variable.
        guard name.contains("://") || host.contains(".") || isLoopback else {
            throw error("is not a Braze cluster; \(Self.need)")
        }
        var path = parts.percentEncodedPath
        while path.hasSuffix("/") { path.removeLast() }
        var target = parts
        target.percentEncodedPath = path.hasSuffix("/users/track") ? path : "\(path)/users/track"
        guard let url = target.url else { throw error("is no URL; \(Self.need)") }
        self.url = url
    }

    /// The REST endpoint of the cluster whose dashboard has an address of either form, `dashboard-01.braze.eu` or
    /// `dashboard.us-10.braze.com`.
    private static func endpoint(ofDashboard host: String) -> String? {
        let start = host.hasSuffix(".eu") ? "rest.fra-" : "rest.iad-"
        let rest = host.replacing("dashboard-", with: start).replacing("dashboard.", with: "rest.")
        return clusters.values.contains(rest) ? rest : nil
    }

    private static var need: String {
        "it must be the REST endpoint of the cluster, as https://rest.fra-01.braze.eu, or its short name: "
            + clusters.keys.sorted().joined(separator: ", ")
    }
}
