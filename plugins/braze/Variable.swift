import HTTPClient

/// The variables of the environment that configure this destination.
enum Variable: String, CaseIterable {
    case endpoint = "BRAZE_REST_ENDPOINT"
    case key = "BRAZE_API_KEY"
    case credentials = "BRAZE_CREDENTIALS"
    case appID = "BRAZE_APP_ID"
    case updateExistingOnly = "BRAZE_UPDATE_EXISTING_ONLY"
    case mergeObjects = "BRAZE_MERGE_OBJECTS"
    case requestObjects = "BRAZE_REQUEST_OBJECTS"
    case requestObjectsPerArray = "BRAZE_REQUEST_OBJECTS_PER_ARRAY"
    case requestBytes = "BRAZE_REQUEST_BYTES"
    case rateRequests = "BRAZE_RATE_REQUESTS"
    case rateMilliseconds = "BRAZE_RATE_MILLISECONDS"
    case connections = "BRAZE_CONNECTIONS"
    case timeoutMilliseconds = "BRAZE_TIMEOUT_MILLISECONDS"
}

/// The values of the variables, with errors that name the variable, its value and what is needed.
struct Variables: Sendable {
    private let values: [String: String]

    init(_ values: [String: String]) { self.values = values }

    /// The variable's value; an empty one counts as absent.
    subscript(variable: Variable) -> String? {
        values[variable.rawValue].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The proxy for requests to Braze.
    var proxies: ProxySettings { ProxySettings(values) }

    /// A switch, off by default.
    func flag(_ variable: Variable) throws(ConfigurationError) -> Bool {
        switch self[variable]?.lowercased() {
        case nil, "false", "0", "no": return false
        case "true", "1", "yes": return true
        default: throw wrong(variable, "true or false")
        }
    }

    /// A number within bounds.
    func integer(
        _ variable: Variable,
        in range: ClosedRange<Int>,
        default value: Int
    ) throws(ConfigurationError) -> Int {
        guard let text = self[variable] else { return value }
        guard let number = Int(text), range.contains(number) else {
            throw wrong(variable, "an integer from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    private func wrong(_ variable: Variable, _ need: String) -> ConfigurationError {
        ConfigurationError("\(variable.rawValue) must be \(need), it is \"\(self[variable] ?? "")\"")
    }
}
