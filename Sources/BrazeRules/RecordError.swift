internal import JSON

/// The place of an error in a record: a parameter of the save, or a member of its value at any depth.
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

/// Why Braze would reject a record.
public struct RecordError: Error, Equatable {
    /// A sentence without a full stop.
    public let text: String
    /// The place of the error.
    public private(set) var place: RecordPlace
    /// Whether the error concerns the parameter as a whole, so that ``within(_:)`` must not extend the path.
    private let isPinned: Bool

    /// An error.
    public init(_ text: String, _ place: RecordPlace) { self.init(text, place, isPinned: false) }

    init(_ text: String, _ place: RecordPlace, isPinned: Bool) {
        self.text = text
        self.place = place
        self.isPinned = isPinned
    }

    /// The same error with a path that begins at the parent of the invalid value.
    ///
    /// Because the path is built while an error propagates, checking a valid record costs nothing for it.
    func within(_ step: String) -> RecordError {
        var error = self
        if !isPinned { error.place.steps.insert(step, at: 0) }
        return error
    }
}
