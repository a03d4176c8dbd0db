import ExtensionKit
import JSON

/// The `errors` of an answer, in any of the forms in which they were seen: objects with
/// `type`, `input_array` and `index`, some without the latter, texts, or `null`.
struct AnswerErrors {
    /// What is wrong with the objects that are named, by their place in the request.
    private(set) var failures: [Int: String] = [:]
    /// What is wrong with something that is not named, in one text.
    private(set) var unplaced: String?
    /// Errors about objects that were never sent.
    private(set) var diagnostics: [DeliveryResult.Diagnostic] = []

    /// Reads the member `errors` of the answer to a request of so many objects.
    init(_ json: JSON?, attributes: Int, events: Int) {
        guard let json, !json.isNull else { return }
        for error in json.array.map(Array.init) ?? [json] {
            let type = Verdict.short(error["type"]?.string ?? error.string ?? error.description)
            guard let array = error["input_array"]?.string, let index = Self.index(error["index"]) else {
                unplaced = unplaced.map { "\($0); \(type)" } ?? type
                continue
            }
            let (offset, count) = array == "events" ? (attributes, events) : (0, array == "attributes" ? attributes : 0)
            guard (0..<count).contains(index) else {
                let text = "Braze names the object \(index) of \(array), which was not sent: \(type)"
                diagnostics.append(.init(reason: "foreignError", text))
                continue
            }
            failures[offset + index] = failures[offset + index].map { "\($0); \(type)" } ?? type
        }
        unplaced = unplaced.map(Verdict.short)
    }

    /// A place as a number, or as a text that spells one.
    private static func index(_ json: JSON?) -> Int? {
        json?.integer.flatMap { Int(exactly: $0) } ?? json?.string.flatMap { Int($0) }
            ?? json?.number.flatMap { Int(exactly: $0) }
    }
}
