import JSON
import Testing

@testable import HostCore
@testable import ModelContext

@Suite struct ToolTextTests {
    @Test("The text has the parts of a notification in the order in which a person sees them")
    func shown() {
        let result: JSON = [
            "notification": "n-1", "extension": "com.example.card",
            "content": [
                "title": "System", "subtitle": "Sub", "body": "Body",
                "attachments": [["identifier": "a", "url": "file:///a.png", "type": "png"]],
            ],
            "layout": ["defaultContentHidden": false], "title": "Own", "view": ["type": "text", "text": "View"],
            "media": ["button": "default", "playing": true],
            "actions": [
                ["identifier": "OK", "title": "Fine", "options": []],
                ["identifier": "SAY", "title": "Say", "options": ["foreground"], "textInput": [:]],
            ],
            "diagnostics": [["reason": "odd", "message": "It is\nodd."]],
        ]
        #expect(
            ToolText.of(result) == """
                notification n-1, shown by com.example.card

                Own
                Sub
                Body
                attachment file:///a.png

                View

                media is playing: mediaPause pauses it

                buttons:
                - OK: Fine
                - SAY: Say (foreground, takes userText)

                diagnostics:
                - odd: It is odd.
                """
        )
    }

    @Test("Hidden parts are not drawn, and absent parts leave no gap")
    func hidden() {
        let result: JSON = [
            "notification": "n-1", "extension": .null, "layout": ["defaultContentHidden": true],
            "content": ["title": "System", "body": "Body"], "view": ["type": "text", "text": "View"], "actions": [],
            "diagnostics": [], "media": ["button": "none", "playing": false],
        ]
        #expect(ToolText.of(result) == "notification n-1, shown by the system\n\nView")
    }

    @Test("The option of a response is above the view")
    func response() {
        let result: JSON = ["option": "doNotDismiss", "forwarded": false, "view": ["type": "text", "text": "Thanks"]]
        #expect(ToolText.of(result) == "option doNotDismiss\n\nThanks")
        let forwarded: JSON = [
            "option": "dismissAndForward", "forwarded": true, "url": "myapp://home",
            "view": ["type": "text", "text": "Thanks"],
        ]
        #expect(ToolText.of(forwarded) == "option dismissAndForward, forwarded to the app with myapp://home\n\nThanks")
        let background: JSON = [
            "option": "dismissAndForward", "forwarded": true, "background": true,
            "view": ["type": "text", "text": "Thanks"],
        ]
        #expect(
            ToolText.of(background) == "option dismissAndForward, forwarded to the app in the background\n\nThanks"
        )
    }

    @Test(
        "The text of any other result is its JSON",
        arguments: [["option": "dismiss", "forwarded": true], ["view": .null], [:]] as [JSON]
    )
    func other(result: JSON) {
        #expect(ToolText.of(result) == result.description)
    }
}
