/// A message about a place in a file, in the compiler's format `path:line:column: error: message`.
package struct Diagnostic: Error, Equatable, Hashable, Sendable, CustomStringConvertible {
    /// How bad it is; after an error nothing is built.
    package enum Severity: String, Sendable {
        case error, warning
    }

    /// The severity.
    package let severity: Severity
    /// The file.
    package let path: String
    /// The line, from 1 on; 0 if the message is about the whole file.
    package let line: Int
    /// The column in UTF-8, from 1 on.
    package let column: Int
    /// One plain sentence without a period: what is wrong, and what to do.
    package let message: String

    /// A message about a place.
    package init(_ severity: Severity, _ path: String, line: Int = 0, column: Int = 1, _ message: String) {
        (self.severity, self.path, self.message) = (severity, path, message)
        (self.line, self.column) = (line, column)
    }

    /// The message as the compiler would print it.
    package var description: String {
        let place = line == 0 ? path : "\(path):\(line):\(column)"
        return "\(place): \(severity): \(message)"
    }
}
