internal import HostClient
internal import JSON

/// Checks the suites: which cannot be read, and what waits in them.
enum SuiteCheckup {
    static func findings(_ client: HostClient) throws(ClientError) -> [DoctorFinding] {
        let name = "suites"
        let suites = try client.result("suites")["suites"]?.array.map(Array.init) ?? []
        let errors = suites.compactMap { suite -> DoctorFinding? in
            suite["error"]?["message"]?.string.map { .error(name, "\(suite["suite"]?.string ?? ""): \($0)") }
        }
        func sum(_ member: String) -> Int64 { suites.reduce(0) { $0 + ($1[member]?.integer ?? 0) } }
        let (pending, letters) = (sum("pending"), sum("deadLetters"))
        let text =
            "\(suites.count) \(suites.count == 1 ? "suite" : "suites"), \(pending) pending, \(letters) dead letters"
        let whole: DoctorFinding =
            letters == 0 ? .ok(name, text) : .warning(name, text, "pushhost dead-letters lists them with their reasons")
        return errors + [whole]
    }
}
