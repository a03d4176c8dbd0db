internal import JSON
internal import Suites

/// What becomes of records that may have been sent without anybody knowing.
///
/// Braze has no idempotency key, so a record that is offered again may count
/// twice. It is offered once more and counted; never a third time, because then
/// nobody could say how often it counts. What adds to an attribute, an increment or
/// elements of an array of objects, is not offered again at all.
enum Doubt {
    static let increment =
        "it may have been counted already, and an increment must not count twice: look there, then retry or discard it"
    static let addition =
        "its elements may have been added already, and $add must not add them twice: look there, then retry or discard it"
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
        if let reason = record.change?.reason {
            settlement.buried.append((record.id, reason))
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
    /// Changes of an attribute that are not idempotent.
    fileprivate enum Change {
        case increment
        /// `$add` of objects: unlike the elements of `add`, they are not unique.
        case addition

        var reason: String {
            switch self {
            case .increment: Doubt.increment
            case .addition: Doubt.addition
            }
        }
    }

    /// The change that the record makes, if making it twice counts twice.
    fileprivate var change: Change? {
        // Values are stored as compact text, so few others need to be read.
        guard kind == .customAttribute, let value, value.hasPrefix(#"{"inc":"#) || value.contains(#""$add":"#),
            let object = (try? JSON(parsing: value))?.object
        else { return nil }
        if object.count == 1, object["inc"]?.integer != nil { return .increment }
        return object["$add"]?.array.map { $0.count > 0 } ?? false ? .addition : nil
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
