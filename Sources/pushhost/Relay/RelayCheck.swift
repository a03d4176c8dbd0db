internal import HostClient
internal import JSON
internal import Platform

/// Checks what a relay needs before it starts, as `doctor` does for a host, and takes no record.
struct RelayCheck {
    let source: String
    let destination: String
    let host: HostOptions
    /// Options of `serve` that say where records are delivered.
    let arguments: [String]
    /// The value of `--metrics-port`.
    let port: UInt16?

    /// Prints a line for each check, and returns the exit code.
    func run(_ signals: SignalSource) throws(ClientError) -> Int32 {
        let report = DoctorReport(isJSON: false)
        report.addFolders(of: host)
        if let port { report.add([Self.metrics(port)]) }
        try report.withHost(host, arguments, signals) { client throws(ClientError) in
            let extensions = try client.result("extensions")
            report.add(
                try BundleCheckup.findings(extensions, host.sandbox, signals) { bundle in
                    let isDestination = [source, destination].contains { bundle["destinationName"] == .string($0) }
                    return isDestination || bundle["sourceName"] == .string(source)
                }
            )
            report.add(try sourceFindings(client, extensions))
            let checkup = DestinationCheckup(destination, isNamed: true, extensions)
            report.add(checkup.variables())
            report.add(try checkup.findings(client))
        }
        return report.hasErrors ? 1 : 0
    }

    private static func metrics(_ port: UInt16) -> DoctorFinding {
        do {
            let listener = try LoopbackListener(port: port)
            defer { listener.close() }
            return .ok("metrics", "127.0.0.1:\(listener.port) is free")
        } catch {
            return .error("metrics", "127.0.0.1:\(port) cannot be used: \(error)", "name another --metrics-port")
        }
    }

    /// Whether the queue can be reached.
    ///
    /// A source has only methods that take records, so the destination of the same name is asked, which fills the queue.
    private func sourceFindings(_ client: HostClient, _ extensions: JSON) throws(ClientError) -> [DoctorFinding] {
        func names(_ member: String) -> [String] {
            Set((extensions["extensions"]?.array.map(Array.init) ?? []).compactMap { $0[member]?.string }).sorted()
        }
        guard names("sourceName").contains(source) else {
            let known = names("sourceName").isEmpty ? "there is none" : names("sourceName").joined(separator: ", ")
            return [.error("source", "there is no source \(source)", "known sources: \(known); see --plugins")]
        }
        guard names("destinationName").contains(source) else {
            let text = "\(source): no destination of this name says whether its queue can be reached"
            return [.warning("source", text, "start the relay and read /readyz")]
        }
        let checkup = DestinationCheckup(ofSource: source, extensions)
        return checkup.variables() + (try checkup.findings(client))
    }
}
