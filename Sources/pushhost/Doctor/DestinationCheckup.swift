internal import HostClient
internal import JSON
internal import Platform
internal import Spelling

/// Checks the destination: its variables, whether it can be reached and accepts the key, and its clock.
struct DestinationCheckup {
    /// What the lines call it.
    private let role: String
    /// From this difference of the clocks on there is a warning, in milliseconds; a date of HTTP has whole seconds.
    private static let noticeable: Int64 = 30_000
    /// From this difference on there is an error: the times of events are wrong.
    private static let wrong: Int64 = 600_000

    private let destination: String
    /// Whether the command line names the destination.
    private let isNamed: Bool
    /// The names of the variables that the destination of a bundle reads.
    private let names: [String]

    init(_ destination: String, isNamed: Bool, _ extensions: JSON) {
        self.destination = destination
        self.isNamed = isNamed
        role = "destination"
        names = Self.environment(extensions) { $0["destinationName"]?.string == destination }
    }

    /// A check of the destination that has the name of a source, because it fills the queue that the source reads.
    init(ofSource source: String, _ extensions: JSON) {
        destination = source
        isNamed = true
        role = "source"
        names = Self.environment(extensions) { [$0["destinationName"], $0["sourceName"]].contains(.string(source)) }
    }

    /// The names of the variables that some bundles read.
    private static func environment(_ extensions: JSON, of bundles: (JSON) -> Bool) -> [String] {
        (extensions["extensions"]?.array.map(Array.init) ?? []).filter(bundles)
            .flatMap { $0["environment"]?.array?.compactMap(\.string) ?? [] }
    }

    private var environment: [String: String] { CommandContext.current.environment }

    /// Whether any variable of the destination is set; those of proxies say nothing about it.
    private var isConfigured: Bool {
        names.contains { !$0.lowercased().hasSuffix("_proxy") && environment[$0]?.isEmpty == false }
    }

    /// Variables that are set, look like those of the destination and are not read by it.
    func variables() -> [DoctorFinding] {
        foreign().map { variable, meant in
            .warning(
                "variables",
                "\(variable) is set, but \(destination) does not read it",
                meant.map { "did you mean \($0)?" } ?? "it reads \(known.joined(separator: ", "))"
            )
        }
    }

    /// A sentence about each such variable that is nearly one of the destination.
    func misspellings() -> [String] {
        foreign().compactMap { variable, meant in
            meant.map { "\(variable) is set, but \(destination) does not read it; did you mean \($0)?" }
        }
    }

    private var known: [String] { names.filter { !$0.lowercased().hasSuffix("_proxy") } }

    private func foreign() -> [(variable: String, meant: String?)] {
        // The prefix of the destination's own variables, such as BRAZE_.
        let prefixes = Set(known.compactMap { name in name.firstIndex(of: "_").map { String(name[...$0]) } })
        return environment.keys.sorted().compactMap { variable in
            guard !names.contains(variable), prefixes.contains(where: variable.hasPrefix) else { return nil }
            return (variable, EditDistance.nearest(variable, in: known))
        }
    }

    /// Whether the destination can be reached and accepts records, and whether the clocks agree.
    func findings(_ client: HostClient) throws(ClientError) -> [DoctorFinding] {
        let check: JSON
        do throws(ClientError) {
            check = try client.result("checkDestination", ["to": .string(destination)])
        } catch {
            guard case .refused(let refusal) = error else { throw error }
            let isUnknown = refusal.reason == "unknownDestination" && !isNamed
            let isLesser = isUnknown || refusal.reason == "unsupportedByDestination"
            let text = "\(destination): \(refusal.message)"
            return [isLesser ? .warning(role, text) : .error(role, text)]
        }
        return [reachability(check)] + [clock(check)].compactMap(\.self)
    }

    private func reachability(_ check: JSON) -> DoctorFinding {
        let time = check["milliseconds"]?.integer.map { " (\($0) ms)" } ?? ""
        let text = "\(destination): \(check["message"]?.string ?? "")\(time)"
        let isReachable = check["reachable"]?.bool == true
        if isReachable, check["accepted"]?.bool == true { return .ok(role, text) }
        if isReachable, check["accepted"] == nil { return .warning(role, text, "try again later") }
        guard isNamed || isConfigured || names.isEmpty else {
            return .warning(role, "\(text)", "nothing is wrong if you do not deliver to it")
        }
        return .error(role, text, isReachable ? nil : "check its variables and the network")
    }

    private func clock(_ check: JSON) -> DoctorFinding? {
        guard let date = check["date"]?.string, let server = Timestamp.parse(date) else { return nil }
        let difference = Int64(Date().timeIntervalSince1970 * 1000) - server
        let seconds = abs(difference) / 1_000
        guard abs(difference) >= Self.noticeable else { return .ok("clock", "agrees with that of \(destination)") }
        let text = "this machine is \(seconds) s \(difference > 0 ? "ahead of" : "behind") \(destination)"
        let advice = "set the clock: events are saved with its time"
        return abs(difference) < Self.wrong ? .warning("clock", text, advice) : .error("clock", text, advice)
    }
}
