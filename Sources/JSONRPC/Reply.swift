public import JSON

extension [UInt8] {
    /// Appends a response.
    ///
    /// - Parameters:
    ///   - result: The result or the error.
    ///   - id: The id of the request.
    public mutating func append(response result: Result<JSON, RPCError>, id: JSON) {
        append(literal: "{\"jsonrpc\":\"2.0\",\"id\":")
        id.write(to: &self)
        append(outcome: result)
    }

    /// Appends the end of a response, from its result or error on.
    mutating func append(outcome: Result<JSON, RPCError>) {
        switch outcome {
        case .success(let value):
            append(literal: ",\"result\":")
            value.write(to: &self)
        case .failure(let error):
            append(literal: ",\"error\":")
            error.json.write(to: &self)
        }
        append(UInt8(ascii: "}"))
    }

    /// Appends the end of a response with a result that is already JSON text.
    mutating func append(resultText text: [UInt8]) {
        append(literal: ",\"result\":")
        append(contentsOf: text)
        append(UInt8(ascii: "}"))
    }

    /// Appends a request, or a notification if there is no id.
    ///
    /// - Parameters:
    ///   - method: The name of the method.
    ///   - params: An object or an array.
    ///   - id: The id under which the answer is expected.
    public mutating func append(request method: String, params: JSON?, id: Int64?) {
        append(request: method, id: id) { params?.write(to: &$0) }
    }

    /// Appends a request, or a notification if there is no id.
    ///
    /// - Parameters:
    ///   - method: The name of the method.
    ///   - id: The id under which the answer is expected.
    ///   - params: Writes an object or an array, or nothing if there are no params.
    mutating func append(request method: String, id: Int64?, params: (inout [UInt8]) -> Void) {
        append(literal: "{\"jsonrpc\":\"2.0\"")
        if let id {
            append(literal: ",\"id\":")
            append(decimal: id)
        }
        append(literal: ",\"method\":")
        JSON.string(method).write(to: &self)
        let end = count
        append(literal: ",\"params\":")
        let start = count
        params(&self)
        if count == start { removeLast(start - end) }
        append(UInt8(ascii: "}"))
    }
}
