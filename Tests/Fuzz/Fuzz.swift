import Foundation
import FuzzTargets

/// Feeds a target with bytes that libFuzzer invents: `fuzz TARGET [ARGUMENT…]`, with libFuzzer's own arguments.
///
/// It exists only if `PUSHHOST_FUZZ` is set while the package is built; `Tests/Proof/fuzz` does that.
@main
enum Fuzz {
    /// LibFuzzer's loop, which this process runs until it ends.
    @_silgen_name("LLVMFuzzerRunDriver")
    private static func runDriver(
        _ count: UnsafeMutablePointer<Int32>,
        _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
        _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
    ) -> Int32

    /// Set once, before the loop, whose function takes nothing but bytes.
    nonisolated(unsafe) private static var target: FuzzTarget?

    static func main() {
        let names = FuzzTarget.all.map(\.name)
        guard CommandLine.arguments.count > 1, CommandLine.arguments[1] != "--list" else {
            return print(names.joined(separator: "\n"))
        }
        target = FuzzTarget.all.first { $0.name == CommandLine.arguments[1] }
        guard target != nil else { fatalError("no target has this name; they are \(names.joined(separator: ", "))") }
        var pointers = ([CommandLine.arguments[0]] + CommandLine.arguments.dropFirst(2)).map { strdup($0) } + [nil]
        var count = Int32(pointers.count - 1)
        pointers.withUnsafeMutableBufferPointer { pointers in
            guard var start = pointers.baseAddress else { return }
            exit(runDriver(&count, &start) { Fuzz.read($0, $1) })
        }
    }

    /// Reads an input; what is not true of it ends the process, as a trap does.
    private static func read(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
        do {
            try target?.check(Array(UnsafeBufferPointer(start: bytes, count: count)))
            return 0
        } catch {
            fatalError("\(error)")
        }
    }
}
