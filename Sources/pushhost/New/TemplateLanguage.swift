internal import ArgumentParser

/// A language for which there is a template of an extension.
enum TemplateLanguage: String, ExpressibleByArgument, CaseIterable {
    case swift, python, node, shell

    /// What follows the name of the extension in the name of its executable.
    var suffix: String {
        switch self {
        case .swift: ""
        case .python: ".py"
        case .node: ".mjs"
        case .shell: ".sh"
        }
    }
}
