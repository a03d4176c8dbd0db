import TestSupport
import Testing

@Suite struct RepositoryTests {
    /// Split into two parts, so that this file does not contain them.
    private static let marks = ["TO" + "DO", "FIX" + "ME"]

    private func marks(in text: String) -> [String] {
        Self.marks.filter { mark in
            text.ranges(of: mark).contains { range in
                let before = text[..<range.lowerBound].last
                let after = text[range.upperBound...].first
                return [before, after].allSatisfy { $0.map { !$0.isLetter && !$0.isNumber } ?? true }
            }
        }
    }

    @Test("The top level contains the required entries and, except dotfiles, nothing else")
    func topLevel() throws {
        let entries = Set(try Repository.files().compactMap { $0.split(separator: "/").first.map(String.init) })
        let wanted: Set = ["Package.swift", "README.md", "Sources", "Tests", "plugins", "protocol"]
        let shown = entries.filter { !$0.hasPrefix(".") }
        #expect(shown.subtracting(wanted).sorted() == [], "these do not belong there")
        #expect(wanted.subtracting(shown).sorted() == [], "these are missing")
    }

    @Test("No comment contains a mark for unfinished work")
    func unfinished() throws {
        let files = try Repository.files()
        #expect(files.contains("Package.swift"))
        for file in files {
            #expect(marks(in: try Repository.text(of: file)) == [], "\(file)")
        }
    }

    @Test("No test has its own time limit, which would also count while other tests run")
    func limits() throws {
        let limit = ".time" + "Limit("
        let files = try Repository.files(under: ["Tests"]).filter { $0.hasSuffix(".swift") }
        let found = try files.filter { try Repository.text(of: $0).contains(limit) }
        #expect(found == [])
    }

    @Test("A mark for unfinished work is found, and a longer word is not")
    func planted() {
        #expect(marks(in: "// \(Self.marks[0]): later") == [Self.marks[0]])
        #expect(marks(in: "a\(Self.marks[1]) (\(Self.marks[1]))") == [Self.marks[1]])
        #expect(marks(in: "\(Self.marks[0])S and a\(Self.marks[1])") == [])
    }
}
