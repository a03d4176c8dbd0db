import JSON
import JSONRPC
import Localization
import Platform

/// What may be written at a place in a payload.
extension LanguageServer {
    func complete(_ call: Call, _ params: JSON) {
        guard let (document, offset) = place(params) else { return call.answer(.success(.null)) }
        guard document.kind == .payload else {
            return call.answer(.success(JSON(propertyListKeys(document, offset))))
        }
        if let items = liquid(document, offset) { return call.answer(.success(JSON(items))) }
        let (path, isInName) = document.tree.path(to: offset)
        guard !isInName, let key = path.last else { return completeKeys(call, document, offset, path, isInName) }
        switch path {
        case ["aps", "category"]: return completeCategories(call, document, offset)
        case ["aps", "alert", key] where key.hasSuffix("loc-key"):
            return call.answer(.success(localizedKeys(document, offset)))
        default:
            let values = PayloadKeys.keys(at: path.dropLast()).first { $0.name == key }?.values ?? []
            guard values.isEmpty else {
                return call.answer(.success(JSON(values.map { value($0, nil, document, offset) })))
            }
            completeKeys(call, document, offset, path, isInName)
        }
    }

    // MARK: Names

    private func completeKeys(_ call: Call, _ document: OpenDocument, _ offset: Int, _ path: [String], _ isInName: Bool)
    {
        guard let (steps, node) = document.tree.container(at: offset), case .object(let members, _, _) = node,
            isInName || steps == path
        else { return call.answer(.success(.null)) }
        let present = Set(
            members.filter { !($0.nameRange.lowerBound...$0.nameRange.upperBound).contains(offset) }.map(\.name)
        )
        let current = members.first { ($0.nameRange.lowerBound...$0.nameRange.upperBound).contains(offset) }
        let keys = PayloadKeys.keys(at: steps) + (steps.isEmpty ? pairs(document) : [])
        let items = keys.filter { !present.contains($0.name) }.map { key -> JSON in
            let name = JSON.string(key.name).description
            // A name that has its value already is completed alone.
            let isAlone = current?.value != nil
            let snippet = client.hasSnippets ? key.snippet : Self.plain(key.snippet)
            return [
                "label": .string(key.name), "kind": 10, "filterText": .string(name),
                "documentation": ["kind": "markdown", "value": .string(key.documentation)],
                "insertTextFormat": client.hasSnippets && !isAlone ? 2 : 1,
                "textEdit": [
                    "range": document.json(current?.nameRange ?? offset..<offset),
                    "newText": .string(isAlone ? name : "\(name): \(snippet)"),
                ],
            ]
        }
        call.answer(.success(JSON(items)))
    }

    /// The keys that a dictionary of a property list may have besides, within the text of a `<key>` or between elements.
    private func propertyListKeys(_ document: OpenDocument, _ offset: Int) -> [JSON] {
        guard document.kind == .infoPlist || document.kind == .entitlements,
            let (steps, node) = document.tree.container(at: offset), case .object(let members, _, _) = node
        else { return [] }
        let current = members.first { ($0.nameRange.lowerBound...$0.nameRange.upperBound).contains(offset) }
        let isInValue = members.contains {
            $0.value.map { $0.range.lowerBound <= offset && offset <= $0.range.upperBound } == true
        }
        guard current != nil || !isInValue else { return [] }
        let present = Set(members.map(\.name))
        return PropertyListKeys.keys(at: steps, in: document.kind).filter { !present.contains($0.name) }.map { key in
            let snippet = client.hasSnippets ? key.snippet : Self.plain(key.snippet)
            let text = current == nil ? "<key>\(key.name)</key>\n\(snippet)" : key.name
            return [
                "label": .string(key.name), "kind": 10, "filterText": .string(key.name),
                "documentation": ["kind": "markdown", "value": .string(key.meaning)],
                "insertTextFormat": client.hasSnippets && current == nil ? 2 : 1,
                "textEdit": [
                    "range": document.json(current?.nameRange ?? offset..<offset), "newText": .string(text),
                ],
            ]
        }
    }

    /// A snippet without its placeholders.
    static func plain(_ snippet: String) -> String {
        snippet.replacing(/\$\{\d\|([^,|]*)[^}]*\}|\$\{\d:([^}]*)\}|\$\d/) { $0.1 ?? $0.2 ?? "" }
    }

    /// The key-value pairs that the payload's bundle declares, and those of the bundle's own payload.
    func pairs(_ document: OpenDocument) -> [PayloadKeys.Key] {
        guard let bundle = bundle(of: document) else { return [] }
        var keys: [PayloadKeys.Key] = []
        func add(_ name: String, _ example: String, _ meaning: String) {
            guard !keys.contains(where: { $0.name == name }), !name.hasPrefix("/") else { return }
            // What a snippet gives another meaning.
            let text = example.replacing(/[\\$}]/) { "\\\($0.0)" }
            keys.append(PayloadKeys.Key(name.replacing("#", with: "1"), nil, text, meaning))
        }
        let plist = Workspace.contents("\(bundle)/Info.plist").flatMap { SyntaxTree($0, .propertyList).root }
        if case .object(let members, _, _)? = plist?["NSExtension"]?["NSExtensionAttributes"]?["PushhostUserInfoKeys"] {
            for member in members {
                let type = member.value?["Type"]?.text?.0 ?? "string"
                let example = member.value?["Example"]?.text?.0 ?? ""
                let isJSON = ["array", "object"].contains(type)
                let meaning = "A key-value pair that `\(Self.name(bundle))` reads, of the type `\(type)`."
                add(member.name, isJSON ? example : JSON.string(example).description, meaning)
            }
        }
        let payload = Workspace.contents("\(bundle)/payload.apns").map { SyntaxTree($0) }
        for (name, value) in payload?.value.object.map(Array.init) ?? [] where name != "aps" {
            add(name, value.description, "The payload of `\(Self.name(bundle))` has this key-value pair.")
        }
        return keys
    }

    // MARK: Values

    private func completeCategories(_ call: Call, _ document: OpenDocument, _ offset: Int) {
        session.track(call)
        let version = document.text.version
        surroundings.call("extensions", [:]) { [weak self] result in
            guard let self, !call.isAnswered else { return }
            guard documents[document.uri]?.text.version == version else { return call.answer(.success(.null)) }
            var names: [String: String] = [:]
            for bundle in result?["extensions"]?.elements ?? [] {
                for category in (bundle["categories"]?.elements ?? []).compactMap(\.string) {
                    names[category] = names[category] ?? bundle["identifier"]?.string ?? ""
                }
            }
            let items = names.sorted { $0.key < $1.key }.map { value($0.key, $0.value, document, offset) }
            call.answer(.success(JSON(items)))
        }
    }

    /// The keys of the bundle's texts, each with its text.
    private func localizedKeys(_ document: OpenDocument, _ offset: Int) -> JSON {
        guard let bundle = bundle(of: document) else { return [] }
        let strings = workspace.texts(of: bundle)
        let table = strings.table(locale: locale ?? strings.developmentRegion).texts
        return JSON(
            table.sorted { $0.key < $1.key }.map { value($0.key, $0.value.filled([]).text, document, offset) }
        )
    }

    /// A text that replaces the value at an offset.
    private func value(_ text: String, _ detail: String?, _ document: OpenDocument, _ offset: Int) -> JSON {
        let pointer = JSON.pointer(document.tree.path(to: offset).steps)
        let spelling = JSON.string(text).description
        return JSON(present: [
            "label": .string(text), "kind": 12, "detail": detail.map(JSON.string), "filterText": .string(spelling),
            "textEdit": [
                "range": document.json(document.tree.find(pointer)?.value ?? offset..<offset),
                "newText": .string(spelling),
            ],
        ])
    }

    /// The folder of the bundle that shows a payload.
    func bundle(of document: OpenDocument) -> String? {
        let mentions = Workspace.mentions(in: document.tree, document.kind, document.text.bytes)
        let category = mentions.first { $0.kind == .category }?.name
        if let bundle = category.flatMap({ workspace.bundles[$0] }) { return bundle }
        let folder = Paths.parent(of: document.path)
        return FileStamp(of: "\(folder)/Info.plist")?.kind == .file ? folder : nil
    }

    // MARK: Liquid

    /// The tags, filters and attributes for an offset between the brackets of Liquid; nil elsewhere.
    private func liquid(_ document: OpenDocument, _ offset: Int) -> [JSON]? {
        let (path, isInName) = document.tree.path(to: offset)
        guard !isInName, let value = document.tree.find(JSON.pointer(path))?.value, value.lowerBound < offset else {
            return nil
        }
        let before = String(decoding: document.text.bytes[value.lowerBound..<offset], as: UTF8.self)
        guard let open = before.matches(of: /\{%|\{\{/).last?.range, !before[open.upperBound...].contains(/%\}|\}\}/)
        else {
            return nil
        }
        let text = before[open.upperBound...]
        let word = text.reversed().prefix { $0.isLetter || $0.isNumber || "_.".contains($0) }
        let start = offset - String(word).utf8.count
        let rest = text.dropLast(word.count)
        let names: [(String, String)]
        if rest.trimmed.last == "|" {
            names = LiquidNames.filters
        } else if before[open] == "{%", rest.allSatisfy({ $0 == " " || $0 == "-" }) {
            names = LiquidNames.tags
        } else {
            names = attributes(document) + LiquidNames.attributes
        }
        return names.map { name, meaning in
            [
                "label": .string(name), "kind": 6, "detail": .string(meaning), "filterText": .string(name),
                "textEdit": ["range": document.json(start..<offset), "newText": .string(name)],
            ]
        }
    }

    /// The attributes of the profiles beside a payload.
    private func attributes(_ document: OpenDocument) -> [(String, String)] {
        let folders = [Paths.parent(of: document.path)] + (bundle(of: document).map { [$0] } ?? [])
        let profile = folders.lazy.compactMap { Workspace.contents("\($0)/profile.json") }.first.map {
            SyntaxTree($0).value
        }
        guard let members = profile?.object else { return [] }
        return members.flatMap { name, value -> [(String, String)] in
            let meaning = { (value: JSON) in "\(value.description.prefix(40)) in profile.json" }
            switch name {
            case "custom_attribute":
                return (value.object.map(Array.init) ?? []).map { ("custom_attribute.${\($0.0)}", meaning($0.1)) }
            case "api_trigger_properties", "event_properties", "canvas_entry_properties":
                return (value.object.map(Array.init) ?? []).map { ("\(name).${\($0.0)}", meaning($0.1)) }
            default: return [("${\(name)}", meaning(value))]
            }
        }
    }
}

/// The words of Liquid as Braze renders it.
///
/// Sources: braze.com/docs, "Supported personalization tags", "Filters" and "Advanced filters"; shopify.github.io/liquid.
private enum LiquidNames {
    static let tags = [
        ("if", "Writes its content if a condition holds."), ("elsif", "Another condition of if or unless."),
        ("else", "The content if no condition holds."), ("endif", "Ends if."),
        ("unless", "Writes its content if a condition does not hold."), ("endunless", "Ends unless."),
        ("case", "Compares a value with those of when."), ("when", "The content for a value of case."),
        ("endcase", "Ends case."), ("for", "Repeats its content for each element."), ("endfor", "Ends for."),
        ("break", "Leaves for."), ("continue", "Goes on with the next element of for."),
        ("assign", "Gives a name to a value."), ("capture", "Gives a name to a text."), ("endcapture", "Ends capture."),
        ("abort_message", "Sends nothing to this user; takes a reason in quotation marks."),
        ("message_extras", "Adds a pair to the data about the sent message."),
        ("translation", "Marks a text for translation; takes its key."), ("endtranslation", "Ends translation."),
        ("comment", "Writes nothing."), ("endcomment", "Ends comment."), ("raw", "Writes Liquid as it is."),
        ("endraw", "Ends raw."),
    ]

    static let filters = [
        ("append", "Adds a text at the end."), ("prepend", "Adds a text at the beginning."),
        ("capitalize", "Makes the first letter a capital."), ("upcase", "Makes all letters capitals."),
        ("downcase", "Makes all letters small."), ("strip", "Removes white space at both ends."),
        ("replace", "Replaces each occurrence of a text."), ("remove", "Removes each occurrence of a text."),
        ("split", "Makes an array of the parts of a text."), ("join", "Makes a text of an array."),
        ("first", "The first element."), ("last", "The last element."),
        ("size", "The number of characters or elements."),
        ("sort", "Sorts an array."), ("uniq", "Removes elements that are there already."),
        ("map", "The values of one member of each element."), ("reverse", "Reverses an array."),
        ("slice", "A part of a text."), ("truncate", "Cuts a text to a length."), ("escape", "Escapes HTML."),
        ("url_encode", "Escapes a text for a URL."), ("default", "The value for one that is absent or empty."),
        ("date", "Writes a time in a form such as \"%d.%m.\"."), ("time_zone", "Converts a time to a time zone."),
        ("plus", "Adds a number."), ("minus", "Subtracts a number."), ("times", "Multiplies by a number."),
        ("divided_by", "Divides by a number."), ("modulo", "The rest of a division."), ("round", "Rounds a number."),
        ("floor", "Rounds a number down."), ("ceil", "Rounds a number up."), ("abs", "The number without its sign."),
        ("number_with_delimiter", "Writes a number with commas."), ("json_escape", "Escapes a text for JSON."),
        ("md5", "The MD5 hash in hexadecimal digits."), ("sha1", "The SHA-1 hash in hexadecimal digits."),
        ("sha2", "The SHA-256 hash in hexadecimal digits."), ("base64_encode", "Encodes a text in Base64."),
    ]

    static let attributes = [
        ("${first_name}", "The user's first name."), ("${last_name}", "The user's last name."),
        ("${email_address}", "The user's email address."), ("${user_id}", "The user's external ID."),
        ("${braze_id}", "The user's Braze ID."), ("${language}", "The user's language."),
        ("${time_zone}", "The user's time zone."), ("custom_attribute.${}", "A custom attribute of the user."),
        ("event_properties.${}", "A property of the event that triggered the message."),
        ("api_trigger_properties.${}", "A property of the API call that triggered the message."),
    ]
}
