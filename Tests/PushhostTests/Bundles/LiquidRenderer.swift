import Foundation
import JSON
import TestSupport
import Testing

/// The process of `plugins/liquid`, with the test as its host.
final class LiquidRenderer {
    static let bundle = "\(repositoryRoot)/plugins/liquid"
    static let executable = "\(bundle)/personalize.rb"
    /// The date of every notification in these tests.
    static let date: JSON = "2026-01-01T00:00:00.000Z"

    let process: ChildProcess
    private var last: Int64 = 0

    private init(_ process: ChildProcess) { self.process = process }

    /// An environment as the host may give extensions, with a locale that does not imply UTF-8 and a time zone other
    /// than UTC.
    private static let environment = [
        "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "LANG": "C", "TZ": "Asia/Tokyo",
    ]

    /// Throws an error that names the Debian package if Liquid is missing.
    static func requireLibrary() throws {
        let probe = try ChildProcess(Tool.ruby.path(), ["-e", "gem 'liquid', '~> 5.4.0'; require 'liquid'"])
        guard try probe.wait() == .code(0) else {
            throw TestFailure("Shopify's Liquid 5.4 is missing; install Debian's package ruby-liquid")
        }
    }

    /// Starts the extension; a shell command can set limits first.
    static func start(limits: String = "true", ruby: [String] = []) throws -> LiquidRenderer {
        let command = #"\#(limits) && exec "$@""#
        let program = try ruby.isEmpty ? [executable] : [Tool.ruby.path()] + ruby + [executable]
        let arguments = ["-c", command, "sh"] + program
        let process = try ChildProcess("/bin/sh", arguments, environment: environment, directory: bundle)
        return LiquidRenderer(process)
    }

    /// Runs the closure with an activated extension, which must exit cleanly afterwards.
    static func with<Result>(limits: String = "true", _ body: (LiquidRenderer) throws -> Result) throws -> Result {
        try requireLibrary()
        let renderer = try start(limits: limits)
        #expect(try renderer.activate()["result"] == ["version": "1.1"])
        let result = try body(renderer)
        renderer.process.closeInput()
        #expect(try renderer.process.wait() == .code(0), "\(renderer.process.standardError)")
        #expect(renderer.process.standardError == "")
        return result
    }

    func activate() throws -> JSON {
        let bundle: JSON = "com.example.pushhost.liquid"
        return try call("activate", ["version": "1.1", "bundle": bundle, "locale": "en", "suites": []])
    }

    func call(_ method: String, _ params: JSON) throws -> JSON {
        last += 1
        let call: JSON = ["jsonrpc": "2.0", "id": .integer(last), "method": .string(method), "params": params]
        try process.write(line: call.description)
        let answer = try answer()
        #expect(answer["id"] == .integer(last))
        return answer
    }

    /// The next line, which must be a message.
    func answer() throws -> JSON {
        guard let line = try process.readLine() else {
            throw TestFailure("the extension ended before it answered: \(process.standardError)")
        }
        return try JSON(parsing: line)
    }

    /// Renders a payload.
    func personalize(_ payload: JSON, _ profile: JSON = [:]) throws -> JSON {
        try call("personalize", ["payload": payload, "profile": profile, "locale": "en", "date": Self.date])
    }

    /// Renders one template, placed in the payload at `text`.
    func render(_ template: String, _ profile: JSON = [:]) throws -> Rendered {
        Rendered(try personalize(["text": .string(template)], profile))
    }

    /// The outcome of a template.
    struct Rendered {
        let answer: JSON
        var text: String? { answer["result"]?["abort"] == nil ? answer["result"]?["payload"]?["text"]?.string : nil }
        var abort: String? { answer["result"]?["abort"]?.string }
        var diagnostics: [JSON] { answer["result"]?["diagnostics"]?.array.map(Array.init) ?? [] }
        var reasons: [String] { diagnostics.compactMap { $0["reason"]?.string } }
        var messages: [String] { diagnostics.compactMap { $0["message"]?.string } }
        var error: JSON? { answer["error"] }
        var reason: String? { error?["data"]?["reason"]?.string }
        /// The error's message after the path.
        var message: String? {
            error?["message"]?.string?.replacing(#/^payload\/text(, line \d+)?: /#, with: "")
        }

        init(_ answer: JSON) { self.answer = answer }
    }
}
