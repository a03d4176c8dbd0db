import JSON

/// The requests of one side that were not answered yet.
struct WireCalls {
    struct Call {
        let line: Int
        let method: String
        let params: JSON?
    }

    private var open: [String: [Call]] = [:]

    /// Notes a request; one without a method's name is none, and is refused under its id.
    mutating func add(_ request: JSON, line: Int) {
        guard let id = request["id"], request["result"] == nil, request["error"] == nil else { return }
        let method = request["method"]?.string ?? ""
        open[id.description, default: []].append(Call(line: line, method: method, params: request["params"]))
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

    /// Forgets all, as when a process is gone.
    mutating func removeAll() { open = [:] }
}
