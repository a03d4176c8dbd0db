import TestSupport

/// A web server on this machine that answers each request as its path says, and reports it with a line.
///
/// The line has the number of the request on its connection, its method, its path, the size of its body, and the
/// names of header fields that the client should not have sent. `CONNECT` is answered with 502. A server belongs to
/// one test, which uses it from one task at a time.
final class ScriptedServer: @unchecked Sendable {
    /// The address and port at which it listens, such as `127.0.0.1:1234`.
    let authority: String
    private let process: ChildProcess

    /// Starts a server, which uses TLS if it has a certificate.
    init(host: String = "127.0.0.1", certificate: String = "") throws {
        process = try ChildProcess("/usr/bin/env", ["python3", "-c", Self.program, host, certificate])
        guard let port = try process.readLine() else {
            throw TestFailure("the server did not start: \(process.standardError)")
        }
        authority = "\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }

    /// The line about the next request.
    func request() throws -> String {
        guard let line = try process.readLine() else { throw TestFailure("the server ended") }
        return line
    }

    private static let program = #"""
        import socket, ssl, sys, threading

        def request(stream):
            words = stream.readline().split()
            if len(words) != 3:
                return None
            fields = {}
            for line in iter(stream.readline, b"\r\n"):
                name, value = line.decode().split(":", 1)
                fields[name.lower()] = value.strip()
            size = int(fields.get("content-length", 0))
            if len(stream.read(size)) < size:
                return None
            marks = [name for name in ("cookie", "expect", "authorization") if name in fields]
            if fields.get("accept-encoding") != "identity":
                marks.append("accept-encoding")
            return words[0].decode(), words[1].decode(), size, marks

        def answer(body=b"hello", status=b"200 OK", fields=b""):
            return b"HTTP/1.1 %s\r\nContent-Length: %d\r\n%s\r\n%s" % (status, len(body), fields, body)

        def serve(connection):
            stream, number = connection.makefile("rb"), 0
            while (what := request(stream)) is not None:
                number += 1
                method, path, size, marks = what
                print(number, method, path, size, *marks, flush=True)
                if method == "CONNECT":
                    connection.sendall(answer(status=b"502 Bad Gateway"))
                elif path == "/silent":
                    stream.read(1)
                elif path == "/stalls":
                    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhel")
                    stream.read(1)
                elif path == "/once" and number > 1:
                    return
                elif path == "/interim":
                    connection.sendall(b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + answer())
                elif path == "/fields":
                    connection.sendall(answer(fields=b"X-A:  1 \r\nx-a: 2\r\nSet-Cookie: a=b\r\n"))
                elif path == "/redirect":
                    connection.sendall(answer(status=b"302 Found", fields=b"Location: /ok\r\n"))
                elif path == "/half-head":
                    connection.sendall(b"HTTP/1.1 200 OK\r\nX-A: 1\r\n")
                    return
                elif path == "/half-body":
                    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhel")
                    return
                elif path == "/endless-head":
                    connection.sendall(b"HTTP/1.1 200 OK\r\n")
                    while True:
                        connection.sendall(b"X-A: %s\r\n" % (b"x" * 1000))
                elif path == "/endless-body":
                    connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
                    while True:
                        connection.sendall(b"x" * 65536)
                else:
                    connection.sendall(answer())

        def attend(connection, context):
            try:
                serve(context.wrap_socket(connection, server_side=True) if context else connection)
            except OSError:
                # The client closed the connection, or rejected the certificate.
                pass
            finally:
                connection.close()

        context = None
        if sys.argv[2]:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(sys.argv[2])
        family = socket.AF_INET6 if ":" in sys.argv[1] else socket.AF_INET
        listener = socket.create_server((sys.argv[1], 0), family=family)
        print(listener.getsockname()[1], flush=True)
        while True:
            connection, _ = listener.accept()
            threading.Thread(target=attend, args=(connection, context), daemon=True).start()
        """#
}
