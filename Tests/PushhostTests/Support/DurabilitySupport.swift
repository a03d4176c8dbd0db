import Foundation
import JSON
import TestSupport
import Testing

/// Starts a host with the data folder `data` in a folder, optionally through a wrapper command.
func startHost(
    _ folder: String,
    _ options: [String] = [],
    under wrapper: [String] = [],
    input: ChildProcess.Input = .pipe,
    unchecked reason: String? = nil
) throws -> ChildProcess {
    let command = wrapper + (try hostCommand(["--data", "\(folder)/data"] + options, unchecked: reason))
    return try ChildProcess(command[0], Array(command.dropFirst()), input: input)
}

/// A request on its own line, with the newline.
func line(_ id: Int, _ method: String, _ params: String = "{}") -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"# + "\n"
}

/// A request that saves an event, whose name contains the request's id.
func save(_ id: Int, padding: Int = 0) -> String {
    guard padding > 0 else { return line(id, "saveCustomEvent", #"{"name":"e\#(id)"}"#) }
    let chunk = String(repeating: "x", count: 200)
    let properties = (0..<(padding / 200)).map { #""p\#($0)":"\#(chunk)""# }.joined(separator: ",")
    return line(id, "saveCustomEvent", #"{"name":"e\#(id)","properties":{\#(properties)}}"#)
}

/// Requests that save one event for each id of a range.
func saves(_ ids: Range<Int>) -> String { ids.map { save($0) }.joined() }

extension ChildProcess {
    /// Reads the next reply.
    func reply() throws -> JSON {
        guard let line = try readLine() else {
            throw TestFailure("the host ended before a reply; its stderr says: \(standardError.suffix(2_000))")
        }
        return try JSON(parsing: line)
    }

    /// Reads the next replies.
    func replies(_ count: Int) throws -> [JSON] { try (0..<count).map { _ in try reply() } }

    /// Sends one request and returns the result of its reply.
    func result(_ method: String, _ params: String = "{}") throws -> JSON {
        try write(request(method, params).utf8)
        let reply = try reply()
        guard let result = reply["result"] else { throw TestFailure("\(method) \(params) failed: \(reply)") }
        return result
    }

    /// Reads the replies up to the end of the output, except a truncated last line.
    func remainingReplies() throws -> [JSON] {
        try readToEnd().split(separator: "\n").compactMap { try? JSON(parsing: String($0)) }
    }

    /// Closes the input and expects the host to exit normally.
    func finish() throws {
        closeInput()
        #expect(try remainingReplies() == [])
        #expect(try wait() == .code(0))
    }

    /// The name of every pending record past an id, by id.
    func stored(after: Int = 0) throws -> [Int: String] {
        var names: [Int: String] = [:]
        var last = after
        while true {
            let page = try result("pending", #"{"after":\#(last)}"#)["records"]?.array
            guard let page, page.count > 0 else { return names }
            for record in page {
                guard let id = record["id"]?.integer.map(Int.init), let name = record["name"]?.string else {
                    throw TestFailure("this is not an event: \(record)")
                }
                #expect(id > last)
                #expect(names.updateValue(name, forKey: id) == nil)
                last = id
            }
        }
    }
}

private func request(_ method: String, _ params: String) -> String { line(0, method, params) }

/// The records that the replies to requests of ``save(_:padding:)`` confirm: their names by id.
func confirmed(_ replies: [JSON]) throws -> [Int: String] {
    var names: [Int: String] = [:]
    for reply in replies {
        guard let request = reply["id"]?.integer, let id = reply["result"]?["id"]?.integer else { continue }
        #expect(names.updateValue("e\(request)", forKey: Int(id)) == nil, "two replies have the same record id")
    }
    return names
}

/// The name of every pending record in a folder, by id, as a newly started host returns them.
func stored(in folder: String) throws -> [Int: String] {
    let host = try startHost(folder)
    let names = try host.stored()
    #expect(try host.result("pending", #"{"limit":1}"#)["total"] == .integer(Int64(names.count)))
    try host.finish()
    return names
}

/// The ids of replies, in order of arrival.
func ids(_ replies: [JSON]) -> [Int] { replies.compactMap { $0["id"]?.integer.map(Int.init) } }
