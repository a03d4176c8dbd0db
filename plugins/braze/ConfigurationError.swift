/// A configuration error: nothing can be delivered until an operator changes something.
struct ConfigurationError: Error, Equatable {
    let message: String

    init(_ message: String) { self.message = message }
}
