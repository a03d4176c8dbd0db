import Foundation
import JSON
import Platform

@testable import LanguageServer
@testable import Localization
@testable import PropertyLists
@testable import Recording
@testable import Records

extension FuzzTarget {
    static let files = [
        FuzzTarget("plist", checkPropertyList), FuzzTarget("strings", checkStrings),
        FuzzTarget("catalog", checkCatalog), FuzzTarget("format", checkFormat), FuzzTarget("syntax", checkSyntax),
        FuzzTarget("recording", checkRecording),
    ]
}

// MARK: Property lists

/// A file is read in slices as at once, and what is written again, in both formats, is read as the same.
private func checkPropertyList(_ bytes: [UInt8]) throws {
    let value: PropertyListValue
    do throws(PropertyListError) {
        value = try PropertyListValue(propertyList: bytes)
    } catch {
        try require(!error.reason.isEmpty && !error.message.isEmpty, "the error has no text")
        return
    }
    var reader = try PropertyListReader(bytes)
    var sliced: PropertyListValue?
    while sliced == nil { sliced = try reader.read { false } }
    // Not a number is unequal to itself, so texts are compared.
    try require("\(value)" == "\(sliced ?? .bool(false))", "in slices it is another value")
    guard size(value) < 5_000 else { return }
    let binary = try PropertyListValue(propertyList: BinaryPropertyListWriter.write(value))
    try require("\(binary)" == "\(value)", "as a binary file \(value) became \(binary)")
    guard canBeXML(value) else { return }
    let text = XMLPropertyListWriter.write(value)
    let xml = try PropertyListValue(propertyList: text)
    try require("\(xml)" == "\(value)", "as XML \(value) became \(xml)")
    try require(SyntaxTree(text, .propertyList).root != nil, "an editor finds nothing in it")
}

private func size(_ value: PropertyListValue) -> Int {
    switch value {
    case .array(let values): values.reduce(1) { $0 + size($1) }
    case .dictionary(let members): members.reduce(1) { $0 + size($1.value) }
    default: 1
    }
}

/// Whether XML has all of a value: it has neither all characters nor parts of seconds, and takes a dictionary for a UID.
private func canBeXML(_ value: PropertyListValue) -> Bool {
    switch value {
    case .string(let text): XMLPropertyListWriter.canWrite(text)
    case .real(let number): number.isFinite
    case .date(let seconds): seconds == seconds.rounded() && (-62_167_219_200..<253_402_300_800).contains(seconds)
    case .array(let values): values.allSatisfy(canBeXML)
    case .dictionary(let members):
        members.allSatisfy { XMLPropertyListWriter.canWrite($0.key) && $0.key != "CF$UID" && canBeXML($0.value) }
    case .integer, .unsigned, .bool, .data, .uid: true
    }
}

// MARK: Texts

/// Texts of a `.strings` file are the same when they are written again, and an editor reads the same.
private func checkStrings(_ bytes: [UInt8]) throws {
    let texts: [String: String]
    do throws(BundleFile.Failure) {
        texts = try StringsFile(bytes).texts
    } catch {
        try require(!error.message.isEmpty && (error.line ?? 1) > 0, "\(error)")
        return
    }
    let file = texts.map { "\($0.key.quotedInStringsFile) = \($0.value.quotedInStringsFile);\n" }.joined()
    let again = try StringsFile(Array(file.utf8)).texts
    try require(again == texts, "\(texts) became \(again)")
    var read: [String: String] = [:]
    for (key, text) in SyntaxTree(Array(file.utf8), .strings).value.object ?? [:] { read[key] = text.string }
    try require(read == texts, "an editor reads \(read) in place of \(texts)")
}

/// Texts of a catalog, and of a `.stringsdict`, are the same after the way to a kit, and can be filled.
private func checkCatalog(_ bytes: [UInt8]) throws {
    var texts: [LocalizedText] = []
    do throws(BundleFile.Failure) {
        if bytes.first == UInt8(ascii: "{") {
            texts = try StringCatalog(bytes).texts.values.flatMap(\.values)
        } else {
            texts = try StringsDictionary.texts(bytes, PluralRules(language: "ru")).map(\.value)
        }
    } catch {
        try require(!error.message.isEmpty, "the error has no text")
    }
    for text in texts.prefix(50) {
        let read = try require(LocalizedText(text.json), "the text is not read again")
        try require(read == text, "\(text) became \(read)")
        for arguments in [[], ["1"], ["5", "-22"], ["x", "", "9223372036854775807"]] {
            let filled = text.filled(arguments)
            try require(filled == read.filled(arguments), "the texts are filled in two ways")
            try require(filled.text.utf8.count <= TextFormat.limit + 100, "the text is too long")
        }
    }
}

/// A format takes any arguments, and one without placeholders and percent signs stays as it is.
private func checkFormat(_ input: [UInt8]) throws {
    var input = FuzzInput(input)
    let arguments = (0..<(input.byte() % 4)).map { _ in input.text() }
    let format = String(decoding: input.bytes, as: UTF8.self)
    let filled = TextFormat(format, arguments)
    try require(filled.text.utf8.count <= TextFormat.limit + 100, "the text is too long")
    guard !format.utf8.contains(UInt8(ascii: "%")), format.utf8.count <= TextFormat.limit else { return }
    try require(filled.text == format, "the text is another one")
}

/// An editor's tree of valid JSON is its value without mistakes; every part of a tree is within the text.
private func checkSyntax(_ input: [UInt8]) throws {
    var input = FuzzInput(input)
    let language = input.choice([SyntaxTree.Language.json, .jsonLines, .propertyList, .strings])
    let bytes = input.bytes
    let tree = SyntaxTree(bytes, language)
    if let root = tree.root { try checkRanges(root, bytes.count) }
    for mistake in tree.mistakes {
        try require(!mistake.message.isEmpty && mistake.range.upperBound <= bytes.count, "\(mistake)")
    }
    guard case .json = language, bytes.count < 4_096 else { return }
    if let value = try? JSON(parsing: bytes), value.nests(within: 100) {
        try require(tree.mistakes.isEmpty, "valid JSON has the mistakes \(tree.mistakes)")
        try require(tree.value == value, "\(value) became \(tree.value)")
    } else if bytes.withUnsafeBytes({ $0.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } }) != nil {
        try require((try? JSON(parsing: bytes)) != nil || !tree.mistakes.isEmpty, "no mistake is found in it")
    }
}

private func checkRanges(_ node: SyntaxTree.Node, _ count: Int) throws {
    try require(node.range.upperBound <= count, "a value ends behind the text")
    switch node {
    case .object(let members, let range, _):
        for member in members {
            try require(member.nameRange.upperBound <= range.upperBound, "a name ends behind its object")
            if let value = member.value { try checkRanges(value, range.upperBound) }
        }
    case .array(let elements, let range, _): for element in elements { try checkRanges(element, range.upperBound) }
    case .scalar: break
    }
}

// MARK: Recordings

/// A session is refused with its file's name, or it repeats itself.
private func checkRecording(_ bytes: [UInt8]) throws {
    let folder = try TemporaryFolder(prefix: "fuzz-recording")
    defer { folder.remove() }
    let path = "\(folder.path)/a.jsonl"
    // A line of its own stands before the replies.
    let parts = bytes.split(separator: Array("\n====\n".utf8), maxSplits: 1, omittingEmptySubsequences: false)
    try Data(parts[0]).write(to: URL(filePath: path))
    if parts.count > 1 { try Data(parts[1]).write(to: URL(filePath: "\(folder.path)/a.replies.jsonl")) }
    let session: RecordedSession
    do throws(RecordedSession.Problem) {
        session = try RecordedSession(path: path, mayLackReplies: true)
    } catch {
        try require(error.description.hasPrefix(folder.path), "the problem names no file: \(error)")
        return
    }
    if let header = session.header {
        let again = try require(RecordingHeader(header.json), "the header is not read again")
        try require(again.json == header.json, "\(header.json) became \(again.json)")
    }
    let volatile = VolatileMembers(session.settings)
    let strict = StrictComparison(session, session, volatile).differences
    try require(strict.isEmpty, "it differs from itself: \(strict.map(\.title))")
    for mayHaveMore in [false, true] {
        let found = ReplyComparison(session, session, volatile, mayHaveMore: mayHaveMore).differences
        let isKnown = found.allSatisfy { $0.title.contains("it is not") }
        try require(isKnown, "its replies differ from themselves: \(found.map(\.title))")
    }
}
