import Foundation
import TestSupport
import Testing

/// `pushhost manual`, which writes the manual pages for packages.
@Suite(.waits) struct ManualTests {
    @Test("There is a manual page for each command, which names its options")
    func pages() throws {
        try withTemporaryDirectory { folder in
            let run = try CommandRun(["manual", folder])
            #expect(run.status == .code(0), "\(run.standardError)")
            let pages = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(pages.contains("pushhost.1") && pages.count > 10)
            #expect(!pages.contains("pushhost-manual.1"), "the help does not show the command either")
            for page in pages {
                let text = try String(contentsOfFile: "\(folder)/\(page)", encoding: .utf8)
                let lines = text.split(separator: "\n").map(String.init)
                #expect(lines[0].hasPrefix(".TH ") && lines[0].contains("\"pushhost "), "\(page)")
                let sections = lines.filter { $0.hasPrefix(".SH ") }.map { $0.dropFirst(5).dropLast() }
                #expect(sections.prefix(2) == ["NAME", "SYNOPSIS"], "\(page)")
                #expect(sections.last == "SEE ALSO", "\(page)")
                // A line that begins so is a request; any other use must be escaped.
                let requests = lines.filter { $0.hasPrefix(".") || $0.hasPrefix("'") }
                let known = #/\.(TH|SH|SS|TP|B|PP|RS|RE|nf|fi|nh|ad l)( ".*")*/#
                #expect(requests.filter { $0.wholeMatch(of: known) == nil } == [], "\(page)")
                let name = page.dropLast(2).split(separator: "-", maxSplits: 1)
                guard name.count == 2 else { continue }
                let help = try CommandRun([String(name[1]), "--help"]).output
                let options = help.matches(of: #/(?m)^  (?<name>--[a-z-]+)/#).map { String($0.output.name) }
                let missing = options.filter { !text.contains($0.replacing("-", with: "\\-")) }
                #expect(missing == [], "\(page)")
            }
        }
    }

    @Test("A page that cannot be written is an error that names it")
    func unwritable() throws {
        try withTemporaryDirectory { folder in
            let run = try CommandRun(["manual", "\(folder)/none"])
            #expect(run.status == .code(73))
            #expect(run.standardError.contains("\(folder)/none/pushhost.1 cannot be written: No such file"))
        }
    }
}
