import JSON
import Testing

@testable import HostCore

@Suite struct ToolTextTests {
    @Test("What a notification shows comes in the order in which a person sees it")
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

    @Test("What the extension hides is not drawn; what is not there leaves no gap")
    func hidden() {
        let result: JSON = [
            "notification": "n-1", "extension": .null, "layout": ["defaultContentHidden": true],
            "content": ["title": "System", "body": "Body"], "view": ["type": "text", "text": "View"], "actions": [],
            "diagnostics": [], "media": ["button": "none", "playing": false],
        ]
        #expect(ToolText.of(result) == "notification n-1, shown by the system\n\nView")
    }

    @Test("A response's option stands above what is shown then")
    func response() {
        let result: JSON = ["option": "doNotDismiss", "forwarded": false, "view": ["type": "text", "text": "Thanks"]]
        #expect(ToolText.of(result) == "option doNotDismiss\n\nThanks")
        let forwarded: JSON = [
            "option": "dismissAndForward", "forwarded": true, "url": "myapp://home",
            "view": ["type": "text", "text": "Thanks"],
        ]
        #expect(ToolText.of(forwarded) == "option dismissAndForward, forwarded to the app with myapp://home\n\nThanks")
    }

    @Test(
        "Anything else is its JSON",
        arguments: [["option": "dismiss", "forwarded": true], ["view": .null], [:]] as [JSON]
    )
    func other(result: JSON) {
        #expect(ToolText.of(result) == result.description)
    }
}
