internal import ArgumentParser
internal import HostClient
internal import JSON
internal import Localization
internal import Notifications
internal import Platform
internal import PushClient

/// Values that a shell completes by asking a host with the options that the command line has so far.
enum Completions {
    /// The names of the suites.
    static let suites = CompletionKind.custom { words, _, _ in
        ask(words) { client in
            try client.result("suites")["suites"]?.array?.compactMap { $0["suite"]?.string } ?? []
        }
    }

    /// The names of destinations.
    static let destinations = CompletionKind.custom { words, _, _ in
        ask(words) { ["file"] + Set(try extensions($0, "destinationName")).sorted() }
    }

    /// The names of sources.
    static let sources = CompletionKind.custom { words, _, _ in
        ask(words) { Set(try extensions($0, "sourceName")).sorted() }
    }

    /// The locales for which the bundles have texts.
    static let locales = CompletionKind.custom { words, _, _ in
        ask(words) { client in
            let names = try extensions(client, "path").flatMap { LocalizedStrings(folder: $0).languages }
            return Set(names).subtracting(["Base"]).sorted()
        }
    }

    /// The ids of the elements that the payload's notification shows first.
    static let elements = CompletionKind.custom { words, _, _ in
        targets(words).compactMap { if case .element(let id) = $0 { id } else { nil } }
    }

    /// The identifiers of the actions of the payload's notification.
    static let actions = CompletionKind.custom { words, _, _ in
        targets(words).compactMap { if case .action(let identifier) = $0 { identifier } else { nil } }
    }

    private static func extensions(_ client: HostClient, _ member: String) throws(ClientError) -> [String] {
        try client.result("extensions")["extensions"]?.array?.compactMap { $0[member]?.string } ?? []
    }

    private static func targets(_ words: [String]) -> [Drawing.Target] {
        guard let payload = payload(words) else { return [] }
        return ask(words, ["--ephemeral"]) { client in
            let session = try PushSession(client)
            try session.push(payload.object())
            return session.shown?.targets ?? []
        }
    }

    /// Asks a host; a mistake in the command line, or an extension that fails, gives nothing to choose from.
    private static func ask<Value>(
        _ words: [String],
        _ arguments: [String] = [],
        _ body: (HostClient) throws -> [Value]
    ) -> [Value] {
        let folders = values("--plugins", words).flatMap { ["--plugins", $0] }
        let data = arguments.isEmpty ? values("--data", words).flatMap { ["--data", $0] } : []
        guard let options = try? HostOptions.parse(folders + data) else { return [] }
        let payloads = [payload(words)?.path].compactMap(\.self)
        guard
            let client = try? options.usingBundles(of: payloads).start(arguments, CommandContext.current.makeSignals())
        else { return [] }
        defer { _ = client.stop(isHasty: true) }
        return (try? body(client)) ?? []
    }

    // MARK: The command line so far

    /// The first file that is not the value of an option.
    private static func payload(_ words: [String]) -> PushFile? {
        let others = ["--profile", "--html", "--svg"]
        let pairs = zip(words.dropFirst(), words.dropFirst(2)).filter { !others.contains($0.0) }
        return pairs.map { unquoted($0.1) }.first { FileStamp(of: $0)?.kind == .file }.map { PushFile($0) }
    }

    private static func values(_ option: String, _ words: [String]) -> [String] {
        words.indices.compactMap { index in
            if words[index].hasPrefix("\(option)=") {
                return unquoted(String(words[index].dropFirst(option.count + 1)))
            }
            guard words[index] == option else { return nil }
            // bash makes a word of the equals sign.
            return words[(index + 1)...].first { $0 != "=" }.map(unquoted)
        }
    }

    /// A word without what a shell would remove from it.
    private static func unquoted(_ word: String) -> String {
        var text = ""
        var rest = word[...]
        while let character = rest.popFirst() {
            switch character {
            case "\\": if let next = rest.popFirst() { text.append(next) }
            case "'", "\"": break
            default: text.append(character)
            }
        }
        return word.hasPrefix("~/") ? FileManager.default.homeDirectoryForCurrentUser.path + text.dropFirst() : text
    }
}
