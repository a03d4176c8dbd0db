import Foundation
import JSON
import TestSupport

/// A run of `pushhost preview` with its own temporary folder and home.
final class PreviewRun {
    let process: ChildProcess
    /// The folder of the run; `tmp` in it is the folder for temporary files.
    let folder: String
    let port: Int
    let token: String

    /// Runs the command for the closure, and ends it with SIGTERM.
    ///
    /// - Parameters:
    ///   - arguments: The words after `preview`.
    ///   - settings: What `preview` would pass on to the program behind it, which is then started instead.
    ///   - environment: Variables besides those of the test.
    ///   - body: Uses the page.
    /// - Throws: What the closure throws, and that the command does not end or leaves a file or a process behind.
    static func open(
        _ arguments: [String] = [],
        settings: JSON? = nil,
        environment: [String: String] = [:],
        body: (PreviewRun) throws -> Void
    ) throws {
        try withTemporaryDirectory { folder in
            let run = try PreviewRun(arguments, settings, folder, environment)
            try body(run)
            try run.finish()
        }
    }

    private init(_ arguments: [String], _ settings: JSON?, _ folder: String, _ own: [String: String]) throws {
        self.folder = folder
        let preview = try builtProduct("pushhost-preview")
        process =
            try settings.map {
                try ChildProcess(preview, [$0.description], environment: PushRun.environment(folder, own))
            } ?? PushRun.startProgram(["preview"] + arguments, folder, own)
        guard let line = try process.readLine(),
            let match = line.firstMatch(of: #/http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/ /#),
            let port = Int(match.output.1)
        else { throw TestFailure("the preview printed no address: \(process.standardError)") }
        (self.port, token) = (port, String(match.output.2))
    }

    /// Ends the preview.
    func finish(_ signal: Int32 = SIGTERM) throws {
        let isRunning = Processes.areListed && Processes.isRunning(process.pid)
        let children = try isRunning ? Processes.children(of: process.pid) : []
        process.kill(signal)
        guard try process.wait() == .code(128 + signal) else {
            throw TestFailure("the preview ended otherwise: \(process.standardError)")
        }
        try Processes.wait(for: "the end of the host") { !children.contains(where: Processes.isRunning) }
        let left = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/tmp")
        guard left == [] else { throw TestFailure("the preview left \(left)") }
    }

    /// Sends a request and returns the response.
    ///
    /// - Parameters:
    ///   - path: The path; by default that of the page.
    ///   - method: The method.
    ///   - headers: All headers; `Host` is added if it is absent. An empty one is not sent.
    /// - Returns: The response.
    /// - Throws: That there is none.
    func request(
        _ path: String? = nil,
        _ method: String = "GET",
        _ headers: [String: String] = [:]
    ) throws -> LoopbackConnection.Response {
        let connection = try LoopbackConnection(port: port)
        let all = ["Host": "127.0.0.1:\(port)"].merging(headers) { $1 }.filter { !$0.value.isEmpty }
        let lines = all.map { "\($0.key): \($0.value)\r\n" }.sorted().joined()
        try connection.send("\(method) \(path ?? "/\(token)/") HTTP/1.1\r\n\(lines)Content-Length: 0\r\n\r\n")
        return try connection.response()
    }

    /// Opens a window, as the page does, and expands the notification, which begins as a banner, unless that is not wanted.
    func window(expands: Bool = true) throws -> PreviewWindow {
        let window = try PreviewWindow(port: port, token: token)
        if expands { try window.send(["type": "choose", "name": "part", "value": "expanded"]) }
        return window
    }
}

// MARK: Payloads

extension PreviewRun {
    static let plugins = "\(repositoryRoot)/plugins"
    static let register = "\(plugins)/register/payload.apns"

    /// A payload that the bundle `register` shows.
    static func payload(title: String) -> String {
        #"{"aps":{"alert":"x","category":"lab_register"},"braze_id":"ada","cert_title":"\#(title)","cert_description":"D"}"#
    }

    static func edit(_ text: String) -> JSON { ["type": "edit", "text": .string(text)] }

    /// A payload whose extension saves an event as soon as it is shown.
    static let saving =
        #"{"aps":{"alert":"Unopened","category":"lab_progress"},"completed_session_count":"1","total_session_count":"2"}"#
}
