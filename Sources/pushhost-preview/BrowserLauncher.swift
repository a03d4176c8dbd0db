internal import Foundation
internal import Platform

/// Opens the user's browser.
struct BrowserLauncher {
    /// A private folder.
    let folder: String

    /// Opens an address by way of a file, because every user can read the arguments of a process.
    func open(_ address: String) {
        let page = "\(folder)/open.html"
        let text = """
            <!doctype html><meta charset="utf-8"><title>pushhost preview</title>
            <meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url=\(address)">
            """
        guard
            FileManager.default.createFile(
                atPath: page,
                contents: Data(text.utf8),
                attributes: [.posixPermissions: 0o600]
            )
        else { return }
        #if os(Linux)
        let command = "xdg-open"
        #else
        let command = "open"
        #endif
        let nowhere = Foundation.open("/dev/null", O_RDWR | O_CLOEXEC)
        defer { close(nowhere) }
        let program = Program(path: "/usr/bin/env", arguments: [command, page])
        if (try? program.start(input: nowhere, output: nowhere, error: nowhere)) == nil {
            let text = "Warning: --open: \(command) cannot be started\n"
            try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
        }
    }
}
