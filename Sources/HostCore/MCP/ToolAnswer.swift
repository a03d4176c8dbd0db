internal import JSON
internal import JSONRPC

/// Makes the answer to `tools/call` of the answer to the contract's method.
struct ToolAnswer {
    let era: ModelContextEra

    /// The answer that the client gets: a failure of the method is a result too, which a model can read.
    func callAsFunction(_ answer: Result<JSON, RPCError>) -> Result<JSON, RPCError> {
        switch answer {
        case .success(let value): return .success(result(value))
        // It was cancelled as the contract has it, so it is answered as the contract has it.
        case .failure(let error) where error.code == .requestCancelled: return answer
        case .failure(let error): return .success(result(ToolAnswer.placed(error)))
        }
    }

    private func result(_ value: JSON) -> JSON {
        var members = [("content", ToolAnswer.content(ToolText.of(value)))]
        // Before 2026-07-28 it must be an object.
        if value.object != nil { members.append(("structuredContent", value)) }
        return era.result(members + [("isError", false)])
    }

    /// A failure keeps its code and data in `_meta`: structured content would have to fit the tool's schema.
    private func result(_ error: RPCError) -> JSON {
        let place = error.data?["path"]?.string.map { " (\($0))" } ?? ""
        return era.result(
            [("content", ToolAnswer.content(error.message + place)), ("isError", true)],
            meta: [(ModelContext.Meta.error, error.json)]
        )
    }

    private static func content(_ text: String) -> JSON { [["type": "text", "text": .string(text)]] }

    /// The error with its path where the client wrote what is wrong: the method's params are the tool's arguments.
    private static func placed(_ error: RPCError) -> RPCError {
        let root = "/params"
        guard let data = error.data?.object, let path = data["path"]?.string, path.hasPrefix(root) else { return error }
        let moved = JSON.string("\(root)/arguments\(path.dropFirst(root.count))")
        return RPCError(code: error.code, message: error.message, data: .object(data.setting("path", to: moved)))
    }
}
