import TestSupport

/// A web server on this machine that answers each POST as the first step of its path says.
struct MisbehavingServer {
    let port: Int
    private let process: ChildProcess

    init() throws {
        process = try ChildProcess("/usr/bin/env", ["python3", "-c", Self.script])
        guard let line = try process.readLine(), let port = Int(line) else {
            throw TestFailure("no server: \(process.standardError)")
        }
        self.port = port
    }

    /// The first step of the path of the next request that was received whole.
    func nextPath() throws -> String? { try process.readLine() }

    private static let script = #"""
        import socket, sys, threading

        def read(connection, stream):
            head, size = stream.readline(), 0
            if not head:
                return None
            for line in iter(stream.readline, b"\r\n"):
                name, value = line.split(b":", 1)
                if name.lower() == b"content-length":
                    size = int(value)
            if len(stream.read(size)) < size:
                return None
            return head.split(b"/")[1].decode()

        def answer(status, headers=b"", body=b"{}", length=None):
            length = len(body) if length is None else length
            return b"HTTP/1.1 %d X\r\nContent-Length: %d\r\n%s\r\n%s" % (status, length, headers, body)

        def flood(connection, head):
            connection.sendall(head + b"\r\n")
            while True:
                connection.sendall(b"10000\r\n" + b"x" * 65536 + b"\r\n")

        def serve(connection):
            stream, served = connection.makefile("rb"), 0
            while (path := read(connection, stream)) is not None:
                print(path, flush=True)
                served += 1
                if path == "drop" or path == "once" and served > 1:
                    break
                elif path == "stall":
                    stream.read()
                elif path == "endless":
                    flood(connection, b"HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n")
                elif path == "cut":
                    connection.sendall(answer(429, b"X-RateLimit-Reset: 9\r\n", length=100))
                    break
                elif path == "cutSuccess":
                    connection.sendall(answer(201, body=b'{"message":"success"}', length=100))
                    break
                elif path == "401":
                    connection.sendall(answer(401, b'WWW-Authenticate: Basic realm="x"\r\n'))
                elif path == "302":
                    connection.sendall(answer(302, b"Location: /ok/users/track\r\n"))
                else:
                    connection.sendall(answer(201, body=b'{"message":"success"}'))
            connection.shutdown(socket.SHUT_RDWR)

        listener = socket.create_server(("127.0.0.1", 0))
        print(listener.getsockname()[1], flush=True)
        threading.Thread(target=lambda: (sys.stdin.read(), listener.close()), daemon=True).start()
        while True:
            connection, _ = listener.accept()
            threading.Thread(target=serve, args=(connection,), daemon=True).start()
        """#
}
