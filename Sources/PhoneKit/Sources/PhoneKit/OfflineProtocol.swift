import Foundation
import FoundationNetworking
import PhoneRuntime

/// Answers requests as a phone without a network does, since the host lets a service fetch nothing unless it was started
/// with `--fetch-attachments`.
final class OfflineProtocol: URLProtocol {
    static func install() { _ = URLProtocol.registerClass(OfflineProtocol.self) }

    override static func canInit(with request: URLRequest) -> Bool {
        ["http", "https"].contains(request.url?.scheme?.lowercased() ?? "")
    }

    override static func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        let url = request.url?.absoluteString ?? ""
        let text = "\(url) is not fetched: start the host with --fetch-attachments"
        CurrentPresentation.addDiagnostic(reason: "fetchingDisabled", text)
        client?.urlProtocol(self, didFailWithError: URLError(.notConnectedToInternet))
    }

    override func stopLoading() {}
}
