internal import ArgumentParser
internal import HostClient
internal import Platform

/// Makes pictures those with which the next ones are compared.
struct PicturesAcceptCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept",
        abstract: "Accept pictures: copy them to the baseline.",
        prose: """
            Without names every picture that pushhost pictures drew last is accepted, and what is gone is removed from \
            the baseline. The page index.html makes this command line for the pictures that you accept there.
            """,
        examples: [
            "pushhost pictures accept --baseline accepted",
            "pushhost pictures accept --baseline accepted welcome.de orders/paid.de",
        ],
        exitCodes: """
            0 if the pictures are accepted, 64 for a wrong command line, 66 if there is no such picture, 73 if the \
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
        let known = Dictionary(list.map { ($0.name, $0.state) }) { $1 }
        // Nothing is accepted if one name is wrong.
        if let name = names.first(where: { known[$0].map { $0 == .failed } ?? true }) {
            let text = "\(name): \(output.word) has no such picture; its index.html shows their names"
            throw PictureFolder.Problem(text: text, code: EX_NOINPUT)
        }
        var (accepted, removed) = (0, 0)
        for (name, state) in list where state != .failed && (names.isEmpty || names.contains(name)) {
            if state == .gone {
                try baseline.remove(name)
                removed += 1
            } else if let svg = output.svg(name) {
                try baseline.write(svg, to: baseline.file(name))
                accepted += 1
            } else {
                throw PictureFolder.Problem(
                    text: "\(output.file(name)): the picture is missing; run pushhost pictures once more",
                    code: EX_NOINPUT
                )
            }
        }
        let removal = removed == 0 ? "" : ", \(removed) removed"
        console.print(PlainText.escaped("\(accepted) accepted\(removal); the baseline is \(baseline.word)"))
    }
}
