/// Why nothing can be delivered before an operator changed something.
struct ConfigurationProblem: Error, Equatable {
    let message: String

    init(_ message: String) { self.message = message }
}
