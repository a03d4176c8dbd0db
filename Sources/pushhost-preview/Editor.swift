internal import JSON
internal import Platform
internal import PushClient

/// The payload that is being edited.
struct Editor {
    /// The text, which may be no JSON while it is typed.
    private(set) var text = ""
    /// Grows with each change, so that a window recognizes the echo of its own.
    private(set) var version = 0
    /// The window that made the last change; 0 if none did.
    private(set) var author = 0
    /// The payload's file; nil if the text belongs to none.
    private(set) var file: String?
    /// What the file held when it was read or written last.
    private var savedText = ""
    /// Whether the file has another text than it had then.
    private(set) var isChangedOnDisk = false

    /// Whether the text has changes that are in no file.
    var isDirty: Bool { text != savedText }

    /// Takes over the text of a window.
    mutating func edit(_ text: String, by window: Int) {
        (self.text, author) = (text, window)
        version += 1
    }

    /// Shows a file; its changes are lost.
    mutating func open(_ path: String) throws(PushFile.Problem) {
        let text = try PushFile(path).text()
        edit(text, by: 0)
        (file, savedText, isChangedOnDisk) = (path, text, false)
    }

    /// Reads the file again, which may have changed; a text with changes is kept.
    mutating func readFileAgain() {
        guard let file, let now = try? PushFile(file).text() else { return }
        isChangedOnDisk = isDirty && now != savedText && now != text
        guard now != savedText, !isChangedOnDisk else { return }
        if now != text { edit(now, by: 0) }
        savedText = now
    }

    /// Writes the text to the file.
    mutating func save() throws(SystemError) {
        guard let file else { return }
        try FileReplacement.replace(file, with: Array(text.utf8), mode: 0o644)
        (savedText, isChangedOnDisk) = (text, false)
    }

    /// The payload, or what is wrong with the text.
    var payload: Result<JSON, Finding> {
        do throws(JSONParseError) {
            let value = try JSON(authored: text)
            guard value.object != nil else {
                return .failure(
                    Finding("a payload must be a JSON object, not \(value.typeName)", line: 1, column: 1)
                )
            }
            return .success(value)
        } catch {
            return .failure(Finding(error.message, line: error.line, column: error.column))
        }
    }

    /// The message for the windows.
    ///
    /// - Parameter findings: What `checkPayload` says about the payload, or where the text is no JSON.
    /// - Returns: Its members except the type.
    func members(_ findings: [JSON]) -> [(String, JSON)] {
        [
            ("version", JSON(version)), ("author", JSON(author)), ("text", .string(text)), ("file", JSON(file)),
            ("isDirty", .bool(isDirty)), ("isChangedOnDisk", .bool(isChangedOnDisk)), ("findings", JSON(findings)),
        ]
    }

    /// A mistake in the text, with its place.
    struct Finding: Error {
        let message: String
        let line: Int
        let column: Int

        init(_ message: String, line: Int, column: Int) {
            (self.message, self.line, self.column) = (message, line, column)
        }

        /// In the form of a finding of `checkPayload`, with a line and a column in place of a path.
        var json: JSON {
            ["level": "error", "message": .string(message), "line": JSON(line), "column": JSON(column)]
        }
    }
}
