internal import CSystem

/// A program to start, with its arguments, environment and limits.
package struct Program: Sendable {
    /// The path of the executable.
    package var path: String
    /// The arguments after the program's name.
    package var arguments: [String]
    /// All variables of its environment.
    package var environment: [String: String]
    /// The folder in which it runs.
    package var directory: String
    /// The greatest number of its open descriptors; 0 for the limit that this process was started with.
    package var descriptorLimit: Int

    /// A program.
    ///
    /// - Parameters:
    ///   - path: The path of the executable.
    ///   - arguments: The arguments after the program's name.
    ///   - environment: All variables of its environment; by default those of this process.
    ///   - directory: The folder in which it runs; by default that of this process.
    ///   - descriptorLimit: The greatest number of its open descriptors; 0 for the limit that this process was started
    ///     with.
    package init(
        path: String,
        arguments: [String] = [],
        environment: [String: String] = ProcessInfo.processInfo.environment,
        directory: String = FileManager.default.currentDirectoryPath,
        descriptorLimit: Int = 0
    ) {
        self.path = path
        self.arguments = arguments
        self.environment = environment
        self.directory = directory
        self.descriptorLimit = descriptorLimit
    }

    /// Starts the program as the leader of a new process group, with default signal handlers and only these descriptors.
    ///
    /// On Linux the process is killed when the thread that started it ends.
    ///
    /// - Parameters:
    ///   - input: The descriptor that becomes its stdin.
    ///   - output: The descriptor that becomes its stdout.
    ///   - error: The descriptor that becomes its stderr.
    /// - Returns: The process, which the caller must reap.
    /// - Throws: Why it cannot be started.
    package func start(input: Int32, output: Int32, error: Int32) throws(SystemError) -> StartedProcess {
        let variables = environment.map { "\($0.key)=\($0.value)" }.sorted()
        let result = withCStrings([path] + arguments) { arguments in
            withCStrings(variables) { environment in
                path.withCString { path in
                    directory.withCString { directory in
                        var spawn = csystem_spawn(
                            path: path,
                            arguments: arguments,
                            environment: environment,
                            directory: directory,
                            input: input,
                            output: output,
                            error: error,
                            files: CUnsignedInt(descriptorLimit)
                        )
                        return csystem_spawn(&spawn)
                    }
                }
            }
        }
        guard result > 0 else { throw SystemError(-result) }
        return StartedProcess(pid: result)
    }
}

/// Passes strings to the body as a C array of pointers that ends with a null pointer.
private func withCStrings<Result>(
    _ strings: [String],
    _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
    let pointers = strings.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    return pointers.withUnsafeBufferPointer { buffer in
        guard let start = buffer.baseAddress else { preconditionFailure("an array with a nil in it is not empty") }
        return body(start)
    }
}
