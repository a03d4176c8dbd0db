import Foundation
import JSON
import TestSupport
import Testing

/// The folders that the host uses without options.
@Suite(.waits, .wire) struct StandardFoldersTests {
    @Test("Suites and bundles are in the XDG data folder")
    func xdg() throws {
        try withTemporaryDirectory { folder in
            try addBundle(to: "\(folder)/xdg/pushhost/plugins")
            let host = try HostProcess(environment: ["XDG_DATA_HOME": "\(folder)/xdg", "HOME": "\(folder)/home"])
            #expect(try host.result("status")["data"] == .string("\(folder)/xdg/pushhost"))
            #expect(try identifiers(host) == ["com.example.found"])
            try host.result("saveCustomEvent", ["name": "Seen"])
            #expect(FileManager.default.fileExists(atPath: "\(folder)/xdg/pushhost/standard.sqlite"))
        }
    }

    @Test(
        "Without an absolute XDG data folder the specification's default is used",
        arguments: ["", "data", nil]
    )
    func home(xdg: String?) throws {
        try withTemporaryDirectory { folder in
            var environment = ["HOME": folder]
            environment["XDG_DATA_HOME"] = xdg
            let host = try HostProcess(environment: environment)
            #expect(try host.result("status")["data"] == .string("\(folder)/.local/share/pushhost"))
        }
    }

    @Test("Bundles installed with the program are found next to it, through any link that started it")
    func installed() throws {
        try withTemporaryDirectory { folder in
            try FileManager.default.createDirectory(atPath: "\(folder)/bin", withIntermediateDirectories: true)
            let program = "\(folder)/bin/pushhost"
            let command = try hostCommand()
            try copyExecutable(command[0], to: program)
            try FileManager.default.createSymbolicLink(atPath: "\(folder)/link", withDestinationPath: program)
            try addBundle(to: "\(folder)/libexec/pushhost/plugins")
            let process = try ChildProcess("\(folder)/link", Array(command.dropFirst()), environment: ["HOME": folder])
            try process.write(#"{"jsonrpc":"2.0","id":1,"method":"extensions"}"#.utf8)
            process.closeInput()
            let reply = try JSON(parsing: try process.readToEnd())
            #expect(reply["result"]?["extensions"]?[0]?["identifier"] == "com.example.found", "\(reply)")
        }
    }

    @Test("push uses the installed bundle if the one beside the payload is not built, and says so")
    func unbuilt() throws {
        try withTemporaryDirectory { root in
            let (clone, installed) = ("\(root)/clone", "\(root)/libexec/pushhost/plugins/match-game")
            for folder in ["\(root)/bin", "\(root)/libexec/pushhost/plugins"] {
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            }
            for folder in [clone, installed] {
                try FileManager.default.copyItem(atPath: "\(repositoryRoot)/plugins/match-game", toPath: folder)
            }
            try copyExecutable(try builtProduct("match-game"), to: "\(installed)/match-game")
            try copyExecutable(
                try hostCommand(unchecked: "it serves no client")[0],
                to: "\(root)/bin/pushhost"
            )
            let run = try CommandRun(
                ["push", "\(clone)/payload.apns", "--press", "card-0"],
                environment: ["HOME": root, "PATH": "/usr/bin:/bin"],
                program: "\(root)/bin/pushhost"
            )
            #expect(run.status == .code(0) && run.output.contains("Find the pairs"), "\(run)")
            #expect(run.standardError.contains("\(clone) is not built; \(installed) is used"), "\(run.standardError)")
        }
    }

    @Test("Relative folders are relative to the folder in which the host was started")
    func relative() throws {
        try withTemporaryDirectory { folder in
            try addBundle(to: "\(folder)/bundles")
            let options = ["--data", "suites", "--plugins", "./bundles"]
            let host = try HostProcess(options, environment: ["HOME": "/"], directory: folder)
            #expect(try host.result("status")["data"] == .string("\(folder)/suites"))
            #expect(try identifiers(host) == ["com.example.found"])
        }
    }

    private func identifiers(_ host: HostProcess) throws -> [JSON?] {
        try #require(try host.result("extensions")["extensions"]?.array).map { $0["identifier"] }
    }

    private func addBundle(to folder: String) throws {
        let bundle = "\(folder)/found"
        try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
        let point = ["NSExtensionPointIdentifier": "com.apple.usernotifications.content-extension"]
        let list: [String: Any] = [
            "CFBundleIdentifier": "com.example.found", "CFBundleExecutable": "run", "NSExtension": point,
        ]
        try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
            .write(to: URL(filePath: "\(bundle)/Info.plist"))
    }
}
