internal import Foundation
internal import HostCore
internal import Localization
internal import PropertyLists
internal import Spelling

/// Validates the entitlements of a bundle: which file is read, and which suites it lists.
struct EntitlementsValidator {
    private static let key = "com.apple.security.application-groups"

    let folder: String
    /// `CFBundleExecutable`, perhaps with a build variable in it.
    let executable: String
    /// Whether the extension may save at all; a service extension may not.
    let maySave: Bool

    func validate(_ report: CheckReport) {
        let entries = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
        let files = entries.filter { $0.hasSuffix(".entitlements") }
        // Xcode fills the variable in; the name of the folder stands for it, as in the host.
        let name = executable.hasPrefix("$") ? URL(fileURLWithPath: folder).lastPathComponent : executable
        let wanted = "\(name).entitlements"
        guard let file = files.contains(wanted) ? wanted : files.first else {
            let near = entries.first { $0.lowercased().contains("entitlement") }
            if let near { report.add(.error, near, "it is not read; call it \(wanted)") }
            guard maySave else { return }
            return report.add(
                .warning,
                wanted,
                "it is missing, so the extension may touch no suite and what it saves is refused; list \(Self.key) in it"
            )
        }
        if file != wanted {
            let others = files.count > 1 ? ", one of \(files.count) that are none," : ""
            let severity: CheckReport.Severity = files.count > 1 ? .error : .warning
            report.add(severity, file, "it is read\(others) for want of \(wanted); name it after the executable")
        }
        guard let values = try? BundleFile.dictionary(file, in: folder) else { return }
        let groups = validate(values, file, report)
        guard !groups.isEmpty, !report.findings.contains(where: { $0.place == file }) else { return }
        report.add(.ok, file, "the extension may touch \(groups.joined(separator: ", "))")
    }

    /// - Returns: The App Groups that it lists.
    private func validate(_ values: PropertyListValue, _ file: String, _ report: CheckReport) -> [String] {
        let near = (values.keys ?? []).sorted().filter { $0 != Self.key && Self.isNear($0) }
        for key in near { report.add(.error, file, "nobody reads \(key); it is \(Self.key)") }
        guard let value = values[Self.key] else {
            if near.isEmpty, maySave {
                report.add(.warning, file, "it lists no \(Self.key), so what the extension saves is refused")
            }
            return []
        }
        // Other types the host refuses itself.
        guard let groups = value.texts else { return [] }
        if groups.isEmpty {
            report.add(.warning, file, "\(Self.key) is empty, so what the extension saves is refused")
        }
        for (index, group) in groups.enumerated() {
            if let rule = HostConfiguration.suiteRule(brokenBy: group) {
                report.add(.error, file, "the App Group \(group.debugDescription) is no suite: a name is \(rule)")
            } else if !group.hasPrefix("group.") {
                report.add(.warning, file, "the App Group \(group) must begin with group. on a phone")
            }
            if let other = groups[..<index].first(where: { $0.lowercased() == group.lowercased() }) {
                let isSame = other == group
                let text = isSame ? "is listed twice" : "and \(other) differ only in case, which the host refuses"
                report.add(isSame ? .warning : .error, file, "the App Group \(group) \(text)")
            }
        }
        return groups
    }

    /// Whether a key may be meant to list the App Groups: the names of all entitlements begin alike.
    private static func isNear(_ name: String) -> Bool {
        let last = { (name: String) in name.split(separator: ".").last.map(String.init) ?? "" }
        return EditDistance.nearest(last(name), in: [last(key)]) != nil
    }
}
