internal import CSystem
internal import Foundation

/// Starts a program as leader of a process group of its own, with this process's environment.
///
/// - Parameters:
///   - program: Its path.
///   - arguments: Its arguments.
///   - directory: Where it runs.
///   - input: What it reads.
///   - output: What it writes to.
///   - error: Where its log goes.
/// - Returns: Its number, or the negative number of an error.
func startChild(
    _ program: String,
    _ arguments: [String],
    directory: String,
    input: CInt,
    output: CInt,
    error: CInt
) -> pid_t {
    let environment = ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }
    let strings = [[program] + arguments, environment].map { $0.map { strdup($0) } + [nil] }
    defer { for string in strings.joined() { free(string) } }
    return strings[0].withUnsafeBufferPointer { arguments in
        strings[1].withUnsafeBufferPointer { environment in
            program.withCString { path in
                directory.withCString { directory in
                    var spawn = csystem_spawn(
                        path: path,
                        arguments: arguments.baseAddress,
                        environment: environment.baseAddress,
                        directory: directory,
                        input: input,
                        output: output,
                        error: error,
                        files: 0
                    )
                    return csystem_spawn(&spawn)
                }
            }
        }
    }
}
