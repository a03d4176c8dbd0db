internal import ArgumentParser
internal import HostClient
internal import JSON
internal import Platform

/// Makes pictures those with which the next ones are compared.
struct PicturesAcceptCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept",
        abstract: "Accept pictures: copy them to the baseline.",
        prose: """
            Without names every picture that differed when pushhost pictures ran last is accepted, and what was gone \
            is removed from the baseline. A picture that has changed since then, or whose accepted one has, is \
            refused, because nobody has seen that difference. The page index.html makes this command line for the \
            pictures that you accept there.
            """,
        examples: [
            "pushhost pictures accept --baseline accepted",
            "pushhost pictures accept --baseline accepted welcome.de orders/paid.de",
        ],
        exitCodes: """
            0 if the pictures are accepted, 64 for a wrong command line, 66 if there is no such picture or \
            it has changed since it was drawn, 73 if the \
            baseline cannot be written.
            """
    )

    @Argument(help: ArgumentHelp("The names of pictures, as the page shows them.", valueName: "picture"))
    var names: [String] = []

    @OptionGroup var folders: PictureFolderOptions

    func validate() throws {
        if folders.baseline == nil { throw ValidationError("--baseline: name the folder of the accepted pictures") }
    }

    func run() throws {
        do throws(PictureFolder.Problem) {
            try accept(folders.outputFolder, PictureFolder(folders.baseline ?? ""))
        } catch {
            console.writeError(error.text)
            throw ExitCode(error.code)
        }
    }

    private func accept(_ output: PictureFolder, _ baseline: PictureFolder) throws(PictureFolder.Problem) {
        guard let list = output.list else {
            let text =
                "\(output.word): no pictures were drawn into this folder; run pushhost pictures, or name another --output"
            throw PictureFolder.Problem(text: text, code: EX_NOINPUT)
        }
        let known = Dictionary(list.map { ($0.name, $0) }) { $1 }
        // Nothing is accepted if one name is wrong.
        if let name = names.first(where: { known[$0].map { $0.state == .failed } ?? true }) {
            let text = "\(name): \(output.word) has no such picture; its index.html shows their names"
            throw PictureFolder.Problem(text: text, code: EX_NOINPUT)
        }
        let differing = list.filter { $0.state != .failed && $0.state != .unchanged }
        let chosen = names.isEmpty ? differing : Set(names).sorted().compactMap { known[$0] }
        // Each of them is checked before the first one is written.
        let pictures = try chosen.map { entry throws(PictureFolder.Problem) in
            (entry.name, try seen(entry, output, baseline))
        }
        var (accepted, removed) = (0, 0)
        for (name, svg) in pictures {
            if let svg {
                try baseline.write(svg, to: baseline.file(name))
                accepted += 1
            } else {
                try baseline.remove(name)
                removed += 1
            }
        }
        let removal = removed == 0 ? "" : ", \(removed) removed"
        console.print(PlainText.escaped("\(accepted) accepted\(removal); the baseline is \(baseline.word)"))
    }

    /// The picture of an entry as the reviewer saw it; nil if it is gone.
    ///
    /// - Throws: That it or the accepted one has changed since then.
    private func seen(
        _ entry: PictureFolder.Entry,
        _ output: PictureFolder,
        _ baseline: PictureFolder
    ) throws(PictureFolder.Problem) -> String? {
        let svg = output.svg(entry.name)
        if entry.state != .gone, svg == nil {
            throw Self.stale(output.file(entry.name), "the picture is missing")
        }
        guard svg.map(PictureFolder.digest) ?? .null == entry.digest else {
            throw Self.stale(output.file(entry.name), "the picture is not the one that was drawn")
        }
        // Without a baseline nothing was compared; what was accepted already may be accepted once more.
        let accepted = baseline.svg(entry.name)
        guard entry.state == .drawn || accepted == svg || accepted.map(PictureFolder.digest) ?? .null == entry.accepted
        else {
            throw Self.stale(baseline.file(entry.name), "the accepted picture is not the one that was compared")
        }
        return svg
    }

    private static func stale(_ file: String, _ mistake: String) -> PictureFolder.Problem {
        PictureFolder.Problem(
            text: "\(file): \(mistake); run pushhost pictures once more, and look at what differs",
            code: EX_NOINPUT
        )
    }
}
