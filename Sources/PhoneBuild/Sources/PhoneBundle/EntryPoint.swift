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
        let storyboard = plan.storyboard.flatMap { InterfaceFile(storyboard: $0, of: plan.code) }
        if plan.kind == .content, let storyboard, let name = plan.storyboard {
            let initial = storyboard.initialController
            let controller = try initial?.attributes["customClass"].map { name throws(Diagnostic) in
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
