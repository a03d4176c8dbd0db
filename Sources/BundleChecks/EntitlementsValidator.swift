internal import JSON
internal import Localization
internal import Platform
internal import PropertyLists
internal import Spelling

/// Validates the entitlements of a bundle: the name of the file, and the suites that it lists.
struct EntitlementsValidator {
    private static let key = "com.apple.security.application-groups"

    let folder: String
    let unsaved: [String: [UInt8]]
    /// `CFBundleExecutable`, perhaps with a build variable in it; empty if the key is absent.
    let executable: String
    /// Whether extensions of this kind may save; a service extension may not.
    let maySave: Bool
    private(set) var findings: [BundleFinding] = []

    init(folder: String, unsaved: [String: [UInt8]], executable: String, maySave: Bool) {
        (self.folder, self.unsaved, self.executable, self.maySave) = (folder, unsaved, executable, maySave)
    }

    private mutating func add(
        _ severity: BundleFinding.Severity,
        _ reason: String,
        _ file: String,
        _ text: String,
        path: String? = nil,
        correction: BundleFinding.Correction? = nil
    ) {
        findings.append(BundleFinding(severity, reason, file, text, path: path, correction: correction))
    }

    mutating func validate() {
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
            if let near { add(.error, "misnamedFile", near, "it is not read; rename it \(expected)") }
            guard maySave else { return }
            return add(
                .warning,
                "missingEntitlements",
                expected,
                "it is missing, so the extension may touch no suite and what it saves is refused; list \(Self.key) in it"
            )
        }
        if file != expected {
            let others = files.count > 1 ? ", the first of \(files.count) entitlements files," : ""
            add(
                files.count > 1 ? .error : .warning,
                "misnamedFile",
                file,
                "it is read\(others) because there is no \(expected); name it after the executable"
            )
        } else {
            for other in files where other != expected {
                add(
                    .warning,
                    "unreadFile",
                    other,
                    "it is not read, because \(expected) is; remove it, or move its App Groups there"
                )
            }
        }
        guard let values = try? BundleFile.dictionary(file, in: folder, unsaved: unsaved) else { return }
        let groups = validate(values, file)
        guard !groups.isEmpty, !findings.contains(where: { $0.file == file }) else { return }
        add(.ok, "entitled", file, "the extension may touch \(groups.joined(separator: ", "))")
    }

    /// - Returns: The App Groups that it lists.
    private mutating func validate(_ values: PropertyListValue, _ file: String) -> [String] {
        let pointer = "/" + JSONPointer.escape(Self.key)
        let near = (values.keys ?? []).sorted().filter { $0 != Self.key && Self.isNear($0) }
        for key in near {
            let text = "\(key) is ignored; did you mean \(Self.key)?"
            let path = "/" + JSONPointer.escape(key)
            add(.error, "misspeltKey", file, text, path: path, correction: .rename(Self.key))
        }
        guard let value = values[Self.key] else {
            if near.isEmpty, maySave {
                let text = "it lists no \(Self.key), so what the extension saves is refused"
                add(.warning, "missingKey", file, text, path: pointer)
            }
            return []
        }
        // The host itself reports a value of another type.
        guard let groups = value.texts else { return [] }
        if groups.isEmpty {
            let text = "\(Self.key) is empty, so what the extension saves is refused"
            add(.warning, "wrongValue", file, text, path: pointer)
        }
        for (index, group) in groups.enumerated() {
            let path = "\(pointer)/\(index)"
            if !SuiteNameForm.matches(group) {
                let text =
                    "the App Group \(group.debugDescription) is not a suite name: a name is \(SuiteNameForm.rule)"
                add(.error, "wrongAppGroup", file, text, path: path)
            } else if !group.hasPrefix("group.") {
                let text = "the App Group \(group) does not begin with group., as iOS requires"
                add(.warning, "wrongAppGroup", file, text, path: path, correction: .replace("group.\(group)"))
            }
            if let other = groups[..<index].first(where: { $0.lowercased() == group.lowercased() }) {
                let isSame = other == group
                let text = isSame ? "is listed twice" : "and \(other) differ only in case, which the host refuses"
                add(
                    isSame ? .warning : .error,
                    "repeatedAppGroup",
                    file,
                    "the App Group \(group) \(text)",
                    path: path,
                    correction: .remove
                )
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
