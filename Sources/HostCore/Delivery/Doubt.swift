internal import JSON
internal import Suites

/// What becomes of records that may have been sent without anybody knowing.
///
/// Braze has no idempotency key, so a record that is offered again may count
/// twice. It is offered once more and counted; never a third time, because then
/// nobody could say how often it counts. An increment is not offered again at all.
enum Doubt {
    static let increment =
        "it may have been counted already, and an increment must not count twice: look there, then retry or discard it"
    static let twice =
        "it was sent twice and nobody knows whether it arrived: look there, then retry or discard it"

    /// Settles records in doubt.
    static func settle(_ records: [StoredRecord]) -> Settlement {
        var settlement = Settlement()
        for record in records { add(record, to: &settlement) }
        return settlement
    }

    /// Adds a record in doubt to a settlement.
    ///
    /// - Returns: Whether it may be offered once more.
    @discardableResult
    static func add(_ record: StoredRecord, to settlement: inout Settlement) -> Bool {
        settlement.possiblySent += 1
        if record.isIncrement {
            settlement.buried.append((record.id, increment))
        } else if record.timesUncertain > 0 {
            settlement.buried.append((record.id, twice))
        } else {
            settlement.uncertain.append(record.id)
            return true
        }
        return false
    }
}

extension StoredRecord {
    /// Whether it adds to a number, so that sending it twice counts twice.
    var isIncrement: Bool {
        // Values are stored as compact text, so few others need to be read.
        guard kind == .customAttribute, let value, value.hasPrefix(#"{"inc":"#),
            let object = (try? JSON(parsing: value))?.object
        else { return false }
        return object.count == 1 && object["inc"]?.integer != nil
    }

    /// The same record, one more time in doubt.
    var inDoubt: StoredRecord {
        StoredRecord(
            id: id,
            kind: kind,
            name: name,
            value: value,
            time: time,
            user: user,
            timesUncertain: timesUncertain + 1
        )
    }
}
