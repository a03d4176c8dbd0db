/// Reads settings from the variables of an environment; an empty one counts as absent.
package struct Environment: Sendable {
    private let values: [String: String]

    /// The variables that are set.
    package init(_ values: [String: String]) { self.values = values }

    /// The value of a variable.
    package subscript(name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// The value of a variable that is a number.
    ///
    /// - Parameters:
    ///   - name: The variable.
    ///   - range: What is allowed.
    ///   - standard: The value if it is not set.
    /// - Returns: The number.
    /// - Throws: What is wrong with it.
    package func integer(_ name: String, in range: ClosedRange<Int>, default standard: Int) throws(NATSError) -> Int {
        guard let text = self[name] else { return standard }
        guard let value = Int(text), range.contains(value) else {
            let need = "an integer from \(range.lowerBound) to \(range.upperBound)"
            throw NATSError(.invalid, "\(name) must be \(need), it is \"\(text)\"")
        }
        return value
    }

    /// The name of the stream: `NATS_STREAM`, `PUSHHOST` if it is not set.
    ///
    /// - Returns: The name.
    /// - Throws: What is wrong with it.
    package func stream() throws(NATSError) -> String {
        let name = self["NATS_STREAM"] ?? "PUSHHOST"
        guard name.wholeMatch(of: /[A-Za-z0-9_-]{1,32}/) != nil else {
            throw NATSError(.invalid, "NATS_STREAM must have 1 to 32 of the characters A-Z, a-z, 0-9, - and _")
        }
        return name
    }

    /// How to connect: `NATS_URL`, `NATS_CREDS`, `NATS_CA`, `NATS_CERT`, `NATS_KEY` and `NATS_TIMEOUT_MILLISECONDS`.
    ///
    /// - Parameter name: The name that the server's monitoring shows.
    /// - Returns: The options.
    /// - Throws: What is wrong with a variable or a file.
    package func connection(name: String) throws(NATSError) -> ConnectionOptions {
        let servers = (self["NATS_URL"] ?? "").split(separator: ",").map { $0.trimmingPrefix(/\s+/).description }
        guard !servers.isEmpty else {
            throw NATSError(.invalid, "NATS_URL is not set: give the host the servers there, as nats://localhost:4222")
        }
        for server in servers where server.wholeMatch(of: /((nats|tls):\/\/)?[^\/\s]+\/?/) == nil {
            let text = "\(server.withoutPasswords)\" is none"
            throw NATSError(
                .invalid,
                "NATS_URL must be a list of URLs nats://… or tls://… separated by commas; \"\(text)"
            )
        }
        let credentials = self["NATS_CREDS"]
        if let credentials { try PrivateFile.check(credentials, "NATS_CREDS") }
        let timeout = try integer("NATS_TIMEOUT_MILLISECONDS", in: 100...10_000, default: 5_000)
        return ConnectionOptions(
            servers: servers,
            name: name,
            credentials: credentials,
            certificates: self["NATS_CA"],
            identity: try identity(),
            timeout: .milliseconds(timeout)
        )
    }

    /// The client's certificate and its key: `NATS_CERT` and `NATS_KEY`.
    private func identity() throws(NATSError) -> (certificate: String, key: String)? {
        switch (self["NATS_CERT"], self["NATS_KEY"]) {
        case (nil, nil): return nil
        case (let certificate?, let key?):
            try PrivateFile.check(key, "NATS_KEY")
            return (certificate, key)
        default: throw NATSError(.invalid, "NATS_CERT and NATS_KEY belong together: set both, or neither")
        }
    }
}
