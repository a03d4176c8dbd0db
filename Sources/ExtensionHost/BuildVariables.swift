/// The variables of Xcode's build settings in a property list of an app's sources.
///
/// Xcode replaces them when it builds. Here the name of the bundle's folder replaces every variable for the target's name,
/// so that such a property list loads unchanged.
struct BuildVariables {
    private static let known: Set<Substring> = [
        "EXECUTABLE_NAME", "PRODUCT_NAME", "TARGET_NAME", "PRODUCT_BUNDLE_IDENTIFIER",
    ]

    /// The name of the bundle's folder.
    let name: String
    /// The variables that were replaced, as they were written.
    private(set) var filled: [String] = []
    /// The variables that nothing here can replace.
    private(set) var unknown: [String] = []

    init(name: String) { self.name = name }

    /// The text with its variables replaced: `$(NAME)`, `${NAME}`, `$(NAME:rfc1034identifier)`.
    mutating func fill(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "$")) else { return text }
        let variable = #/\$(?:\((?<round>[^()]*)\)|\{(?<curly>[^{}]*)\})/#
        var result = ""
        var rest = Substring(text)
        while let match = rest.firstMatch(of: variable) {
            result += rest[..<match.range.lowerBound]
            let written = String(match.output.0)
            let inner = match.output.round ?? match.output.curly ?? ""
            if Self.known.contains(inner.prefix { $0 != ":" }) {
                result += name
                if !filled.contains(written) { filled.append(written) }
            } else {
                result += written
                if !unknown.contains(written) { unknown.append(written) }
            }
            rest = rest[match.range.upperBound...]
        }
        return result + rest
    }

    /// The value of a key that is absent because Xcode 13 and later add it when they build.
    mutating func fill(absent key: String) -> String {
        filled.append(key)
        return name
    }

    /// The warnings and errors about variables, for the bundle's author.
    func problems(path: String) -> [BundleProblem] {
        var problems: [BundleProblem] = []
        if !filled.isEmpty {
            let text =
                "Xcode fills in \(filled.joined(separator: ", ")); here the folder's name, \(name), replaces it"
            problems.append(BundleProblem(path: path, message: text, severity: .warning))
        }
        if !unknown.isEmpty {
            let text = "Xcode fills in \(unknown.joined(separator: ", ")), but nothing does here; write the value"
            problems.append(BundleProblem(path: path, message: text))
        }
        return problems
    }
}
