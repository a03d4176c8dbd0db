internal import Foundation

/// The Base64 spellings of a text that lies anywhere in the encoded bytes.
package enum Base64Spelling {
    /// The characters in which the URL-safe alphabet differs.
    private static let urlCharacters = [UInt8(ascii: "+"): UInt8(ascii: "-"), UInt8(ascii: "/"): UInt8(ascii: "_")]

    /// The characters that depend only on the text, for each of the three positions at which it can begin in a group of
    /// three bytes.
    ///
    /// The characters before and after them may hold two or four bits of the text, which reveal no whole byte.
    ///
    /// - Parameter text: At least three bytes.
    /// - Returns: One spelling for each position, and a second one if the URL-safe alphabet spells it differently.
    package static func spellings(of text: [UInt8]) -> [[UInt8]] {
        var spellings: [[UInt8]] = []
        for before in 0..<3 {
            let bytes = [UInt8](repeating: 0, count: before) + text
            let encoded = Array(Data(bytes).base64EncodedString().utf8)
            // A character holds six bits. The first one begins in the text, and the last one ends in it.
            let first = (8 * before + 5) / 6
            let standard = Array(encoded[first..<(8 * bytes.count / 6)])
            let url = standard.map { urlCharacters[$0] ?? $0 }
            spellings += url == standard ? [standard] : [standard, url]
        }
        return spellings
    }
}
