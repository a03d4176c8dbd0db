internal import Foundation

/// How a program is linked to the Swift runtime.
enum LinkedRuntime {
    /// Whether a program needs the Swift runtime of a toolchain; false for a script and for a file that cannot be read.
    ///
    /// On macOS the runtime is a part of the system.
    static func isDynamic(_ path: String) -> Bool {
        #if os(Linux)
        guard let data = try? Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe) else { return false }
        // An ELF file contains the NUL-terminated name of each library that it loads. The name is assembled at run time,
        // because as a literal it would be in this program too.
        let library = ["libswiftCore", "so\0"].joined(separator: ".")
        return data.starts(with: [0x7F] + Array("ELF".utf8)) && data.range(of: Data(library.utf8)) != nil
        #else
        return false
        #endif
    }
}
