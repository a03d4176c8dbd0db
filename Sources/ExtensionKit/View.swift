public import JSON

/// A node of a view: a value, so that an editor, a terminal or a web page can draw it.
///
/// A touch names a node by its id, so ids are unique in a view.
public struct View: Sendable {
    /// A colour, which may depend on the appearance; a literal such as `"#0A84FF"` is one for both.
    ///
    /// A text that is not `#RRGGBB` is shown as no colour; `pushhost extensions check` names it. Needs a client of version
    /// 1.2 of the contract; others leave it out.
    public struct Color: ExpressibleByStringLiteral, Sendable {
        fileprivate let json: JSON

        /// One colour for both appearances, as `#RRGGBB`.
        public init(_ hex: String) { json = .string(hex) }
        /// The same as ``init(_:)``.
        public init(stringLiteral hex: String) { self.init(hex) }
        /// A colour for a light and one for a dark appearance, each as `#RRGGBB`.
        public init(light: String, dark: String) { json = ["light": .string(light), "dark": .string(dark)] }
    }

    /// The part of a map that is shown, as MapKit's `MKCoordinateSpan`.
    public struct MapSpan: Sendable {
        fileprivate let json: JSON

        /// The degrees from the lower to the upper, and from the left to the right edge.
        public init(latitude: Double, longitude: Double) {
            json = ["latitude": .real(latitude), "longitude": .real(longitude)]
        }
    }

    /// A place on a map, as MapKit's `MKAnnotation`.
    public struct MapAnnotation: Sendable {
        fileprivate let json: JSON

        /// A place by its degrees; the title is its name.
        public init(_ title: String? = nil, latitude: Double, longitude: Double) {
            let place: MemberList = ["latitude": .real(latitude), "longitude": .real(longitude)]
            json = JSON(present: ["title": title.map(JSON.string)] + place)
        }
    }

    /// The node as on the wire.
    public let json: JSON

    private init(_ type: String, id: String?, _ members: MemberList) {
        json = JSON(present: ["type": .string(type), "id": id.map(JSON.string)] + members)
    }

    /// Nodes from top to bottom.
    public static func stack(_ children: [View], id: String? = nil, background: Color? = nil) -> View {
        View("stack", id: id, ["background": background?.json, "children": JSON(children.map(\.json))])
    }

    /// Nodes from left to right.
    public static func row(_ children: [View], id: String? = nil, background: Color? = nil) -> View {
        View("row", id: id, ["background": background?.json, "children": JSON(children.map(\.json))])
    }

    /// Pages, of which one is shown.
    ///
    /// A swipe is an interaction with the carousel's id as element and the number of the page as value; it changes
    /// nothing until the extension shows that page. Needs a host of version 1.1 of the contract.
    ///
    /// - Parameters:
    ///   - pages: The pages.
    ///   - id: The id that a swipe names.
    ///   - page: The position of the page that is shown, from 0.
    ///   - background: The colour behind the pages.
    /// - Returns: The node.
    public static func carousel(_ pages: [View], id: String, page: Int, background: Color? = nil) -> View {
        let members: MemberList = ["page": JSON(page), "background": background?.json]
        return View("carousel", id: id, members + ["children": JSON(pages.map(\.json))])
    }

    /// Nodes row by row.
    public static func grid(_ children: [View], columns: Int, id: String? = nil, background: Color? = nil) -> View {
        let members: MemberList = ["columns": JSON(columns), "background": background?.json]
        return View("grid", id: id, members + ["children": JSON(children.map(\.json))])
    }

    /// A text.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - id: The id that a touch names.
    ///   - style: The role of the text; `body` if absent.
    ///   - alignment: The alignment of the lines; `start` if absent.
    ///   - color: The colour of the text; the client's if absent.
    ///   - isBold: Whether the text is bold.
    /// - Returns: The node.
    public static func text(
        _ text: String,
        id: String? = nil,
        style: TextStyle? = nil,
        alignment: TextAlignment? = nil,
        color: Color? = nil,
        isBold: Bool = false
    ) -> View {
        let members: MemberList = [
            "text": .string(text), "style": style.map { .string($0.rawValue) },
            "alignment": alignment.map { .string($0.rawValue) }, "color": color?.json, "bold": isBold ? true : nil,
        ]
        return View("text", id: id, members)
    }

    /// A picture.
    ///
    /// - Parameters:
    ///   - url: The URL of the picture.
    ///   - id: The id that a touch names.
    ///   - alt: A description for people who do not see the picture, like UIKit's `accessibilityLabel`.
    /// - Returns: The node.
    public static func image(_ url: String, id: String? = nil, alt: String? = nil) -> View {
        View("image", id: id, ["url": .string(url), "alt": alt.map(JSON.string)])
    }

    /// A playing card; without a face it lies face down.
    public static func card(id: String, face: String?, isMatched: Bool = false) -> View {
        let side: MemberList = ["faceUp": .bool(face != nil), "face": face.map(JSON.string)]
        return View("card", id: id, side + ["matched": .bool(isMatched)])
    }

    /// A button.
    ///
    /// - Parameters:
    ///   - title: The text on it.
    ///   - id: The id that a touch names.
    ///   - color: The colour of the title; the client's if absent.
    ///   - isBold: Whether the title is bold.
    ///   - background: The colour behind the title; the client's if absent.
    /// - Returns: The node.
    public static func button(
        _ title: String,
        id: String,
        color: Color? = nil,
        isBold: Bool = false,
        background: Color? = nil
    ) -> View {
        let look: MemberList = [
            "color": color?.json, "bold": isBold ? true : nil, "background": background?.json,
        ]
        return View("button", id: id, ["title": .string(title)] + look)
    }

    /// A text field.
    public static func field(id: String, value: String = "", placeholder: String = "") -> View {
        View("field", id: id, ["value": .string(value), "placeholder": .string(placeholder)])
    }

    /// A progress bar; the colour is that of its filled part.
    public static func progress(value: Int, total: Int, id: String? = nil, color: Color? = nil) -> View {
        View("progress", id: id, ["value": JSON(value), "total": JSON(total), "color": color?.json])
    }

    /// A film or a sound, which clients name and do not play.
    ///
    /// Needs a host of version 1.2 of the contract.
    ///
    /// - Parameters:
    ///   - source: The name of the file, or the URL.
    ///   - kind: Whether there is something to see.
    ///   - state: What it does.
    ///   - time: The position in seconds.
    ///   - duration: The length in seconds; nil if it is not known.
    ///   - id: The id that a touch names, which plays and pauses.
    ///   - alt: A description for people who do not see or hear it.
    /// - Returns: The node.
    public static func media(
        _ source: String,
        kind: MediaKind,
        state: MediaState,
        time: Double = 0,
        duration: Double? = nil,
        id: String? = nil,
        alt: String? = nil
    ) -> View {
        let members: MemberList = [
            "source": .string(source), "kind": .string(kind.rawValue), "state": .string(state.rawValue),
            "time": .real(time), "duration": duration.map(JSON.real), "alt": alt.map(JSON.string),
        ]
        return View("media", id: id, members)
    }

    /// A map, by the degrees of its center.
    ///
    /// Needs a host of version 1.2 of the contract.
    ///
    /// - Parameters:
    ///   - latitude: The latitude of the center.
    ///   - longitude: The longitude of the center.
    ///   - span: The part that is shown; the client's choice if absent.
    ///   - annotations: The places on the map.
    ///   - id: The id that a touch names.
    ///   - alt: A description for people who do not see the map.
    /// - Returns: The node.
    public static func map(
        latitude: Double,
        longitude: Double,
        span: MapSpan? = nil,
        annotations: [MapAnnotation] = [],
        id: String? = nil,
        alt: String? = nil
    ) -> View {
        let members: MemberList = [
            "latitude": .real(latitude), "longitude": .real(longitude), "span": span?.json,
            "annotations": annotations.isEmpty ? nil : JSON(annotations.map(\.json)), "alt": alt.map(JSON.string),
        ]
        return View("map", id: id, members)
    }
}
