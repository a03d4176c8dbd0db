import HTTPClient

/// The operator's configuration, read and validated as a whole.
struct Configuration: Sendable {
    /// The endpoint of requests.
    let endpoint: Endpoint
    /// The API key.
    let key: APIKey
    /// The options for the encoding of records.
    let mapping: MappingOptions
    /// The limits of a request.
    let request: RequestLimits
    /// The rate limit.
    let rate: RateLimit
    /// The maximum number of simultaneous requests for one batch.
    let connections: Int
    /// The deadline for a response.
    let timeout: Duration
    /// The proxy for requests, except those to this machine itself.
    let proxies: ProxySettings

    /// Reads the variables, and the file that they name.
    ///
    /// - Throws: The first error: what is wrong, and what is needed.
    init(_ variables: Variables) throws(ConfigurationError) {
        (endpoint, key) = try Self.credentials(variables)
        mapping = MappingOptions(
            appID: variables[.appID],
            updatesExistingOnly: try variables.flag(.updateExistingOnly),
            mergesObjects: try variables.flag(.mergeObjects)
        )
        request = RequestLimits(
            objects: try variables.integer(.requestObjects, in: 1...75, default: 75),
            countsEachArray: try variables.flag(.requestObjectsPerArray),
            bytes: try variables.integer(.requestBytes, in: 1_000...4_000_000, default: 4_000_000)
        )
        let window = try variables.integer(.rateMilliseconds, in: 1...3_600_000, default: 3_000)
        rate = RateLimit(
            requests: try variables.integer(.rateRequests, in: 1...100_000, default: 3_000),
            per: .milliseconds(window)
        )
        connections = try variables.integer(.connections, in: 1...64, default: 8)
        proxies = variables.proxies
        timeout = .milliseconds(try variables.integer(.timeoutMilliseconds, in: 1...30_000, default: 30_000))
    }

    private static func credentials(_ variables: Variables) throws(ConfigurationError) -> (Endpoint, APIKey) {
        let path = variables[.credentials]
        let file = try path.map { path throws(ConfigurationError) in try CredentialsFile.read(path) } ?? [:]
        func value(_ variable: Variable, _ what: String) throws(ConfigurationError) -> (String, source: String) {
            let name = variable.rawValue
            switch (variables[variable], file[name]) {
            case (let value?, nil): return (value, name)
            case (nil, let value?): return (value, "\(name) in \(path ?? "")")
            case (.some, .some):
                throw ConfigurationError("\(name) is set in the environment and in \(path ?? ""); leave one of them")
            case (nil, nil):
                let place = path.map { "add it to \($0)" } ?? "or name a file that has it in BRAZE_CREDENTIALS"
                throw ConfigurationError("\(name) is not set: give the host \(what) there, \(place)")
            }
        }
        let endpoint = try value(.endpoint, "the REST endpoint of your Braze cluster")
        let key = try value(.key, "a REST API key with the permission users.track")
        return (try Endpoint(endpoint.0, from: endpoint.source), try APIKey(key.0, from: key.source))
    }
}
