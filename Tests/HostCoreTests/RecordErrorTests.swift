import BrazeRules
import JSON
import JSONRPC
import Records
import Testing

@testable import HostCore

@Suite struct RecordErrorTests {
    @Test("The error has the path in the caller's params", arguments: [false, true])
    func error(isPositional: Bool) throws {
        let properties: JSON = ["a/b~c": 1]
        var methods = MethodTable<Void>()
        methods.add("save", ["name", "properties?"], ())
        let params: JSON = isPositional ? ["x", properties] : ["name": "x", "properties": properties]
        let arguments = try #require(methods["save"]).signature.bind(params)
        let error = RecordError("it is odd", RecordPlace("properties", "a/b~c", "0")).error(arguments)
        #expect(error.code.rawValue == 210)
        #expect(error.reason == "invalidRecord")
        #expect(error.message == "not saved: it is odd")
        #expect(error.data?["path"]?.string == "/params/\(isPositional ? "1" : "properties")/a~1b~0c/0")
    }
}
