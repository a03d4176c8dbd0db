internal import CPreview
internal import FlyingFox
internal import Foundation
internal import NotificationHTML

/// Answers HTTP requests: the page, its style and script, and the WebSocket, below the token; nothing else.
struct PageHandler: HTTPHandler {
    let token: AccessToken
    let port: UInt16
    let allowsRemoteImages: Bool
    let windows: Windows
    let mailbox: Mailbox
    let guardian: ConnectionGuard

    func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
        // A name that leads to this machine in another site's DNS makes its pages same-origin with this one.
        let hosts = ["127.0.0.1:\(port)", "localhost:\(port)"]
        guard let host = request.headers[.host], hosts.contains(host) else {
            return refusal(.forbidden, "This address is not that of the preview.")
        }
        let parts = request.target.path().split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].isEmpty, token.matches(parts[1]) else {
            return refusal(.notFound, "Not found. Use the whole address that pushhost preview printed.")
        }
        let origin = request.headers[HTTPHeader("Origin")]
        guard origin == nil || origin == "http://\(host)" else {
            return refusal(.forbidden, "A page of another origin may not use the preview.")
        }
        guard request.method == .GET else { return refusal(.methodNotAllowed, "Only GET is answered.") }
        guardian.admit(request.remoteAddress)
        switch parts[2] {
        case "": return document(cpreview_html(), "text/html")
        case "preview.js": return document(cpreview_script(), "text/javascript")
        case "preview.css": return document(cpreview_style(), "text/css", Data(HTMLRenderer.styleSheet.utf8))
        // A browser always names the origin here; a request without it is not from the page.
        case "socket" where origin != nil: return try await socket(request)
        case "socket": return refusal(.forbidden, "A WebSocket needs the header Origin.")
        default: return refusal(.notFound, "Not found.")
        }
    }

    private func socket(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let window = windows.open() else {
            return refusal(.serviceUnavailable, "Too many windows show the preview.")
        }
        let socket = WindowSocket(window: window, windows: windows, mailbox: mailbox)
        let response = try await WebSocketHTTPHandler(handler: socket).handleRequest(request)
        if case .httpBody = response.payload {
            windows.remove(window)
            return refusal(.badRequest, "This is not the handshake of a WebSocket.")
        }
        return response
    }

    // MARK: Responses

    private func document(_ file: cpreview_file, _ type: String, _ more: Data = Data()) -> HTTPResponse {
        response(.ok, "\(type); charset=utf-8", Data(bytes: file.bytes, count: file.size) + more)
    }

    private func refusal(_ status: HTTPStatusCode, _ text: String) -> HTTPResponse {
        response(status, "text/plain; charset=utf-8", Data("\(text)\n".utf8))
    }

    private func response(_ status: HTTPStatusCode, _ type: String, _ body: Data) -> HTTPResponse {
        let images = allowsRemoteImages ? "img-src data: http: https:" : "img-src data:"
        // Styles of single elements are widths and colours that the renderer computes; no style sheet is inline.
        let policy = [
            "default-src 'none'", "script-src 'self'", "style-src 'self'", "style-src-attr 'unsafe-inline'", images,
            "connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
        ]
        return HTTPResponse(
            statusCode: status,
            headers: [
                .contentType: type,
                .cacheControl: "no-store",
                HTTPHeader("Content-Security-Policy"): policy.joined(separator: "; "),
                HTTPHeader("Cross-Origin-Opener-Policy"): "same-origin",
                HTTPHeader("Cross-Origin-Resource-Policy"): "same-origin",
                // The address has the token, which no other site may learn.
                HTTPHeader("Referrer-Policy"): "no-referrer",
                HTTPHeader("X-Content-Type-Options"): "nosniff",
                HTTPHeader("X-Frame-Options"): "DENY",
            ],
            body: body
        )
    }
}
