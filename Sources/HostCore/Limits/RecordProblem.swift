internal import JSON
internal import JSONRPC

/// Where something in a save is wrong: a parameter, or a member of its value at any depth.
struct RecordPlace: Equatable {
    let parameter: String
    /// The names and numbers that lead from the parameter's value to the member.
    var steps: [String]

    init(_ parameter: String, _ steps: String...) {
        self.parameter = parameter
        self.steps = steps
    }

    /// The rest of a JSON Pointer, behind the parameter.
    var pointer: String { steps.map { "/" + JSONPointer.escape($0) }.joined() }
}

/// Why a record may not be saved.
struct RecordProblem: Error, Equatable {
    let text: String
    private(set) var place: RecordPlace
    /// Whether it is about the parameter as a whole, wherever it was found.
    private let isPinned: Bool

    init(_ text: String, _ place: RecordPlace, isPinned: Bool = false) {
        self.text = text
        self.place = place
        self.isPinned = isPinned
    }

    /// The same problem, seen from the value that holds the one it was found in.
    ///
    /// So the path is made only where something is wrong, and costs a good record nothing.
    func within(_ step: String) -> RecordProblem {
        var problem = self
        if !isPinned { problem.place.steps.insert(step, at: 0) }
        return problem
    }

    /// The error for a caller who wrote the params in this way.
    func error(_ arguments: Arguments) -> RPCError {
        HostError.invalidRecord("not saved: \(text)", path: arguments.path(place.parameter) + place.pointer)
    }
}
