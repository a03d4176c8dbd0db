internal import JSON
internal import Platform
internal import Suites

extension StoredRecord {
    /// Appends the record as `deliver` shows it; the stored texts go through as they are.
    ///
    /// - Parameters:
    ///   - bytes: Where it goes.
    ///   - flushUser: Whom it is about where it says nothing, as JSON text.
    func write(to bytes: inout [UInt8], user flushUser: String?) {
        bytes.append(literal: "{\"id\":")
        bytes.append(decimal: id)
        switch kind {
        case .customEvent: bytes.append(literal: ",\"kind\":\"customEvent\",\"name\":")
        case .customAttribute: bytes.append(literal: ",\"kind\":\"customAttribute\",\"key\":")
        case .userAttribute: bytes.append(literal: ",\"kind\":\"userAttribute\",\"field\":")
        }
        JSON.string(name).write(to: &bytes)
        if kind == .customEvent {
            if let value { bytes.append(member: ",\"properties\":", value) }
        } else {
            bytes.append(member: ",\"value\":", value ?? "null")
        }
        bytes.append(literal: ",\"time\":\"")
        Timestamp.write(time, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
        if let user = user ?? flushUser { bytes.append(member: ",\"user\":", user) }
        if timesUncertain > 0 {
            bytes.append(literal: ",\"possiblySent\":")
            bytes.append(decimal: timesUncertain)
        }
        bytes.append(UInt8(ascii: "}"))
    }
}

extension [UInt8] {
    fileprivate mutating func append(member name: StaticString, _ text: String) {
        append(literal: name)
        append(contentsOf: text.utf8)
    }
}
