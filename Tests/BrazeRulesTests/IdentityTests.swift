import JSON
import Testing

@testable import BrazeRules

@Suite struct IdentityTests {
    private static func text(_ bytes: Int) -> JSON { .string(String(repeating: "x", count: bytes)) }

    private func identity(_ user: JSON) throws -> Identity? { try Identity(try #require(user.object)) }

    @Test(
        "The identity is the primary identifier, else the e-mail address, else the phone number",
        arguments: [
            (["external_id": "a"], ["external_id": "a"]), (["braze_id": "b"], ["braze_id": "b"]),
            (["email": "a@example.com", "external_id": "a"], ["external_id": "a"]),
            (["external_id": "a", "email": "nobody", "phone": "+1"], ["external_id": "a"]),
            (["phone": "+1", "email": "a@example.com"], ["email": "a@example.com"]),
            (["email": "a@example.com", "phone": "+1"], ["email": "a@example.com"]), (["phone": "+1"], ["phone": "+1"]),
            (
                ["user_alias": ["alias_label": "l", "more": 1, "alias_name": "n"]],
                ["user_alias": ["alias_name": "n", "alias_label": "l"]]
            ),
            (["external_id": text(987)], ["external_id": text(987)]),
            (["braze_id": text(1_000)], ["braze_id": text(1_000)]),
            (
                ["user_alias": ["alias_name": text(1_000), "alias_label": text(1_000)]],
                ["user_alias": ["alias_name": text(1_000), "alias_label": text(1_000)]]
            ),
        ] as [(JSON, JSON)]
    )
    func chosen(user: JSON, wanted: JSON) throws {
        let identity = try #require(try identity(user))
        #expect("{\(String(decoding: identity.member, as: UTF8.self))}" == wanted.description)
        #expect(JSON.object(JSON.Object([(identity.name, identity.value)])) == wanted)
        #expect(identity.isAlias == (wanted["user_alias"] != nil))
    }

    @Test("A user may say whether a record creates no profile, as true or false")
    func updatesOnly() throws {
        let user: JSON = ["external_id": "a", "_update_existing_only": true]
        #expect(try identity(user)?.value == "a")
        #expect(Identity.updatesExistingOnly(try #require(user.object)) == true)
        let other: JSON = ["phone": "+1", "_update_existing_only": false]
        #expect(Identity.updatesExistingOnly(try #require(other.object)) == false)
        let error = #expect(throws: IdentityError.self) {
            try identity(["external_id": "a", "_update_existing_only": "yes"])
        }
        #expect(error?.kind == .form && error?.steps == ["_update_existing_only"])
    }

    @Test("A user without an identifier has no identity", arguments: [[:], ["name": "ada"]] as [JSON])
    func nobody(user: JSON) throws {
        #expect(try identity(user) == nil)
        let isSomebody = try Identity.check(try #require(user.object))
        #expect(!isSomebody)
    }

    @Test("Each identifier alone makes a user, and the primary ones come first")
    func names() throws {
        #expect(Identity.names == ["external_id", "braze_id", "user_alias", "email", "phone"])
        let alias: JSON = ["alias_name": "n", "alias_label": "l"]
        for name in Identity.names {
            let value = name == "user_alias" ? alias : "a@example.com"
            let isSomebody = try Identity.check(JSON.Object([(name, value)]))
            #expect(isSomebody && Identity.isIdentifier(name), "\(name)")
        }
        #expect(!Identity.isIdentifier("first_name"))
    }

    @Test(
        "An identifier with a wrong type or format is an error of form",
        arguments: [
            (["external_id": ""], ["external_id"]), (["external_id": 7], ["external_id"]), (["email": ""], ["email"]),
            (["phone": .null], ["phone"]), (["external_id": "a", "braze_id": .null], ["braze_id"]),
            (["user_alias": "n"], ["user_alias"]), (["user_alias": [:]], ["user_alias", "alias_name"]),
            (["user_alias": ["alias_name": "n"]], ["user_alias", "alias_label"]),
            (["user_alias": ["alias_name": "", "alias_label": "l"]], ["user_alias", "alias_name"]),
            (["user_alias": ["alias_name": "n", "alias_label": 1]], ["user_alias", "alias_label"]),
        ] as [(JSON, [String])]
    )
    func form(user: JSON, steps: [String]) {
        let error = #expect(throws: IdentityError.self) { try identity(user) }
        #expect(error?.kind == .form)
        #expect(error?.steps == steps)
        let needed = steps == ["user_alias"] ? "an object of alias_name and alias_label" : "a non-empty string"
        #expect(error?.text.hasPrefix("\(steps.last ?? "") must be \(needed)") == true, "\(error?.text ?? "")")
    }

    @Test(
        "A well-formed identifier that Braze refuses is an error of Braze's rules",
        arguments: [
            (["external_id": "a", "braze_id": "b"], [], "external_id and braze_id"),
            (["user_alias": ["alias_name": "n", "alias_label": "l"], "braze_id": "b"], [], "user_alias and braze_id"),
            (["external_id": text(988)], ["external_id"], "external_id has at most 987 bytes, this one 988"),
            (
                ["external_id": .string(String(repeating: "é", count: 494))], ["external_id"],
                "external_id has at most 987 bytes, this one 988"
            ),
            (["external_id": text(1_001)], ["external_id"], "external_id has at most 987 bytes, this one 1001"),
            (["braze_id": text(1_001)], ["braze_id"], "braze_id has at most 1000 bytes, this one 1001"),
            (
                ["user_alias": ["alias_name": text(1_001), "alias_label": "l"]], ["user_alias", "alias_name"],
                "alias_name has at most 1000 bytes, this one 1001"
            ),
            (
                ["user_alias": ["alias_name": "n", "alias_label": text(1_001)]], ["user_alias", "alias_label"],
                "alias_label has at most 1000 bytes, this one 1001"
            ),
            (["email": "nobody"], ["email"], "\"nobody\" is not an e-mail address"),
        ] as [(JSON, [String], String)]
    )
    func rules(user: JSON, steps: [String], text: String) {
        let error = #expect(throws: IdentityError.self) { try identity(user) }
        #expect(error?.kind == .rule)
        #expect(error?.steps == steps)
        #expect(error?.text.contains(text) == true, "\(error?.text ?? "")")
    }

    @Test(
        "A field that would identify another user cannot be set",
        arguments: [
            (["email": "a@example.com"], "email", "b@example.com", true),
            (["email": "a@example.com"], "email", .null, true),
            (["email": "a@example.com"], "email", "a@example.com", false),
            (["email": "a@example.com"], "phone", "+1", false), (["phone": "+1"], "email", "b@example.com", true),
            (["phone": "+1"], "phone", "+2", true), (["phone": "+1"], "first_name", "Ada", false),
            (["external_id": "a"], "email", "b@example.com", false),
        ] as [(JSON, String, JSON, Bool)]
    )
    func conflict(user: JSON, field: String, value: JSON, isOne: Bool) throws {
        #expect((try identity(user)?.conflict(field, value) != nil) == isOne)
    }
}
