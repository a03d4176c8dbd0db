internal import JSON
internal import JSONRPC
internal import Notifications

/// Converts the answer of a contract's method to the answer of `tools/call`.
struct ToolAnswer {
    let era: ModelContextEra

    /// Converts an answer; a failure of the method becomes a result too, so that the model can read it.
    func convert(_ answer: Result<JSON, RPCError>) -> Result<JSON, RPCError> {
        switch answer {
        case .success(let value): return .success(result(value))
        // The client cancelled the call by `$/cancelRequest` of the contract, so it gets the contract's error.
        case .failure(let error) where error.code == .requestCancelled: return answer
        case .failure(let error): return .success(result(ToolAnswer.relocated(error)))
        }
    }

    private func result(_ value: JSON) -> JSON {
        var members = [("content", ToolAnswer.content(ToolText.of(value)))]
        // Structured content must be an object before version 2026-07-28.
        if value.object != nil { members.append(("structuredContent", value)) }
        return era.result(members + [("isError", false)])
    }

    /// The result for a failure.
    ///
    /// Its code and data are in `_meta`, as structured content must match the tool's schema.
    private func result(_ error: RPCError) -> JSON {
        let path = error.data?["path"]?.string.map { " (\($0))" } ?? ""
        return era.result(
            [("content", ToolAnswer.content(error.message + path)), ("isError", true)],
            meta: [(ModelContext.Meta.error, error.json)]
        )
    }

    private static func content(_ text: String) -> JSON { [["type": "text", "text": .string(text)]] }

    /// The error with its path in the client's request, in which the method's params are the tool's arguments.
    private static func relocated(_ error: RPCError) -> RPCError {
        let root = "/params"
        guard let data = error.data?.object, let path = data["path"]?.string, path.hasPrefix(root) else { return error }
        let moved = JSON.string("\(root)/arguments\(path.dropFirst(root.count))")
        return RPCError(code: error.code, message: error.message, data: .object(data.setting("path", to: moved)))
    }
}

/// Writes the result of a tool as text: what it shows is drawn, any other result is written as JSON.
enum ToolText {
    /// The text of a result.
    static func of(_ result: JSON) -> String {
        if let list = result["notifications"]?.array, list.count == 1, list[0]["view"] != nil { return of(list[0]) }
        // The result of render is a page or a drawing already.
        if let text = result["text"]?.string, result.object?.count == 1 { return text }
        if let lines = result["lines"]?.array, result.object?.count == 1 {
            return lines.map { $0.array?.compactMap { $0["text"]?.string }.joined() ?? "" }.joined(separator: "\n")
        }
        return NotificationDrawer.text(result) ?? result.description
    }
}
