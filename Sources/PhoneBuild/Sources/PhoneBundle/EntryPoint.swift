internal import Foundation
internal import PhoneDiagnostics
internal import PhoneProject
internal import PhoneRewriter

/// The generated file with the beginning of an extension's program.
struct EntryPoint {
    private let plan: NotificationExtension
    private let rewritten: RewrittenTarget
    /// The class that the extension begins with; nil if a storyboard makes a controller without a class of its own.
    private let principal: String?

    /// Finds the principal class.
    ///
    /// - Throws: A diagnostic if the sources have no such class, or if nothing names one.
    init(_ plan: NotificationExtension, _ rewritten: RewrittenTarget) throws(Diagnostic) {
        (self.plan, self.rewritten) = (plan, rewritten)
        let info = plan.infoPlistPath ?? plan.project
        if let name = plan.principalClass {
            principal = rewritten.principalClass(name)
            guard principal != nil else {
                throw Diagnostic(.error, info, "no Swift source of the target \(plan.target) has the class \(name)")
            }
        } else if let name = plan.storyboard {
            guard let storyboard = Storyboard(name, of: plan) else {
                throw Diagnostic(.error, info, "the target \(plan.target) has no \(name).storyboard among its resources")
            }
            let controller = storyboard.initialClass
            principal = controller.flatMap(rewritten.principalClass)
            if let controller, principal == nil {
                let text = "no Swift source of the target \(plan.target) has the class \(controller)"
                throw Diagnostic(.error, storyboard.path, text)
            }
        } else {
            throw Diagnostic(.error, info, "NSExtension has neither NSExtensionPrincipalClass nor NSExtensionMainStoryboard")
        }
    }

    /// The source.
    var text: String {
        let registrations = rewritten.registrations.map { "            \($0)()\n" }.joined()
        let make = principal.map { "\($0).self" } ?? "nil"
        return """
            import PhoneRuntime
            import \(plan.kind == .content ? "UIKit" : "UserNotifications")

            @main
            enum PhoneEntryPoint {
                @MainActor
                static func main() {
                    PhoneMain.run(\(plan.kind.rawValue): \(make)) {
            \(registrations)        }
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

    /// - Parameters:
    ///   - name: The name without `.storyboard`.
    ///   - plan: The target that has it.
    /// - Returns: nil if the target has no such storyboard.
    init?(_ name: String, of plan: NotificationExtension) {
        let matching = plan.resources.filter { $0.path.hasSuffix("/\(name).storyboard") }
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
