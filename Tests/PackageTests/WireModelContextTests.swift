import Testing

/// The message check for the methods of the Model Context Protocol.
@Suite struct WireModelContextTests {
    private typealias Lines = WireLines

    private static let modern =
        #""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#
    private static let serverInfo = #"{"name":"pushhost","version":"1.0"}"#
    private static let meta = #""_meta":{"io.modelcontextprotocol/serverInfo":\#(serverInfo)}"#
    private static let text = #""content":[{"type":"text","text":"t"}]"#
    private static let version = #""structuredContent":{"version":"1.0"}"#
    private static let initialized =
        #"{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":\#(serverInfo),"instructions":"i"}"#
    private static let tools =
        #""tools":[{"name":"ping","description":"d","annotations":{"readOnlyHint":true},"#
        + #""inputSchema":{"type":"object","properties":{},"additionalProperties":false}}]"#
    private static let kept = #""resultType":"complete","ttlMs":1,"cacheScope":"public",\#(meta)"#
    private static let begin = Lines.request("initialize", #"{"protocolVersion":"2025-11-25"}"#)
    private static let call = Lines.request("tools/call", #"{"name":"ping"}"#)
    private static let modernCall = Lines.request("tools/call", #"{"name":"ping",\#(modern)}"#)
    private static let failure =
        #""_meta":{"pushhost/error":{"code":-32602,"message":"m","data":{"reason":"missingParam","path":"/params"}}}"#

    @Test(
        "Results with the shape of their protocol version give no finding",
        arguments: [
            (begin, initialized), (Lines.request("tools/list"), "{\(tools)}"),
            (Lines.request("tools/list", "{\(modern)}"), "{\(tools),\(kept)}"),
            (
                Lines.request("server/discover", "{\(modern)}"),
                #"{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"instructions":"i",\#(kept)}"#
            ),
            (call, #"{\#(text),\#(version),"isError":false}"#),
            (call, #"{\#(text),"isError":true,\#(failure)}"#),
            (modernCall, #"{"resultType":"complete",\#(text),\#(version),"isError":false,\#(meta)}"#),
        ]
    )
    func fitting(request: String, result: String) throws {
        #expect(try Lines.findings(request, Lines.answer(result)) == [])
    }

    @Test(
        "Each undeclared part of a Model Context Protocol result is found",
        arguments: [
            (begin, initialized.replacing(#""instructions":"i""#, with: #""instructions":"i","extra":1"#), "/extra"),
            (begin, initialized.replacing("2025-11-25", with: "1999-01-01"), "/protocolVersion"),
            (
                begin, initialized.replacing(#"{"tools":{}}"#, with: #"{"tools":{},"logging":{}}"#),
                "/capabilities/logging"
            ),
            (Lines.request("tools/list"), "{\(tools),\(kept)}", "/resultType"),
            (
                Lines.request("tools/list"),
                "{\(tools)}".replacing(#""name":"ping""#, with: #""name":"ping","title":"P""#),
                "/title"
            ),
            (Lines.request("tools/list", "{\(modern)}"), "{\(tools)}", "lacks resultType"),
            (call, #"{\#(text),\#(version),"isError":false,"task":1}"#, "/task"),
            (call, #"{\#(text),\#(version)}"#, "lacks isError"),
            (call, #"{\#(text),"isError":false}"#, "lacks structuredContent"),
            (call, #"{"content":[{"type":"image","data":""}],\#(version),"isError":false}"#, "/content/0"),
            (call, #"{\#(text),\#(version),"isError":true,\#(failure)}"#, "/structuredContent"),
            (call, #"{\#(text),"isError":true}"#, "lacks _meta"),
            (
                call, #"{\#(text),"isError":true,\#(failure)}"#.replacing("missingParam", with: "new"),
                "no error -32602 new"
            ),
            (call, #"{"resultType":"complete",\#(text),\#(version),"isError":false,\#(meta)}"#, "/resultType"),
            (modernCall, #"{\#(text),\#(version),"isError":false}"#, "lacks resultType"),
            (
                call, #"{\#(text),"structuredContent":{"version":"1.0","x":1},"isError":false}"#,
                "in the result of ping, /x"
            ),
            (
                Lines.request("tools/call", #"{"name":"shutdown"}"#),
                #"{\#(text),"structuredContent":{},"isError":false}"#,
                "no such method for clients"
            ),
            (Lines.request("notifications/cancelled"), "{}", "no result of notifications/cancelled"),
        ]
    )
    func strange(request: String, result: String, wanted: String) throws {
        let found = try Lines.findings(request, Lines.answer(result))
        #expect(found.contains { $0.contains(wanted) }, "\(found)")
    }

    // MARK: Progress

    private static let flush = Lines.request(
        "tools/call",
        #"{"name":"flushPending","arguments":{"to":"file"},"_meta":{"progressToken":7}}"#
    )
    private static let flushed = Lines.answer(
        #"{\#(text),"structuredContent":{"delivered":2,"rejected":0,"possiblySent":0,"remaining":0,"diagnostics":[]},"isError":false}"#
    )

    private static func progress(_ value: Int, _ token: String = "7", _ further: String = "") -> String {
        Lines.notification(
            "notifications/progress",
            #"{"progressToken":\#(token),"progress":\#(value),"message":"m"\#(further)}"#
        )
    }

    @Test("Progress is checked to have the token of an open request and growing values")
    func progress() throws {
        #expect(try Lines.findings(Self.flush, Self.progress(1), Self.progress(2), Self.flushed) == [])
        let again = [Self.flush, Self.progress(2), Self.flushed]
        #expect(try Lines.findings(again[0], again[1], again[2], again[0], again[1], again[2]) == [])
        for wrong in ["8", #""7""#] {
            #expect(
                try Lines.findings(Self.flush, Self.progress(1, wrong)) == [
                    "no open request has the progress token \(wrong)"
                ]
            )
        }
        #expect(try Lines.findings(Self.flush, Self.flushed, Self.progress(1)).count == 1)
        #expect(
            try Lines.findings(Self.flush, Self.progress(1), Self.progress(1))
                == ["the progress for the token 7 does not increase"]
        )
        #expect(try Lines.findings(Self.flush, Self.progress(1, "7", #","total":2"#)).count == 1)
        #expect(try Lines.findings(Self.flush, Self.progress(0)).count == 1)
    }
}
