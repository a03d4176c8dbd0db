import JSON

/// The requests of one side that have not been answered yet.
struct WireCalls {
    struct Call {
        /// The record that contains it.
        let line: Int
        /// How many requests of the side came before it.
        let number: Int
        let method: String
        let params: JSON?
        /// Whether it declares itself as JSON-RPC 2.0.
        let isVersioned: Bool

        /// The method of the contract that is called; for a tool call, the tool's method.
        var contractMethod: String { method == "tools/call" ? params?["name"]?.string ?? "" : method }

        /// The progress token, if the caller supplied one.
        var progressToken: JSON? { params?["_meta"]?["progressToken"] }
    }

    private var open: [String: [Call]] = [:]
    private var count = 0

    /// Adds a request, also an invalid one without a method name, because the host refuses that under its id.
    @discardableResult
    mutating func addRequest(_ request: JSON, line: Int) -> Call? {
        guard let id = request["id"], request["result"] == nil, request["error"] == nil else { return nil }
        let call = Call(
            line: line,
            number: count,
            method: request["method"]?.string ?? "",
            params: request["params"],
            isVersioned: request["jsonrpc"] == "2.0"
        )
        count += 1
        open[id.description, default: []].append(call)
        return call
    }

    /// Removes and returns the request to which an answer belongs.
    ///
    /// Several requests in a recording may have the same id and be open, because an answer is recorded only
    /// when it is sent. The first request that the answer fits is chosen.
    mutating func removeRequest(answeredBy answer: JSON, fits: (Call) -> Bool) -> Call? {
        guard let id = answer["id"]?.description, var calls = open[id], let first = calls.first else { return nil }
        let index = calls.count == 1 ? 0 : calls.firstIndex(where: fits) ?? 0
        let call = calls.count == 1 ? first : calls[index]
        calls.remove(at: index)
        open[id] = calls.isEmpty ? nil : calls
        return call
    }

    /// The requests with that progress token.
    func requests(withToken token: JSON) -> [Call] {
        open.values.flatMap { $0 }.filter { $0.progressToken?.isSameValue(as: token) == true }
    }

    /// The methods of the open requests.
    var methods: some Sequence<String> { open.values.lazy.joined().map(\.method) }
}
