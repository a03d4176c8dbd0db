internal import BrazeRules
internal import ExtensionHost
internal import JSONRPC
internal import Localization
internal import Notifications

/// Checks payloads without delivering them: no process is started, and nothing is shown or stored.
final class CheckService {
    private let configuration: HostConfiguration
    private let extensions: ExtensionService
    private let presentations: Presentations

    init(_ configuration: HostConfiguration, _ extensions: ExtensionService, _ presentations: Presentations) {
        self.configuration = configuration
        self.extensions = extensions
        self.presentations = presentations
    }

    /// Checks the payload of a call.
    func checkPayload(_ arguments: Arguments) throws(RPCError) -> PayloadCheck {
        var surroundings = PayloadCheck.Surroundings()
        surroundings.extensions = extensions.contentBundles.map { bundle in
            PayloadCheck.ContentExtension(
                identifier: bundle.identifier,
                categories: bundle.categories,
                keys: bundle.userInfoKeys,
                strings: extensions.started(bundle)?.localizedStrings ?? LocalizedStrings(folder: bundle.path)
            )
        }
        surroundings.categories = Set(presentations.categories.map(\.identifier))
        surroundings.problem = extensions.categoryProblem
        surroundings.folders = extensions.searchedFolders
        if surroundings.extensions.isEmpty, let problem = extensions.catalog.problems.first {
            surroundings.problem = "\(problem)"
        }
        surroundings.locale = try arguments.locale() ?? configuration.locale
        surroundings.depth = configuration.recordLimits.depth
        surroundings.isTemplate = try arguments.optional("template", .bool) ?? false
        return PayloadCheck(try arguments.value("payload"), surroundings)
    }
}
