import JSON
import JSONRPC
import Testing

@testable import Notifications

@Suite struct OfferedActionTests {
    private func list(_ actions: JSON) throws -> [OfferedAction] {
        try OfferedAction.list(try #require(actions.array), path: "/params/actions")
    }

    @Test("An action is kept with its options and its text field, in the order given")
    func read() throws {
        let actions: JSON = [
            ["identifier": "a", "title": "A", "options": ["foreground", "destructive"]],
            [
                "identifier": "b", "title": "B", "textInput": ["buttonTitle": "Send", "placeholder": "…"],
                "icon": ["systemImageName": "paperplane"],
            ],
        ]
        let found = try list(actions)
        #expect(found.map(\.identifier) == ["a", "b"])
        #expect(found[0].json == actions[0])
        #expect(found[1].json["options"] == [])
        #expect(found[1].json["textInput"] == actions[1]?["textInput"])
        #expect(found[1].json["icon"] == ["systemImageName": "paperplane"])
    }

    @Test(
        "A wrong action is refused with its path and what is expected",
        arguments: [
            (7, "", "actions/1 must be an object, it is 7"),
            (["title": "A"], "/identifier", "identifier must be a non-empty string, it is absent"),
            (["identifier": "a", "title": ""], "/title", #"title must be a non-empty string, it is """#),
            (
                ["identifier": "a", "title": "A", "options": ["loud"]], "/options",
                "options must be an array of these words: authenticationRequired, destructive, foreground"
            ),
            (
                ["identifier": "a", "title": "A", "textInput": true], "/textInput",
                "textInput must be an object, it is true"
            ),
            (
                ["identifier": "a", "title": "A", "icon": ["systemImageName": "star", "templateImageName": "s"]],
                "/icon",
                "icon must be an object with one text, systemImageName or templateImageName"
            ),
            (["identifier": "first", "title": "A"], "", "actions/1 repeats the identifier first of an earlier action"),
        ] as [(JSON, String, String)]
    )
    func wrong(action: JSON, path: String, message: String) {
        let error = #expect(throws: RPCError.self) {
            try list([["identifier": "first", "title": "First"], action])
        }
        #expect(error?.code == .invalidParams)
        #expect(error?.data?["path"] == .string("/params/actions/1" + path))
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }

    @Test("A category has actions and options, and its errors have their path in the request")
    func category() throws {
        let value: JSON = [
            "identifier": "offers", "actions": [["identifier": "a", "title": "A", "options": []]],
            "options": ["customDismissAction"],
        ]
        #expect(try NotificationCategory(value, path: "/params/categories/0").json == value)
        let plain = try NotificationCategory(["identifier": "plain"], path: "/params/categories/0")
        #expect(plain.json == ["identifier": "plain", "actions": [], "options": []])
        for (wrong, path) in [
            (7, ""), (["identifier": ""], "/identifier"), (["identifier": "a", "actions": [:]], "/actions"),
            (["identifier": "a", "actions": [["identifier": "b"]]], "/actions/0/title"),
            (["identifier": "a", "options": "customDismissAction"], "/options"),
        ] as [(JSON, String)] {
            let error = #expect(throws: RPCError.self) { try NotificationCategory(wrong, path: "/params/categories/0") }
            #expect(error?.data?["path"] == .string("/params/categories/0" + path))
        }
    }

    @Test("What a category says about locked screens, summaries and intents is kept")
    func further() throws {
        let value: JSON = [
            "identifier": "offers", "actions": [], "options": [], "intentIdentifiers": ["INSendMessageIntent"],
            "hiddenPreviewsBodyPlaceholder": "%u offers", "categorySummaryFormat": "%u more offers",
        ]
        #expect(try NotificationCategory(value, path: "/params/categories/0").json == value)
        for name in ["intentIdentifiers", "hiddenPreviewsBodyPlaceholder", "categorySummaryFormat"] {
            let members: [(String, JSON)] = [("identifier", "offers"), (name, 7)]
            let wrong = JSON.object(JSON.Object(members))
            let error = #expect(throws: RPCError.self) { try NotificationCategory(wrong, path: "/params/categories/0") }
            #expect(error?.data?["path"] == .string("/params/categories/0/\(name)"))
        }
    }

    @Test("In Braze's categories, the positive action opens the app, and the other one only dismisses")
    func builtIn() {
        for category in NotificationCategory.builtIn {
            #expect(category.actions.first?.options == ["foreground"], "\(category.identifier)")
            #expect(category.actions.dropFirst().allSatisfy { $0.options.isEmpty }, "\(category.identifier)")
        }
        #expect(NotificationCategory.builtIn.count == 4)
    }
}
