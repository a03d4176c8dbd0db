import Foundation
import JSON
import TestSupport
import Testing

@testable import pushhost

/// What `extensions check` finds in the views that an extension shows, and in the times of its calls.
@Suite struct ViewValidatorTests {
    private func findings(_ view: JSON) -> [String] {
        let report = CheckReport(bundle: "b")
        let validator = ViewValidator(report)
        // The same view is often shown again.
        for _ in 0..<2 { validator.validate(view) }
        return report.findings.map { "\($0.severity) \($0.place): \($0.message)" }
    }

    @Test("A view with pictures, titles and usual texts gives no finding")
    func good() throws {
        try withTemporaryDirectory { folder in
            let picture = "\(folder)/a.png"
            try Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]).write(to: URL(filePath: picture))
            let nodes: [JSON] = [
                ["type": "text", "text": ""], ["type": "button", "id": "use", "title": "Use"],
                ["type": "image", "url": "https://example.com/a.png"],
                ["type": "image", "url": .string("file://\(picture)")], ["type": "card", "faceUp": false],
                ["type": "text", "text": .string(String(repeating: "é", count: 4_000))],
            ]
            #expect(findings(["type": "stack", "children": JSON(nodes)]) == [])
        }
    }

    @Test(
        "What nobody can see or use is a warning",
        arguments: [
            (["type": "button", "id": "use"], "the button use has no title"),
            (["type": "button", "title": " "], "a button has no title"),
            (["type": "image"], "an image has no url"),
            (
                ["type": "image", "id": "logo", "url": "logo.png"],
                "the image logo has the url \"logo.png\", which is not shown"
            ),
            (["type": "image", "url": "file:///none.png"], "cannot be shown: there is no such file"),
            (["type": "image", "url": "file:///etc/passwd"], "it is not a PNG, JPEG, GIF or WebP image"),
        ] as [(JSON, String)]
    )
    func node(node: JSON, message: String) {
        let found = findings(["type": "row", "children": [node, node]])
        #expect(found.count == 1 && found[0].hasPrefix("warning view: ") && found[0].contains(message), "\(found)")
    }

    @Test("A look that is not valid is a warning with its path and what it must be")
    func looks() {
        let text: JSON = ["type": "text", "text": "x", "color": "red", "bold": 1]
        let children: JSON = [["type": "text", "text": ""], text]
        let row: JSON = ["type": "row", "background": ["light": "#ffffff"], "children": children]
        let color = "it must be a text such as #0A84FF, or an object with one as light and one as dark"
        #expect(
            findings(["type": "stack", "background": "#ffffff", "children": [row]]) == [
                "warning view: /children/0/background is {\"light\":\"#ffffff\"}, which is ignored: \(color)",
                "warning view: /children/0/children/1/bold is 1, which is ignored: it must be true or false",
                "warning view: /children/0/children/1/color is \"red\", which is ignored: \(color)",
            ]
        )
    }

    @Test("Media and maps that are not valid are warnings with their path")
    func mediaAndMaps() {
        let place: JSON = ["latitude": 1, "longitude": 200]
        let found = findings([
            "type": "stack",
            "children": [
                ["type": "media", "source": "a.mp4", "kind": "film", "state": "paused", "time": "0", "duration": 1],
                ["type": "map", "latitude": 90, "longitude": 0, "annotations": [place]],
                ["type": "map", "latitude": -90.5],
            ],
        ])
        let ignored = "which is ignored: it must be"
        #expect(
            found == [
                "warning view: /children/0/kind is \"film\", \(ignored) one of audio, video",
                "warning view: /children/0/time is \"0\", \(ignored) a number of seconds",
                "warning view: /children/1/annotations is [\(place)], \(ignored) an array of objects with latitude and "
                    + "longitude in degrees",
                "warning view: /children/2/latitude is -90.5, \(ignored) a number of degrees from -90 to 90",
                "warning view: /children/2/longitude is absent, \(ignored) a number of degrees from -180 to 180",
            ]
        )
    }

    @Test("A text that is cut and a view that is not drawn are warnings with their sizes")
    func sizes() {
        let long = JSON.string(String(repeating: "x", count: 5_000_000))
        #expect(
            findings(["type": "text", "id": "t", "text": long]) == [
                "warning view: the text t has a text of 5000000 characters, of which a page shows 4000; shorten it"
            ]
        )
        let nodes = JSON(Array(repeating: ["type": "text", "text": "x"] as JSON, count: 20_000))
        #expect(
            findings(["type": "stack", "children": nodes]) == [
                "warning view: it has 20001 nodes: a page shows the first 1000, and a terminal shows none"
            ]
        )
    }

    @Test("A call is slow if each of several took longer than a second")
    func times() {
        var times = CallTimes()
        for milliseconds in [4_000, 1_500, 2_000] as [Int64] {
            times.note("interact", ["element": "slow"], milliseconds)
            times.note("didReceive", [:], milliseconds)
            times.note("checkPayload", [:], milliseconds)
        }
        times.note("didReceive", [:], 1_000)
        times.note("interact", ["element": "once"], 9_000)
        #expect(times.slow.map(\.call) == ["interact of slow"])
        #expect(times.slow.map(\.milliseconds) == [1_500])
    }
}
