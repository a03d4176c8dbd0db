internal import JSON
internal import Notifications

/// Looks in the views that an extension shows for what the contract allows, but nobody can see or use.
final class ViewValidator {
    private static let place = "view"
    /// The members of a node that people read.
    private static let texts = ["text", "title", "face", "value", "placeholder", "alt"]

    private let report: CheckReport
    /// What is wrong with each image that was looked at; nil if nothing is.
    private var images: [String: String?] = [:]

    init(_ report: CheckReport) { self.report = report }

    func validate(_ view: JSON) {
        let nodes = Self.nodes(view)
        if nodes.count > ViewTree.drawnNodesLimit {
            let text =
                "it has \(nodes.count) nodes: a page shows the first \(ViewTree.drawnNodesLimit), and a terminal shows none"
            report.addFinding(.warning, Self.place, text)
        }
        for (path, node) in nodes.prefix(ViewTree.drawnNodesLimit) {
            let invalid = NodeStyle.problems(of: node) + MediaNode.problems(of: node) + MapNode.problems(of: node)
            for (member, rule) in invalid {
                let found = "\(path)/\(member) is \(node[member]?.excerpt() ?? "absent")"
                report.addFinding(.warning, Self.place, "\(found), which is ignored: it must be \(rule)")
            }
            for problem in problems(of: node) {
                report.addFinding(.warning, Self.place, "\(Self.name(of: node)) \(problem)")
            }
        }
    }

    /// The nodes of a view in the order of the tree, each with its path.
    private static func nodes(_ node: JSON, at path: String = "") -> [(path: String, node: JSON)] {
        [(path, node)] + node.childNodes.enumerated().flatMap { nodes($1, at: "\(path)/children/\($0)") }
    }

    private func problems(of node: JSON) -> [String] {
        var problems: [String] = []
        switch node["type"] {
        case "button" where node["title"]?.string?.contains(where: { !$0.isWhitespace }) != true:
            problems.append("has no title, so nobody knows what it does")
        case "image":
            let url = node["url"]?.string ?? ""
            let problem = images[url] ?? Self.problem(ofImage: url)
            images[url] = problem
            if let problem { problems.append(problem) }
        default: break
        }
        for member in Self.texts {
            // No text has more characters than bytes; counting them is slow.
            guard let text = node[member]?.string, text.utf8.count > ViewTree.drawnCharactersLimit else { continue }
            let count = text.unicodeScalars.count
            guard count > ViewTree.drawnCharactersLimit else { continue }
            problems.append(
                "has a \(member) of \(count) characters, of which a page shows \(ViewTree.drawnCharactersLimit); shorten it"
            )
        }
        return problems
    }

    /// Why an image cannot be shown; nil if it can, or if it would have to be fetched.
    private static func problem(ofImage url: String) -> String? {
        let lowercased = url.lowercased()
        if url.isEmpty { return "has no url, so it shows nothing" }
        if lowercased.hasPrefix("https://") || lowercased.hasPrefix("http://") { return nil }
        guard lowercased.hasPrefix("file:") else {
            return "has the url \(url.debugDescription), which is not shown: an image needs a file: or https: URL"
        }
        do throws(ImageFile.Failure) {
            _ = try ImageFile(url: url)
            return nil
        } catch {
            return "has the url \(url), which cannot be shown: \(error.reason)"
        }
    }

    private static func name(of node: JSON) -> String {
        let type = node["type"]?.string ?? "node"
        return node["id"]?.string.map { "the \(type) \($0)" } ?? "\(type == "image" ? "an" : "a") \(type)"
    }
}
