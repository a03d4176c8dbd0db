package import Platform

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

/// The form of a property list, detected from the first bytes of the file.
public enum PropertyListFormat: Sendable {
    /// `bplist00`.
    case binary
    /// XML in UTF-8 or UTF-16.
    case xml

    /// The number of first bytes from which the form is detected.
    public static let headSize = 1_024

    /// The form of a file; nil if the file begins like neither form.
    ///
    /// Other XML is not accepted, nor is the old text format, which `.strings` files also use.
    public init?(_ bytes: some Sequence<UInt8>) {
        let head = Array(bytes.prefix(Self.headSize))
        if head.starts(with: "bplist0".utf8) {
            self = .binary
        } else if Self.isXML(head) {
            self = .xml
        } else {
            return nil
        }
    }

    private static func isXML(_ head: [UInt8]) -> Bool {
        // Skip byte order marks and the zero bytes of UTF-16.
        var rest = Substring(
            String(
                decoding: head.filter { $0 != 0 }.drop { [0xEF, 0xBB, 0xBF, 0xFE, 0xFF].contains($0) },
                as: UTF8.self
            )
        )
        func begins(_ text: String) -> Bool { rest.utf8.starts(with: text.utf8) }
        rest = rest.drop(while: \.isWhitespace)
        if begins("<?xml") {
            guard let end = rest.firstRange(of: "?>") else { return false }
            rest = rest[end.upperBound...].drop(while: \.isWhitespace)
        }
        return ["<plist", "<dict", "<!DOCTYPE plist", "<!--"].contains(where: begins)
    }
}

/// The limits of a property list.
///
/// The objects of a binary file refer to each other by number, so a few bytes can describe an endless tree. A
/// value that several objects refer to therefore counts once for each reference.
public struct PropertyListLimits: Equatable, Sendable {
    /// The maximum number of nested containers.
    public var depth: Int
    /// The maximum number of values, apart from ``sharedValues``.
    public var values: Int
    /// The number of values allowed in addition to one for each byte of the file: some writers share a few containers.
    public var sharedValues: Int
    /// The maximum number of bytes of all texts and data together.
    public var bytes: Int

    /// Limits; files of apps and bundles do not reach the defaults.
    public init(depth: Int = 512, values: Int = 4 << 20, sharedValues: Int = 4_096, bytes: Int = 64 << 20) {
        self.depth = depth
        self.values = values
        self.sharedValues = sharedValues
        self.bytes = bytes
    }

    /// The maximum number of values of a file of that size.
    func values(ofSize size: Int) -> Int { min(size, values) + sharedValues }
}

/// Why bytes cannot be read as a property list.
public struct PropertyListError: Error, Equatable, Sendable {
    /// The place of an error in the file.
    public enum Place: Equatable, Sendable {
        /// A line of an XML file; the first is 1.
        case line(Int)
        /// A byte of a binary file; the first is 0.
        case offset(Int)
    }

    /// What is wrong.
    public let reason: String
    /// The place of the error; nil if it concerns the whole file.
    public let place: Place?

    init(_ reason: String, at place: Place? = nil) {
        self.reason = reason
        self.place = place
    }

    /// A human-readable message with the place; a sentence whose subject "it" is the file.
    public var message: String {
        switch place {
        case nil: reason
        case .line(let line): "it is not a readable property list: line \(line): \(reason)"
        case .offset(let offset): "it is not a readable binary property list: byte \(offset): \(reason)"
        }
    }

    /// The same error with a place, unless it has one.
    func placed(at place: Place) -> PropertyListError {
        PropertyListError(reason, at: self.place ?? place)
    }
}

/// Reads the bytes of property list files.
package enum PropertyListFile {
    /// Why a file is not read.
    package enum Failure: Error, Equatable {
        /// The system cannot read it.
        case unreadable(SystemError)
        /// It is larger than allowed.
        case tooLarge
        /// It begins neither like XML nor like the binary form.
        case notPropertyList
    }

    /// Reads a property list; reads only the first bytes of any other file, such as a private key.
    ///
    /// The descriptor is that of a regular file at its beginning, which may be empty.
    ///
    /// - Throws: Why the file is not read.
    package static func bytes(of descriptor: Int32, limit: Int) throws(Failure) -> [UInt8] {
        let head = try read(descriptor, limit: min(PropertyListFormat.headSize, limit + 1))
        guard head.isEmpty || PropertyListFormat(head) != nil else { throw .notPropertyList }
        do throws(SystemError) {
            try Descriptors.rewind(descriptor)
        } catch {
            throw .unreadable(error)
        }
        // Read again from the start, because joining two arrays of megabytes would keep the event loop busy.
        let bytes = try read(descriptor, limit: limit + 1)
        // The file may have grown since its size was checked.
        guard bytes.count <= limit else { throw .tooLarge }
        return bytes
    }

    private static func read(_ descriptor: Int32, limit: Int) throws(Failure) -> [UInt8] {
        do throws(SystemError) {
            return try Descriptors.readAll(descriptor, limit: limit)
        } catch {
            throw .unreadable(error)
        }
    }
}
