import Foundation
import TestSupport
import Testing

/// Another user of the machine, who looks for the token in everything that a process can see.
@Suite(.waits) struct PreviewOtherUserTests {
    /// Becomes nobody, collects the arguments and environments of all processes and the files below two folders, and
    /// asks the server for the page without the token.
    private static let script = """
        import glob, os, socket, sys
        os.setgid(65534)
        os.setuid(65534)
        port, pid, *folders = sys.argv[1:]
        seen = set()
        def look(path):
            try:
                with open(path, "rb") as file: text = file.read(1 << 20)
            except OSError: return
            if pid in path.split("/"): seen.add(os.path.basename(path))
            sys.stdout.write(text.decode("latin-1").replace("\\n", " "))
        for path in glob.glob("/proc/[0-9]*/cmdline") + glob.glob("/proc/[0-9]*/environ"): look(path)
        for folder in folders:
            for parent, _, files in os.walk(folder):
                for name in files: look(os.path.join(parent, name))
        for descriptor in range(100): look(f"/proc/{pid}/fd/{descriptor}")
        print()
        print(*sorted(seen))
        for path in ["/", "/0123456789abcdef0123456789abcdef/", "/socket"]:
            connection = socket.socket()
            connection.connect(("127.0.0.1", int(port)))
            connection.sendall(f"GET {path} HTTP/1.1\\r\\nHost: 127.0.0.1:{port}\\r\\n\\r\\n".encode())
            print(connection.recv(12).decode())
        """

    @Test("Another user can see the preview's arguments and reach its port, but finds no token", .needsSuperuser)
    func otherUser() throws {
        try PreviewRun.open(["\(repositoryRoot)/plugins/register/payload.apns"]) { run in
            // Others may enter the test's folder; what protects the files is the preview's own folder.
            #expect(chmod(run.folder, 0o755) == 0 && chmod("\(run.folder)/tmp", 0o755) == 0)
            let python = try Tool(name: "python3", package: "python3").path()
            let arguments = ["-c", Self.script, "\(run.port)", "\(run.process.pid)", run.folder]
            let other = try ChildProcess(python, arguments)
            let found = try #require(try other.readLine(), "\(other.standardError)")
            #expect(found.contains("pushhost") && !found.contains(run.token))
            #expect(try other.readLine() == "cmdline", "the arguments of the preview, and nothing else of it")
            for _ in 0..<3 { #expect(try other.readLine() == "HTTP/1.1 404") }
            #expect(try other.wait() == .code(0), "\(other.standardError)")
            #expect(try run.request().status == 200)
        }
    }
}
