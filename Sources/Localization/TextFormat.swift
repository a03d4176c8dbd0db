/// A format text with its placeholders replaced by arguments.
///
/// `%@` takes the next argument, `%2$@` the second, `%%` is a percent sign.
/// Apple passes texts only; another specifier is shown with its text as well.
public struct TextFormat: Equatable {
    /// The greatest size of a filled text in bytes: a place may be repeated without end.
    public static let limit = 64 << 10
    private static let remarkLimit = 8
    /// A text with more places than this is cut too.
    private static let placeLimit = 1_000

    /// The filled text; a place without an argument stays as it was written.
    public let text: String
    /// Mismatches between placeholders and arguments, each as the end of a sentence.
    public let remarks: [String]

    /// Fills the places of a text.
    ///
    /// - Parameters:
    ///   - format: The text with places.
    ///   - arguments: The values of the placeholders.
    public init(_ format: String, _ arguments: [String]) {
        var filler = Filler(arguments: arguments)
        filler.fill(format)
        text = filler.text
        remarks = Array(filler.remarks.prefix(Self.remarkLimit))
    }

    private struct Filler {
        let arguments: [String]
        var text = ""
        var remarks: [String] = []
        var nextArgument = 0
        var used: Set<Int> = []

        mutating func fill(_ format: String) {
            var rest = Substring(format).unicodeScalars
            var places = 0
            while let percent = rest.firstIndex(of: "%") {
                text.unicodeScalars.append(contentsOf: rest[..<percent])
                rest = rest[percent...]
                guard let place = Place(rest) else {
                    remark("a % that begins no place is shown as it is; write %%")
                    text += "%"
                    rest = rest.dropFirst()
                    continue
                }
                rest = rest.dropFirst(place.length)
                take(place)
                places += 1
                if text.utf8.count > TextFormat.limit || places > TextFormat.placeLimit { return cut() }
            }
            text.unicodeScalars.append(contentsOf: rest)
            if text.utf8.count > TextFormat.limit { return cut() }
            for index in arguments.indices where !used.contains(index) {
                remark("the argument \(index + 1), \(arguments[index].debugDescription), is used nowhere")
            }
        }

        private mutating func take(_ place: Place) {
            guard place.conversion != "%" else { return text += "%" }
            let index = place.position.map { $0 - 1 } ?? nextArgument
            if place.position == nil { nextArgument += 1 }
            if place.conversion != "@" {
                remark("\(place.text) is shown with a text, because all arguments are texts; write %@")
            }
            guard arguments.indices.contains(index) else {
                remark("\(place.text) has no argument; there are \(arguments.count)")
                return text += place.text
            }
            used.insert(index)
            text += arguments[index]
        }

        private mutating func cut() {
            text = String(decoding: text.utf8.prefix(TextFormat.limit), as: UTF8.self)
            remark("the text has more than \(TextFormat.limit) bytes or \(TextFormat.placeLimit) places and was cut")
        }

        private mutating func remark(_ sentence: String) {
            if remarks.count < TextFormat.remarkLimit, !remarks.contains(sentence) { remarks.append(sentence) }
        }
    }

    /// A place in a format, as printf(3) writes it.
    private struct Place {
        private static let longest = 64

        let position: Int?
        let conversion: Unicode.Scalar
        /// The place as it is written.
        let text: String
        let length: Int

        /// The place at the beginning of a text, which is a percent sign.
        init?(_ format: Substring.UnicodeScalarView) {
            // Nobody writes a longer one, and what is counted must not be the rest of the text.
            let format = format.prefix(Self.longest)
            var rest = format.dropFirst()
            func digits() -> Int? {
                let digits = rest.prefix { ("0"..."9").contains($0) }
                rest = rest.dropFirst(digits.count)
                return Int(String(digits))
            }
            let beginning = rest
            if let number = digits(), number > 0, rest.first == "$" {
                position = number
                rest = rest.dropFirst()
            } else {
                position = nil
                rest = beginning
            }
            rest = rest.drop { "-+ #0'".unicodeScalars.contains($0) }
            _ = digits()
            if rest.first == "." {
                rest = rest.dropFirst()
                _ = digits()
            }
            rest = rest.drop { "hlqLztj".unicodeScalars.contains($0) }
            guard let last = rest.first, "@%dDiuUxXoOfFeEgGaAcCsSp".unicodeScalars.contains(last) else { return nil }
            conversion = last
            length = format.count - rest.count + 1
            text = String(String.UnicodeScalarView(format.prefix(length)))
            guard conversion != "%" || length == 2 else { return nil }
        }
    }
}
