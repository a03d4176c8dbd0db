internal import CSystem
internal import Foundation
internal import Platform

extension BundleProblem {
    /// Why an executable cannot be started.
    init(ofStarting path: String, _ error: SystemError) {
        let specific: BundleProblem? =
            switch error.number {
            case ENOENT: Self.missingInterpreter(of: path)
            case ENOEXEC: Self.foreignFormat(of: path)
            default: nil
            }
        self = specific ?? BundleProblem(refusedBySystem: path, error)
    }

    /// The error that the system reports; a lack of descriptors, memory or processes is not the bundle's problem.
    private init(refusedBySystem path: String, _ error: SystemError) {
        let lacksDescriptors = error.number == EMFILE || error.number == ENFILE
        let advice = "; the host may have \(csystem_descriptor_limit()) files open: raise the limit (ulimit -n)"
        self.init(path: path, message: error.description + (error.number == EMFILE ? advice : ""))
        isOfHost = lacksDescriptors || error.number == EAGAIN || error.number == ENOMEM
    }

    /// Why the system does not find an existing file: the interpreter that its first line names is missing.
    private static func missingInterpreter(of path: String) -> BundleProblem? {
        guard let line = InterpreterLine(of: path) else { return nil }
        let message =
            line.endsWithCR
            ? "its first line ends with CR; save it with LF alone" : "its interpreter \(line.interpreter) is missing"
        return BundleProblem(path: path, message: message)
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
            guard let problem = Self.foreignFormat(of: path) else { return nil }
            self = problem
            #else
            return nil
            #endif
        }
    }

    /// Why the system cannot run a file: it was built for Apple's systems, or its first line names no interpreter.
    private static func foreignFormat(of path: String) -> BundleProblem? {
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        let start = [UInt8]((try? file.read(upToCount: 4)) ?? Data())
        // From mach-o/loader.h and mach-o/fat.h: 32 and 64 bits in both byte orders, and files for several processors.
        let machO: [[UInt8]] = [
            [0xFE, 0xED, 0xFA, 0xCE], [0xFE, 0xED, 0xFA, 0xCF], [0xCE, 0xFA, 0xED, 0xFE], [0xCF, 0xFA, 0xED, 0xFE],
            [0xCA, 0xFE, 0xBA, 0xBE], [0xBE, 0xBA, 0xFE, 0xCA],
        ]
        if machO.contains(start) {
            let message =
                "it is a Mach-O executable, which Xcode builds for iOS and macOS, and does not run here; build the "
                + "extension's code with ExtensionKit (Swift) or a kit of another language, and name that executable"
            return BundleProblem(path: path, message: message)
        }
        let isText = !start.isEmpty && start.allSatisfy { $0 >= 0x20 && $0 < 0x7F || [0x09, 0x0A, 0x0D].contains($0) }
        guard isText, !start.starts(with: Array("#!".utf8)) else { return nil }
        let message =
            "it is a text file whose first line does not begin with #!; write one such as #!/usr/bin/env python3"
        return BundleProblem(path: path, message: message)
    }
}
