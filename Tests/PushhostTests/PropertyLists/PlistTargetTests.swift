import Foundation
import JSON
import TestSupport
import Testing

/// What exists at the path to which a suite is exported.
@Suite(.waits, .wire) struct PlistTargetTests {
    private func link(_ name: String, _ destination: String, _ files: PlistFiles) throws {
        try FileManager.default.createSymbolicLink(atPath: files.path(name), withDestinationPath: destination)
    }

    private func refusal(_ path: String, _ files: PlistFiles) throws -> String {
        try files.refusal("exportSuite", ["path": .string(path)])
    }

    @Test("A link to a file stays a link, and its target is replaced", arguments: ["real.plist", "folder/real.plist"])
    func link(destination: String) throws {
        try PlistFiles.with { files in
            try FileManager.default.createDirectory(atPath: files.path("folder"), withIntermediateDirectories: true)
            try files.write("old".utf8, destination)
            try link("out.plist", destination, files)
            _ = try files.exportSuite("out.plist")
            #expect(
                try FileManager.default.destinationOfSymbolicLink(atPath: files.path("out.plist")) == destination
            )
            #expect(try files.read(destination).isEmpty)
            let names = try FileManager.default.subpathsOfDirectory(atPath: files.folder).sorted()
            #expect(names == (["folder", "out.plist", destination]).sorted())
        }
    }

    @Test("A link to anything but a regular file is refused and left unchanged")
    func links() throws {
        try PlistFiles.with { files in
            try FileManager.default.createDirectory(atPath: files.path("folder"), withIntermediateDirectories: true)
            let targets = ["folder", "/dev/null", "nothing", "/dev/fd/1"]
            for (index, target) in targets.enumerated() { try link("link\(index)", target, files) }
            #expect(try refusal("link0", files).hasSuffix("link0 is a folder; name a file"))
            #expect(try refusal("link1", files).hasSuffix("link1 is a device; name a file"))
            #expect(try refusal("link2", files).hasSuffix("link2 is a link to nothing; name the file itself"))
            #expect(try refusal("link3", files).contains("221 fileUnwritable"))
            for (index, target) in targets.enumerated() {
                let path = files.path("link\(index)")
                #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == target)
            }
        }
    }

    @Test("A link into the folder of the suites is refused like the folder itself")
    func suites() throws {
        try PlistFiles.with { files in
            try files.host.result("store", ["suite": PlistFiles.suite, "key": "k", "value": 1])
            try link("out.plist", "data/group.com.example.pushhost.sqlite", files)
            #expect(try refusal("out.plist", files).contains("lies in the folder of the suites"))
        }
    }

    @Test("A host that is killed during an export leaves either the old file or the new one, and nothing else")
    func killed() throws {
        try withTemporaryDirectory { folder in
            let text = JSON.string(String(repeating: "x", count: 12 << 20))
            let first = try HostProcess(["--data", "\(folder)/data"], directory: folder)
            try first.result("store", ["key": "k", "value": text])
            try first.result("exportSuite", ["path": "out.plist"])
            #expect(try first.finish() == .code(0))
            let size = try Data(contentsOf: URL(filePath: "\(folder)/out.plist")).count
            for round in 0..<4 {
                let host = try HostProcess(
                    ["--data", "\(folder)/data"],
                    directory: folder,
                    unchecked: "it is killed, and its recording would be as large as the suite"
                )
                let old = try number(of: "\(folder)/out.plist")
                try host.send(line: #"{"jsonrpc":"2.0","id":1,"method":"exportSuite","params":{"path":"out.plist"}}"#)
                while try !isWriting(host.process.pid, in: folder), try number(of: "\(folder)/out.plist") == old {}
                kill(host.process.pid, SIGKILL)
                #expect(try host.process.wait() == .signal(SIGKILL))
                let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
                #expect(names == ["data", "out.plist"], "round \(round)")
                #expect(try Data(contentsOf: URL(filePath: "\(folder)/out.plist")).count == size)
            }
        }
    }

    /// Returns true if a host has an incomplete file open in the folder: one without a name or with a temporary name.
    private func isWriting(_ pid: Int32, in folder: String) throws -> Bool {
        guard try FileManager.default.contentsOfDirectory(atPath: folder).count == 2 else { return true }
        // Only root may look; for other users the export ends before the host is killed.
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd")) ?? []
        return descriptors.contains { descriptor in
            let file = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/fd/\(descriptor)")
            return file.map { $0.hasSuffix(" (deleted)") && $0.contains("/#") } ?? false
        }
    }

    private func number(of file: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: file)[.systemFileNumber] as? Int
    }
}
