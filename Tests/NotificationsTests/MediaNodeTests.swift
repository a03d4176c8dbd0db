import JSON
import Notifications
import Testing

/// What is shown of media and maps, also of those whose members are not valid.
@Suite struct MediaNodeTests {
    private func times(_ time: JSON, _ duration: JSON? = nil) -> String {
        MediaNode(JSON(present: ["type": "media", "time": time, "duration": duration])).times
    }

    @Test("Times are those of a phone, however long or wrong the numbers are")
    func times() {
        #expect(times(3, 12.9) == "0:03 / 0:12")
        #expect(times(59.999, 3_600) == "0:59 / 1:00:00")
        #expect(times(3_725) == "1:02:05")
        #expect(times(-5, "long") == "0:00")
        #expect(times(1e300) == "8784:00:00")
    }

    @Test("The part that was played is known if the length is")
    func share() {
        func share(_ duration: JSON) -> Double? {
            MediaNode(["type": "media", "time": 3, "duration": duration]).share
        }
        #expect(share(12) == 0.25 && share(2) == 1)
        #expect(share(0) == nil && share(-1) == nil && share(.null) == nil)
    }

    @Test("A state that is not known counts as paused, and the name is the description or the end of the source")
    func names() {
        let media = MediaNode(["type": "media", "source": "https://example.com/a/b.mp4", "state": "rewinding"])
        #expect(media.state == .paused && media.name == "b.mp4" && media.spoken == "Film, paused, 0:00")
        #expect(MediaNode(["source": "b.mp4", "alt": "A dance"]).name == "A dance")
    }

    @Test("Places have their names and coordinates; the center stands for them if there are none")
    func places() {
        let map = MapNode([
            "latitude": -33.85, "longitude": 151.2, "annotations": [["latitude": 1, "longitude": 181], 5],
        ])
        #expect(map.places == ["33.8500° S, 151.2000° E"])
        #expect(map.pins.isEmpty)
        #expect(MapNode(["latitude": "x"]).places == ["(no place)"])
    }

    @Test("A place is a pin if it lies on the map; without a span only the center does")
    func pins() {
        let (here, beside): (JSON, JSON) = (["latitude": 10, "longitude": 20], ["latitude": 10.5, "longitude": 19])
        let places: JSON = [here, beside, ["latitude": 12, "longitude": 20]]
        let map = MapNode(["latitude": 10, "longitude": 20, "annotations": places])
        #expect(map.pins.map(\.x) == [0.5])
        let span: JSON = ["latitude": 2, "longitude": 4]
        let spanned = MapNode(["latitude": 10, "longitude": 20, "span": span, "annotations": places])
        #expect(spanned.pins.map(\.x) == [0.5, 0.25] && spanned.pins.map(\.y) == [0.5, 0.25])
    }
}
