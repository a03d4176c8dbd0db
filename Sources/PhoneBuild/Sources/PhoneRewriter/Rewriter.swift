package import PhoneDiagnostics
internal import SwiftSyntax

/// A source file of a target, or its copy.
package struct SourceFile: Equatable, Sendable {
    /// The path; of a copy, the name of the file.
    package let path: String
    /// The content.
    package let text: String

    /// A file.
    package init(path: String, text: String) {
        (self.path, self.text) = (path, text)
    }
}

/// The copies of a target's sources, which Swift on Linux compiles.
package struct RewrittenTarget: Sendable {
    /// The copies, in the order of the sources.
    package let files: [SourceFile]
    /// The functions that register the classes of a file each, for the entry point.
    package let registrations: [String]
    /// The errors and the warnings about the sources.
    package let diagnostics: [Diagnostic]
    /// The imports that the copies lack, because the compiler does not find the modules.
    package let missingImports: [MissingImport]

    private let outline: Outline

    /// Rewrites the sources of a target.
    ///
    /// - Parameters:
    ///   - sources: All Swift files of the target.
    ///   - conditions: What `#if` may ask about, and the modules that can be imported.
    ///   - frameworks: The modules of the project that the sources import.
    package init(_ sources: [SourceFile], _ conditions: Conditions, frameworks: [RewrittenTarget] = []) {
        let texts = sources.map { SourceText(path: $0.path, text: $0.text) }
        let names = Self.fileNames(sources.map(\.path))
        var outline = Outline()
        for framework in frameworks { outline.addImported(framework.outline) }
        for text in texts {
            let reader = OutlineReader(outline, conditions)
            reader.walk(text.tree)
            outline = reader.outline
        }
        for text in texts {
            let reader = SelectorReader(outline, conditions)
            reader.walk(text.tree)
            outline = reader.outline
        }
        var rewriters = Self.rewriters(texts, names, outline, conditions)
        // Subclasses call the functions of their generic superclasses, whose names are known only now.
        let generic = rewriters.flatMap(\.genericRegistrations)
        if !generic.isEmpty {
            for (type, function) in generic { outline.addRegistration(function, ofGeneric: type) }
            rewriters = Self.rewriters(texts, names, outline, conditions)
        }
        let moving = rewriters.flatMap { $0.takeMovingMembers() }
        for rewriter in rewriters { rewriter.insert(moving) }
        files = zip(names, rewriters).map { SourceFile(path: "\($0).swift", text: $1.text) }
        registrations = rewriters.compactMap(\.registration)
        diagnostics = rewriters.flatMap(\.diagnostics)
        missingImports = rewriters.flatMap(\.missingImports)
        self.outline = outline
    }

    private static func rewriters(
        _ texts: [SourceText],
        _ names: [String],
        _ outline: Outline,
        _ conditions: Conditions
    ) -> [FileRewriter] {
        zip(texts, names).map { text, name in
            let rewriter = FileRewriter(text, fileName: identifier(name), outline: outline, conditions)
            rewriter.walk(text.tree)
            return rewriter
        }
    }

    private static func identifier(_ name: String) -> String {
        String(name.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    }

    /// The names of the copies without `.swift`; each differs from the others, as the compiler wants it.
    private static func fileNames(_ paths: [String]) -> [String] {
        var known: Set<String> = []
        return paths.map { path in
            let file = path.split(separator: "/").last ?? ""
            let name = file.hasSuffix(".swift") ? String(file.dropLast(".swift".count)) : String(file)
            // A file main.swift would be a script.
            var unique = name == "main" ? "main_" : name
            var number = 2
            while !known.insert(identifier(unique).lowercased()).inserted {
                unique = "\(name)-\(number)"
                number += 1
            }
            return unique
        }
    }

    /// The class that Objective-C knows under a name, with or without the module's; nil if the sources lack it.
    package func principalClass(_ name: String) -> String? { outline.principal(name)?.name }
}

/// An import of a module that the compiler does not find.
package struct MissingImport: Hashable, Sendable {
    /// The name of the module.
    package let module: String
    /// The file, the line and the column of the import.
    package let place: Place

    /// Apple's modules whose types UIKit and Foundation have here.
    static let partsOfUIKit: Set = [
        "CoreFoundation", "CoreGraphics", "CoreServices", "CoreText", "NotificationCenter", "ObjectiveC", "QuartzCore",
    ]
}

/// A place in a file.
package struct Place: Hashable, Sendable {
    /// The file.
    package let path: String
    /// The line, from 1 on.
    package let line: Int
    /// The column, from 1 on.
    package let column: Int
}

extension Diagnostic {
    /// The place that the message is about.
    var place: Place { Place(path: path, line: line, column: column) }
}
