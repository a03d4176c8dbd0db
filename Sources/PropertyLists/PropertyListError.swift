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
