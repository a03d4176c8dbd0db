import JSON
import Testing

@testable import HostCore
@testable import ModelContext

@Suite struct ToolTextTests {
    @Test("A result that shows a view is drawn, and a drawing in pieces is joined")
    func drawn() {
        let result: JSON = ["notification": "n-1", "extension": .null, "view": ["type": "text", "text": "View"]]
        #expect(ToolText.of(result).hasPrefix("notification n-1, shown by the system\n╭──"))
        #expect(ToolText.of(["notifications": [result]]) == ToolText.of(result))
        #expect(
            ToolText.of(["lines": [[["text": "a "], ["text": "b", "role": "dim"]], [], [["text": "c"]]]]) == "a b\n\nc"
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
