import FlyingFox
import FlyingSocks
import Foundation
import JSON
import Synchronization

@testable import pushhost_preview

extension FuzzTarget {
    static let preview = FuzzTarget("preview", checkPreview)
}

/// Only a request with the token, from this page, is answered with more than a refusal; frames of a window become letters.
///
/// FlyingFox reads HTTP and WebSocket frames; what pushhost does with what it read is tried here.
private func checkPreview(_ input: [UInt8]) throws {
    var input = FuzzInput(input)
    if input.byte() % 2 == 0 { try checkRequest(&input) } else { try checkFrames(&input) }
}

private func checkRequest(_ input: inout FuzzInput) throws {
    let (token, port) = (AccessToken(), UInt16(8_080))
    let handler = PageHandler(
        token: token,
        port: port,
        allowsRemoteImages: false,
        windows: Windows(),
        mailbox: try WindowMailbox(),
        guardian: ConnectionGuard()
    )
    let method = input.choice(["GET", "HEAD", "POST", "get", ""])
    let target = input.text().replacing("TOKEN", with: token.text)
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    var headers: [HTTPHeader: String] = [:]
    while !input.isEmpty {
        let line = input.text()
        let name = line.prefix { $0 != ":" }
        headers[HTTPHeader(String(name))] = String(line.dropFirst(name.count + 1))
    }
    let request = HTTPRequest(
        method: HTTPMethod(method),
        version: .http11,
        target: HTTPRequest.Target(path: parts[0], query: parts.count > 1 ? parts[1] : ""),
        headers: HTTPHeaders(headers),
        body: HTTPBodySequence(data: Data())
    )
    let response = try wait { try await handler.handleRequest(request) }
    let hasToken = target.hasPrefix("/\(token.text)/")
    let host = headers[.host]
    let isOwn = host == "127.0.0.1:8080" || host == "localhost:8080"
    let origin = headers[HTTPHeader("Origin")]
    let isSameOrigin = origin == nil || origin == "http://\(host ?? "")"
    let isAnswered = response.statusCode.code < 400
    let mayBeAnswered = hasToken && isOwn && isSameOrigin && request.method == .GET
    try require(!isAnswered || mayBeAnswered, "a stranger gets \(response)")
    try require(isAnswered || response.headers[HTTPHeader("X-Frame-Options")] == "DENY", "the refusal lacks headers")
}

/// Frames by the first byte of each, with a payload up to the next line end.
private func checkFrames(_ input: inout FuzzInput) throws {
    let (windows, mailbox) = (Windows(), try WindowMailbox())
    let window = try require(windows.open(), "no window is opened")
    var frames: [WSFrame] = []
    while !input.isEmpty, frames.count < 300 {
        let head = input.byte()
        let opcode = WSFrame.Opcode(UInt8(head & 15))
        frames.append(WSFrame(fin: head & 16 != 0, opcode: opcode, mask: nil, payload: Data(input.line())))
    }
    let received = frames
    let sent = try wait { () async throws -> [WSFrame] in
        let (stream, sender) = AsyncThrowingStream<WSFrame, any Error>.makeStream()
        for frame in received { sender.yield(frame) }
        sender.finish()
        let socket = WindowSocket(window: window, windows: windows, mailbox: mailbox)
        var sent: [WSFrame] = []
        for await frame in try await socket.makeFrames(for: stream) { sent.append(frame) }
        return sent
    }
    for letter in mailbox.take() {
        try require(letter.message["type"]?.string != nil && letter.window == window.id, "a letter is no message")
        _ = letter.message.description
    }
    try require(sent.dropLast().allSatisfy { $0.opcode != .close }, "a frame follows the last one")
    try require(sent.count { $0.opcode == .pong } <= frames.count { $0.opcode == .ping }, "a pong answers nothing")
}

/// The result of work that other threads do.
private func wait<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
    let (box, done) = (Box<Value>(), DispatchSemaphore(value: 0))
    Task {
        do {
            let value = try await body()
            box.result.withLock { $0 = .success(value) }
        } catch {
            box.result.withLock { $0 = .failure(error) }
        }
        done.signal()
    }
    done.wait()
    return try require(box.result.withLock { $0 }, "nothing was done").get()
}

private final class Box<Value: Sendable>: Sendable {
    let result = Mutex<Result<Value, any Error>?>(nil)
}
