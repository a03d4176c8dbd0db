#if canImport(Testing)
// A build with a static Swift runtime compiles this target too, and the toolchain has no Testing for it.
import Foundation
public import Testing

extension Trait where Self == ConditionTrait {
    /// For tests of what no program can do under ThreadSanitizer: begin without threads or with a limit on the size of
    /// files, or let processes share its memory.
    public static var noThreadSanitizer: Self {
        .disabled(
            if: ProcessInfo.processInfo.environment["TSAN_OPTIONS"] != nil,
            "did not run: ThreadSanitizer needs threads and files of its own, and processes may not share its memory"
        )
    }
}
#endif
