import Foundation

/// Starts a program with `posix_spawn`.
///
/// Foundation's `Process` cannot be used: it reports a child's exit only after all
/// descendants have closed its pipes.
struct Launch {
    private let executable: String
    private let arguments: [String]
    private let environment: [String: String]
    private let directory: String?

    init(_ executable: String, _ arguments: [String], _ environment: [String: String]?, _ directory: String?) {
        self.executable = executable
        self.arguments = arguments
        self.environment = Runtime.environment(environment ?? ProcessInfo.processInfo.environment)
        self.directory = directory
    }

    /// Starts the program as leader of a new process group, with default signal handlers
    /// and the given descriptors as 0, 1 and 2; it inherits no other descriptor.
    func start(_ descriptors: [Int32]) throws -> pid_t {
        #if os(Linux)
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        #else
        var actions: posix_spawn_file_actions_t?
        var attributes: posix_spawnattr_t?
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }

        for (number, descriptor) in descriptors.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
        }
        #if os(Linux)
        // Foundation opens files without close-on-exec, on other threads of this process too.
        _ = closeFrom(&actions, 3)
        #endif
        var command = [executable] + arguments
        if let directory {
            #if os(Linux)
            // Swift's Glibc lacks posix_spawn_file_actions_addchdir_np; env executes the program in its place.
            command = ["env", "-C", directory] + command
            #else
            posix_spawn_file_actions_addchdir_np(&actions, directory)
            #endif
        }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        #if os(Linux)
        let closesOthers = 0
        #else
        let closesOthers = Int(POSIX_SPAWN_CLOEXEC_DEFAULT)
        #endif
        let flags =
            Int(POSIX_SPAWN_SETSIGMASK) | Int(POSIX_SPAWN_SETSIGDEF) | Int(POSIX_SPAWN_SETPGROUP) | closesOthers
        posix_spawnattr_setflags(&attributes, Int16(flags))

        var pid: pid_t = 0
        let result = withStrings(command) { arguments in
            withStrings(environment.map { "\($0.key)=\($0.value)" }) { environment in
                posix_spawnp(&pid, command[0], &actions, &attributes, arguments, environment)
            }
        }
        guard result == 0 else {
            throw TestFailure("cannot start \(executable): \(String(cString: strerror(result)))")
        }
        return pid
    }
}

#if os(Linux)
// Swift's Glibc lacks it.
@_silgen_name("posix_spawn_file_actions_addclosefrom_np")
private func closeFrom(_ actions: UnsafeMutablePointer<posix_spawn_file_actions_t>, _ descriptor: Int32) -> Int32
#endif

/// Passes the texts to the closure as C expects them: pointers, followed by a null pointer.
private func withStrings<Result>(
    _ texts: [String],
    _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
    let copies = texts.map { strdup($0) }
    defer { copies.forEach { free($0) } }
    return body(copies + [nil])
}
