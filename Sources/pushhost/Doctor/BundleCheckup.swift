internal import HostClient
internal import JSON
internal import Platform

/// Checks the bundles as `extensions check` does: what the host reports about them, and whether their extensions start.
enum BundleCheckup {
    private static let name = "bundle"

    /// Checks the bundles in a result of `extensions`, or some of them.
    static func findings(
        _ extensions: JSON,
        _ sandbox: SandboxOptions,
        _ signals: SignalSource,
        where isWanted: (JSON) -> Bool = { _ in true }
    ) throws(ClientError) -> [DoctorFinding] {
        let root = try TemporaryFolder.create(prefix: "pushhost-doctor")
        defer { root.remove() }
        let folders = CheckReport(bundle: "")
        folders.add(problems: extensions["problems"], in: "", includesStart: true)
        var findings = folders.findings.compactMap { finding($0, of: nil) }
        let bundles = (extensions["extensions"]?.array.map(Array.init) ?? []).filter(isWanted)
        for (index, bundle) in bundles.enumerated() {
            let folder = bundle["path"]?.string ?? ""
            let report = CheckReport(bundle: folder)
            // A host that has only this bundle does not find what is wrong with several together.
            report.add(problems: bundle["problems"], in: folder, includesStart: false)
            let check = BundleCheck(
                hostArguments: sandbox.serveArguments,
                hasSandbox: !sandbox.noSandbox,
                allowedBundles: sandbox.allowedBundles
            )
            try check.start(folder, in: root.makeFolder("\(index)"), signals, report)
            findings += report.findings.compactMap { finding($0, of: bundle) }
        }
        return findings
    }

    /// A finding of a check as one of `doctor`; nil if it says nothing about this machine.
    private static func finding(_ finding: CheckReport.Finding, of bundle: JSON?) -> DoctorFinding? {
        let identifier = bundle?["identifier"]?.string
        // What the host says of a start names the extension.
        let place = finding.place == "handshake" ? [] : [identifier, finding.place].compactMap(\.self)
        let text = (place + [finding.message]).joined(separator: ": ")
        // What a loader or an interpreter wrote last says what is missing.
        let line = finding.standardError?.split(whereSeparator: \.isNewline).last.map { "; its stderr ends: \($0)" }
        switch finding.severity {
        case .ok: return finding.place == "handshake" ? .ok(name, "\(identifier ?? "") starts") : nil
        case .skipped: return nil
        case .warning: return .warning(name, text)
        case .error:
            let advice = bundle?["path"]?.string.map { "pushhost extensions check \($0.quotedForShell) tells more" }
            return .error(name, text + (line ?? ""), advice)
        }
    }
}
