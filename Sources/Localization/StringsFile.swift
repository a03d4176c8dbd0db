internal import Platform
internal import PropertyLists

/// A table of texts by key: the contents of a `.strings` file.
///
/// Xcode compiles the text form to a property list, so both forms are read, in
/// UTF-8 or in UTF-16 with a byte order mark.
struct StringsFile {
    let texts: [String: String]

    /// Reads a file's bytes.
    ///
    /// - Throws: The error, with its line if it has one.
    init(_ bytes: [UInt8]) throws(BundleFile.Failure) {
        if PropertyListFormat(bytes) != nil {
            texts = try Self.propertyList(bytes)
        } else {
            var parser = StringsParser(try Self.text(of: bytes))
            texts = try parser.texts()
        }
    }

    /// The strings of a property list; values of other types, such as plural rules, are ignored.
    private static func propertyList(_ bytes: [UInt8]) throws(BundleFile.Failure) -> [String: String] {
        guard case .dictionary(let members) = try BundleFile.dictionary(bytes) else { return [:] }
        var texts: [String: String] = [:]
        for member in members {
            if case .string(let text) = member.value { texts[member.key] = text }
        }
        return texts
    }

    private static func text(of bytes: [UInt8]) throws(BundleFile.Failure) -> String {
        for (mark, high) in [([0xFE, 0xFF], 0), ([0xFF, 0xFE], 1)] as [([UInt8], Int)] where bytes.starts(with: mark) {
            let units = stride(from: 2, to: bytes.count - 1, by: 2).map { index in
                UInt16(bytes[index + high]) << 8 | UInt16(bytes[index + 1 - high])
            }
            guard bytes.count.isMultiple(of: 2), let text = String(validating: units, as: UTF16.self) else {
                throw BundleFile.Failure(message: "it begins like UTF-16, but is not valid UTF-16")
            }
            return text
        }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        guard let text = String(validating: bytes.dropFirst(bytes.starts(with: mark) ? 3 : 0), as: UTF8.self) else {
            throw BundleFile.Failure(message: "it is neither UTF-8 nor UTF-16 with a byte order mark")
        }
        return text
    }
}
