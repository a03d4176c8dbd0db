internal import CSystem
internal import HostClient
internal import Platform
internal import PushClient

/// The program behind `pushhost preview`, which starts it.
@main
enum Main {
    static func main() {
        guard let settings = PreviewSettings(CommandLine.arguments) else {
            end("this program belongs to pushhost preview; start that", EX_USAGE)
        }
        // The environment may hold secrets that only one extension may see.
        csystem_hide_memory()
        // Before a folder or a host exists that a signal would leave behind.
        let signals = SignalSource()
        do {
            let folder = try TemporaryFolder.create(prefix: "pushhost-preview")
            defer { folder.remove() }
            try run(settings, folder, signals)
        } catch let error as LoopbackPort.Problem {
            end(error.message, EX_UNAVAILABLE)
        } catch let error as PushFile.Problem {
            end(error.message, error.code)
        } catch ClientError.interrupted(let signal) {
            exit(128 + signal)
        } catch {
            end((error as? ClientError)?.text ?? "\(error)", EX_SOFTWARE)
        }
    }

    private static func run(_ settings: PreviewSettings, _ folder: TemporaryFolder, _ signals: SignalSource) throws {
        let port = try LoopbackPort.free(settings.port)
        let (token, windows, mailbox) = (AccessToken(), Windows(), try WindowMailbox())
        let preview = try Preview(settings, folder, windows, mailbox, signals)
        let guardian = ConnectionGuard()
        let handler = PageHandler(
            token: token,
            port: port,
            allowsRemoteImages: settings.allowsRemoteImages,
            windows: windows,
            mailbox: mailbox,
            guardian: guardian
        )
        let server = try PageServer(port: port, guardian: guardian, handler: handler)
        // The server has the threads of Swift's concurrency; the host is this thread's alone, because calls to it block.
        Task {
            do {
                try await server.run()
            } catch {
                folder.remove()
                end("127.0.0.1:\(port) cannot be used any more: \(error); start again", EX_UNAVAILABLE)
            }
        }
        let address = "http://127.0.0.1:\(port)/\(token.text)/"
        Task {
            try? await server.waitUntilListening()
            do {
                let line = "Preview: \(address) (only this machine; Ctrl-C ends)\n"
                try Descriptors.writeAll(Array(line.utf8)[...], to: STDOUT_FILENO)
            } catch {
                folder.remove()
                end("stdout cannot be written, so the address cannot be shown", EX_IOERR)
            }
            if settings.opensBrowser { BrowserLauncher(folder: folder.path).open(address) }
        }
        try preview.run()
    }

    private static func end(_ message: String, _ code: Int32) -> Never {
        try? Descriptors.writeAll(Array("Error: \(PlainText.escaped(message))\n".utf8)[...], to: STDERR_FILENO)
        exit(code)
    }
}

/// Opens the user's browser.
private struct BrowserLauncher {
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
        let nowhere = Platform.open("/dev/null", O_RDWR | O_CLOEXEC)
        defer { close(nowhere) }
        let program = Program(path: "/usr/bin/env", arguments: [command, page])
        if (try? program.start(input: nowhere, output: nowhere, error: nowhere)) == nil {
            let text = "Warning: --open: \(command) cannot be started\n"
            try? Descriptors.writeAll(Array(text.utf8)[...], to: STDERR_FILENO)
        }
    }
}
