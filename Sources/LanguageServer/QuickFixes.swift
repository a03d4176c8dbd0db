import JSON
import JSONRPC

/// Corrections of findings.
extension LanguageServer {
    /// A replacement for each finding in a range that names what was meant.
    func fixes(_ document: OpenDocument, _ params: JSON) -> JSON {
        guard let uri = params["textDocument"]?["uri"]?.string, let asked = params["range"].flatMap(TextDocument.range)
        else {
            return []
        }
        let wanted =
            document.text.offset(
                of: asked.start
            )...max(document.text.offset(of: asked.start), document.text.offset(of: asked.end))
        return JSON(
            document.findings.filter {
                $0.range.lowerBound <= wanted.upperBound && wanted.lowerBound <= $0.range.upperBound
            }
            .flatMap { finding in
                Self.meant(finding.advice).map { name -> JSON in
                    let edit: JSON = [
                        "range": document.json(finding.range), "newText": .string(JSON.string(name).description),
                    ]
                    return [
                        "title": .string("Replace it by \(name)"), "kind": "quickfix", "isPreferred": true,
                        "diagnostics": [diagnostic(finding, document)],
                        "edit": ["changes": .object(JSON.Object([(uri, JSON([edit]))]))],
                    ]
                }
            }
        )
    }

    /// The names in advice of the form "did you mean a or b?".
    static func meant(_ advice: String) -> [String] {
        guard let match = advice.firstMatch(of: /did you mean (.+)\?/) else { return [] }
        return String(match.1).split(separator: " or ").map(String.init)
    }
}
