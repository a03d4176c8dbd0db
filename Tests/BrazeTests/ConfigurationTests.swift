import Foundation
import HTTPClient
import TestSupport
import Testing

@testable import braze

@Suite struct ConfigurationTests {
    private static let least = ["BRAZE_REST_ENDPOINT": "fra-01", "BRAZE_API_KEY": "0a1b-2c3d"]

    private func configuration(_ changes: [String: String]) throws -> Configuration {
        try Configuration(Variables(Self.least.merging(changes) { $1 }))
    }

    private func problem(_ changes: [String: String]) -> String? {
        #expect(throws: ConfigurationError.self) { try configuration(changes) }?.message
    }

    @Test("Endpoint and key suffice, and the other options have strict defaults")
    func defaults() throws {
        let configuration = try configuration([:])
        #expect(configuration.endpoint.url.host() == "rest.fra-01.braze.eu")
        #expect(configuration.key.authorization == "Bearer 0a1b-2c3d")
        #expect(configuration.mapping == MappingOptions())
        #expect(configuration.request == RequestLimits())
        #expect(configuration.rate == RateLimit(requests: 3_000, per: .seconds(3)))
        #expect(configuration.timeout == .seconds(30))
    }

    @Test("Options are read from the environment")
    func options() throws {
        let configuration = try configuration([
            "BRAZE_APP_ID": "app", "BRAZE_UPDATE_EXISTING_ONLY": "TRUE", "BRAZE_MERGE_OBJECTS": "1",
            "BRAZE_REQUEST_OBJECTS": "50", "BRAZE_REQUEST_OBJECTS_PER_ARRAY": "yes", "BRAZE_REQUEST_BYTES": "2000",
            "BRAZE_RATE_REQUESTS": "10",
            "BRAZE_RATE_MILLISECONDS": "1000", "BRAZE_CONNECTIONS": "3", "BRAZE_TIMEOUT_MILLISECONDS": "250",
        ])
        let mapping = MappingOptions(appID: "app", updatesExistingOnly: true, mergesObjects: true)
        #expect(configuration.mapping == mapping)
        #expect(configuration.request == RequestLimits(objects: 50, countsEachArray: true, bytes: 2_000))
        #expect(configuration.rate == RateLimit(requests: 10, per: .seconds(1)))
        #expect(configuration.connections == 3)
        #expect(configuration.timeout == .milliseconds(250))
    }

    @Test(
        "An error about an invalid option names the option and what it requires",
        arguments: [
            ("BRAZE_REQUEST_OBJECTS", "76"), ("BRAZE_REQUEST_OBJECTS", "0"), ("BRAZE_MERGE_OBJECTS", "maybe"),
            ("BRAZE_TIMEOUT_MILLISECONDS", "30001"), ("BRAZE_CONNECTIONS", "many"), ("BRAZE_REQUEST_BYTES", "-1"),
        ]
    )
    func wrong(name: String, value: String) {
        #expect(problem([name: value])?.hasPrefix("\(name) must be ") == true)
        #expect(problem([name: value])?.hasSuffix("it is \"\(value)\"") == true)
    }

    @Test(
        "A key with additional characters is refused, and the error does not show it",
        arguments: ["\"0a1b-secret\"", "'secret'", "Bearer secret", "secret ", "sec\nret", "sécret", "sec\u{7}ret"]
    )
    func keys(key: String) {
        let message = problem(["BRAZE_API_KEY": key])
        #expect(message?.hasPrefix("BRAZE_API_KEY must be the bare key") == true)
        #expect(message?.contains("secret") == false)
    }

    @Test("An error names a missing variable", arguments: ["BRAZE_REST_ENDPOINT", "BRAZE_API_KEY"])
    func missing(name: String) {
        #expect(problem([name: ""])?.hasPrefix("\(name) is not set") == true)
    }

    @Test(
        "The address of a dashboard is refused, and the endpoint of its cluster named",
        arguments: [
            ("dashboard-01.braze.com", ", as rest.iad-01.braze.com"),
            ("https://dashboard-02.braze.eu/app/users", ", as rest.fra-02.braze.eu"),
            ("https://dashboard.us-10.braze.com", ", as rest.us-10.braze.com"), ("dashboard.braze.com", ""),
        ]
    )
    func dashboard(address: String, meant: String) {
        let message = problem(["BRAZE_REST_ENDPOINT": address])
        #expect(message?.hasPrefix("BRAZE_REST_ENDPOINT is the address of the dashboard, dashboard") == true)
        #expect(message?.hasSuffix("; the REST endpoint begins with rest.\(meant)") == true, "\(message ?? "")")
    }

    @Test("A key that is too short to be one of Braze does not break the words of a text")
    func shortKey() throws {
        #expect(try APIKey("x", from: "K").redacted("name an external_id") == "name an external_id")
        #expect(try APIKey("external", from: "K").redacted("name an external_id") == "name an <the key>_id")
    }

    @Test("No description shows the key, and it is removed from texts")
    func description() throws {
        let key = try APIKey("0a1b-secret", from: "K")
        var dumped = ""
        dump(key, to: &dumped)
        #expect("\(key) \(String(reflecting: key)) \(dumped)".contains("secret") == false)
        #expect(key.redacted("no 0a1b-secret, 0a1b-secret!") == "no <the key>, <the key>!")
        #expect(key.redacted("0a1b-secret\u{301}").utf8.elementsEqual("<the key>\u{301}".utf8))
    }

    // MARK: The file

    private func withFile<Result>(
        _ text: String,
        mode: mode_t = 0o600,
        _ body: (String) throws -> Result
    ) throws -> Result {
        try withTemporaryDirectory { folder in
            let path = "\(folder)/credentials"
            try text.write(toFile: path, atomically: false, encoding: .utf8)
            #expect(chmod(path, mode) == 0)
            return try body(path)
        }
    }

    private func configuration(file path: String, _ rest: [String: String] = [:]) throws -> Configuration {
        try Configuration(Variables(["BRAZE_CREDENTIALS": path].merging(rest) { $1 }))
    }

    @Test("A file that only its owner can read may contain the key, the endpoint, or both")
    func file() throws {
        try withFile("# ours\n\nBRAZE_REST_ENDPOINT = iad-02\r\nBRAZE_API_KEY=k=1\n") { path in
            let configuration = try configuration(file: path)
            #expect(configuration.endpoint.url.host() == "rest.iad-02.braze.com")
            #expect(configuration.key.authorization == "Bearer k=1")
        }
        try withFile("BRAZE_API_KEY=k", mode: 0o400) { path in
            let configuration = try configuration(file: path, ["BRAZE_REST_ENDPOINT": "iad-01"])
            #expect(configuration.key.authorization == "Bearer k")
        }
    }

    @Test(
        "A file that systemd made for the service may be read, which is root's with an access list",
        .enabled(if: geteuid() == 0, "only root can make such a file")
    )
    func credential() throws {
        try withFile("BRAZE_API_KEY=k", mode: 0o440) { path in
            #expect(chown(path, 0, 0) == 0)
            let configuration = try configuration(file: path, ["BRAZE_REST_ENDPOINT": "iad-01"])
            #expect(configuration.key.authorization == "Bearer k")
            #expect(chown(path, 0, 1) == 0)
            #expect(throws: ConfigurationError.self) { try self.configuration(file: path) }
        }
    }

    @Test(
        "A file that others may read or write is refused",
        arguments: [0o640, 0o604, 0o620, 0o602, 0o644] as [mode_t]
    )
    func open(mode: mode_t) throws {
        try withFile("BRAZE_API_KEY=secret", mode: mode) { path in
            let problem = #expect(throws: ConfigurationError.self) { try configuration(file: path) }
            #expect(problem?.message.contains("(mode \(String(mode, radix: 8))); chmod 600 \(path)") == true)
            #expect(problem?.message.contains("secret") == false)
        }
    }

    @Test(
        "A file with other content is refused, and the error does not show the content",
        arguments: [
            "secret", "KEY=secret", "BRAZE_API_KEY=secret\nBRAZE_API_KEY=secret", "export BRAZE_API_KEY=secret",
            "BRAZE_API_KEY=\"secret\"\nBRAZE_REST_ENDPOINT=iad-01", String(repeating: "#secret\n", count: 10_000),
        ]
    )
    func content(text: String) throws {
        try withFile(text) { path in
            let problem = #expect(throws: ConfigurationError.self) { try configuration(file: path) }
            #expect(problem?.message.contains(path) == true)
            #expect(problem?.message.contains("secret") == false)
        }
    }

    @Test("If the key is set in place of a path, the error does not show it")
    func keyAsPath() {
        let message = problem(["BRAZE_CREDENTIALS": "0a1b-secret"])
        #expect(message == "BRAZE_CREDENTIALS must be the absolute path of a file")
    }

    @Test("The permissions of a link are those of its target")
    func link() throws {
        try withFile("BRAZE_API_KEY=k", mode: 0o644) { path in
            let link = "\(path)-link"
            #expect(symlink(path, link) == 0)
            let rest = ["BRAZE_REST_ENDPOINT": "iad-01"]
            #expect(throws: ConfigurationError.self) { try configuration(file: link, rest) }
            #expect(chmod(path, 0o600) == 0)
            let key = try configuration(file: link, rest).key
            #expect(key.authorization == "Bearer k")
        }
    }

    @Test("A missing file, a folder and a pipe are refused without blocking")
    func noFile() throws {
        try withTemporaryDirectory { folder in
            #expect(mkfifo("\(folder)/pipe", 0o600) == 0)
            for path in ["\(folder)/none", folder, "\(folder)/pipe"] {
                let problem = #expect(throws: ConfigurationError.self) { try configuration(file: path) }
                #expect(problem?.message.hasPrefix("BRAZE_CREDENTIALS names \(path), which ") == true)
            }
        }
    }

    @Test("A variable that is set in the environment and in the file is refused")
    func twice() throws {
        try withFile("BRAZE_API_KEY=k") { path in
            let problem = #expect(throws: ConfigurationError.self) {
                try configuration(file: path, Self.least)
            }
            #expect(problem?.message == "BRAZE_API_KEY is set in the environment and in \(path); leave one of them")
        }
    }

    @Test("The Info.plist and the README name exactly the variables that are read")
    func documents() throws {
        let folder = "\(repositoryRoot)/plugins/braze"
        let data = try Data(contentsOf: URL(filePath: "\(folder)/Info.plist"))
        let plist = try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
        let attributes = (plist?["NSExtension"] as? [String: Any])?["NSExtensionAttributes"] as? [String: Any]
        #expect(
            attributes?["PushhostEnvironment"] as? [String] == Variable.allCases.map(\.rawValue)
                + ProxySettings.variables
        )
        let readme = try String(contentsOfFile: "\(folder)/README.md", encoding: .utf8)
        let rows = readme.matches(of: /(?m)^\| `(\w+)`/).map { String($0.output.1) }
        #expect(rows == Variable.allCases.map(\.rawValue))
        for name in ProxySettings.variables { #expect(readme.contains("`\(name)`"), "\(name)") }
    }
}
