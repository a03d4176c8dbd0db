import TestSupport
import Testing

/// A mistake in a bundle, with the finding that `extensions check` must report for it.
struct BundleFlaw: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// The file or the step that the finding names.
    let place: String
    /// A part of the finding's message.
    let message: String
    let severity: String
    /// Further options of the command.
    let options: [String]
    /// Makes the mistake in a valid bundle.
    let make: @Sendable (inout CheckedBundle) -> Void

    init(
        _ description: String,
        place: String,
        message: String,
        severity: String = "error",
        options: [String] = [],
        make: @escaping @Sendable (inout CheckedBundle) -> Void
    ) {
        testDescription = description
        self.place = place
        self.message = message
        self.severity = severity
        self.options = options
        self.make = make
    }

    /// Expects that `extensions check` reports the finding and exits with the matching code.
    func expectFinding() throws {
        let run = try CheckedBundle.check(make, options)
        #expect(run.status == .code(severity == "error" ? 1 : 0), "\(run.output)")
        #expect(run.standardError == "")
        let lines = run.lines(severity)
        #expect(
            lines.contains { $0.dropFirst(9).hasPrefix(place + ": ") && $0.contains(message) },
            "\(run.output)"
        )
        if severity == "warning" { #expect(run.lines("error") == [], "\(run.output)") }
    }
}
