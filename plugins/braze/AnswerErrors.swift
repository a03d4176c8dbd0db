import ExtensionKit
import JSON

/// The `errors` of a response, in every form that Braze uses: objects with `type`,
/// `input_array` and `index`, objects without the last two, strings, or `null`.
struct AnswerErrors {
    /// The errors that name an object, by its index in the request.
    private(set) var failures: [Int: String] = [:]
    /// The errors that name no object, as one text.
    private(set) var unplaced: String?
    /// Diagnostics for errors that name objects that were not sent.
    private(set) var diagnostics: [DeliveryResult.Diagnostic] = []

    /// Reads the member `errors` of the response to a request with those numbers of objects.
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

    /// An index as a number, or as a string that spells one.
    private static func index(_ json: JSON?) -> Int? {
        json?.integer.flatMap { Int(exactly: $0) } ?? json?.string.flatMap { Int($0) }
            ?? json?.number.flatMap { Int(exactly: $0) }
    }
}
