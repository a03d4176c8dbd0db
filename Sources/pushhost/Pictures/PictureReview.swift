internal import Platform

/// All pictures of a run, and what is said about them.
struct PictureReview {
    /// The pictures, sorted by name.
    let pictures: [Picture]
    /// The command that accepts all of them.
    let acceptance: String?

    /// Compares pictures with those that were accepted; without a baseline there is nothing to compare.
    ///
    /// - Parameters:
    ///   - pictures: The pictures that were drawn.
    ///   - baseline: The folder of the accepted ones.
    ///   - output: The folder of the pictures.
    init(_ pictures: [Picture], baseline: PictureFolder?, output: PictureFolder) {
        var pictures = pictures
        if let baseline {
            var rest = Set(baseline.names)
            for index in pictures.indices {
                rest.remove(pictures[index].name)
                guard let svg = pictures[index].svg else { continue }
                let accepted = baseline.svg(pictures[index].name)
                pictures[index].accepted = accepted
                // The bytes decide. A browser only shows where they differ.
                pictures[index].state = accepted.map { $0 == svg ? .unchanged : .changed } ?? .new
            }
            pictures += rest.map {
                Picture(name: $0, source: $0, labels: [], accepted: baseline.svg($0), state: .gone)
            }
        }
        self.pictures = pictures.sorted { $0.name < $1.name }
        acceptance = baseline.map {
            let folders = ["--output", output.word, "--baseline", $0.word].map(\.quotedForShell)
            return "pushhost pictures accept \(folders.joined(separator: " "))"
        }
    }

    /// The pictures that somebody must look at.
    var open: [Picture] { pictures.filter(\.state.isOpen) }

    /// How many pictures there are of each kind, in words.
    var summary: String {
        let states: [Picture.State] = [.unchanged, .changed, .new, .gone, .failed]
        let counts = states.compactMap { state in
            let count = pictures.count { $0.state == state }
            return count == 0 ? nil : "\(count) \(state.rawValue)"
        }
        let all = "\(pictures.count) picture\(pictures.count == 1 ? "" : "s")"
        return counts.isEmpty ? all : "\(all): \(counts.joined(separator: ", "))"
    }

    /// The result for a page of a CI server.
    var markdown: String {
        var text = "## Pictures\n\n\(summary)\n"
        if !open.isEmpty {
            text += "\n| state | picture |\n|---|---|\n"
            for picture in open {
                let mistake = picture.mistake.map { ": \($0)" } ?? ""
                let cell = PlainText.spaced(picture.name + mistake).replacing(/[\\`*_|<>\[\]]/) { "\\\($0.output)" }
                text += "| \(picture.state.rawValue) | \(cell) |\n"
            }
        }
        if let acceptance, open.contains(where: { $0.state != .failed }) {
            text += "\nTo accept all of them:\n\n```console\n$ \(acceptance)\n```\n"
        }
        return text
    }

    /// Adds a test case for each picture to a report.
    func add(to junit: inout JUnitReport) {
        for picture in pictures {
            guard picture.state.isOpen else {
                junit.add(picture.name, 0, nil)
                continue
            }
            let state = picture.state.rawValue
            let text = picture.mistake ?? "the picture is \(state); look at it in index.html"
            let element: JUnitReport.Problem.Element = picture.state == .failed ? .error : .failure
            junit.add(picture.name, 0, JUnitReport.Problem(element: element, type: state, message: text, text: text))
        }
    }
}
