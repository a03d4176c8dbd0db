internal import ArgumentParser
internal import JSON
internal import Platform

/// Writes the manual pages; only those who make packages need it, so the help does not show it.
struct ManualCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "manual",
        abstract: "Write the manual pages into a folder.",
        shouldDisplay: false
    )

    @Argument(help: "The folder.", completion: .directory)
    var folder: String

    func validate() throws {
        guard !folder.isEmpty else { throw ValidationError("the folder has an empty name; name a folder") }
    }

    func run() throws {
        for page in ManualPage.all() {
            let path = "\(Paths.absolute(folder))/\(page.name).1"
            do throws(SystemError) {
                try WholeFile.write(Data(page.text.utf8), to: URL(fileURLWithPath: path))
            } catch {
                console.writeError("\(path) cannot be written: \(error)")
                throw ExitCode(EX_CANTCREAT)
            }
        }
    }
}

/// A manual page in the language of man(7), made from what the parser knows of a command.
struct ManualPage {
    /// The name of the page: the words of the command, with hyphens.
    let name: String
    let text: String

    /// The page of the program, and one for each of its commands.
    static func all() -> [ManualPage] {
        guard let root = (try? JSON(parsing: Pushhost._dumpHelp()))?["command"] else { return [] }
        let program = Command(type: Pushhost.self, description: root, words: ["pushhost"])
        let commands = program.commands
        let names = commands.map(\.page)
        return [ManualPage(program, isWhole: false, seeAlso: names)]
            + commands.map { ManualPage($0, isWhole: true, seeAlso: [program.page]) }
    }

    /// A command with its description by the parser.
    private struct Command {
        let type: any ParsableCommand.Type
        let description: JSON
        let words: [String]

        /// The name of its page.
        var page: String { words.joined(separator: "-") }
        /// What starts it.
        var line: String { words.joined(separator: " ") }
        /// The commands below it that the help shows.
        var commands: [Command] {
            let descriptions = description["subcommands"]?.array.map(Array.init) ?? []
            return type.configuration.subcommands.filter { $0.configuration.shouldDisplay }.compactMap { type in
                guard let name = type.configuration.commandName,
                    let description = descriptions.first(where: { $0["commandName"]?.string == name })
                else { return nil }
                return Command(type: type, description: description, words: words + [name])
            }
        }
    }

    /// The page of a command; a whole one also documents the commands below it.
    private init(_ command: Command, isWhole: Bool, seeAlso: [String]) {
        name = command.page
        let configuration = command.type.configuration
        var page = RoffText()
        page.request("TH", [command.page.uppercased(), "1", "", "pushhost \(Version.program)", "User Commands"])
        page.alignLeft()
        page.section("NAME")
        page.text("\(command.page) - \(configuration.abstract)")
        page.section("SYNOPSIS")
        page.text(Pushhost.usageString(for: command.type))
        if !configuration.discussion.isEmpty {
            page.section("DESCRIPTION")
            page.discussion(configuration.discussion)
        }
        Self.add(command, to: &page, isSubsection: false)
        if !command.commands.isEmpty {
            page.section("COMMANDS")
            for inner in command.commands {
                if isWhole {
                    page.subsection(inner.line)
                    page.text(inner.type.configuration.abstract)
                    page.request("PP")
                    page.text(Pushhost.usageString(for: inner.type))
                    page.request("PP")
                    page.discussion(inner.type.configuration.discussion)
                    Self.add(inner, to: &page, isSubsection: true)
                } else {
                    page.item(inner.line, "\(inner.type.configuration.abstract) See \(inner.page)(1).")
                }
            }
        }
        page.section("SEE ALSO")
        page.text(seeAlso.map { "\($0)(1)" }.joined(separator: ", "))
        text = page.text
    }

    /// Adds the arguments and options, with the headings that the help has.
    private static func add(_ command: Command, to page: inout RoffText, isSubsection: Bool) {
        let arguments = (command.description["arguments"]?.array.map(Array.init) ?? [])
            .filter { $0["shouldDisplay"]?.bool != false && (!isSubsection || !isCommon($0)) }
        var titles: [String] = []
        let groups = Dictionary(grouping: arguments) { argument in
            let other = argument["kind"]?.string == "positional" ? "Arguments" : "Options"
            let title = argument["sectionTitle"]?.string ?? other
            if !titles.contains(title) { titles.append(title) }
            return title
        }
        let last = "Options"
        for title in titles.filter({ $0 != last }) + titles.filter({ $0 == last }) {
            if !isSubsection { page.section(title.uppercased()) }
            for argument in groups[title] ?? [] { page.item(label(argument), explanation(argument)) }
        }
    }

    /// Whether an option is one that every command has.
    private static func isCommon(_ argument: JSON) -> Bool {
        ["help", "version"].contains(argument["preferredName"]?["name"]?.string ?? "")
    }

    private static func label(_ argument: JSON) -> String {
        let value = "<\(argument["valueName"]?.string ?? "value")>"
        let names = (argument["names"]?.array.map(Array.init) ?? []).map { name in
            (name["kind"]?.string == "long" ? "--" : "-") + (name["name"]?.string ?? "")
        }
        switch argument["kind"]?.string {
        case "positional": return value
        case "flag": return names.joined(separator: ", ")
        default: return "\(names.joined(separator: ", ")) \(value)"
        }
    }

    private static func explanation(_ argument: JSON) -> String {
        let values = (argument["allValues"]?.array.map(Array.init) ?? []).compactMap(\.string)
        let notes = [
            values.isEmpty ? nil : "values: \(values.joined(separator: ", "))",
            argument["defaultValue"]?.string.map { "default: \($0)" },
        ]
        .compactMap(\.self)
        let text = argument["abstract"]?.string ?? ""
        return notes.isEmpty ? text : "\(text) (\(notes.joined(separator: "; ")))"
    }
}

/// A text in the language of man(7).
private struct RoffText {
    private(set) var text = ""

    /// Adds a request with its arguments.
    mutating func request(_ name: String, _ arguments: [String] = []) {
        let quoted = arguments.map { "\"\(Self.escaped($0).replacing("\"", with: "\\(dq"))\"" }
        text += ([".\(name)"] + quoted).joined(separator: " ") + "\n"
    }

    /// Keeps spaces as they are, and breaks no word, so that commands can be copied.
    mutating func alignLeft() { text += ".ad l\n.nh\n" }

    mutating func section(_ title: String) { request("SH", [title]) }

    mutating func subsection(_ title: String) { request("SS", [title]) }

    /// Adds running text.
    mutating func text(_ line: String) {
        let line = Self.escaped(line)
        // At the beginning of a line these two start a request.
        text += (line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" : "") + line + "\n"
    }

    /// Adds an option or a command with its explanation.
    mutating func item(_ label: String, _ explanation: String) {
        request("TP")
        request("B", [label])
        text(explanation)
    }

    /// Adds a text as the help has it: paragraphs, and indented lines that are kept as they are.
    mutating func discussion(_ lines: String) {
        var isVerbatim = false
        for line in lines.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            let isIndented = line.hasPrefix("  ")
            if isIndented != isVerbatim {
                request(isIndented ? "RS" : "fi")
                request(isIndented ? "nf" : "RE")
                isVerbatim = isIndented
            }
            if isIndented {
                text(String(line.dropFirst(2)))
            } else if line.isEmpty {
                request("PP")
            } else {
                text(line)
            }
        }
        if isVerbatim {
            request("fi")
            request("RE")
        }
    }

    /// A hyphen is escaped, because an option must be copied with the sign that was typed.
    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
    }
}
