/// The reason why a record is not sent.
enum Unsendable: Error, Equatable {
    /// Braze would never accept it.
    case rejected(String)
    /// Braze may accept it once something else has changed.
    case held(String)
}
