import NotificationHTML
import Testing

/// Sequence diagrams as SVG.
@Suite struct SequenceDiagramTests {
    private static let lanes = [
        SequenceDiagram.Lane(id: "client", title: "You"), SequenceDiagram.Lane(id: "host", title: "Host"),
        SequenceDiagram.Lane(id: "a.b.cafe", title: "cafe", role: "content extension"),
        SequenceDiagram.Lane(id: "unused", title: "Nobody"),
    ]

    private static func entry(
        _ kind: SequenceDiagram.Kind,
        _ from: String,
        _ to: String?,
        _ text: String
    ) -> SequenceDiagram.Entry {
        SequenceDiagram.Entry(number: 1, time: 1_042, kind: kind, from: from, to: to, text: text)
    }

    private static func svg(_ entries: [SequenceDiagram.Entry]) -> String {
        SequenceDiagram(lanes: lanes, entries: entries).svg(title: "A <test>")
    }

    @Test("A lane is drawn if something happens on it, a call is an arrow, and its answer says how long it took")
    func drawing() {
        var answer = Self.entry(.answer, "a.b.cafe", "host", "didReceive")
        (answer.call, answer.duration) = (1, 12)
        let svg = Self.svg([Self.entry(.call, "host", "a.b.cafe", "didReceive"), answer])
        for text in [">Host</text>", ">cafe</text>", ">content extension</text>", ">1.042</text>", ">12 ms</text>"] {
            #expect(svg.contains(text), "\(text)")
        }
        #expect(!svg.contains("Nobody") && !svg.contains(">You<"))
        // The lanes are at 167 and 357; the answer goes back.
        #expect(svg.contains("d=\"M167 78H357\"") && svg.contains("d=\"M357 108H167\""), "\(svg)")
        #expect(svg == Self.svg([Self.entry(.call, "host", "a.b.cafe", "didReceive"), answer]))
    }

    @Test("A text is no markup, a long one of a call is cut, and an error has all its words on several lines")
    func texts() {
        let words = (1...20).map { "word\($0)" }.joined(separator: " ")
        let call = Self.svg([Self.entry(.call, "client", "host", words)])
        #expect(call.contains("…</text>") && call.contains("<title>\(words)</title>"))
        let error = Self.svg([Self.entry(.error, "host", "client", words)])
        for word in words.split(separator: " ") {
            #expect(error.replacing("<title>\(words)</title>", with: "").contains(word), "\(word)")
        }
        #expect(error.contains("height=\"\(56 + 30 + 16 + 3 * 15)\""), "\(error)")
        let hostile = Self.svg([Self.entry(.standardError, "host", nil, "</text><script>alert(1)</script>")])
        #expect(!hostile.contains("<script"))
        #expect(hostile.contains("&lt;/text&gt;") && hostile.contains("<title>A &lt;test&gt;</title>"))
    }
}
