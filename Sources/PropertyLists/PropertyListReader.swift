/// Reads a property list in XML or binary form, all at once or in slices.
public struct PropertyListReader {
    private let bytes: [UInt8]
    private let format: PropertyListFormat

    /// A reader of those bytes.
    ///
    /// - Parameters:
    ///   - bytes: The whole file.
    ///   - limits: What the file may hold at most.
    /// - Throws: Why the bytes are no property list, if their beginning shows it.
    public init(_ bytes: [UInt8], limits: PropertyListLimits = PropertyListLimits()) throws(PropertyListError) {
        guard let format = PropertyListFormat(bytes) else {
            throw PropertyListError(bytes.isEmpty ? "it is empty" : "it is neither XML nor a binary property list")
        }
        self.bytes = bytes
        self.format = format
    }

    /// Reads on until the value is complete or `mayGoOn` says no.
    ///
    /// - Parameter mayGoOn: Whether to go on; asked every few hundred values.
    /// - Returns: The value; nil if it is not complete yet.
    /// - Throws: What is wrong and where.
    public mutating func read(while mayGoOn: () -> Bool) throws(PropertyListError) -> PropertyListValue? {
        switch format {
        case .binary: try BinaryPropertyListReader.read(bytes)
        case .xml: try PropertyListValue(xml: bytes)
        }
    }
}

extension PropertyListValue {
    /// Reads a property list in XML or binary form.
    ///
    /// - Parameters:
    ///   - bytes: The whole file.
    ///   - limits: What the file may hold at most.
    /// - Throws: What is wrong and where.
    public init(
        propertyList bytes: [UInt8],
        limits: PropertyListLimits = PropertyListLimits()
    ) throws(PropertyListError) {
        var reader = try PropertyListReader(bytes, limits: limits)
        while true {
            guard let value = try reader.read(while: { true }) else { continue }
            self = value
            return
        }
    }
}
