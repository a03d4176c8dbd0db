internal import Foundation
internal import HostClient
internal import JSON
internal import NotificationHTML
internal import Notifications
internal import Platform

/// A file that shows notifications.
struct PictureFile {
    /// The format of the file.
    enum Format: String {
        case html, svg
    }

    /// Where it is; nil for stdout.
    private let target: URL?
    private let format: Format

    /// A file of the command line.
    ///
    /// - Parameters:
    ///   - name: Its path, or `-` for stdout.
    ///   - format: The format.
    /// - Throws: Why it could not be written; checked here, before the work is done.
    init(_ name: String, _ format: Format) throws(ClientError) {
        target = name == "-" ? nil : URL(filePath: StandardFolders.absolute(name)).resolvingSymlinksInPath()
        self.format = format
        if let target { try WholeFile.check(target) }
    }

    /// Writes notifications side by side.
    ///
    /// - Throws: Why they were not written; a file keeps its old content.
    func write(_ figures: [HTMLRenderer.Figure], _ renderer: HTMLRenderer) throws(ClientError) {
        let titles = figures.map { $0.shown.content["title"]?.string ?? "" }
        let title = titles.first { !$0.isEmpty } ?? "Notification"
        let text =
            switch format {
            case .html: renderer.page(figures, title: title)
            case .svg: renderer.svg(figures, title: title)
            }
        do {
            if let target {
                try WholeFile.write(Data(text.utf8), to: target)
            } else {
                Terminal.write(text)
            }
        } catch {
            throw .failed("\(target?.path ?? "stdout") cannot be written: \(SystemError.text(of: error))")
        }
    }
}
