import Foundation
import TestSupport
import Testing

/// The helper that starts programs for all other tests.
@Suite(.waits) struct ChildProcessTests {
    private func shell(_ script: String, environment: [String: String]? = nil) throws -> ChildProcess {
        try ChildProcess("/bin/sh", ["-c", script], environment: environment)
    }

    @Test("A child echoes lines, and a last line without a newline counts")
    func lines() throws {
        let cat = try ChildProcess("cat")
        try cat.write(line: "one")
        #expect(try cat.readLine() == "one")
        try cat.write("two\n\nthré".utf8)
        cat.closeInput()
        #expect(try cat.readLine() == "two")
        #expect(try cat.readLine() == "")
        #expect(try cat.readLine() == "thré")
        #expect(try cat.readLine() == nil)
        #expect(try cat.wait() == .code(0))
        #expect(throws: TestFailure.self) { try cat.write(line: "too late") }
    }

    @Test("More data than the pipes hold passes without a deadlock")
    func volume() throws {
        let cat = try ChildProcess("cat")
        let line = String(repeating: "x", count: 99)
        for _ in 0..<10_000 { try cat.write(line: line) }
        cat.closeInput()
        #expect(try cat.wait() == .code(0))
        #expect(try cat.readLine() == line)
        #expect(try cat.readToEnd().utf8.count == 999_900)
    }

    @Test("Exit codes and signals are distinguished", arguments: [0, 1, 64, 255] as [Int32])
    func codes(code: Int32) throws {
        #expect(try shell("exit \(code)").wait() == .code(code))
        let cat = try ChildProcess("cat")
        cat.kill(SIGTERM)
        #expect(try cat.wait() == .signal(SIGTERM))
        cat.kill(SIGTERM)
    }

    @Test("The exit of a child is seen even while its descendants run")
    func descendants() throws {
        let child = try shell("sleep 600 & echo $!; exit 3")
        #expect(try child.wait() == .code(3))
        let line = try #require(try child.readLine())
        let pid = try #require(Int32(line))
        #expect(Foundation.kill(pid, 0) == 0, "the descendant lives")
        Foundation.kill(pid, SIGKILL)
        #expect(try child.readToEnd() == "")
    }

    @Test("A child that is released is killed with its process group")
    func release() throws {
        var child: ChildProcess? = try shell("cat & wait")
        let pid = try #require(child?.pid)
        child = nil
        // The reaper removes the zombie soon after, so polling is enough.
        while Foundation.kill(pid, 0) == 0 { sched_yield() }
        #expect(errno == ESRCH)
    }

    @Test("stderr is kept separate, however large it is")
    func standardError() throws {
        let child = try shell(
            "echo out; i=0; while [ $i -lt 3000 ]; do echo some error text here >&2; i=$((i+1)); done"
        )
        #expect(try child.readToEnd() == "out\n")
        #expect(try child.wait() == .code(0))
        #expect(child.standardError.utf8.count == 3_000 * 21)
    }

    @Test("A child gets the requested environment, folder and stdin file")
    func surroundings() throws {
        try withTemporaryDirectory { path in
            let file = "\(path)/input"
            try "from a file\n".write(toFile: file, atomically: true, encoding: .utf8)
            let child = try ChildProcess(
                "/bin/sh",
                ["-c", "read line; echo \"$line $NAME ${HOME-none}\"; pwd"],
                environment: ["NAME": "value"],
                directory: path,
                input: .file(file)
            )
            #expect(try child.readLine() == "from a file value none")
            #expect(try child.readLine() == path)
            #expect(try child.wait() == .code(0))
        }
    }

    @Test(
        "A child inherits descriptors 0 to 2 and no other",
        .enabled(if: FileManager.default.fileExists(atPath: "/proc"))
    )
    func descriptors() throws {
        let other = try ChildProcess("cat")
        let child = try shell("ls /proc/$$/fd; :")
        #expect(try child.readToEnd().split(separator: "\n") == ["0", "1", "2"])
        #expect(try child.wait() == .code(0))
        other.closeInput()
        #expect(try other.wait() == .code(0))
    }

    @Test("A missing program is reported as missing")
    func absent() throws {
        let error = #expect(throws: TestFailure.self) { try ChildProcess("/nowhere/program") }
        #expect(error?.description.contains("/nowhere/program") == true)
        #expect(throws: TestFailure.self) { try builtProduct("no such product") }
    }

    @Test("A temporary folder exists during the closure and is removed after it, even if that throws")
    func temporaryDirectory() throws {
        struct Stop: Error {}
        var kept = ""
        #expect(throws: Stop.self) {
            try withTemporaryDirectory { path in
                kept = path
                #expect(FileManager.default.fileExists(atPath: path))
                try "x".write(toFile: "\(path)/file", atomically: true, encoding: .utf8)
                throw Stop()
            }
        }
        #expect(!kept.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: kept))
    }

    @Test("The repository's root contains the manifest")
    func root() {
        #expect(FileManager.default.fileExists(atPath: "\(repositoryRoot)/Package.swift"))
    }
}
