package import JSON

/// A node of a map: its center and the places on it, as `protocol/reference/views.md` says.
package struct MapNode {
    /// A point on earth, in degrees.
    private struct Coordinate {
        static let limits = ["latitude": 90.0, "longitude": 180.0]

        let latitude, longitude: Double

        init?(_ json: JSON) {
            guard let latitude = json["latitude"]?.number, let longitude = json["longitude"]?.number,
                abs(latitude) <= 90, abs(longitude) <= 180
            else { return nil }
            (self.latitude, self.longitude) = (latitude, longitude)
        }

        /// The coordinate as a phone writes it, such as `52.5200° N, 13.4050° E`.
        var text: String {
            let (north, east) = (latitude < 0 ? "S" : "N", longitude < 0 ? "W" : "E")
            return "\(Self.degrees(latitude)) \(north), \(Self.degrees(longitude)) \(east)"
        }

        private static func degrees(_ value: Double) -> String {
            let parts = Int((abs(value) * 10_000).rounded())
            return "\(parts / 10_000).\(String(String(parts % 10_000 + 10_000).dropFirst()))°"
        }
    }

    /// A place on the picture of the map.
    package struct Pin {
        /// The position from the left and from the top edge, from 0 to 1.
        package let x, y: Double
    }

    /// What the map shows; empty if the node does not say so.
    package let alt: String
    private let center: Coordinate?
    private let span: (latitude: Double, longitude: Double)?
    private let annotations: [(title: String, place: Coordinate)]

    package init(_ node: JSON) {
        alt = node.shownText("alt")
        center = Coordinate(node)
        let (high, wide) = (node["span"]?["latitude"]?.number ?? 0, node["span"]?["longitude"]?.number ?? 0)
        span = high > 0 && wide > 0 ? (high, wide) : nil
        annotations = Self.annotations(node).compactMap { annotation in
            Coordinate(annotation).map { (annotation.shownText("title"), $0) }
        }
    }

    private static func annotations(_ node: JSON) -> [JSON] { node["annotations"]?.array.map { Array($0) } ?? [] }

    /// The places with their coordinates; the center if there is none.
    package var places: [String] {
        guard !annotations.isEmpty else { return [center?.text ?? "(no place)"] }
        return annotations.map { $0.title.isEmpty ? $0.place.text : "\($0.title) (\($0.place.text))" }
    }

    /// Where the places are on the map, as far as they are on it; a map without a span shows those at its center only.
    package var pins: [Pin] {
        guard let center else { return [] }
        return annotations.compactMap { annotation in
            let (high, wide) = span ?? (.leastNonzeroMagnitude, .leastNonzeroMagnitude)
            let (up, right) = (
                annotation.place.latitude - center.latitude, annotation.place.longitude - center.longitude
            )
            let (x, y) = (0.5 + right / wide, 0.5 - up / high)
            return (0...1).contains(x) && (0...1).contains(y) ? Pin(x: x, y: y) : nil
        }
    }

    /// The members that are not valid, each with what it must be.
    package static func problems(of node: JSON) -> [(member: String, rule: String)] {
        guard node["type"] == "map" else { return [] }
        var problems = Coordinate.limits.sorted { $0.key < $1.key }.compactMap { member, limit in
            node[member]?.number.map { abs($0) <= limit } == true
                ? nil : (member, "a number of degrees from \(-Int(limit)) to \(Int(limit))")
        }
        let annotations = annotations(node)
        if node["annotations"] != nil, annotations.isEmpty || annotations.contains(where: { Coordinate($0) == nil }) {
            problems.append(("annotations", "an array of objects with latitude and longitude in degrees"))
        }
        return problems
    }
}
