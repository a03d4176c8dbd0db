// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation

@preconcurrency @MainActor
public protocol UIWebViewDelegate: NSObjectProtocol {
    func webViewDidStartLoad(_ webView: UIWebView)
    func webViewDidFinishLoad(_ webView: UIWebView)
    func webView(_ webView: UIWebView, didFailLoadWithError error: any Error)
}

extension UIWebViewDelegate {
    public func webViewDidStartLoad(_ webView: UIWebView) {}
    public func webViewDidFinishLoad(_ webView: UIWebView) {}
    public func webView(_ webView: UIWebView, didFailLoadWithError error: any Error) {}
}

/// The old view of a page: the text of its HTML, or the address of a page that was asked for, which is not fetched.
@preconcurrency @MainActor
open class UIWebView: UIView {
    open weak var delegate: (any UIWebViewDelegate)?
    open private(set) var request: URLRequest?
    open var scalesPageToFit = false
    open var isLoading: Bool { false }
    open var allowsInlineMediaPlayback = false
    open var mediaPlaybackRequiresUserAction = true
    open private(set) lazy var scrollView = UIScrollView()
    private var html = "" { didSet { changed() } }

    open func loadRequest(_ request: URLRequest) {
        self.request = request
        load(request.url?.absoluteString ?? "")
    }
    open func loadHTMLString(_ string: String, baseURL: URL?) { load(string) }
    open func load(_ data: Data, mimeType MIMEType: String, textEncodingName: String, baseURL: URL) {
        load(String(decoding: data, as: UTF8.self))
    }
    open func reload() {}
    open func stopLoading() {}
    private func load(_ html: String) {
        delegate?.webViewDidStartLoad(self)
        self.html = html
        delegate?.webViewDidFinishLoad(self)
    }

    override func node(_ drawing: Drawing) -> Node? {
        let lines = html.replacingOccurrences(
            of: "<(br|/p|/div|/h[1-6]|/li)[^>]*>",
            with: "\n",
            options: .regularExpression
        )
        .replacingOccurrences(of: "(?s)<(style|script)[^>]*>.*?</\\1>|<[^>]+>", with: "", options: .regularExpression)
        let text = [("&nbsp;", " "), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")]
            .reduce(lines) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
            .trimmingCharacters(in: .whitespacesAndNewlines)
        return text.isEmpty ? nil : drawing.text(text, of: self, nil, .natural)
    }
}
