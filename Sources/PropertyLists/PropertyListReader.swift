/// Reads a property list in XML or binary form, all at once or in slices.
public struct PropertyListReader {
    /// How many values or container ends are read between two calls of `mayGoOn`.
    private static let stride = 256

    private var binary: BinaryPropertyListReader?
    private var xml: XMLPropertyListReader?

    /// A reader of those bytes.
    ///
    /// - Parameters:
    ///   - bytes: The whole file.
    ///   - limits: The limits of the file.
    /// - Throws: Why the bytes are no property list, if their beginning or their end shows it.
    public init(_ bytes: [UInt8], limits: PropertyListLimits = PropertyListLimits()) throws(PropertyListError) {
        switch PropertyListFormat(bytes) {
        case .binary: binary = try BinaryPropertyListReader(bytes, limits: limits)
        case .xml: xml = try XMLPropertyListReader(bytes, limits: limits)
        case nil:
            throw PropertyListError(bytes.isEmpty ? "it is empty" : "it is neither an XML nor a binary property list")
        }
    }

    /// Reads on until the value is complete or `mayGoOn` says no.
    ///
    /// - Parameter mayGoOn: Returns whether to continue; called every few hundred values.
    /// - Returns: The value; nil if it is not complete yet.
    /// - Throws: The error with its place; the reader cannot be used afterwards.
    public mutating func read(while mayGoOn: () -> Bool) throws(PropertyListError) -> PropertyListValue? {
        while true {
            for _ in 0..<Self.stride {
                if let value = binary?.value ?? xml?.value { return value }
                // In place, since a copy of what is read so far would cost as much as reading it.
                try binary?.step()
                try xml?.step()
            }
            guard mayGoOn() else { return nil }
        }
    }
}

extension PropertyListValue {
    /// Reads a property list in XML or binary form.
    ///
    /// - Parameters:
    ///   - bytes: The whole file.
    ///   - limits: The limits of the file.
    /// - Throws: The error with its place.
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
