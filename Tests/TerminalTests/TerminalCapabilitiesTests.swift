import Foundation
import Terminal
import Testing

@Suite struct TerminalCapabilitiesTests {
    /// What a process without a terminal sees.
    private func capabilities(_ environment: [String: String]) throws -> TerminalCapabilities {
        let null = try #require(FileHandle(forReadingAtPath: "/dev/null"))
        return TerminalCapabilities(
            environment: environment,
            input: null.fileDescriptor,
            output: null.fileDescriptor
        )
    }

    @Test(
        "The first variable of the locale that is set says whether texts are UTF-8",
        arguments: [
            (["LANG": "en_US.UTF-8"], true), (["LANG": "C.utf8"], true), (["LANG": "C"], false), ([:], false),
            (["LANG": "en_US.UTF-8", "LC_ALL": "C"], false), (["LANG": "C", "LC_CTYPE": "de_DE.UTF-8"], true),
            (["LANG": "en_US.UTF-8", "LC_ALL": ""], true),
        ] as [([String: String], Bool)]
    )
    func locale(environment: [String: String], isUTF8: Bool) throws {
        #expect(try capabilities(environment).isUTF8 == isUTF8)
    }

    @Test(
        "COLORFGBG says whether the background is light",
        arguments: [("0;15", .light), ("0;default;7", .light), ("15;0", .dark), ("", .dark)]
            as [(String, TerminalCapabilities.Appearance)]
    )
    func appearance(colors: String, appearance: TerminalCapabilities.Appearance) throws {
        #expect(try capabilities(["COLORFGBG": colors]).appearance == appearance)
    }

    @Test("Without a terminal there are neither colours nor keys, and COLUMNS is the width")
    func noTerminal() throws {
        let found = try capabilities(["TERM": "xterm", "COLUMNS": "132"])
        #expect(!found.hasColor && !found.isInteractive)
        #expect(found.columns == 132)
        #expect(try capabilities(["COLUMNS": "wide"]).columns == 80)
    }

    @Test("CLICOLOR_FORCE asks for colours without a terminal, and NO_COLOR is stronger")
    func forcedColor() throws {
        #expect(try capabilities(["CLICOLOR_FORCE": "1"]).hasColor)
        #expect(try !capabilities(["CLICOLOR_FORCE": "0"]).hasColor)
        #expect(try !capabilities(["CLICOLOR_FORCE": "1", "NO_COLOR": "1"]).hasColor)
    }

    @Test("A style is written as one escape sequence before the text and one after it")
    func style() {
        #expect(TerminalStyle(.cyan, bold: true).apply(to: "x") == "\u{1B}[1;36mx\u{1B}[0m")
        #expect(TerminalStyle().apply(to: "x") == "x")
        #expect(TerminalStyle(.red).apply(to: "").isEmpty)
    }
}
