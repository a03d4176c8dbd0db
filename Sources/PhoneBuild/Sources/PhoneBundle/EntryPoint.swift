internal import Foundation
internal import PhoneDiagnostics
internal import PhoneProject
internal import PhoneRewriter

/// The generated file with the beginning of an extension's program.
struct EntryPoint {
    /// What makes the object that the host talks to, as the first argument of `PhoneMain.run`.
    private let maker: String
    private let registrations: [String]
    private let frameworks: [String]

    /// Finds the class that the extension begins with.
    ///
    /// - Throws: A diagnostic if the sources have no such class, or if nothing names one.
    init(_ plan: NotificationExtension, _ rewritten: RewrittenTarget, frameworks: [String]) throws(Diagnostic) {
        registrations = frameworks.map(FrameworkRegistration.functionName) + rewritten.registrations
        self.frameworks = frameworks
        let info = plan.infoPlistPath ?? plan.project
        func principal(_ name: String, at path: String) throws(Diagnostic) -> String {
            if let found = rewritten.principalClass(name) { return found }
            throw Diagnostic(.error, path, "no Swift source of the target \(plan.code.target) has the class \(name)")
        }
        let storyboard = plan.storyboard.flatMap { Storyboard($0, of: plan) }
        if plan.kind == .content, let storyboard, let name = plan.storyboard {
            let controller = try storyboard.initialClass.map { name throws(Diagnostic) in
                try principal(name, at: storyboard.path)
            }
            maker = "content: \(controller ?? "UIViewController").self, storyboard: \"\(name)\""
        } else if let name = plan.principalClass {
            maker = "\(plan.kind.rawValue): { \(try principal(name, at: info))() }"
        } else if let name = plan.storyboard {
            throw Diagnostic(
                .error,
                info,
                "the target \(plan.code.target) has no \(name).storyboard among its resources"
            )
        } else {
            throw Diagnostic(
                .error,
                info,
                "NSExtension has neither NSExtensionPrincipalClass nor NSExtensionMainStoryboard"
            )
        }
    }

    /// The source.
    var text: String {
        """
        import PhoneKit
        import UIKit
        \(frameworks.map { "import \($0)\n" }.joined())
        @main
        enum PhoneEntryPoint {
            @MainActor
            static func main() {
                PhoneMain.run(\(maker), registrations: [\(registrations.joined(separator: ", "))])
            }
        }

        """
    }
}

/// A storyboard of a target, of which the initial view controller is needed.
struct Storyboard {
    /// The file.
    let path: String
    private let text: String

    /// Reads it; nil if the target has no such storyboard.
    ///
    /// - Parameters:
    ///   - name: The name without `.storyboard`.
    ///   - plan: The target that has it.
    init?(_ name: String, of plan: NotificationExtension) {
        let matching = plan.code.resources.filter { $0.path.hasSuffix("/\(name).storyboard") }
        guard let found = matching.first(where: { $0.destination.hasPrefix("Base.lproj/") }) ?? matching.first,
            let data = FileManager.default.contents(atPath: found.path)
        else { return nil }
        path = found.path
        text = String(decoding: data, as: UTF8.self)
    }

    /// The class of the initial view controller; nil if it is one of UIKit.
    var initialClass: String? {
        let document = text.firstMatch(of: /<document\b[^>]*>/)?.output
        guard let id = document.flatMap({ Self.attribute("initialViewController", of: $0) }) else { return nil }
        let tags = text.matches(of: /<[A-Za-z]+\b[^>]*>/).lazy.map(\.output)
        return tags.first { Self.attribute("id", of: $0) == id }.flatMap { Self.attribute("customClass", of: $0) }
    }

    private static func attribute(_ name: String, of tag: Substring) -> String? {
        for match in tag.matches(of: /\s([A-Za-z]+)="([^"]*)"/) where match.1 == name { return String(match.2) }
        return nil
    }
}

/// The generated file of a framework with a function that registers all its classes.
enum FrameworkRegistration {
    /// The name of the function.
    static func functionName(_ module: String) -> String { "__phoneRegisterModule_\(module)" }

    /// The source.
    static func text(_ module: String, _ rewritten: RewrittenTarget) -> String {
        let calls = rewritten.registrations.map { "    \($0)()\n" }.joined()
        return "@MainActor public func \(functionName(module))() {\n\(calls)}\n"
    }
}
