internal import ArgumentParser
internal import HostClient
internal import JSON

/// Saves a record.
struct SaveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "save",
        abstract: "Save an event, an attribute or a field of the profile until it is flushed.",
        discussion: """
            A record that was saved survives a power loss. Without --suite it is saved in the suite `standard`. With \
            --idempotency-key a script that runs again after a failure saves nothing twice.

            Examples:
              pushhost save event Opened --properties '{"screen": "home"}'
              pushhost save event Opened --user external_id=ada
              pushhost save attribute Score 7 --idempotency-key "score-$(date +%F)"
              pushhost save field email ada@example.com

            \(OutboxExit.help)
            """,
        subcommands: [SaveEventCommand.self, SaveAttributeCommand.self, SaveFieldCommand.self]
    )
}

/// The options of every save.
struct SaveOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Whose record it is: external_id=ID, braze_id=ID, email=ADDRESS, phone=NUMBER, or a JSON object.",
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

    /// The value that an argument stands for.
    static func value(_ text: String, isText: Bool) -> JSON {
        guard !isText, let value = try? JSON(parsing: text) else { return .string(text) }
        return value
    }
}

extension Outbox {
    /// Saves a record and prints its id.
    func save(_ method: String, _ params: MemberList, _ what: String, isJSON: Bool) throws(ClientError) -> Int32 {
        let saved = try result(method, params)
        if isJSON {
            Terminal.print(saved)
        } else {
            let verb = saved["repeated"]?.bool == true ? "Was saved before" : "Saved"
            Terminal.write("\(verb): \(what), record \(saved["id"]?.integer ?? 0) of \(suite ?? "standard").\n")
        }
        for warning in Self.warnings(JSON(present: params)) { Terminal.writeWarning(warning) }
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
