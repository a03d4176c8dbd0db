internal import Foundation

/// Whether a program brings its Swift runtime.
enum LinkedRuntime {
    /// Whether a program loads the Swift runtime from a toolchain when it starts; false for a script.
    ///
    /// On macOS the runtime is a part of the system.
    static func isDynamic(_ path: String) -> Bool {
        #if os(Linux)
        guard let data = try? Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe) else { return false }
        // The name of each library that is loaded is in the file, and a statically linked one has no other use for it.
        return data.starts(with: [0x7F] + Array("ELF".utf8)) && data.range(of: Data("libswiftCore.so\0".utf8)) != nil
        #else
        return false
        #endif
    }
}
