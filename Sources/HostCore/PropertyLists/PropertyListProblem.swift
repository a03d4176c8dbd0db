internal import PropertyLists

/// Why a property list, or a part of it, is nothing that the host can take.
struct PropertyListProblem: Error, Equatable {
    /// A sentence's end, for people: what is wrong.
    let text: String

    init(_ text: String) { self.text = text }

    init(_ error: PropertyListError) { text = error.message }
}

extension PropertyListValue {
    /// Reads a property list in XML or binary form.
    init(reading bytes: [UInt8]) throws(PropertyListProblem) {
        do throws(PropertyListError) {
            try self.init(propertyList: bytes)
        } catch {
            throw PropertyListProblem(error)
        }
    }
}
