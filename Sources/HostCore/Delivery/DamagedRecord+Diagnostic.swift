internal import Contract
internal import Suites

extension DamagedRecord {
    /// Names the row, and says what becomes of it.
    var diagnostic: Diagnostic {
        let text =
            "the record \(id) is damaged: \(problem). It stays in the suite, counted as pending, and is passed over; "
            + "resetStorageKeys removes it with all other pending records"
        return Diagnostic("damagedRecord", text)
    }
}
