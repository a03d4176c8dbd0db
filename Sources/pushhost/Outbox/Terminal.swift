internal import Foundation
internal import Platform

/// Lines for people; text from outside must be escaped before it gets here, except for errors and warnings.
enum Terminal {
    static func writeError(_ text: String) { write("Error: \(PlainText.escaped(text))\n", to: .standardError) }

    static func writeWarning(_ text: String) { write("Warning: \(PlainText.escaped(text))\n", to: .standardError) }

    static func write(_ text: String, to file: FileHandle = .standardOutput) {
        // A reader that has gone away ends this process by SIGPIPE, as with any other program.
        try? file.write(contentsOf: Data(text.utf8))
    }
}
