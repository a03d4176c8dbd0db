package import PropertyLists

/// Why a property list or a part of it cannot be imported.
package struct PropertyListContentError: Error, Equatable {
    /// What is wrong, as the end of a sentence.
    let text: String

    init(_ text: String) { self.text = text }

    init(_ error: PropertyListError) { text = error.message }
}

extension PropertyListValue {
    /// Reads a property list in XML or binary form.
    package init(
        reading bytes: [UInt8],
        limits: PropertyListLimits = PropertyListLimits()
    ) throws(PropertyListContentError) {
        do throws(PropertyListError) {
            try self.init(propertyList: bytes, limits: limits)
        } catch {
            throw PropertyListContentError(error)
        }
    }
}
