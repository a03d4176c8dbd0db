import JSON

@testable import JSONRPC

extension FuzzTarget {
    static let wire = [
        FuzzTarget("lines", checkLines), FuzzTarget("headers", checkHeaders), FuzzTarget("session", checkSession),
        FuzzTarget("json", checkJSON), FuzzTarget("lists", checkLists),
    ]
}

// MARK: Framing

/// Lines are those of the plainest reader, however the stream is divided.
private func checkLines(_ input: [UInt8]) throws {
    var input = FuzzInput(input)
    let (size, limit) = (input.byte() % 9 + 1, 24)
    let bytes = input.bytes
    func events(_ size: Int) -> [[UInt8]?] {
        var framer = LineFramer(limit: limit)
        var events: [[UInt8]?] = []
        let receive = { (event: LineFramer.Event) in
            switch event {
            case .line(let line): events.append(Array(line))
            case .tooLong: events.append(nil)
            }
        }
        for piece in pieces(bytes, size: size) { piece.withUnsafeBytes { framer.consume($0, receive) } }
        framer.finish(receive)
        return events
    }
    var expected: [[UInt8]?] = []
    for (index, part) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
        var line = part
        if index == 0, line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
        if line.last == 0x0D { line = line.dropLast() }
        if line.count > limit {
            expected.append(nil)
        } else if !line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) {
            expected.append(Array(line))
        }
    }
    for size in [size, max(bytes.count, 1)] {
        try require(events(size) == expected, "in pieces of \(size) the lines are \(events(size)), not \(expected)")
    }
}

/// Messages behind headers are the same however the stream is divided, and no longer than the limit.
private func checkHeaders(_ input: [UInt8]) throws {
    var input = FuzzInput(input)
    let (size, limit) = (input.byte() % 9 + 1, 64)
    let bytes = input.bytes
    func events(_ size: Int) -> [String] {
        var framer = HeaderFramer(limit: limit)
        var events: [String] = []
        let receive = { (event: HeaderFramer.Event) -> Bool in
            switch event {
            case .message(let message):
                events.append("message \(Array(message))")
                return message.first == UInt8(ascii: "{")
            case .tooLong: events.append("too long")
            case .invalid(let text): events.append("invalid \(text)")
            }
            return true
        }
        for piece in pieces(bytes, size: size) { piece.withUnsafeBytes { framer.consume($0, receive) } }
        framer.finish(receive)
        return events
    }
    let (parts, whole) = (events(size), events(max(bytes.count, 1)))
    try require(parts == whole, "in pieces of \(size) the events are \(parts), and at once \(whole)")
    try require(!whole.contains("invalid "), "a mistake has no text")
}

// MARK: Messages

/// Every request is answered once, whatever stands around it, and answers are the same however the stream is divided.
private func checkSession(_ input: [UInt8]) throws {
    var input = FuzzInput(input)
    let mode = input.byte()
    let (size, acceptsHeaders) = (mode % 16 + 1, mode & 16 != 0)
    let bytes = input.bytes
    func output(_ size: Int) -> [UInt8] {
        let session = Session(lineLimit: 512, acceptsHeaders: acceptsHeaders)
        session.onCall = { $0.answer(.success(["method": .string($0.method), "params": $0.params ?? .null])) }
        for piece in pieces(bytes, size: size) { piece.withUnsafeBytes { session.consume($0) } }
        session.finish()
        var output: [UInt8] = []
        session.output.drain { bytes in
            output += bytes
            return bytes.count
        }
        return output
    }
    let whole = output(max(bytes.count, 1))
    try require(output(size) == whole, "in pieces of \(size) the answers are others")
    if acceptsHeaders, HeaderFramer.begins(bytes) == true { return try checkFrames(whole) }
    let answers = try whole.split(separator: 0x0A).flatMap { line throws -> [JSON] in
        let answer = try require(try? JSON(parsing: Array(line)), "an answer is no JSON")
        return answer.array.map(Array.init) ?? [answer]
    }
    try require(answers.allSatisfy { $0["jsonrpc"] == "2.0" && $0["id"] != nil }, "an answer is no response")
    let requests = requests(in: bytes, limit: 512)
    let results = answers.filter { $0["result"] != nil }.compactMap { $0["id"] }
    try require(results == requests, "the requests \(requests) have the results \(results)")
}

/// Answers with headers are as long as these say.
private func checkFrames(_ output: [UInt8]) throws {
    var rest = output[...]
    let name = Array("Content-Length: ".utf8)
    while !rest.isEmpty {
        try require(rest.starts(with: name), "an answer has no header")
        let digits = rest.dropFirst(name.count).prefix { $0 != 0x0D }
        let count = try require(Int(String(decoding: digits, as: UTF8.self)), "the length is no number")
        rest = rest.dropFirst(name.count + digits.count + 4)
        try require(rest.count >= count, "an answer is too short")
        _ = try require(try? JSON(parsing: Array(rest.prefix(count))), "an answer is no JSON")
        rest = rest.dropFirst(count)
    }
}

/// The ids of the requests of a stream, in order, as the plainest reader of the specification finds them.
private func requests(in bytes: [UInt8], limit: Int) -> [JSON] {
    var bytes = bytes[...]
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
    return bytes.split(separator: 0x0A).flatMap { line -> [JSON] in
        let line = line.last == 0x0D ? line.dropLast() : line
        guard line.count <= limit, let value = try? JSON(parsing: Array(line)) else { return [] }
        return (value.array.map(Array.init) ?? [value]).compactMap { message in
            guard message["jsonrpc"] == "2.0", message["method"]?.string != nil, let id = message["id"] else {
                return nil
            }
            if let params = message["params"], params.array == nil, params.object == nil { return nil }
            return id.string != nil || id.number != nil || id.isNull ? id : nil
        }
    }
}

// MARK: Values

/// What is parsed and written parses to the same, and an error has a place in the text.
private func checkJSON(_ bytes: [UInt8]) throws {
    let isPlain = bytes.withUnsafeBytes { PlainText.isObject($0, without: []) }
    let value: JSON
    do throws(JSONParseError) {
        value = try JSON(parsing: bytes)
    } catch {
        try require(!isPlain, "it is plain, and \(error)")
        for error in [error, bytes.withUnsafeBytes { error.explained(in: $0) }] {
            try require(!error.message.isEmpty && error.line > 0 && error.column >= 0, "\(error)")
            try require((0...bytes.count).contains(error.position), "\(error) in \(bytes.count) bytes")
        }
        return
    }
    try require(!isPlain || value.object != nil, "it is plain, and no object")
    let written = value.bytes
    let again = try require(try? JSON(parsing: written), "what was written is no JSON")
    try require(again == value && again.bytes == written, "\(value) became \(again)")
    var sorted: [UInt8] = []
    value.writeSorted(to: &sorted)
    try require((try? JSON(parsing: sorted)) == value, "sorted it is another value")
    try require(value.keepingText.bytes == written, "its kept text is another one")
    let excerpt = value.excerpt(20)
    try require(excerpt == value.description || excerpt.contains(" bytes)"), "the excerpt \(excerpt) names no size")
    try require(value.nests(within: 4) == (depth(value) <= 4), "it nests \(depth(value)) deep")
}

private func depth(_ value: JSON) -> Int {
    switch value {
    case .array(let elements): 1 + (elements.map(depth).max() ?? 0)
    case .object(let members): 1 + (members.map { depth($0.value) }.max() ?? 0)
    default: 0
    }
}

/// A list that is kept as texts has the same members as one that is parsed; of a text that is no JSON it finds none.
private func checkLists(_ bytes: [UInt8]) throws {
    let names = Names(["id", "name", "user"])
    func visited(_ list: TextList?) throws -> [String]? {
        let parsed = try? bytes.withUnsafeBytes { try JSON.parse($0, Names(["params"]), keeping: list) }
        guard let parsed else { return nil }
        guard case .object(let message) = parsed else { return [] }
        var found: [String] = []
        try message[0]?["batch"]?.array?.visit(names) { _, members throws(BrokenProperty) in
            guard let members else { return found.append("no object") }
            found.append((0..<3).map { members[$0]?.description ?? "-" }.joined(separator: " "))
            try require(members.integer(at: 0) == members[0]?.integer, "the id is another one")
            try require(
                members.text(at: 1, likely: "ada").map(JSON.string) == members[1]?.string.map(JSON.string),
                "name"
            )
            try require(members.isObject(at: 2) == (members[2]?.object != nil), "the user is an object, or not")
            let text = members.json(at: 2).flatMap { try? JSON(parsing: $0) }
            try require(text == members[2], "the user's text is another value")
        }
        return found
    }
    let (texts, trees) = (try visited(TextList("batch", in: "params")), try visited(nil))
    let isRefused = trees == nil && texts?.contains("no object") != false
    try require(texts == trees || isRefused, "as texts \(texts ?? []), and as trees \(trees ?? [])")
}
