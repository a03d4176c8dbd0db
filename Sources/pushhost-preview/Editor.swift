internal import JSON
internal import Platform
internal import PushClient

/// The payload that is being edited.
struct Editor {
    /// The text, which may be no JSON while it is typed.
    private(set) var text = ""
    /// Grows with each change, so that a window recognizes the echo of its own.
    private(set) var version = 0
    /// The window that made the last change, and its number of it; 0 if none did.
    private(set) var (author, edit) = (0, 0)
    /// The payload's file; nil if the text belongs to none.
    private(set) var file: String?
    /// What the file held when it was looked at last.
    private var fileText = ""
    /// What the file held when the text was last the same.
    private var savedText = ""

    /// Whether the text has changes that are in no file.
    var isDirty: Bool { text != savedText }
    /// Whether the file has got another text since this one was its own.
    var isChangedOnDisk: Bool { isDirty && fileText != savedText && fileText != text }

    /// Takes over the text of a window.
    mutating func change(_ text: String, by window: Int, edit: Int = 0) {
        (self.text, author, self.edit) = (text, window, edit)
        version += 1
    }

    /// Shows a file; its changes are lost.
    mutating func open(_ path: String) throws(PushFile.Problem) {
        let text = try PushFile(path).text()
        change(text, by: 0)
        (file, fileText, savedText) = (path, text, text)
    }

    /// Reads the file again, which may have changed; a text with changes is kept.
    mutating func readFileAgain() {
        guard let file, let now = try? PushFile(file).text() else { return }
        fileText = now
        guard now != savedText, !isChangedOnDisk else { return }
        if now != text { change(now, by: 0) }
        savedText = now
    }

    /// Writes the text to the file.
    mutating func save() throws(SystemError) {
        guard let file else { return }
        try FileReplacement.replace(file, with: Array(text.utf8), mode: 0o644)
        (fileText, savedText) = (text, text)
    }

    /// The payload; nil while the text is none.
    var payload: JSON? {
        let value = try? JSON(authored: text)
        return value?.object == nil ? nil : value
    }

    /// The message for the windows, without its type.
    var members: [(String, JSON)] {
        change + [
            ("text", .string(text)), ("file", JSON(file)), ("isDirty", .bool(isDirty)),
            ("isChangedOnDisk", .bool(isChangedOnDisk)),
        ]
    }

    /// Which change this is.
    var change: [(String, JSON)] { [("version", JSON(version)), ("author", JSON(author)), ("edit", JSON(edit))] }

    /// What the windows compare the text with; empty if it belongs to no file.
    var fileMembers: [(String, JSON)] { [("text", .string(fileText))] }
}
