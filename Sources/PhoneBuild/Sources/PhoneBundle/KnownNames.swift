internal import Foundation

/// The names in the tables of compiled modules: everything that a module declares or mentions.
///
/// What is in no table is in no module. The converse does not hold, so a name that is known may still not fit its use.
struct KnownNames {
    private let names: Set<String>

    /// Reads the tables of modules.
    ///
    /// - Parameter files: The files `.swiftmodule`.
    init(_ files: [String]) {
        var names: Set<String> = []
        for file in files {
            guard let data = FileManager.default.contents(atPath: file) else { continue }
            data.withUnsafeBytes { Self.collect($0, &names) }
        }
        self.names = names
    }

    /// Whether some module has a name.
    func contains(_ name: String) -> Bool { names.contains(name) }

    /// Adds each text of letters, digits and lines between two zeros, as the compiler writes its table of identifiers.
    private static func collect(_ bytes: UnsafeRawBufferPointer, _ names: inout Set<String>) {
        var start = 0
        var isName = true
        for index in 0..<bytes.count {
            let byte = bytes[index]
            if byte == 0 {
                if isName, index - start > 1 {
                    names.insert(
                        String(decoding: UnsafeRawBufferPointer(rebasing: bytes[start..<index]), as: UTF8.self)
                    )
                }
                start = index + 1
                isName = true
            } else if isName {
                let isLetter = byte >= 65 && byte <= 90 || byte >= 97 && byte <= 122 || byte == 95
                isName = (isLetter || byte >= 48 && byte <= 57) && index - start < 100
            }
        }
    }
}
