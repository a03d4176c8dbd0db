import Foundation
import TestSupport

/// The headings and links of a Markdown page, without those in code.
struct MarkdownPage {
    /// The anchors that GitHub generates for the headings, and those that the page has itself, in order.
    let anchors: [String]
    /// The targets of the inline links, and of the definitions that other links refer to.
    let links: [String]
    /// The lines outside of code blocks and tables.
    let prose: [Substring]

    init(_ text: String) {
        var anchors: [String] = []
        var links: [String] = []
        var prose: [Substring] = []
        var isCode = false
        for line in text.split(separator: "\n") {
            if line.drop(while: { $0 == " " }).hasPrefix("```") {
                isCode.toggle()
                continue
            }
            if isCode { continue }
            if !line.hasPrefix("|") { prose.append(line) }
            if let heading = line.wholeMatch(of: /#{1,6} +(.+)/) { anchors.append(Self.anchor(heading.output.1)) }
            let text = line.replacing(/`[^`]*`/, with: "`")
            anchors += text.matches(of: /<a id="([^"]+)">/).map { String($0.output.1) }
            links += text.matches(of: /\]\(([^)\s]+)\)/).map { String($0.output.1) }
            if let definition = line.wholeMatch(of: /\[[^\]]+\]: +(\S+)/) { links.append(String(definition.output.1)) }
        }
        (self.anchors, self.links, self.prose) = (anchors, links, prose)
    }

    /// In lower case, with hyphens for spaces and without other punctuation.
    private static func anchor(_ heading: Substring) -> String {
        let kept = heading.lowercased().filter { $0.isLetter || $0.isNumber || "-_ ".contains($0) }
        return kept.replacing(" ", with: "-")
    }

    /// One sentence for each problem of the pages; `pages` maps paths to texts, and `paths` contains all files.
    static func findings(in pages: [String: String], paths: [String]) -> [String] {
        let read = pages.mapValues(MarkdownPage.init)
        var places = Set(paths)
        for path in paths { places.formUnion(folders(of: path)) }
        var findings: [String] = []
        for (path, page) in read.sorted(by: { $0.key < $1.key }) {
            let counts = Dictionary(page.anchors.map { ($0, 1) }, uniquingKeysWith: +)
            findings += counts.filter { $0.value > 1 }.keys.sorted().map {
                "\(path): two headings have the anchor #\($0)"
            }
            for link in page.links where !link.hasPrefix("https:") && !link.hasPrefix("http:") {
                let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
                let target = parts[0].isEmpty ? path : resolve(parts[0], from: path)
                if !places.contains(target) {
                    findings.append("\(path): there is no \(link)")
                } else if parts.count > 1, read[target]?.anchors.contains(parts[1]) != true {
                    findings.append("\(path): there is no heading for \(link)")
                }
            }
        }
        return findings
    }

    private static func folders(of path: String) -> [String] {
        let steps = path.split(separator: "/").dropLast()
        return steps.indices.map { steps[...$0].joined(separator: "/") }
    }

    private static func resolve(_ link: String, from page: String) -> String {
        var steps = page.split(separator: "/").dropLast().map(String.init)
        for step in link.split(separator: "/").map(String.init) where step != "." {
            if step != ".." {
                steps.append(step)
            } else if steps.popLast() == nil {
                return link
            }
        }
        return steps.joined(separator: "/")
    }
}
