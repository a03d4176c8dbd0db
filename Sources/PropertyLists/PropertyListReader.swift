/// Reads a property list in XML or binary form, all at once or in slices.
public struct PropertyListReader {
    /// The number of values or container ends that are read between two calls of `shouldContinue`.
    private static let stride = 256

    private var binary: BinaryPropertyListReader?
    private var xml: XMLPropertyListReader?

    /// A reader of a file's bytes.
    ///
    /// - Parameters:
    ///   - bytes: The whole file.
    ///   - limits: The limits of the file.
    /// - Throws: An error if the beginning or the end shows that the bytes are not a property list.
    public init(_ bytes: [UInt8], limits: PropertyListLimits = PropertyListLimits()) throws(PropertyListError) {
        switch PropertyListFormat(bytes) {
        case .binary: binary = try BinaryPropertyListReader(bytes, limits: limits)
        case .xml: xml = try XMLPropertyListReader(bytes, limits: limits)
        case nil:
            throw PropertyListError(bytes.isEmpty ? "it is empty" : "it is neither an XML nor a binary property list")
        }
    }

    /// Continues reading until the value is complete or `shouldContinue` returns false.
    ///
    /// - Parameter shouldContinue: Returns whether to continue; called every few hundred values.
    /// - Returns: The value; nil if it is not complete yet.
    /// - Throws: The error with its place; the reader cannot be used afterwards.
    public mutating func read(while shouldContinue: () -> Bool) throws(PropertyListError) -> PropertyListValue? {
        while true {
            for _ in 0..<Self.stride {
                if let value = binary?.value ?? xml?.value { return value }
                // Mutated in place, since copying everything read so far would cost as much as reading it.
                try binary?.step()
                try xml?.step()
            }
            guard shouldContinue() else { return nil }
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
