import Foundation
import JSON
import TestSupport
import Testing

/// Who may use the preview: only a page that has the token, from this machine and of this origin.
@Suite(.waits) struct PreviewSecurityTests {
    private static let payload = "\(repositoryRoot)/plugins/register/payload.apns"

    /// A request, with `TOKEN` and `PORT` in place of those of the run.
    struct Attack: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var path = "/TOKEN/"
        var method = "GET"
        var headers: [String: String] = [:]
        let status: Int

        static let handshake = [
            "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
            "Sec-WebSocket-Version": "13",
        ]

        static func socket(_ description: String, _ headers: [String: String], path: String = "/TOKEN/socket") -> Attack
        {
            Attack(testDescription: description, path: path, headers: handshake.merging(headers) { $1 }, status: 403)
        }
    }

    private static let attacks: [Attack] = [
        Attack(testDescription: "no token: another user of this machine", path: "/", status: 404),
        Attack(testDescription: "an empty token", path: "//", status: 404),
        Attack(testDescription: "a guessed token", path: "/0123456789abcdef0123456789abcdef/", status: 404),
        Attack(testDescription: "a token that is too short", path: "/0123/", status: 404),
        Attack(testDescription: "a token as a parameter", path: "/?TOKEN", status: 404),
        Attack(testDescription: "the socket without a token", path: "/socket", status: 404),
        Attack(testDescription: "a file of this machine", path: "/etc/passwd", status: 404),
        Attack(testDescription: "a file below the token", path: "/TOKEN/payload.apns", status: 404),
        Attack(testDescription: "a way out of the token", path: "/TOKEN/../../etc/passwd", status: 404),
        Attack(testDescription: "an encoded way out", path: "/TOKEN/%2e%2e%2fetc%2fpasswd", status: 404),
        Attack(testDescription: "no name of a host", headers: ["Host": ""], status: 403),
        Attack(testDescription: "DNS rebinding", headers: ["Host": "attacker.example:PORT"], status: 403),
        Attack(testDescription: "a host without the port", headers: ["Host": "127.0.0.1"], status: 403),
        Attack(testDescription: "a host with another port", headers: ["Host": "127.0.0.1:1"], status: 403),
        Attack(testDescription: "another address", headers: ["Host": "0.0.0.0:PORT"], status: 403),
        Attack(testDescription: "another origin", headers: ["Origin": "https://attacker.example"], status: 403),
        Attack(testDescription: "another port of this machine", headers: ["Origin": "http://127.0.0.1:1"], status: 403),
        Attack(testDescription: "a sandboxed page", headers: ["Origin": "null"], status: 403),
        Attack(
            testDescription: "the other name of this machine",
            headers: ["Origin": "http://localhost:PORT"],
            status: 403
        ),
        Attack(testDescription: "POST", method: "POST", status: 405),
        Attack(testDescription: "PUT", path: "/TOKEN/preview.js", method: "PUT", status: 405),
        Attack(
            testDescription: "the question of another origin",
            method: "OPTIONS",
            headers: ["Origin": "https://attacker.example", "Access-Control-Request-Method": "GET"],
            status: 403
        ),
        .socket("a WebSocket without an origin", [:]),
        .socket("a WebSocket of another origin", ["Origin": "https://attacker.example"]),
        .socket("a WebSocket of a page on another port", ["Origin": "http://127.0.0.1:1"]),
        .socket("a WebSocket by DNS rebinding", ["Host": "evil.example:PORT", "Origin": "http://evil.example:PORT"]),
    ]

    @Test("Requests that are not the page's are refused with a plain text that says nothing")
    func refused() throws {
        try PreviewRun.open([Self.payload]) { run in
            let filled = { (text: String) in
                text.replacing("TOKEN", with: run.token).replacing("PORT", with: "\(run.port)")
            }
            for attack in Self.attacks {
                let headers = attack.headers.mapValues(filled)
                let response = try run.request(filled(attack.path), attack.method, headers)
                #expect(response.status == attack.status, "\(attack.testDescription): \(response)")
                #expect(response.headers["content-type"] == "text/plain; charset=utf-8", "\(attack.testDescription)")
                let shared = response.headers.keys.filter { $0.hasPrefix("access-control") }
                #expect(shared == [])
                #expect(!"\(response)".contains(run.token), "\(attack.testDescription)")
                #expect(response.body.count < 100)
            }
            // Every other token of the right length is refused, also one that differs in its last digit.
            let last = run.token.last == "0" ? "1" : "0"
            #expect(try run.request("/\(run.token.dropLast())\(last)/").status == 404)
            let first = run.token.first == "0" ? "1" : "0"
            #expect(try run.request("/\(first)\(run.token.dropFirst())/").status == 404)
            #expect(try run.request().status == 200)
        }
    }

    @Test("Each file of the page forbids what it does not need, and nothing is kept or told to others")
    func headers() throws {
        try PreviewRun.open([Self.payload]) { run in
            var size = 0
            // The editor of the JSON is not counted.
            let editor = ["json.js", "code.js", "language.js"]
            let modules = [
                "page", "preview", "editor", "json", "code", "language", "files", "stage", "phone", "timeline",
            ]
            let scripts = modules.map { ("\($0).js", "text/javascript") }
            let styles = ["preview", "notification", "editor", "stage", "timeline"].map { ("\($0).css", "text/css") }
            for (name, type) in [("", "text/html")] + scripts + styles {
                let response = try run.request("/\(run.token)/\(name)", "GET", ["Host": "localhost:\(run.port)"])
                #expect(response.status == 200)
                #expect(response.headers["content-type"] == "\(type); charset=utf-8")
                #expect(response.headers["cache-control"] == "no-store")
                #expect(response.headers["referrer-policy"] == "no-referrer")
                #expect(response.headers["x-content-type-options"] == "nosniff")
                #expect(response.headers["x-frame-options"] == "DENY")
                #expect(response.headers["access-control-allow-origin"] == nil)
                let policy = response.headers["content-security-policy"] ?? ""
                for part in ["default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'"]
                {
                    #expect(policy.contains(part))
                }
                #expect(!policy.contains("script-src 'self' ") && policy.contains("img-src data:;"))
                #expect(!response.body.contains(run.token))
                if !editor.contains(name) { size += response.body.utf8.count }
            }
            #expect(size <= 120 << 10, "the page has \(size) bytes")
            let page = try run.request().body
            #expect(!page.contains(#/<script(?! src="preview.js" type="module"><)/#), "a script is inline")
            #expect(!page.contains(#/\son[a-z]+=/#) && !page.contains("style=") && !page.contains("http"))
        }
    }

    @Test("Images of other machines are allowed only with --remote-images")
    func remoteImages() throws {
        try PreviewRun.open([Self.payload, "--remote-images"]) { run in
            let policy = try run.request().headers["content-security-policy"] ?? ""
            #expect(policy.contains("img-src data: http: https:"))
        }
    }

    @Test("The port is one of the loopback interface only", .enabled(if: Processes.areListed))
    func loopback() throws {
        try PreviewRun.open([Self.payload]) { run in
            let hexadecimal = String(run.port, radix: 16, uppercase: true)
            let port = ":" + String(repeating: "0", count: 4 - hexadecimal.count) + hexadecimal
            let listening = try Self.listeners(port)
            #expect(listening == ["0100007F\(port)"])
        }
    }

    /// The local addresses that end in a port and that a socket listens at, as the kernel writes them.
    private static func listeners(_ port: String) throws -> [String] {
        var addresses: [String] = []
        for table in ["tcp", "tcp6"] {
            // Foundation reads only the beginning of a file without a size, such as this one, unless it is read to its end.
            let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/net/\(table)"))
            let text = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
            let lines = text.split(separator: "\n")
            for fields in lines.map({ $0.split(separator: " ") }) where fields.count > 3 {
                // The second column is the local address; 0A is the state of a socket that listens.
                if fields[1].hasSuffix(port), fields[3] == "0A" { addresses.append(String(fields[1])) }
            }
        }
        return addresses
    }

    @Test(
        "Neither the arguments of a process nor a file that others can read has the token; --open passes it by a file"
    )
    func arguments() throws {
        try withTemporaryDirectory { folder in
            let gate = "\(folder)/opened"
            guard mkfifo(gate, 0o600) == 0 else { throw TestFailure("mkfifo: \(errno)") }
            // What `open` and `xdg-open` get is what every user can read.
            for name in ["xdg-open", "open"] {
                try writeExecutable("#!/bin/sh\nprintf '%s\\n' \"$@\" > '\(gate)'\n", to: "\(folder)/\(name)")
            }
            let path = "\(folder):\(ProcessInfo.processInfo.environment["PATH"] ?? "")"
            try PreviewRun.open([Self.payload, "--open"], environment: ["PATH": path]) { run in
                let bytes = try FileHandle(forReadingFrom: URL(filePath: gate)).readToEnd() ?? Data()
                let opened = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
                let page = try #require(opened.first)
                #expect(opened.count == 1 && !page.contains(run.token))
                let own = try FileManager.default.attributesOfItem(atPath: page)[.posixPermissions] as? Int
                #expect(own == 0o600)
                let parent = URL(filePath: page).deletingLastPathComponent().path
                let outer = try FileManager.default.attributesOfItem(atPath: parent)[.posixPermissions] as? Int
                #expect(outer == 0o700)
                let text = try String(contentsOfFile: page, encoding: .utf8)
                #expect(text.contains("http://127.0.0.1:\(run.port)/\(run.token)/"))
                guard Processes.areListed else { return }
                for pid in try [run.process.pid] + Processes.children(of: run.process.pid) {
                    for file in ["cmdline", "environ"] {
                        let shown = FileManager.default.contents(atPath: "/proc/\(pid)/\(file)") ?? Data()
                        #expect(shown.range(of: Data(run.token.utf8)) == nil)
                    }
                }
            }
        }
    }

    @Test("Connections without the token are ended if they are many, or after some seconds, and the page stays usable")
    func connections() throws {
        try PreviewRun.open([Self.payload]) { run in
            let idle = try (0..<80).map { _ in try LoopbackConnection(port: run.port) }
            // A head without an end; the preview may end the connection before all of it is sent.
            let endless = try LoopbackConnection(port: run.port)
            try? endless.send("GET / HTTP/1.1\r\nX: " + String(repeating: "x", count: 1 << 20))
            let window = try run.window()
            try window.wait("picture")
            for connection in idle + [endless] {
                // The end of a connection whose bytes were not read is an error.
                let answer = try? connection.readToEnd()
                #expect(answer ?? "" == "")
            }
            #expect(try run.request().status == 200)
            try window.send(["type": "choose", "name": "part", "value": "banner"])
            try window.wait("picture") { $0["part"] == "banner" }
        }
    }

    @Test("A window that sends too much, no text or no object is closed with a code, and others go on")
    func messages() throws {
        try PreviewRun.open([Self.payload]) { run in
            let other = try run.window()
            let bad: [(UInt8, [UInt8], Int)] = [
                (1, Array(repeating: UInt8(ascii: " "), count: (256 << 10) + 1), 1009), (2, [1, 2], 1003),
                (1, Array("[]".utf8), 1007), (1, Array(#"{"type":1}"#.utf8), 1007), (1, [0xFF], 1007),
                (8, [3, 232], 1000),
            ]
            for (opcode, payload, code) in bad {
                let window = try run.window()
                try window.send(frame: opcode, payload)
                #expect(try window.waitForClose().code == code)
            }
            try other.send(frame: 9, [7])
            while true {
                let (opcode, payload) = try other.frame()
                if opcode == 10 {
                    #expect(payload == [7])
                    break
                }
            }
        }
    }

    @Test("A seventeenth window is refused, and may come when another one has gone")
    func tooManyWindows() throws {
        try PreviewRun.open([Self.payload]) { run in
            var windows = try (0..<16).map { _ in try run.window() }
            let headers = Attack.handshake.merging(["Origin": "http://127.0.0.1:\(run.port)"]) { $1 }
            #expect(try run.request("/\(run.token)/socket", "GET", headers).status == 503)
            let last = windows.removeLast()
            try last.send(frame: 8, [3, 232])
            #expect(try last.waitForClose().code == 1000)
            try run.window().wait("picture")
        }
    }
}
