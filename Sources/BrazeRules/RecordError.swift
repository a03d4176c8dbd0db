internal import JSON

/// Where in a record something is wrong: a parameter of the save, or a member of its value at any depth.
public struct RecordPlace: Equatable, Sendable {
    /// The parameter: `name`, `properties`, `key`, `value`, `field` or `user`.
    public let parameter: String
    /// The names and indices that lead from the parameter's value to the member.
    public internal(set) var steps: [String]

    /// A place.
    public init(_ parameter: String, _ steps: String...) {
        self.parameter = parameter
        self.steps = steps
    }
}

/// Why Braze does not take a record.
public struct RecordError: Error, Equatable {
    /// A sentence without its end.
    public let text: String
    /// Where the record is wrong.
    public private(set) var place: RecordPlace
    /// Whether it is about the parameter as a whole.
    private let isPinned: Bool

    /// An error.
    public init(_ text: String, _ place: RecordPlace) { self.init(text, place, isPinned: false) }

    init(_ text: String, _ place: RecordPlace, isPinned: Bool) {
        self.text = text
        self.place = place
        self.isPinned = isPinned
    }

    /// The same error, seen from the value that holds the one in which it was found.
    ///
    /// So the path is made only if something is wrong, and a good record pays nothing for it.
    func within(_ step: String) -> RecordError {
        var error = self
        if !isPinned { error.place.steps.insert(step, at: 0) }
        return error
    }
}
