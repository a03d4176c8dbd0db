import Foundation
import TestSupport

/// A web server on this machine, in Python, that behaves as the path of each request says.
final class WebServer {
    private let process: ChildProcess
    /// The root URL, such as `http://127.0.0.1:1234`.
    let root: String

    init() throws {
        process = try ChildProcess(try Tool.python.path(), ["-c", Self.program])
        guard let port = try process.readLine() else {
            throw TestFailure("the web server did not start: \(process.standardError)")
        }
        root = "http://127.0.0.1:\(port)"
    }

    /// The next request: its path and whether it contained a cookie or credentials.
    func request() throws -> String {
        guard let line = try process.readLine() else { throw TestFailure("the web server ended") }
        return line
    }

    /// The body of `/picture` and other paths: a PNG of one pixel.
    static let picture = Data(base64Encoded: encodedPicture) ?? Data()

    private static let encodedPicture =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

    private static let program = #"""
        import base64, http.server, socket, sys

        PICTURE = base64.b64decode("\#(encodedPicture)")
        PAGE = b"<!DOCTYPE html><title>Not found</title>"
        WAV = b"RIFF\xff\xff\xff\x7fWAVE"

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def begin(self, status, **headers):
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name.replace("_", "-"), value)
                self.end_headers()

            def whole(self, body, status=200, **headers):
                self.begin(status, Content_Length=len(body), **headers)
                self.wfile.write(body)

            def endless(self, total):
                # Without a length, up to the end of the connection.
                self.close_connection = True
                self.begin(200, Content_Type="audio/wav")
                self.wfile.write(WAV)
                self.wfile.write(bytes(total - len(WAV)))

            def do_GET(self):
                marks = [name for name in ("Cookie", "Authorization") if name in self.headers]
                print(self.path, *marks, flush=True)
                host = "http://127.0.0.1:%d" % self.server.server_port
                path, _, argument = self.path.partition("?")
                if path == "/picture":
                    self.whole(PICTURE, Content_Type="image/png", Set_Cookie="a=b")
                elif path == "/html":
                    self.whole(PICTURE, Content_Type="text/html")
                elif path == "/page":
                    self.whole(PAGE, Content_Type="image/png")
                elif path == "/jpeg":
                    self.whole(b"\xff\xd8\xff\xe0" + bytes(16), Content_Type="image/jpeg")
                elif path == "/short":
                    self.whole(b"GIF", Content_Type="image/gif")
                elif path == "/empty":
                    self.whole(b"", Content_Type="image/png")
                elif path == "/missing":
                    self.whole(PICTURE, 404)
                elif path == "/guarded":
                    self.whole(PICTURE, 401, WWW_Authenticate='Basic realm="x"')
                elif path == "/redirect":
                    self.whole(b"", 302, Location=argument)
                elif path == "/relative":
                    self.whole(b"", 307, Location="/picture")
                elif path == "/loop":
                    self.whole(b"", 302, Location=host + "/loop")
                elif path == "/claims":
                    self.begin(200, Content_Type="image/png", Content_Length=20 << 20)
                    self.wfile.write(PICTURE)
                elif path == "/breaks-off":
                    self.close_connection = True
                    self.begin(200, Content_Type="image/png", Content_Length=1000)
                    self.wfile.write(PICTURE)
                elif path == "/streams":
                    self.endless(6 << 20)
                elif path == "/fits":
                    self.endless(5 << 20)
                elif path == "/drips":
                    self.begin(200, Content_Type="image/png", Content_Length=1000)
                    self.wfile.write(b"x")
                    self.connection.recv(1)
                elif path == "/silent":
                    self.connection.recv(1)
                elif path == "/half":
                    self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Ty")
                    self.connection.recv(1)
                elif path == "/trickles":
                    self.begin(200, Content_Type="image/png", Content_Length=1 << 20)
                    self.wfile.write(PICTURE)
                    # One byte after each timeout, until the client closes the connection.
                    self.connection.settimeout(0.02)
                    while True:
                        self.wfile.write(b"x")
                        try:
                            self.connection.recv(1)
                            break
                        except TimeoutError:
                            pass
                else:
                    self.whole(PICTURE, 410)

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_):
                # Some tests expect that the client closes the connection early.
                pass

        server = Server(("127.0.0.1", 0), Handler)
        print(server.server_port, flush=True)
        server.serve_forever()
        """#
}
