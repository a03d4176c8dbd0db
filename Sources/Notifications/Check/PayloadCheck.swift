internal import Contract
package import JSON
internal import JSONRPC
package import Localization
internal import Spelling

/// Checks a payload without delivering it.
package struct PayloadCheck {
    /// An extension that shows notifications, as far as payloads depend on it.
    package struct ContentExtension {
        package let identifier: String
        package let categories: [String]
        /// The key-value pairs that it declares.
        package let keys: [UserInfoKey]
        package let strings: LocalizedStrings?

        package init(identifier: String, categories: [String], keys: [UserInfoKey], strings: LocalizedStrings? = nil) {
            self.identifier = identifier
            self.categories = categories
            self.keys = keys
            self.strings = strings
        }
    }

    /// What the host knows besides the payload.
    package struct Surroundings {
        /// The content extensions, the one that shows a category first.
        package var extensions: [ContentExtension] = []
        /// The identifiers of the registered categories, whose notifications have buttons and no extension.
        package var categories: Set<String> = []
        /// Why the category of a bundle, or every bundle, may be missing; nil if there is no such problem.
        package var problem: String?
        /// Where extensions were looked for, for people.
        package var folders = ""
        package var locale = "en"
        /// The texts of the app; nil if they are not known.
        package var app: LocalizedStrings?
        /// How deep a payload may nest.
        package var depth = 512
        /// Whether the payload's texts are templates that Braze renders.
        package var isTemplate = false
        /// Whether the payload is a rendered template, in which anything that looks like Liquid is plain text.
        package var isRendered = false
        /// The text that was parsed, in which findings get their places; nil for a payload that came as a value.
        package var text: [UInt8]?
        /// What the extension that renders templates found.
        package var templateFindings: [PayloadFinding] = []

        package init() {}
    }

    package let size: PayloadSize
    /// The identifier of the extension that shows the notification; nil if the system shows it or nobody does.
    package private(set) var shownBy: String?
    /// Errors first, then warnings; otherwise in the order in which they were found.
    package private(set) var findings: [PayloadFinding] = []

    private let surroundings: Surroundings

    package init(_ payload: JSON, _ surroundings: Surroundings) {
        self.surroundings = surroundings
        size = PayloadSize(payload)
        findings = surroundings.templateFindings
        check(payload)
        let levels = PayloadFinding.Level.allCases
        findings = levels.flatMap { level in findings.filter { $0.level == level } }
        // Each place is searched for from the start of the text.
        guard let text = surroundings.text, text.count <= 16 * Payload.limit else { return }
        for index in findings.indices { findings[index].place = TextPlace.find(findings[index].path, in: text) }
    }

    /// The check of a text that is not JSON.
    package init(_ error: JSONParseError, _ surroundings: Surroundings) {
        self.surroundings = surroundings
        size = PayloadSize(bytes: surroundings.text?.count ?? 0)
        add(.error, "invalidJSON", "", "it is not JSON: \(error.message)", "correct the syntax there")
        findings[0].place = TextPlace(error)
    }

    /// The result on the wire.
    package var json: JSON {
        [
            "bytes": JSON(size.bytes), "limit": JSON(Payload.limit), "extension": JSON(shownBy),
            "shares": JSON(size.shares.map { ["key": .string($0.key), "bytes": JSON($0.bytes)] }),
            "findings": JSON(findings.map(\.json)),
        ]
    }

    private mutating func add(
        _ level: PayloadFinding.Level,
        _ reason: String,
        _ path: String,
        _ message: String,
        _ advice: String
    ) {
        findings.append(PayloadFinding(level, reason, path, message, advice))
    }

    private mutating func check(_ json: JSON) {
        let skeleton = "write {\"aps\":{\"alert\":\"…\",\"category\":\"…\"}}"
        guard let object = json.object else {
            return add(.error, "invalidPayload", "", "a payload is an object, it is \(json.typeName)", skeleton)
        }
        if let finding = size.finding(isTemplate: surroundings.isTemplate) { findings.append(finding) }
        // No phone gets a payload of this size, and comparing all its names would keep the host busy.
        guard size.bytes <= 16 * Payload.limit else { return }
        var payload: Payload
        do throws(RPCError) {
            payload = try Payload(
                object,
                path: "",
                depth: surroundings.depth,
                isRendered: surroundings.isTemplate || surroundings.isRendered,
                limit: .max
            )
        } catch {
            let path = error.data?["path"]?.string ?? ""
            add(
                .error,
                "invalidPayload",
                path,
                error.message,
                object["aps"]?.object == nil ? skeleton : "nest it less deeply"
            )
            return checkKeys(object, nil)
        }
        if let kind = ActivityCheck.kind(of: object), let aps = object["aps"]?.object {
            findings += ActivityCheck(aps, kind).findings
            // What else is read of a payload is that of a notification.
            findings += payload.diagnostics.filter {
                $0.reason == "unrenderedLiquid"
                    || $0.reason == "misspeltKey" && $0.path?.hasPrefix("/aps/alert/") == false
            }
            .map { PayloadFinding($0, isShownByExtension: false) }
            return
        }
        let content = surroundings.extensions.first { $0.categories.contains(payload.category) }
        shownBy = payload.hasAlert ? content?.identifier : nil
        payload.localize(
            LocalizedTextSource(
                bundle: content.flatMap { content in content.strings.map { (content.identifier, $0) } },
                app: surroundings.app,
                locale: surroundings.locale
            )
        )
        findings += payload.diagnostics.map { PayloadFinding($0, isShownByExtension: content != nil) }
        checkAlert(payload)
        if content == nil { checkCategory(payload.category) }
        checkMutability(payload)
        findings += SoundCheck(object["aps"]?["sound"]).findings
        checkKeys(object, content)
    }

    private mutating func checkAlert(_ payload: Payload) {
        guard !payload.hasAlert else { return }
        let text = "there is no text in title, subtitle or body, so a phone shows nothing and runs no extension"
        let isSilent = payload.isContentAvailable
        let advice = isSilent ? "change nothing if it is meant for the app alone" : "add \"alert\" to aps"
        add(isSilent ? .information : .warning, "noAlert", payload.alertPath, text, advice)
    }

    private mutating func checkCategory(_ category: String) {
        let unknown = UnknownCategory(
            category,
            known: surroundings.extensions.flatMap(\.categories),
            problem: surroundings.problem,
            folders: surroundings.folders
        )
        if category.isEmpty {
            let advice = "add \"category\" to aps if an extension is meant to show it"
            return add(.information, "noExtension", "/aps", unknown.message, advice)
        }
        let path = "/aps/category"
        if surroundings.categories.contains(category) {
            let text =
                "\(category) is a registered category without an extension, so the system shows it with its buttons"
            return add(.information, "noExtension", path, text, "change nothing if that is meant")
        }
        var advice = unknown.advice
        if let problem = surroundings.problem { advice += "; note \(problem)" }
        add(unknown.near.isEmpty ? .warning : .error, "noExtension", path, unknown.message, advice)
    }

    private mutating func checkMutability(_ payload: Payload) {
        guard let value = payload.mutableContent, value != 0, value != 1 else { return }
        let text = "mutable-content must be the integer 1, it is \(value.excerpt()), so no service extension runs"
        add(.error, "serviceSkipped", "/aps/mutable-content", text, "write 1")
    }

    private mutating func checkKeys(_ object: JSON.Object, _ content: ContentExtension?) {
        if let content {
            findings += DeclaredKeysCheck(object, content).findings
        }
        let known = Set(findings.map(\.path))
        for (name, _) in object["aps"]?.object ?? JSON.Object([]) where !MisspeltKeys.isMemberOfAps(name) {
            let path = "/aps/" + JSONPointer.escape(name)
            guard !known.contains(path) else { continue }
            let text = "\(name.excerpt()) is not a member of aps, so a phone ignores it"
            add(.warning, "misplacedKey", path, text, "move it out of aps")
        }
        findings += BrazeKeysCheck(object, declared: content?.keys ?? [], size: size).findings
    }
}

/// A category that no extension registered, with names that may have been meant.
package struct UnknownCategory {
    private let category: String
    private let known: [String]
    private let problem: String?
    private let folders: String
    /// The registered categories that may have been meant; sorted.
    let near: [String]

    /// - Parameters:
    ///   - category: The category; empty if the payload names none.
    ///   - known: The categories that extensions registered.
    ///   - problem: Why a bundle's category may be missing; nil if no bundle has such a problem.
    ///   - folders: Where extensions were looked for, for people.
    package init(_ category: String, known: [String], problem: String?, folders: String) {
        self.category = category
        self.known = Set(known).sorted()
        self.problem = problem
        self.folders = folders
        near = self.known.filter { EditDistance.isNear($0, category) }
    }

    /// Why the system shows the notification itself, and what was perhaps meant.
    package var text: String {
        guard !category.isEmpty else { return message }
        return message + "; " + advice + (problem.map { "; note \($0)" } ?? "")
    }

    /// Why the system shows the notification itself.
    var message: String {
        category.isEmpty
            ? "the payload names no category, so no extension shows it"
            : "no extension registered the category \(category)"
    }

    /// What was perhaps meant.
    var advice: String {
        if !near.isEmpty { return "did you mean \(near.joined(separator: " or "))?" }
        return known.isEmpty ? "there are no extensions in \(folders)" : "there are \(known.joined(separator: ", "))"
    }
}

/// Checks the dictionary for the sound of a critical alert (developer.apple.com, "Generating a remote notification").
private struct SoundCheck {
    private static let names = ["critical", "name", "volume"]

    private(set) var findings: [PayloadFinding] = []

    /// - Parameter sound: The member `sound` of `aps`; a string has no findings.
    init(_ sound: JSON?) {
        guard let sound = sound?.object else { return }
        need(sound, "critical", "0 or 1", "write 1 for a critical alert") { $0 == 0 || $0 == 1 }
        need(sound, "name", "a string", "write the name of a file in the app, or \"default\"") {
            $0.string?.isEmpty == false
        }
        need(sound, "volume", "a number from 0 to 1", "write 1 for the full volume") {
            $0.number.map { (0...1).contains($0) } ?? false
        }
        if sound["name"] == nil {
            add("missingKey", nil, "the sound has no name", "add \"name\", such as \"default\"")
        }
        for (name, _) in sound where !Self.names.contains(name) {
            guard let near = EditDistance.nearest(name, in: Self.names) else { continue }
            add("misspeltKey", name, "\(name) is not a member of a sound, so it is ignored", "did you mean \(near)?")
        }
    }

    private mutating func add(_ reason: String, _ name: String?, _ message: String, _ advice: String) {
        let path = "/aps/sound" + (name.map { "/" + JSONPointer.escape($0) } ?? "")
        findings.append(PayloadFinding(.error, reason, path, message, advice))
    }

    private mutating func need(
        _ sound: JSON.Object,
        _ name: String,
        _ needed: String,
        _ advice: String,
        where isValid: (JSON) -> Bool
    ) {
        guard let value = sound[name], !isValid(value), !(value.string.map(UnrenderedLiquid.isTemplate) ?? false) else {
            return
        }
        add("wrongValue", name, "\(name) of the sound must be \(needed), it is \(value.excerpt())", advice)
    }
}
