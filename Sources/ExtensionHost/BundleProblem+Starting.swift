internal import CSystem
package import Platform

extension BundleProblem {
    /// Why an executable cannot be started.
    init(ofStarting path: String, _ error: SystemError) {
        let specific: BundleProblem? =
            switch error.number {
            case ENOENT: Self.missingInterpreter(of: path)
            case ENOEXEC: Self.foreignFormat(of: path, isRefused: true)
            default: nil
            }
        self = specific ?? BundleProblem(refusedBySystem: path, error)
    }

    /// The folder in which an extension's temporary folder cannot be made.
    package init(withoutTemporaryFolderIn parent: String, _ error: SystemError) {
        self.init(
            path: parent,
            message: "no temporary folder for the extension can be made: \(error); name another with TMPDIR"
        )
        isOfHost = true
    }

    /// The error that the system reports; a lack of descriptors, memory or processes is not the bundle's problem, nor is
    /// an executable that somebody is still writing.
    private init(refusedBySystem path: String, _ error: SystemError) {
        let lacksDescriptors = error.number == EMFILE || error.number == ENFILE
        let advice = "; the host may have \(csystem_descriptor_limit()) files open: raise the limit (ulimit -n)"
        self.init(path: path, message: error.description + (error.number == EMFILE ? advice : ""))
        isOfHost = lacksDescriptors || [EAGAIN, ENOMEM, ETXTBSY].contains(error.number)
    }

    /// Why the system does not find an existing file: the interpreter that its first line names is missing.
    private static func missingInterpreter(of path: String) -> BundleProblem? {
        if let problem = BundleProblem(ofFirstLineOf: path) { return problem }
        guard let line = InterpreterLine(of: path) else { return nil }
        return BundleProblem(path: path, message: "its interpreter \(line.interpreter) is missing")
    }

    /// What is wrong with the first line of a script: it ends with CR, which becomes a part of the interpreter's name.
    init?(ofFirstLineOf path: String) {
        guard let line = InterpreterLine(of: path), line.endsWithCR else { return nil }
        self.init(path: path, message: "its first line ends with CR; save it with LF alone")
    }

    /// Why an executable file will not start; nil unless its first bytes show that.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - environment: The environment in which it is started.
    init?(ofFile path: String, environment: [String: String]) {
        if let line = InterpreterLine(of: path) {
            if access(line.interpreter, X_OK) != 0, let problem = Self.missingInterpreter(of: path) {
                self = problem
            } else if let name = line.programOfEnv, let search = environment["PATH"],
                !search.split(separator: ":").contains(where: { access("\($0)/\(name)", X_OK) == 0 })
            {
                self.init(path: path, message: "its interpreter \(name) is in no folder of PATH (\(search))")
            } else {
                return nil
            }
        } else {
            #if os(Linux)
            guard let problem = Self.foreignFormat(of: path, isRefused: false) else { return nil }
            self = problem
            #else
            return nil
            #endif
        }
    }

    /// Why the system cannot run a file: it was built for another system or processor, or its first line names no
    /// interpreter.
    ///
    /// An ELF executable is one for another processor only if the system refused to run it (`isRefused`).
    private static func foreignFormat(of path: String, isRefused: Bool) -> BundleProblem? {
        guard let bytes = try? NamedFile.beginning(of: path, count: 512) else { return nil }
        return foreignFormat(ofFileBeginning: bytes, isRefused: isRefused).map {
            BundleProblem(path: path, message: $0)
        }
    }

    private static func foreignFormat(ofFileBeginning bytes: [UInt8], isRefused: Bool) -> String? {
        if bytes.isEmpty { return "it is empty" }
        let start = Array(bytes.prefix(4))
        // From mach-o/loader.h and mach-o/fat.h: 32 and 64 bits in both byte orders, and files for several processors.
        let machO: [[UInt8]] = [
            [0xFE, 0xED, 0xFA, 0xCE], [0xFE, 0xED, 0xFA, 0xCF], [0xCE, 0xFA, 0xED, 0xFE], [0xCF, 0xFA, 0xED, 0xFE],
            [0xCA, 0xFE, 0xBA, 0xBE], [0xBE, 0xBA, 0xFE, 0xCA],
        ]
        if machO.contains(start) {
            return "it is a Mach-O executable, which Xcode builds for iOS and macOS, and does not run here; build the "
                + "extension's code with ExtensionKit (Swift) or a kit of another language, and name that executable"
        }
        if start == [0x7F] + Array("ELF".utf8) {
            guard isRefused else { return nil }
            return "Exec format error: it is an ELF executable for another processor; build it on this system"
        }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF] + Array("#!".utf8)) {
            return "its first line begins with a byte order mark instead of #!; save it as UTF-8 without BOM"
        }
        let isText = bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || [0x09, 0x0A, 0x0C, 0x0D].contains($0) }
        guard isText, !bytes.starts(with: Array("#!".utf8)) else { return nil }
        return "it is a text file whose first line does not begin with #!; write one such as #!/usr/bin/env python3"
    }
}

/// The first line of a script, which names its interpreter.
struct InterpreterLine {
    /// The path of the interpreter.
    let interpreter: String
    /// The program that `env` looks for in `PATH`, if that is the interpreter.
    let programOfEnv: String?
    /// Whether the line ends with CR, which the system takes as part of a name.
    let endsWithCR: Bool

    /// Reads the line; `nil` if the file is no script.
    init?(of path: String) {
        // Linux reads at most 256 bytes of a file's first line.
        guard let start = try? NamedFile.beginning(of: path, count: 256) else { return nil }
        let line = String(decoding: start.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        guard line.hasPrefix("#!") else { return nil }
        let words = line.dropFirst(2).split { $0 == " " || $0 == "\t" }.map(String.init)
        guard let first = words.first else { return nil }
        interpreter = first
        endsWithCR = line.utf8.last == UInt8(ascii: "\r")
        let named = words.dropFirst().drop { $0 == "-S" }.first
        let isName = named.map { !$0.hasPrefix("-") && !$0.contains("=") && !$0.contains("/") } ?? false
        programOfEnv = first.hasSuffix("/env") && isName ? named : nil
    }
}
