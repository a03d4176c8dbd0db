internal import CSystem
internal import Foundation

/// A child process with three pipes, leader of a process group of its own.
///
/// Our ends of the pipes never block. Death is the exit of the child itself,
/// whatever its descendants do; they are killed with it.
final class ChildProcess {
    let pid: pid_t
    private(set) var input: CInt
    private(set) var output: CInt
    private(set) var error: CInt
    /// Whether it was sent a signal to end before it had.
    private(set) var wasStopped = false

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - path: The program.
    ///   - directory: Where it runs.
    ///   - environment: All that it knows of its surroundings.
    ///   - files: The greatest number of its open descriptors.
    /// - Throws: What the operating system says.
    init(path: String, directory: String, environment: [String: String], files: Int) throws(BundleProblem) {
        var pipes: [(CInt, CInt)] = []
        func fail(_ number: CInt) -> BundleProblem {
            for pipe in pipes {
                close(pipe.0)
                close(pipe.1)
            }
            return Self.problem(path, number)
        }
        for _ in 0..<3 {
            var ends: [CInt] = [-1, -1]
            let result = csystem_pipe(&ends)
            guard result == 0 else { throw fail(-result) }
            pipes.append((ends[0], ends[1]))
        }
        let result = withCStrings([path]) { arguments in
            withCStrings(environment.map { "\($0.key)=\($0.value)" }.sorted()) { environment in
                path.withCString { path in
                    directory.withCString { directory in
                        var spawn = csystem_spawn(
                            path: path,
                            arguments: arguments,
                            environment: environment,
                            directory: directory,
                            input: pipes[0].0,
                            output: pipes[1].1,
                            error: pipes[2].1,
                            files: CUnsignedInt(files)
                        )
                        return csystem_spawn(&spawn)
                    }
                }
            }
        }
        guard result > 0 else {
            let problem = fail(-result)
            switch result {
            case -ENOENT: throw Self.missingInterpreter(of: path) ?? problem
            case -ENOEXEC: throw Self.foreignFormat(of: path) ?? problem
            default: throw problem
            }
        }
        pid = result
        close(pipes[0].0)
        close(pipes[1].1)
        close(pipes[2].1)
        (input, output, error) = (pipes[0].1, pipes[1].0, pipes[2].0)
        for descriptor in [input, output, error] { csystem_set_nonblocking(descriptor, 1) }
    }

    /// Why there is no process; a lack of descriptors, memory or processes is the host's.
    private static func problem(_ path: String, _ number: CInt) -> BundleProblem {
        let text = String(cString: strerror(number))
        let isFull = number == EMFILE || number == ENFILE
        let advice = "; the host may have \(csystem_descriptor_limit()) files open: raise the limit (ulimit -n)"
        var problem = BundleProblem(path: path, message: text + (isFull ? advice : ""))
        problem.isOfHost = isFull || number == EAGAIN || number == ENOMEM
        return problem
    }

    /// Why the system finds no file where there is one: the interpreter that the file names is missing.
    private static func missingInterpreter(of path: String) -> BundleProblem? {
        guard let file = FileHandle(forReadingAtPath: path), let start = try? file.read(upToCount: 256) else {
            return nil
        }
        let line = String(decoding: start.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        guard line.hasPrefix("#!") else { return nil }
        let words = line.dropFirst(2).split { $0 == " " || $0 == "\t" }
        guard let name = words.first else { return nil }
        let message =
            line.utf8.last == UInt8(ascii: "\r")
            ? "its first line ends with CR; save it with LF alone" : "its interpreter \(name) is missing"
        return BundleProblem(path: path, message: message)
    }

    /// Why the system cannot run a file: it was built for Apple's systems, or does not say what runs it.
    private static func foreignFormat(of path: String) -> BundleProblem? {
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        let start = [UInt8]((try? file.read(upToCount: 4)) ?? Data())
        // mach-o/loader.h and mach-o/fat.h: 32 and 64 bits in both byte orders, and files for several processors.
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
        let message = "it is a text whose first line does not begin with #!; write one such as #!/usr/bin/env python3"
        return BundleProblem(path: path, message: message)
    }

    deinit {
        for descriptor in [input, output, error] where descriptor >= 0 { close(descriptor) }
    }

    func closeInput() {
        if input >= 0 { close(input) }
        input = -1
    }

    func closeOutput() {
        if output >= 0 { close(output) }
        output = -1
    }

    func closeError() {
        if error >= 0 { close(error) }
        error = -1
    }

    /// Signals the process group, and the child itself, which may have left it; both numbers stay ours until it is reaped.
    func signal(_ number: CInt) {
        if number == SIGTERM || number == SIGKILL, !hasEnded { wasStopped = true }
        kill(-pid, number)
        kill(pid, number)
    }

    /// What signals do to a process without ending it.
    enum Suspension {
        case stopped(by: CInt)
        case continued
    }

    /// What became of the child without its end, since it was last asked.
    func takeSuspension() -> Suspension? {
        var last: Suspension?
        var info = siginfo_t()
        while waitid(P_PID, id_t(pid), &info, WSTOPPED | WCONTINUED | WNOHANG) == 0, info.hasChild {
            last = info.si_code == CInt(CLD_STOPPED) ? .stopped(by: info.status) : .continued
            info = siginfo_t()
        }
        return last
    }

    /// Whether the child ended; it is not reaped yet, so its number is still its own.
    var hasEnded: Bool {
        var info = siginfo_t()
        return waitid(P_PID, id_t(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.hasChild
    }

    /// How the child ended, which it did; its descendants in the group are killed then.
    func reap() -> ExtensionFailure.Reason {
        signal(SIGKILL)
        var status: CInt = 0
        while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
        let signal = status & 0x7F
        return signal == 0 ? .exited(code: (status >> 8) & 0xFF, signal: nil) : .exited(code: nil, signal: signal)
    }
}

extension siginfo_t {
    /// Whether waitid(2) found a child; it leaves the number zero otherwise.
    fileprivate var hasChild: Bool { si_signo == SIGCHLD }

    /// The signal of a child that was stopped.
    fileprivate var status: CInt {
        #if os(Linux)
        _sifields._sigchld.si_status
        #else
        si_status
        #endif
    }
}

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
