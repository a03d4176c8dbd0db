internal import Configuration
internal import ExtensionHost
internal import Logging
internal import Platform

/// The sandboxes of the host's extensions, and their temporary folders.
final class Confinements {
    private let configuration: HostConfiguration
    private let logger: Logger
    /// The temporary folder of each bundle by its identifier, made when its process first starts.
    private var folders: [String: TemporaryFolder] = [:]
    private var hasReportedGaps = false

    init(_ configuration: HostConfiguration, _ logger: Logger) {
        self.configuration = configuration
        self.logger = logger
    }

    /// The sandbox of a process that is starting; nil if the host runs without one.
    func make(
        _ bundle: ExtensionBundle,
        executable: String,
        attachments: String?
    ) throws(BundleProblem) -> Confinement? {
        guard configuration.sandbox != .off else { return nil }
        if let problem = configuration.allowedBundles.problem(of: bundle) { throw problem }
        return Confinement(
            bundle,
            executable: executable,
            environment: configuration.environment(),
            hostEnvironment: configuration.hostEnvironment,
            temporary: try folder(of: bundle).path,
            attachments: attachments,
            isPhone: configuration.isPhone
        )
    }

    /// Logs, once, what the system could not restrict of a process that was started.
    func reportGaps() {
        guard configuration.sandbox != .off, !hasReportedGaps else { return }
        hasReportedGaps = true
        guard !Sandbox.gaps.isEmpty else { return }
        logger.warning("the sandbox is not whole: an extension can \(Sandbox.gaps.joined(separator: ", and "))")
    }

    private func folder(of bundle: ExtensionBundle) throws(BundleProblem) -> TemporaryFolder {
        if let folder = folders[bundle.identifier], FileStamp(of: folder.path)?.kind == .folder { return folder }
        do throws(SystemError) {
            let folder = try TemporaryFolder(prefix: "pushhost-extension")
            folders[bundle.identifier] = folder
            return folder
        } catch {
            throw BundleProblem(withoutTemporaryFolderIn: TemporaryFolder.parent, error)
        }
    }

    /// Removes the temporary folders, when no process is left.
    func removeFolders() { for folder in folders.values { folder.remove() } }
}
