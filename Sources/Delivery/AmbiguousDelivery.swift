internal import JSON
package import Suites

/// Settles records whose delivery is ambiguous: they may have been sent, but no answer confirms it.
///
/// How often that happened to a record is its `possiblySent`. On the wire and in the suite's table the outcome is called
/// `uncertain`.
///
/// Braze has no idempotency key, so a record that is sent again may count twice. A record is sent once more and counted as
/// possibly sent; it is never sent a third time. Changes that add to an attribute (increments, and elements for an array
/// of objects) are not sent again at all. An idempotent destination gets each record until it confirms it.
package enum AmbiguousDelivery {
    static let incrementReason =
        "it may have been counted already, and an increment must not count twice: check the destination, then retry or "
        + "discard it"
    static let additionReason =
        "its elements may have been added already, and $add must not add them twice: check the destination, then retry "
        + "or discard it"
    static let repetitionReason =
        "it may have been sent twice, and nobody knows whether it arrived: check the destination, then retry or discard it"

    /// The settlement of records that a host was sending when it died.
    package static func settlement(of records: [StoredRecord], isIdempotent: Bool) -> Settlement {
        var settlement = Settlement()
        for record in records { add(record, to: &settlement, isIdempotent: isIdempotent) }
        return settlement
    }

    /// Why a record that may have been sent becomes a dead letter and must not be sent again; nil if it may.
    ///
    /// The record counts its last delivery: one of a batch as ``StoredRecord/afterAmbiguousDelivery``, one that a source
    /// hands out as it is.
    package static func deadLetterReason(for record: StoredRecord, isIdempotent: Bool) -> String? {
        guard record.possiblySent > 0, !isIdempotent else { return nil }
        return record.reasonOfAddition ?? (record.possiblySent > 1 ? repetitionReason : nil)
    }

    /// Adds a record whose delivery was ambiguous to a settlement: as pending, or as a dead letter.
    ///
    /// - Returns: Whether the record may be sent once more.
    @discardableResult
    static func add(_ record: StoredRecord, to settlement: inout Settlement, isIdempotent: Bool) -> Bool {
        settlement.ambiguousRecords += 1
        if let reason = deadLetterReason(for: record.afterAmbiguousDelivery, isIdempotent: isIdempotent) {
            settlement.deadLetters.append((record.id, reason))
            return false
        }
        settlement.ambiguousPending.append(record.id)
        return true
    }
}

extension StoredRecord {
    /// Why the record, which adds to an attribute, must never be sent twice; nil if it adds nothing.
    fileprivate var reasonOfAddition: String? {
        // Values are stored without spaces, so these searches find every candidate, and only candidates are parsed.
        guard kind == .customAttribute, let value, value.hasPrefix(#"{"inc":"#) || value.contains(#""$add":"#),
            let object = (try? JSON(parsing: value))?.object
        else { return nil }
        if object.count == 1, object["inc"]?.integer != nil { return AmbiguousDelivery.incrementReason }
        // Braze drops duplicates among the elements of `add`, not among the objects of `$add`.
        guard let objects = object["$add"]?.array, objects.count > 0 else { return nil }
        return AmbiguousDelivery.additionReason
    }

    /// The same record after one more ambiguous delivery.
    var afterAmbiguousDelivery: StoredRecord {
        StoredRecord(
            id: id,
            kind: kind,
            name: name,
            value: value,
            time: time,
            user: user,
            possiblySent: possiblySent + 1,
            suite: suite
        )
    }
}
