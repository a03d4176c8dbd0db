internal import ArgumentParser
internal import HostClient
internal import JSON
internal import Platform

/// Saves a record.
struct SaveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "save",
        abstract: "Save an event, an attribute or a profile field until the next flush.",
        prose: """
            A saved record survives a power loss. Without --suite it goes to the suite `standard`. With \
            --idempotency-key, a script can run again after a failure without saving anything twice.
            """,
        examples: [
            #"pushhost save event Opened --properties '{"screen": "home"}'"#,
            "pushhost save event Opened --user external_id=ada",
            #"pushhost save attribute Score 7 --idempotency-key "score-$(date +%F)""#,
            "pushhost save field email ada@example.com",
        ],
        exitCodes: OutboxExit.help,
        subcommands: [SaveEventCommand.self, SaveAttributeCommand.self, SaveFieldCommand.self]
    )
}

/// The options of every save.
private struct SaveOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Save it for this user: external_id=ID, braze_id=ID, email=ADDRESS, phone=NUMBER, or a JSON object.",
            valueName: "user"
        ),
        transform: SaveOptions.user
    )
    var user: JSON?

    @Option(help: ArgumentHelp("Save nothing if this key was used before in the suite.", valueName: "key"))
    var idempotencyKey: String?

    /// The parameters of the save.
    var params: MemberList {
        ["user": user, "idempotencyKey": idempotencyKey.map(JSON.string)]
    }

    private static func user(_ text: String) throws -> JSON {
        if text.hasPrefix("{") { return try object(text) }
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2 else {
            throw ValidationError("write external_id=ID, or another member of a user and its value")
        }
        return .object(JSON.Object([(parts[0], .string(parts[1]))]))
    }

    /// A JSON object that an option contains.
    static func object(_ text: String) throws -> JSON {
        guard let value = try? JSON(parsing: text), value.object != nil else {
            throw ValidationError("it must be a JSON object")
        }
        return value
    }
}

/// The value of a save.
private struct SaveValue: ParsableArguments {
    /// How it is read, for the help of a command.
    static let help = """
        A value that can be read as JSON is JSON; any other value is a text. Use --text to make every value a text.
        """

    @Argument(help: "The value; null unsets it. Write -- before a value that begins with a hyphen.")
    var value: String

    @Flag(help: "Save the value as a text, even if it could be read as JSON.")
    var text = false

    var json: JSON { text ? .string(value) : (try? JSON(parsing: value)) ?? .string(value) }
}

/// Saves a custom event.
private struct SaveEventCommand: OutboxCommand {
    static let configuration = CommandConfiguration(
        commandName: "event",
        abstract: "Save a custom event.",
        examples: [#"pushhost save event Opened --properties '{"screen": "home"}'"#],
        exitCodes: OutboxExit.help
    )

    @Argument(help: "The name of the event.")
    var name: String

    @Option(
        help: ArgumentHelp("Give the event these properties, as a JSON object.", valueName: "object"),
        transform: { try SaveOptions.object($0) }
    )
    var properties: JSON?

    @Option(help: ArgumentHelp("Save it with this time, as 2026-01-01T12:00:00Z; by default now.", valueName: "time"))
    var time: String?

    @OptionGroup var save: SaveOptions
    @OptionGroup var host: HostOptions
    @OptionGroup var options: OutboxOptions

    var isSaving: Bool { true }

    func run(_ suites: SuiteClient) throws(ClientError) -> Int32 {
        let params: MemberList = ["name": .string(name), "properties": properties, "time": time.map(JSON.string)]
        return try suites.save("saveCustomEvent", params + save.params, "event \(name)", isJSON: options.json)
    }
}

/// Saves a custom attribute.
private struct SaveAttributeCommand: OutboxCommand {
    static let configuration = CommandConfiguration(
        commandName: "attribute",
        abstract: "Save a custom attribute.",
        prose: SaveValue.help,
        examples: [
            "pushhost save attribute Score 7",
            #"pushhost save attribute Address --merge '{"city": "Graz"}'"#,
        ],
        exitCodes: OutboxExit.help
    )

    @Argument(help: "The name of the attribute.")
    var key: String

    @OptionGroup var value: SaveValue

    @Flag(help: "Merge the object into the attribute's current one instead of replacing it.")
    var merge = false

    @OptionGroup var save: SaveOptions
    @OptionGroup var host: HostOptions
    @OptionGroup var options: OutboxOptions

    var isSaving: Bool { true }

    func run(_ suites: SuiteClient) throws(ClientError) -> Int32 {
        let params: MemberList = ["key": .string(key), "value": merge ? ["$merge": value.json] : value.json]
        return try suites.save("saveCustomAttribute", params + save.params, "attribute \(key)", isJSON: options.json)
    }
}

/// Saves a standard field of the profile.
private struct SaveFieldCommand: OutboxCommand {
    static let configuration = CommandConfiguration(
        commandName: "field",
        abstract: "Save a standard field of the profile.",
        prose: SaveValue.help,
        examples: ["pushhost save field email ada@example.com"],
        exitCodes: OutboxExit.help
    )

    @Argument(help: "The name of the field.")
    var field: String

    @OptionGroup var value: SaveValue
    @OptionGroup var save: SaveOptions
    @OptionGroup var host: HostOptions
    @OptionGroup var options: OutboxOptions

    var isSaving: Bool { true }

    func run(_ suites: SuiteClient) throws(ClientError) -> Int32 {
        let params: MemberList = ["field": .string(field), "value": value.json]
        return try suites.save("saveUserAttribute", params + save.params, "field \(field)", isJSON: options.json)
    }
}

extension SuiteClient {
    /// Saves a record and prints its id.
    fileprivate func save(_ method: String, _ params: MemberList, _ what: String, isJSON: Bool) throws(ClientError)
        -> Int32
    {
        let saved = try result(method, params)
        if isJSON {
            console.print(saved)
        } else {
            let verb = saved["repeated"]?.bool == true ? "Was saved before" : "Saved"
            let place = "record \(saved["id"]?.integer ?? 0) of \(suite ?? "standard")"
            console.write("\(verb): \(PlainText.escaped(what)), \(place).\n")
        }
        for warning in Self.warnings(JSON(present: params)) { console.writeWarning(warning) }
        return OutboxExit.success
    }

    /// What may keep a record from being delivered as it was meant, although it could be saved.
    private static func warnings(_ params: JSON) -> [String] {
        let phones = [params["user"]?["phone"], params["field"] == "phone" ? params["value"] : nil]
            .compactMap { $0?.string }.filter { $0.wholeMatch(of: /\+[1-9][0-9]{6,14}/) == nil }
        let isHeld = params["user"] == nil
        return phones.map { "phone \($0) is not written as +4915123456789 (E.164), so Braze may not recognize it" }
            + (isHeld ? ["the record has no user, so braze will hold it; save it with --user external_id=ID"] : [])
    }
}
