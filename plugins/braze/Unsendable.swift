/// Why a record is not sent.
enum Unsendable: Error, Equatable {
    /// It will never be taken.
    case rejected(String)
    /// It may be, once something else is there.
    case held(String)
}
