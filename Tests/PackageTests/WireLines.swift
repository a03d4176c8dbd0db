import Foundation
import JSON
import TestSupport

/// Short recordings with which the message check is tested.
enum WireLines {
    /// The findings in a recording.
    ///
    /// - Parameters:
    ///   - lines: Lines between the host and its client, `>` to the host and `<` from it; with a leading `x` they are
    ///     those of a bundle. `ended` is the exit of the bundle's process.
    ///   - point: The extension point of the bundle; no bundle by default.
    /// - Returns: Sentences.
    /// - Throws: If the documents cannot be read.
    static func findings(_ lines: String..., bundle point: String? = nil) throws -> [String] {
        var records: [JSON] = [["session": ["version": "1.0"]]]
        if let point { records.append(bundle(point)) }
        for line in lines {
            guard line != "ended" else {
                records.append(["t": 1, "from": "com.example.x", "to": "host", "ended": ["exitCode": 0]])
                continue
            }
            let mark = line.prefix { $0 != "{" && $0 != "[" }
            let peer = mark.count > 1 ? "com.example.x" : "client"
            let raw = JSON.string(String(line.dropFirst(mark.count)))
            let (from, to) = mark.last == ">" ? (peer, "host") : ("host", peer)
            records.append(["t": 1, "from": .string(from), "to": .string(to), "raw": raw])
        }
        let text = records.map { "\($0)\n" }.joined()
        return try WireCheck.findings(in: Data(text.utf8)).map(\.sentence)
    }

    private static func bundle(_ point: String) -> JSON {
        let list = """
            <plist version="1.0"><dict><key>NSExtension</key><dict>
            <key>NSExtensionPointIdentifier</key><string>\(point)</string></dict></dict></plist>
            """
        return ["bundle": ["identifier": "com.example.x", "files": ["Info.plist": .string(list)]]]
    }

    static let content = "com.apple.usernotifications.content-extension"
    static let service = "com.apple.usernotifications.service"
    static let destination = "pushhost.destination"
    static let source = "pushhost.source"
    static let ping = request("ping")
    static let dismiss = request("dismiss", #"["n"]"#)

    static func request(_ method: String, _ params: String? = nil, _ mark: String = ">") -> String {
        let params = params.map { ",\"params\":\($0)" } ?? ""
        return mark + #"{"jsonrpc":"2.0","id":1,"method":"\#(method)"\#(params)}"#
    }

    static func notification(_ method: String, _ params: String, _ mark: String = "<") -> String {
        mark + #"{"jsonrpc":"2.0","method":"\#(method)","params":\#(params)}"#
    }

    static func answer(_ result: String, _ mark: String = "<", id: String = "1") -> String {
        mark + #"{"jsonrpc":"2.0","id":\#(id),"result":\#(result)}"#
    }

    static func error(_ code: Int, _ reason: String, id: String = "1", _ mark: String = "<") -> String {
        mark + #"{"jsonrpc":"2.0","id":\#(id),"error":{"code":\#(code),"message":"m","data":{"reason":"\#(reason)"}}}"#
    }
}
