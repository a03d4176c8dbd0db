internal import Foundation

/// A JSON Pointer to members of a message, in which `*` matches any member or element.
package struct MemberPath: Hashable {
    package let steps: [String]

    package init(_ steps: [String]) { self.steps = steps }

    /// Reads a JSON Pointer.
    package init(pointer: String) {
        steps = pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
            .map { $0.replacingOccurrences(of: "~1", with: "/").replacingOccurrences(of: "~0", with: "~") }
    }

    /// The path below a member; nil if it does not lead there.
    package func below(_ name: String) -> MemberPath? {
        guard let first = steps.first, first == "*" || first == name else { return nil }
        return MemberPath(Array(steps.dropFirst()))
    }

    /// Whether no step is left, so that it means the value itself.
    package var isEnd: Bool { steps.isEmpty }
}
