internal import Foundation

/// Whether a program brings its Swift runtime.
enum LinkedRuntime {
    /// Whether a program loads the Swift runtime from a toolchain when it starts; false for a script.
    ///
    /// On macOS the runtime is a part of the system.
    static func isDynamic(_ path: String) -> Bool {
        #if os(Linux)
        guard let data = try? Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe) else { return false }
        // The file has the name of each library that it loads. It is put together here, or this program would have it too.
        let library = ["libswiftCore", "so\0"].joined(separator: ".")
        return data.starts(with: [0x7F] + Array("ELF".utf8)) && data.range(of: Data(library.utf8)) != nil
        #else
        return false
        #endif
    }
}
