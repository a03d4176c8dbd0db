internal import PhoneDiagnostics
internal import SwiftParser
internal import SwiftSyntax

/// A source file with its tree, and the changes of its copy.
struct SourceText {
    /// The engineer's file.
    let path: String
    /// The syntax of the file.
    let tree: SourceFileSyntax

    private let bytes: [UInt8]
    private let converter: SourceLocationConverter
    private var edits: [Edit] = []

    private struct Edit {
        let range: Range<Int>
        let text: [UInt8]
    }

    /// Parses a file.
    init(path: String, text: String) {
        self.path = path
        bytes = Array(text.utf8)
        tree = Parser.parse(source: text)
        converter = SourceLocationConverter(fileName: path, tree: tree)
    }

    // MARK: Places

    /// The line of a position, from 1 on.
    func line(_ position: AbsolutePosition) -> Int { converter.location(for: position).line }

    /// A message about a node.
    func diagnostic(_ severity: Diagnostic.Severity, _ node: some SyntaxProtocol, _ message: String) -> Diagnostic {
        let location = converter.location(for: node.positionAfterSkippingLeadingTrivia)
        return Diagnostic(severity, path, line: location.line, column: location.column, message)
    }

    // MARK: Changes

    /// Puts blanks in place of a node, so that every line and column after it stays.
    mutating func blank(_ node: some SyntaxProtocol) {
        let range = range(of: node)
        edits.append(Edit(range: range, text: bytes[range].map { $0 == 0x0A || $0 == 0x0D ? $0 : 0x20 }))
    }

    /// Puts a text in place of a node, with blanks and line breaks behind it so that what follows stays where it is.
    mutating func replace(_ node: some SyntaxProtocol, with text: String) {
        let range = range(of: node)
        let missing = max(range.count - text.utf8.count, 0)
        let breaks = bytes[range].count { $0 == 0x0A }
        let padding: [UInt8] = Array(repeating: breaks > 0 ? 0x0A : 0x20, count: breaks > 0 ? breaks : missing)
        edits.append(Edit(range: range, text: Array(text.utf8) + padding))
    }

    /// Puts a text at a position.
    mutating func insert(_ text: String, at position: AbsolutePosition) {
        edits.append(Edit(range: position.utf8Offset..<position.utf8Offset, text: Array(text.utf8)))
    }

    /// Takes a node with its changes out of the text, and leaves its lines empty.
    ///
    /// - Parameter node: The node.
    /// - Returns: The changed text of the node in its own column.
    mutating func take(_ node: some SyntaxProtocol) -> String {
        let range = range(of: node)
        let inner = edits.filter { range.contains($0.range.lowerBound) }
        edits.removeAll { range.contains($0.range.lowerBound) }
        let column = converter.location(for: node.positionAfterSkippingLeadingTrivia).column
        blank(node)
        return String(repeating: " ", count: column - 1) + Self.applied(inner, to: bytes, in: range)
    }

    private func range(of node: some SyntaxProtocol) -> Range<Int> {
        node.positionAfterSkippingLeadingTrivia.utf8Offset..<node.endPositionBeforeTrailingTrivia.utf8Offset
    }

    /// The changed text; a change within another one is left out.
    var changed: String { Self.applied(edits, to: bytes, in: 0..<bytes.count) }

    private static func applied(_ edits: [Edit], to bytes: [UInt8], in range: Range<Int>) -> String {
        var result: [UInt8] = []
        var position = range.lowerBound
        let sorted = edits.enumerated().sorted {
            ($0.element.range.lowerBound, -$0.element.range.upperBound, $0.offset)
                < ($1.element.range.lowerBound, -$1.element.range.upperBound, $1.offset)
        }
        for edit in sorted.map(\.element) where edit.range.lowerBound >= position {
            result += bytes[position..<edit.range.lowerBound] + edit.text
            position = edit.range.upperBound
        }
        return String(decoding: result + bytes[position..<range.upperBound], as: UTF8.self)
    }
}
