internal import Foundation

/// What Base64 makes of a text that stands anywhere in the bytes it encodes.
package enum Base64Spelling {
    /// The characters that the alphabet of URLs has in place of others.
    private static let urlCharacters = [UInt8(ascii: "+"): UInt8(ascii: "-"), UInt8(ascii: "/"): UInt8(ascii: "_")]

    /// The characters that depend on the text alone, for each place that it can have in a group of three bytes.
    ///
    /// The character before and the one behind may hold bits of the text too, two or four each; they tell no byte.
    ///
    /// - Parameter text: The text, of three bytes or more.
    /// - Returns: One spelling a place, and another one where the alphabet of URLs has other characters for it.
    package static func spellings(of text: [UInt8]) -> [[UInt8]] {
        var spellings: [[UInt8]] = []
        for before in 0..<3 {
            let bytes = [UInt8](repeating: 0, count: before) + text
            let encoded = Array(Data(bytes).base64EncodedString().utf8)
            // Six bits a character: the first that begins in the text, and the last that ends in it.
            let first = (8 * before + 5) / 6
            let standard = Array(encoded[first..<(8 * bytes.count / 6)])
            let url = standard.map { urlCharacters[$0] ?? $0 }
            spellings += url == standard ? [standard] : [standard, url]
        }
        return spellings
    }
}
