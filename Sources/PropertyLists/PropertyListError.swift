/// Why bytes cannot be read as a property list.
public struct PropertyListError: Error, Equatable, Sendable {
    /// Where in the file something is wrong.
    public enum Place: Equatable, Sendable {
        /// A line of an XML file; the first is 1.
        case line(Int)
        /// A byte of a binary file; the first is 0.
        case offset(Int)
    }

    /// What is wrong.
    public let reason: String
    /// Where it is wrong; nil if the file as a whole is.
    public let place: Place?

    init(_ reason: String, at place: Place? = nil) {
        self.reason = reason
        self.place = place
    }

    /// A message for people: a sentence about "it", the file, with the place.
    public var message: String {
        switch place {
        case nil: reason
        case .line(let line): "it is no readable property list: line \(line): \(reason)"
        case .offset(let offset): "it is no readable binary property list: byte \(offset): \(reason)"
        }
    }

    /// The same error with a place, unless it has one.
    func placed(at place: Place) -> PropertyListError {
        PropertyListError(reason, at: self.place ?? place)
    }
}
