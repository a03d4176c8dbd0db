internal import CPictures
internal import JSON

/// The page that shows all pictures of a review: one file that needs no other.
struct GalleryPage {
    private let review: PictureReview
    /// The style sheets of the pictures, each once.
    private var styles: [String] = []

    /// The page of a review.
    init(_ review: PictureReview) { self.review = review }

    /// The text of the page.
    var html: String {
        mutating get {
            let pictures = review.pictures.map { json($0) }
            let data = JSON(present: [
                "summary": .string(review.summary), "command": review.acceptance.map(JSON.string),
                "styles": JSON(styles.map(JSON.string)), "pictures": JSON(pictures),
            ])
            let template = UnsafeBufferPointer(start: cpictures_page(), count: cpictures_size())
            let parts = String(decoding: template, as: UTF8.self).split(separator: "PICTURES", maxSplits: 1)
            // No text of a picture may end the element that it is in.
            return parts.map(String.init).joined(separator: data.description.replacing("<", with: "\\u003c"))
        }
    }

    private mutating func json(_ picture: Picture) -> JSON {
        JSON(present: [
            "name": .string(picture.name), "source": .string(picture.source),
            "state": .string(picture.state.rawValue), "mistake": picture.mistake.map(JSON.string),
            "labels": JSON(present: MemberList(picture.labels.map { ($0.axis, JSON.string($0.value)) })),
            "svg": picture.svg.map { parts($0) },
            "accepted": picture.state == .unchanged ? nil : picture.accepted.map { parts($0) },
        ])
    }

    /// The text before the style sheet of a picture, the number of that, and the text after it.
    private mutating func parts(_ svg: String) -> JSON {
        let start = svg.firstRange(of: "<style>")?.upperBound ?? svg.startIndex
        let end = svg.firstRange(of: "</style>")?.lowerBound ?? start
        guard start <= end else { return [.string(svg), .integer(number(of: "")), ""] }
        let style = number(of: String(svg[start..<end]))
        return [.string(String(svg[..<start])), .integer(style), .string(String(svg[end...]))]
    }

    private mutating func number(of style: String) -> Int64 {
        if let index = styles.firstIndex(of: style) { return Int64(index) }
        styles.append(style)
        return Int64(styles.count - 1)
    }
}
