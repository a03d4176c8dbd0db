internal import Configuration
internal import Foundation
internal import HostCore
internal import Localization
internal import Platform
internal import PropertyLists
internal import Spelling

/// Validates the entitlements of a bundle: the name of the file, and the suites that it lists.
struct EntitlementsValidator {
    private static let key = "com.apple.security.application-groups"

    let folder: String
    /// `CFBundleExecutable`, perhaps with a build variable in it; empty if the key is absent.
    let executable: String
    /// Whether extensions of this kind may save; a service extension may not.
    let maySave: Bool

    func validate(_ report: CheckReport) {
        // The host reports a folder that cannot be read.
        guard let entries = try? Folders.names(in: folder) else { return }
        let files = entries.filter { $0.hasSuffix(".entitlements") }
        // Xcode replaces the variable or adds the key. Here the name of the folder does, as in the host.
        let name =
            executable.isEmpty || executable.hasPrefix("$")
            ? URL(fileURLWithPath: folder).lastPathComponent : executable
        let expected = "\(name).entitlements"
        guard let file = files.contains(expected) ? expected : files.first else {
            let near = entries.first { $0.lowercased().contains("entitlement") }
            if let near { report.addFinding(.error, near, "it is not read; rename it \(expected)") }
            guard maySave else { return }
            return report.addFinding(
                .warning,
                expected,
                "it is missing, so the extension may touch no suite and what it saves is refused; list \(Self.key) in it"
            )
        }
        if file != expected {
            let others = files.count > 1 ? ", the first of \(files.count) entitlements files," : ""
            let severity: CheckReport.Severity = files.count > 1 ? .error : .warning
            report.addFinding(
                severity,
                file,
                "it is read\(others) because there is no \(expected); name it after the executable"
            )
        }
        guard let values = try? BundleFile.dictionary(file, in: folder) else { return }
        let groups = validate(values, file, report)
        guard !groups.isEmpty, !report.findings.contains(where: { $0.place == file }) else { return }
        report.addFinding(.ok, file, "the extension may touch \(groups.joined(separator: ", "))")
    }

    /// - Returns: The App Groups that it lists.
    private func validate(_ values: PropertyListValue, _ file: String, _ report: CheckReport) -> [String] {
        let near = (values.keys ?? []).sorted().filter { $0 != Self.key && Self.isNear($0) }
        for key in near { report.addFinding(.error, file, "\(key) is ignored; did you mean \(Self.key)?") }
        guard let value = values[Self.key] else {
            if near.isEmpty, maySave {
                report.addFinding(.warning, file, "it lists no \(Self.key), so what the extension saves is refused")
            }
            return []
        }
        // The host itself reports a value of another type.
        guard let groups = value.texts else { return [] }
        if groups.isEmpty {
            report.addFinding(.warning, file, "\(Self.key) is empty, so what the extension saves is refused")
        }
        for (index, group) in groups.enumerated() {
            if let rule = HostConfiguration.suiteRule(brokenBy: group) {
                report.addFinding(
                    .error,
                    file,
                    "the App Group \(group.debugDescription) is not a suite name: a name is \(rule)"
                )
            } else if !group.hasPrefix("group.") {
                report.addFinding(.warning, file, "the App Group \(group) does not begin with group., as iOS requires")
            }
            if let other = groups[..<index].first(where: { $0.lowercased() == group.lowercased() }) {
                let isSame = other == group
                let text = isSame ? "is listed twice" : "and \(other) differ only in case, which the host refuses"
                report.addFinding(isSame ? .warning : .error, file, "the App Group \(group) \(text)")
            }
        }
        return groups
    }

    /// Whether a key may be a misspelling of the one for App Groups; only the last parts are compared, because the names of
    /// all entitlements begin alike.
    private static func isNear(_ name: String) -> Bool {
        let last = { (name: String) in name.split(separator: ".").last.map(String.init) ?? "" }
        return EditDistance.nearest(last(name), in: [last(key)]) != nil
    }
}
