internal import ExtensionHost
internal import Platform

/// What the files of a bundle show without running it.
package struct BundleFinding: Equatable {
    /// How much it matters.
    package enum Severity: String {
        /// Nothing is wrong.
        case ok
        /// It works here, but perhaps not as intended, or not on a phone.
        case warning
        /// It does not work.
        case error
    }

    /// What corrects it.
    package enum Correction: Equatable {
        /// Another name of the key.
        case rename(String)
        /// The key with its value belongs to the dictionary that a JSON Pointer leads to.
        case move(to: String)
        /// The key with its value, or the element of the array, is superfluous.
        case remove
        /// Another text in place of the value.
        case replace(String)
        /// Another element of the property list in place of the value's, in XML.
        case element(String)
        /// These keys of texts are missing in the file.
        case addTexts([String])
    }

    package let severity: Severity
    /// The stable word that programs compare.
    package let reason: String
    /// The path of a file or folder in the bundle, which may be missing; empty for the bundle itself.
    package let file: String
    /// A JSON Pointer to the key, which may be absent; nil if it is about all of the file.
    package var path: String?
    /// The line at which the file cannot be read, the first is 1.
    package var line: Int?
    /// What was found and what to do, for people.
    package let message: String
    package var correction: Correction?
    /// The file that it is compared with, if there is one.
    package var original: String?

    package init(
        _ severity: Severity,
        _ reason: String,
        _ file: String,
        _ message: String,
        path: String? = nil,
        line: Int? = nil,
        correction: Correction? = nil,
        original: String? = nil
    ) {
        (self.severity, self.reason, self.file, self.message) = (severity, reason, file, message)
        (self.path, self.line, self.correction, self.original) = (path, line, correction, original)
    }
}

/// Checks the property lists and texts of a bundle; nothing is started, and a few small files are read.
package struct BundleChecks {
    private let folder: String
    private let unsaved: [String: [UInt8]]

    /// - Parameters:
    ///   - folder: The bundle's folder.
    ///   - unsaved: Texts in place of files, by their paths in the bundle.
    package init(folder: String, unsaved: [String: [UInt8]] = [:]) {
        (self.folder, self.unsaved) = (folder, unsaved)
    }

    /// What the host reports when it loads the bundle.
    package func loading() -> [BundleFinding] {
        let problems: [BundleProblem]
        do throws(BundleProblem) { problems = try ExtensionBundle(folder: folder, unsaved: unsaved).problems } catch {
            problems = [error]
        }
        let root = Paths.resolved(folder) ?? folder
        return problems.map { problem in
            let file = problem.path.hasPrefix("\(root)/") ? String(problem.path.dropFirst(root.utf8.count + 1)) : ""
            return BundleFinding(
                problem.severity == .error ? .error : .warning,
                problem.place.reason,
                file,
                problem.message,
                path: problem.place.pointer,
                line: problem.place.line,
                correction: correction(of: problem.place)
            )
        }
    }

    private func correction(of place: BundleProblem.Place) -> BundleFinding.Correction? {
        if let element = place.element { return .element(element) }
        if place.reason == "unknownKey" { return .remove }
        let isMisspelt = place.pointer?.hasSuffix("/\(ExtensionBundle.misspeltInteractionKey)") == true
        return isMisspelt ? .rename(ExtensionBundle.interactionKey) : nil
    }

    /// The names and levels of keys, categories and entitlements, which the host does not check.
    package func propertyLists() -> [BundleFinding] {
        InfoPlistValidator(folder: folder, unsaved: unsaved)?.findings() ?? []
    }

    /// Links that leave the bundle, and files that cannot be read; this walks through all of its folders.
    package func links() -> [BundleFinding] {
        guard let bundle = try? ExtensionBundle(folder: folder) else { return [] }
        var validator = LinkValidator(bundle)
        validator.validate()
        return validator.findings
    }

    /// The names of the folders and files of texts, their syntax, and the keys of each language.
    package func texts() -> [BundleFinding] {
        var validator = LocalizationValidator(folder: folder, unsaved: unsaved)
        validator.validate()
        return validator.findings
    }
}
