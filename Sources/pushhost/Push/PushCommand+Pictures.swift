internal import ArgumentParser
internal import CSystem
internal import Foundation
internal import HostClient
internal import JSON
internal import NotificationHTML
internal import Notifications
internal import PushClient

extension PushCommand {
    /// More locales than this are not looked at side by side; each one has a host.
    private static var localeLimit: Int { 8 }

    /// Checks that the options fit a drawing at the terminal.
    func validateDrawing() throws {
        if locale.count > 1 {
            throw ValidationError("--locale: the terminal shows one locale; add --html FILE or --svg FILE for several")
        }
    }

    /// Checks that the options fit pictures.
    func validatePictures() throws {
        if json { throw ValidationError("--json: with --html or --svg nothing else is printed; leave one out") }
        if watch, pictures.files.contains(where: { $0.name == "-" }) {
            throw ValidationError("--watch: pictures are written again and again; name a file instead of -")
        }
        for file in pictures.files {
            try requireOther(file.format.rawValue, file.name, than: [payload, notification.profile].compactMap(\.self))
        }
        if watch, locale.count > 1 { throw ValidationError("--watch: it takes one --locale") }
        if settings.isGiven {
            throw ValidationError(
                "--width, --appearance, --color and --ascii are about the terminal; with --html or --svg use --scheme"
            )
        }
        if locale.count > Self.localeLimit {
            throw ValidationError("--locale: at most \(Self.localeLimit) are shown side by side")
        }
        if Set(locale).count < locale.count { throw ValidationError("--locale: one is given twice") }
        if locale.count > 1, host.data != nil {
            throw ValidationError("--data: each locale would save the same records again; take one --locale")
        }
        if locale.count > 1, payload == "-" {
            throw ValidationError("--locale: stdin is read once; name a file to show several locales")
        }
    }

    /// Writes pictures, again after each change with `--watch`.
    func paint(_ file: PushFile, _ payload: JSON, _ signals: SignalSource) throws -> Int32 {
        let files: [PictureFile]
        do throws(ClientError) {
            files = try pictures.files.map { file throws(ClientError) in try PictureFile(file.name, file.format) }
        } catch {
            Self.report(error.text)
            return EX_CANTCREAT
        }
        var clients: [HostClient] = []
        // Attachments are files of the hosts, which are there until the pictures are written.
        defer { for client in clients { _ = client.stop(isHasty: false) } }
        let locales = locale.isEmpty ? [nil] : locale.map(Optional.some)
        let sessions = try locales.map { locale in
            clients.append(try start(file, signals))
            return try PushSession(clients[clients.count - 1], params: params(locale))
        }
        guard watch else {
            for session in sessions {
                defer { Self.report(session.errorLines) }
                try perform(session, payload)
            }
            let code = write(files, sessions)
            return code == 0 ? Self.code(for: payload, sessions) : code
        }
        return try show(sessions[0], file) { payload in
            defer { Self.report(sessions[0].errorLines) }
            try perform(sessions[0], payload)
            _ = write(files, sessions)
            _ = Self.code(for: payload, sessions)
        }
    }

    private func write(_ files: [PictureFile], _ sessions: [PushSession]) -> Int32 {
        let renderer = HTMLRenderer(pictures.settings)
        let names = locale.isEmpty ? [nil] : locale.map(Optional.some)
        let figures = zip(names, sessions).compactMap { locale, session -> HTMLRenderer.Figure? in
            session.shown.map { (sessions.count > 1 ? locale ?? "" : "", $0, locale) }
        }
        // The picture has no place for them, locales often have the same, and a missing extension is an error.
        var texts: [String] = []
        for diagnostic in sessions.flatMap(\.diagnostics) where diagnostic["reason"] != "noExtension" {
            let text = Self.text(of: diagnostic)
            if !texts.contains(text) { texts.append(text) }
        }
        for text in texts { Terminal.writeWarning(text) }
        do throws(ClientError) {
            for file in files { try file.write(figures, renderer) }
            return 0
        } catch {
            Self.report(error.text)
            return EX_CANTCREAT
        }
    }
}
