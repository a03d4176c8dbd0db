import JSON
import Testing

@testable import ExtensionKit
@testable import JSONRPC

/// Records that a destination keeps as texts.
@Suite struct DeliveryTextTests {
    /// Reads the batch of a line, whose records are texts, or parts of its tree.
    private func read(_ records: [String], keepsTexts: Bool, asTexts: Bool = true) throws -> (
        batch: DeliveryBatch, [DeliveryResult.Refusal]
    ) {
        let line =
            #"{"jsonrpc":"2.0","id":1,"method":"deliver","params":{"batch":[\#(records.joined(separator: ","))]}}"#
        let message = Array(line.utf8).withUnsafeBytes { line in
            Message(line: line, keeping: asTexts ? TextList("batch", in: "params") : nil)
        }
        guard case .request(let request) = message else { throw ExtensionError(reason: "test", "no request") }
        let list = try #require(request.params?["batch"]?.array)
        return try DeliveryBatch.read(
            suite: "s",
            identity: nil,
            list,
            keepsTexts: keepsTexts,
            probe: false,
            rateShare: 1,
            sendUntil: nil
        )
    }

    private func described(_ records: [DeliveryRecord]) -> [String] {
        records.map { record in
            let user = record.user.map { JSON.object($0).description } ?? "-"
            return switch record.content {
            case .customEvent(let name, let properties):
                "\(record.id) \(name) \(properties.map { JSON.object($0).description } ?? "-") \(record.time) \(user) "
                    + "\(record.possiblySent)"
            case .customAttribute(let name, let value), .userAttribute(let name, let value):
                "\(record.id) \(name)=\(value) \(record.time) \(user) \(record.possiblySent)"
            }
        }
    }

    private static let time = #""time":"2026-01-01T00:00:00.000Z""#

    @Test("A record in the form in which hosts write it has a text without its id and possiblySent")
    func texts() throws {
        let records = [
            #""kind":"customEvent","name":"n","properties":{"a":1},\#(Self.time),"user":{"external_id":"ada"}"#,
            #""kind":"customEvent","name":"a\"b",\#(Self.time)"#,
            #""kind":"customAttribute","key":"k","value":null,\#(Self.time)"#,
            #""kind":"userAttribute","field":"email","value":"x@y.z",\#(Self.time)"#,
        ]
        let lines = records.enumerated().map {
            #"{"id":\#($0 * 9 + 3),\#($1)\#($0 == 1 ? #","possiblySent":1"# : "")}"#
        }
        let (batch, unreadable) = try read(lines, keepsTexts: true)
        #expect(unreadable.isEmpty)
        #expect(
            batch.records.map { $0.text.map { String(decoding: $0.record, as: UTF8.self) } }
                == records.map { "{\($0)}" }
        )
        let users = batch.records.map { $0.text?.user.map { String(decoding: $0, as: UTF8.self) } }
        #expect(users == [#"{"external_id":"ada"}"#, nil, nil, nil])
        for asTexts in [false, true] {
            let (read, _) = try read(lines, keepsTexts: false, asTexts: asTexts)
            #expect(described(read.records) == described(batch.records))
            #expect(read.records.allSatisfy { $0.text == nil })
        }
    }

    @Test(
        "A record in another form is read, and has no text",
        arguments: [
            #"{"kind":"customEvent","id":1,"name":"n",\#(time)}"#,
            #"{"id":1,"possiblySent":2,"kind":"customEvent","name":"n",\#(time)}"#,
            #"{"id":1,"kind":"customEvent","name":"n","new":1,\#(time)}"#,
            #"{"id":1,"kind":"customEvent","name":"n","properties":[],\#(time)}"#,
            #"{"id":1,"kind":"customAttribute","key":"k",\#(time)}"#,
            #"{"id":1,"kind":"customEvent","name":"n",\#(time),"user":7}"#,
            #"{"id":1,"kind":"customEvent","name":"\u006e",\#(time)}"#,
            #"{"id":1,"kind":"other","name":"n",\#(time)}"#, #"{"id":1,"kind":"customEvent","name":7,\#(time)}"#,
            #"{"id":1,"kind":"customEvent","name":"n"}"#,
        ]
    )
    func others(line: String) throws {
        let (kept, unreadable) = try read([line], keepsTexts: true)
        for asTexts in [false, true] {
            let (batch, expected) = try read([line], keepsTexts: false, asTexts: asTexts)
            #expect(described(kept.records) == described(batch.records))
            #expect(unreadable == expected)
        }
        #expect(kept.records.allSatisfy { $0.text == nil })
    }
}
