#if canImport(Testing)
// A build with a static Swift runtime compiles this target too, and the toolchain has no Testing for it.
import Foundation
public import Testing

/// Whether the tests run under ThreadSanitizer.
public let underThreadSanitizer = ProcessInfo.processInfo.environment["TSAN_OPTIONS"] != nil

extension Trait where Self == ConditionTrait {
    /// For tests of what no program can do under ThreadSanitizer: begin without threads or with a limit on the size of
    /// files, let processes share its memory, as a host does that hides processes from an extension, or, in an extension,
    /// start a child with Foundation, which waits for ever.
    public static var noThreadSanitizer: Self {
        .disabled(
            if: underThreadSanitizer,
            "did not run: under ThreadSanitizer no program can do this; see the trait's comment"
        )
    }
}
#endif
