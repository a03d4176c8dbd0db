import Testing

/// One of the examples at the end of the JSON-RPC 2.0 specification.
struct Example: Sendable, CustomTestStringConvertible {
    let name: String
    /// The line to send.
    let send: String
    /// The line that must be answered; nil if there must be no answer.
    let expect: String?

    var testDescription: String { name }
}

extension Example {
    /// All examples; those that the specification prints on several lines are on one line.
    static let all = [
        Example(
            name: "ex01-positional-1",
            send: #"{"jsonrpc": "2.0", "method": "subtract", "params": [42, 23], "id": 1}"#,
            expect: #"{"jsonrpc": "2.0", "result": 19, "id": 1}"#
        ),
        Example(
            name: "ex02-positional-2",
            send: #"{"jsonrpc": "2.0", "method": "subtract", "params": [23, 42], "id": 2}"#,
            expect: #"{"jsonrpc": "2.0", "result": -19, "id": 2}"#
        ),
        Example(
            name: "ex03-named-1",
            send: #"{"jsonrpc": "2.0", "method": "subtract", "params": {"subtrahend": 23, "minuend": 42}, "id": 3}"#,
            expect: #"{"jsonrpc": "2.0", "result": 19, "id": 3}"#
        ),
        Example(
            name: "ex04-named-2",
            send: #"{"jsonrpc": "2.0", "method": "subtract", "params": {"minuend": 42, "subtrahend": 23}, "id": 4}"#,
            expect: #"{"jsonrpc": "2.0", "result": 19, "id": 4}"#
        ),
        Example(
            name: "ex05-notification-known",
            send: #"{"jsonrpc": "2.0", "method": "update", "params": [1,2,3,4,5]}"#,
            expect: nil
        ),
        Example(
            name: "ex06-notification-unknown",
            send: #"{"jsonrpc": "2.0", "method": "foobar"}"#,
            expect: nil
        ),
        Example(
            name: "ex07-method-not-found",
            send: #"{"jsonrpc": "2.0", "method": "foobar", "id": "1"}"#,
            expect: #"{"jsonrpc": "2.0", "error": {"code": -32601, "message": "Method not found"}, "id": "1"}"#
        ),
        Example(
            name: "ex08-invalid-json",
            send: #"{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]"#,
            expect: #"{"jsonrpc": "2.0", "error": {"code": -32700, "message": "Parse error"}, "id": null}"#
        ),
        Example(
            name: "ex09-invalid-request",
            send: #"{"jsonrpc": "2.0", "method": 1, "params": "bar"}"#,
            expect: #"{"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}, "id": null}"#
        ),
        Example(
            name: "ex10-batch-invalid-json",
            send: #"[ {"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"}, "#
                + #"{"jsonrpc": "2.0", "method" ]"#,
            expect: #"{"jsonrpc": "2.0", "error": {"code": -32700, "message": "Parse error"}, "id": null}"#
        ),
        Example(
            name: "ex11-batch-empty-array",
            send: #"[]"#,
            expect: #"{"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}, "id": null}"#
        ),
        Example(
            name: "ex12-batch-invalid-one",
            send: #"[1]"#,
            expect: #"[{"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}, "id": null}]"#
        ),
        Example(
            name: "ex13-batch-invalid-three",
            send: #"[1,2,3]"#,
            expect: #"[{"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}, "id": null}, "#
                + #"{"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}, "id": null}, "#
                + #"{"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}, "id": null}]"#
        ),
        Example(
            name: "ex14-batch-mixed",
            send: #"[ {"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"}, "#
                + #"{"jsonrpc": "2.0", "method": "notify_hello", "params": [7]}, "#
                + #"{"jsonrpc": "2.0", "method": "subtract", "params": [42,23], "id": "2"}, {"foo": "boo"}, "#
                + #"{"jsonrpc": "2.0", "method": "foo.get", "params": {"name": "myself"}, "id": "5"}, "#
                + #"{"jsonrpc": "2.0", "method": "get_data", "id": "9"} ]"#,
            expect: #"[{"jsonrpc": "2.0", "result": 7, "id": "1"}, "#
                + #"{"jsonrpc": "2.0", "result": 19, "id": "2"}, "#
                + #"{"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}, "id": null}, "#
                + #"{"jsonrpc": "2.0", "error": {"code": -32601, "message": "Method not found"}, "id": "5"}, "#
                + #"{"jsonrpc": "2.0", "result": ["hello", 5], "id": "9"}]"#
        ),
        Example(
            name: "ex15-batch-all-notifications",
            send: #"[ {"jsonrpc": "2.0", "method": "notify_sum", "params": [1,2,4]}, "#
                + #"{"jsonrpc": "2.0", "method": "notify_hello", "params": [7]} ]"#,
            expect: nil
        ),
    ]
}
