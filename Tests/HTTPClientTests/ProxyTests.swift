import TestSupport
import Testing

@testable import HTTPClient

@Suite(.waits) struct ProxyTests {
    @Test("The first variable that is set and not empty is used")
    func variables() {
        #expect(ProxySettings([:]) == .none)
        let all = ["https_proxy": "a", "HTTPS_PROXY": "b", "all_proxy": "c", "ALL_PROXY": "d", "http_proxy": "e"]
        for (names, proxy) in [([], "a"), (["https_proxy"], "b"), (["https_proxy", "HTTPS_PROXY"], "c")] {
            #expect(ProxySettings(all.filter { !names.contains($0.key) }).proxy == proxy)
        }
        #expect(ProxySettings(["https_proxy": "", "ALL_PROXY": "d"]).proxy == "d")
        #expect(ProxySettings(["http_proxy": "e"]).proxy == nil)
        #expect(ProxySettings(["no_proxy": "x", "NO_PROXY": "y"]).exceptions == "x")
        #expect(ProxySettings(["NO_PROXY": "y"]).exceptions == "y")
    }

    private func send(_ url: String, _ environment: [String: String]) async throws -> HTTPResult {
        let client = try HTTPClient(
            userAgent: "tests",
            connectionsPerHost: 1,
            proxies: ProxySettings(environment)
        )
        return await client.send(HTTPRequest(url, body: [1], timeout: .seconds(60)), to: Collector())
    }

    @Test("Requests to other machines use the proxy, and a request that it refuses was not sent")
    func refusal() async throws {
        let proxy = try ScriptedServer()
        let result = try await send("https://rest.example.invalid/x", ["https_proxy": "http://\(proxy.authority)"])
        #expect(result.failure == .refusedByProxy(status: 502))
        #expect(result.head == nil && !result.mayHaveSentBody)
        #expect(try proxy.request().hasPrefix("1 CONNECT rest.example.invalid:443 0"))
    }

    @Test("Requests to this machine and to exceptions do not use the proxy")
    func exceptions() async throws {
        let server = try ScriptedServer()
        let unusedAddress = "http://127.0.0.1:1"
        let loopback = try await send("http://\(server.authority)/ok", ["all_proxy": unusedAddress])
        #expect(loopback.failure == nil)
        #expect(try server.request() == "1 POST /ok 1")
        // An address of this machine that does not have the notation of a loopback address.
        let port = server.authority.split(separator: ":").last ?? ""
        let proxy = ["https_proxy": "http://\(server.authority)"]
        let other = "https://0.0.0.0:\(port)/"
        #expect(try await send(other, proxy).failure == .refusedByProxy(status: 502))
        let direct = try await send(other, proxy.merging(["no_proxy": "example.com,0.0.0.0"]) { $1 })
        guard case .failed = direct.failure else {
            Issue.record("\(direct)")
            return
        }
        #expect(!direct.mayHaveSentBody)
    }
}
