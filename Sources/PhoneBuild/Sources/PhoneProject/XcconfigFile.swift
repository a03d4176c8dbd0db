internal import Foundation
internal import PhoneDiagnostics

/// A file of build settings: lines `NAME = value`, comments after `//`, and `#include` of other files.
enum XcconfigFile {
    /// Reads a file with all that it includes.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - warnings: Gets a warning for each file that is absent, as those of CocoaPods are before `pod install`.
    /// - Returns: The settings; a later line of a name hides or, by `$(inherited)`, extends an earlier one.
    static func read(_ path: String, warnings: inout [Diagnostic]) -> [String: String] {
        var settings: [String: String] = [:]
        var open: Set<String> = []
        read(path, &settings, &open, &warnings)
        return settings
    }

    private static func read(
        _ path: String,
        _ settings: inout [String: String],
        _ open: inout Set<String>,
        _ warnings: inout [Diagnostic]
    ) {
        guard let data = FileManager.default.contents(atPath: path) else {
            warnings.append(Diagnostic(.warning, path, "the file of build settings is absent, and is left out"))
            return
        }
        guard open.insert(path).inserted else { return }
        defer { open.remove(path) }
        let text = String(decoding: data, as: UTF8.self).replacing("\r\n", with: "\n")
        for line in text.split(separator: "\n") {
            let line = withoutComment(line)
            if let include = include(line) {
                let included = ProjectFile.join(
                    URL(fileURLWithPath: path).deletingLastPathComponent().path,
                    include.path
                )
                guard !include.isOptional || FileManager.default.fileExists(atPath: included) else { continue }
                read(included, &settings, &open, &warnings)
            } else if let (name, value) = assignment(line) {
                settings[name] = value.replacing("$(inherited)", with: settings[name] ?? "$(inherited)")
            }
        }
    }

    private static func withoutComment(_ line: Substring) -> String {
        let end = line.firstRange(of: "//")?.lowerBound ?? line.endIndex
        return line[..<end].trimmingCharacters(in: .whitespaces)
    }

    /// The path of a line `#include "path"`.
    private static func include(_ line: String) -> (path: String, isOptional: Bool)? {
        guard let match = line.wholeMatch(of: /#include(\?)?\s*"(.*)"/) else { return nil }
        return (String(match.2), match.1 != nil)
    }

    /// The name, with its conditions, and the value of a line; the first `=` outside brackets is between them.
    private static func assignment(_ line: String) -> (String, String)? {
        guard let match = line.wholeMatch(of: /([A-Za-z_][A-Za-z0-9_]*(?:\[[^\]]*\])*)\s*=\s*(.*?);?\s*/) else {
            return nil
        }
        return (String(match.1), String(match.2))
    }
}
