internal import HostClient
internal import JSON
internal import Platform

/// A picture of a review: what it shows, and how it compares with the accepted one.
struct Picture {
    /// How a picture compares with the one in the baseline.
    enum State: String {
        /// There is no baseline.
        case drawn
        case unchanged, changed, new
        /// It is in the baseline, and no source draws it any more.
        case gone
        /// Its source has a mistake.
        case failed

        /// Whether somebody must look at it.
        var isOpen: Bool { self != .drawn && self != .unchanged }
    }

    /// The name of its file without the suffix, from the folder of all pictures.
    let name: String
    /// The name of its source.
    let source: String
    let labels: [PictureMatrix.Label]
    /// The picture; nil if it is gone or failed.
    var svg: String?
    /// The accepted picture; nil without one.
    var accepted: String?
    /// Why it failed.
    var mistake: String?
    var state = State.drawn

    /// The line about it for people.
    var line: String { state.rawValue.padding(to: 10) + name }
}

/// A folder of pictures with a list of them, `pictures.json`.
struct PictureFolder {
    /// Why the folder cannot be used.
    struct Problem: Error {
        let text: String
        let code: Int32
    }

    static let listName = "pictures.json"

    /// The absolute path.
    let path: String
    /// The path as the user gave it.
    let word: String

    init(_ word: String) {
        self.word = word
        path = URL(fileURLWithPath: Paths.absolute(word)).standardizedFileURL.path
    }

    /// The names of the pictures that are in the folder, sorted.
    var names: [String] {
        var names: [String] = []
        Folders.walk(path) { file in
            if file.hasSuffix(".svg") { names.append(String(file.dropFirst(path.count + 1).dropLast(4))) }
            return true
        }
        return names.sorted()
    }

    /// The picture of a name; nil if there is none.
    func svg(_ name: String) -> String? { try? String(contentsOfFile: file(name), encoding: .utf8) }

    /// The path of a picture's file.
    func file(_ name: String, suffix: String = "svg") -> String { "\(path)/\(name).\(suffix)" }

    /// Writes a file, and the folders in which it is; one that has this content stays as it is.
    func write(_ text: String, to file: String) throws(Problem) {
        let data = Data(text.utf8)
        guard FileManager.default.contents(atPath: file) != data else { return }
        do {
            try FileManager.default.createDirectory(atPath: Paths.parent(of: file), withIntermediateDirectories: true)
            try data.write(to: URL(fileURLWithPath: file), options: .atomic)
        } catch {
            throw Problem(text: "\(file) cannot be written: \(SystemError.text(of: error))", code: EX_CANTCREAT)
        }
    }

    /// Removes a picture that is in the folder, and the folders that are empty then.
    func remove(_ name: String) throws(Problem) {
        unlink(file(name, suffix: "png"))
        guard unlink(file(name)) == 0 || errno == ENOENT else {
            throw Problem(text: "\(file(name)) cannot be removed: \(SystemError.last)", code: EX_CANTCREAT)
        }
        var folder = Paths.parent(of: file(name))
        while folder.count > path.count, rmdir(folder) == 0 { folder = Paths.parent(of: folder) }
    }

    // MARK: A review

    /// Makes the folder, and checks that files can be written into it.
    func prepare() throws(Problem) {
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        guard access(path, W_OK | X_OK) == 0 else {
            throw Problem(text: "\(word) cannot be written: \(SystemError.last)", code: EX_CANTCREAT)
        }
    }

    /// Writes the pictures, their page and their list, and removes the pictures that an earlier run left.
    func write(_ review: PictureReview) throws(Problem) {
        let earlier = list ?? []
        // The list comes first: if the disk is full then, the next run still knows what to remove.
        try writeList(review.pictures)
        let drawn = review.pictures.filter { $0.svg != nil }
        let names = Set(drawn.map(\.name))
        for entry in earlier where !names.contains(entry.name) { try remove(entry.name) }
        for picture in drawn {
            // It may show an earlier picture.
            unlink(file(picture.name, suffix: "png"))
            try write(picture.svg ?? "", to: file(picture.name))
        }
        var page = GalleryPage(review)
        try write(page.html, to: "\(path)/index.html")
    }

    // MARK: The list

    /// Writes the list of the pictures.
    private func writeList(_ pictures: [Picture]) throws(Problem) {
        let list = pictures.map { picture in
            JSON(
                present: [
                    "name": .string(picture.name), "source": .string(picture.source),
                    "state": .string(picture.state.rawValue), "digest": picture.svg.map(Self.digest),
                    "accepted": picture.accepted.map(Self.digest),
                ] + MemberList(picture.labels.map { ($0.axis, JSON.string($0.value)) })
            )
        }
        let lines = list.map { "  \($0)" }.joined(separator: ",\n")
        try write("{\"pictures\": [\n\(lines)\n]}\n", to: "\(path)/\(Self.listName)")
    }

    /// A picture as the list has it.
    struct Entry {
        let name: String
        let state: Picture.State
        /// The digest of the picture; null if it is gone or failed.
        let digest: JSON
        /// The digest of the accepted one; null without one.
        let accepted: JSON
    }

    /// The digest of a picture, by which one that changed later is recognized.
    static func digest(_ svg: String) -> JSON { .string(String(Checksum.fnv1a(svg.utf8), radix: 16)) }

    /// The pictures of the list; nil without a list.
    var list: [Entry]? {
        guard let text = FileManager.default.contents(atPath: "\(path)/\(Self.listName)"),
            let list = (try? JSON(parsing: Array(text)))?["pictures"]?.array
        else { return nil }
        return list.compactMap { picture in
            guard let name = picture["name"]?.string, Self.isInside(name),
                let state = picture["state"]?.string.flatMap(Picture.State.init)
            else { return nil }
            return Entry(
                name: name,
                state: state,
                digest: picture["digest"] ?? .null,
                accepted: picture["accepted"] ?? .null
            )
        }
    }

    /// Whether a name, which a file may have, leads to a place in the folder.
    private static func isInside(_ name: String) -> Bool {
        !name.split(separator: "/", omittingEmptySubsequences: false).contains { $0.isEmpty || $0 == ".." || $0 == "." }
    }
}
