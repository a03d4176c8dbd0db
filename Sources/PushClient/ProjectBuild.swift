package import HostClient
internal import JSON
internal import Platform

/// The notification extensions of an Xcode project, which `pushhost-phone` builds.
///
/// It is a program of its own, in a package of its own, so that the rest builds without swift-syntax.
package struct ProjectBuild: Sendable {
    /// What was built.
    package struct Products: Sendable {
        /// The folder of each bundle; those of targets that cannot be built are missing.
        package let bundles: [String]
        /// The files and folders whose change asks for another build, also those of targets that cannot be built.
        package let inputs: [String]
        /// Whether every target could be built.
        package let isComplete: Bool
    }

    /// The greatest size of what the program may print.
    private static let outputLimit = 1 << 24

    /// The program and its arguments, which ask for JSON.
    package let command: [String]

    /// - Parameter command: The program and its arguments; it must print what it built as JSON.
    package init(command: [String]) { self.command = command }

    /// Builds, and waits for that.
    ///
    /// Without a change since the last build nothing is compiled.
    ///
    /// - Parameter errors: Where the compiler's errors go; by default to stderr, as they come.
    /// - Returns: What was built.
    /// - Throws: That the program cannot be started.
    package func run(errors: Int32 = STDERR_FILENO) throws(ClientError) -> Products {
        let (printed, code) = try output(errors: errors)
        let targets = (try? JSON(parsing: printed))?["bundles"]?.array.map(Array.init)
        return Products(
            bundles: (targets ?? []).compactMap { $0["bundle"]?.string },
            inputs: (targets ?? []).flatMap { ($0["inputs"]?.array.map(Array.init) ?? []).compactMap(\.string) },
            isComplete: code == 0
        )
    }

    /// Runs the command, and waits for it.
    ///
    /// - Parameter errors: Where its errors go; by default to stderr, as they come.
    /// - Returns: What it wrote to stdout, and its exit code.
    /// - Throws: That the program cannot be started.
    package func output(errors: Int32 = STDERR_FILENO) throws(ClientError) -> (text: String, code: Int32) {
        do throws(SystemError) {
            let program = Program(path: command[0], arguments: Array(command.dropFirst()))
            let output = try Descriptors.makePipe()
            defer { close(output.reading) }
            let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
            defer { close(nothing) }
            let start = { () throws(SystemError) in
                defer { close(output.writing) }
                return try program.start(input: nothing, output: output.writing, error: errors)
            }
            let process = try start()
            let printed = try? Descriptors.readAll(output.reading, limit: Self.outputLimit)
            let text = String(decoding: printed ?? [], as: UTF8.self)
            switch process.wait() {
            case .code(let code): return (text, code)
            case .signal(let number): return (text, 128 + number)
            }
        } catch {
            throw .failed("\(command[0]) cannot be started: \(error)")
        }
    }
}
