import JSON

/// The requests of one side that were not answered yet.
struct WireCalls {
    struct Call {
        /// The record with it.
        let line: Int
        /// How many requests of the side came before.
        let number: Int
        let method: String
        let params: JSON?
        /// Whether it says that it is JSON-RPC 2.0.
        let isVersioned: Bool

        /// The method of the contract that is called: the call of a tool is one of that.
        var contractMethod: String { method == "tools/call" ? params?["name"]?.string ?? "" : method }

        /// Under which the caller wants to hear how it goes on.
        var progressToken: JSON? { params?["_meta"]?["progressToken"] }
    }

    private var open: [String: [Call]] = [:]
    private var count = 0

    /// Notes a request; one without a method's name is none, and is refused under its id.
    @discardableResult
    mutating func add(_ request: JSON, line: Int) -> Call? {
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

    /// Takes the request that an answer belongs to.
    ///
    /// Requests of one id may all be open as far as a recording tells, as answers are written down
    /// when they leave: then it is the first whose answer this can be.
    mutating func take(_ answer: JSON, fits: (Call) -> Bool) -> Call? {
        guard let id = answer["id"]?.description, var calls = open[id], let first = calls.first else { return nil }
        let index = calls.count == 1 ? 0 : calls.firstIndex(where: fits) ?? 0
        let call = calls.count == 1 ? first : calls[index]
        calls.remove(at: index)
        open[id] = calls.isEmpty ? nil : calls
        return call
    }

    /// The requests that are told under a token how they go on.
    func told(under token: JSON) -> [Call] {
        open.values.flatMap { $0 }.filter { $0.progressToken?.isSameValue(as: token) == true }
    }

    /// The methods that are called.
    var methods: some Sequence<String> { open.values.lazy.joined().map(\.method) }
}
