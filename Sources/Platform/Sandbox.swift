internal import CSystem

/// What a child process may do: read and write some files, and perhaps use the network.
///
/// On Linux it is enforced by Landlock, which restricts files, TCP and signals, by a filter of system calls, and by a
/// namespace of processes, without privileges and for all descendants. Other systems enforce nothing. A process that may
/// read a file may find out by other ways that other files exist, but neither reads nor lists them.
package struct Sandbox: Equatable, Sendable {
    /// What a process may connect to.
    package enum Network: Equatable, Sendable {
        /// Nothing: it can make no socket.
        case none
        /// These ports by TCP, and any by UDP, by which names are resolved.
        case ports([UInt16])
        /// Every address.
        case any
    }

    /// The greatest size in bytes of a file that the process writes.
    package static let fileSize = 64 << 20

    /// The folders and files that it may read and execute.
    package var readable: [String]
    /// More of them, links resolved; a path gives no access if it has a link when the process starts.
    ///
    /// So it is not used to reach other files by who can write there, such as another process in a sandbox.
    package var resolved: [String]
    /// The folders that it may also write.
    package var writable: [String]
    /// What it may connect to.
    package var network: Network

    /// A sandbox, in which the files of the system can be read.
    package init(readable: [String], resolved: [String] = [], writable: [String], network: Network) {
        self.readable = Self.system + readable
        self.resolved = resolved
        self.writable = writable
        self.network = network
    }

    /// Programs and libraries, data of languages, time zones and certificates, how names are resolved, the process itself,
    /// and the size of the machine.
    private static let system =
        [
            "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/nix/store", "/gnu/store", "/run/systemd/resolve",
            // All of it, which shows only the extension's own processes: libdispatch ends a process that cannot read
            // /proc/<thread>/stat, which no rule for /proc/self allows.
            "/proc", "/sys/devices/system/cpu", "/sys/fs/cgroup", "/sys/kernel/mm/transparent_hugepage",
        ]
        + [
            "alternatives", "ca-certificates", "ca-certificates.conf", "debian_version", "gai.conf", "group",
            "host.conf",
            "hosts", "inputrc", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "locale.alias", "locale.conf", "localtime",
            "mime.types", "nsswitch.conf", "os-release", "passwd", "perl", "pki", "protocols", "python3", "resolv.conf",
            "services", "ssl", "timezone",
        ].map { "/etc/" + $0 }

    /// Whether every process may read what is at a path, links resolved, because it is the system's.
    package static func isOfSystem(_ path: String) -> Bool {
        system.contains { path == $0 || Paths.lies(path, in: $0) }
    }

    private static let devices = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"]

    /// Whether the process may read what is at a path, if it is there.
    package func allowsReading(_ path: String) -> Bool {
        let path = Paths.resolved(path) ?? path
        func allows(_ allowed: String) -> Bool { path == allowed || Paths.lies(path, in: allowed) }
        return resolved.contains(where: allows)
            || (readable + writable + Self.devices).contains { allows(Paths.resolved($0) ?? $0) }
    }

    /// Passes it on as C expects it.
    func withC<Result>(_ body: (UnsafePointer<csystem_sandbox>) -> Result) -> Result {
        withCPaths(readable) { readable in
            withCPaths(resolved) { resolved in
                withCPaths(writable) { writable in
                    withCPaths(Self.devices) { devices in
                        let ports = if case .ports(let ports) = network { ports } else { [UInt16]() }
                        return ports.withUnsafeBufferPointer { ports in
                            var sandbox = csystem_sandbox(
                                readable: readable,
                                writable: writable,
                                resolved: resolved,
                                devices: devices,
                                has_network: network == .none ? 0 : 1,
                                ports: ports.baseAddress,
                                port_count: ports.count,
                                file_size: UInt64(Self.fileSize)
                            )
                            return body(&sandbox)
                        }
                    }
                }
            }
        }
    }
}

/// Passes paths to the body as a C array of pointers that ends with a null pointer.
private func withCPaths<Result>(
    _ paths: [String],
    _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
) -> Result {
    withCStrings(paths) { strings in
        strings.withMemoryRebound(to: UnsafePointer<CChar>?.self, capacity: paths.count + 1) { body($0) }
    }
}

extension Sandbox {
    /// What this system cannot restrict, each as the rest of a sentence that begins with "an extension can"; empty if the
    /// sandbox is whole.
    ///
    /// Before the first process in a sandbox was started, it starts one to see whether it can have a namespace.
    package static let gaps: [String] = gaps(
        landlock: Int(csystem_landlock_version()),
        filtersCalls: csystem_has_seccomp() != 0,
        hidesProcesses: csystem_can_hide_processes() != 0
    )

    /// The gaps with a version of Landlock, 0 without it, and with or without a filter of system calls and namespaces.
    static func gaps(landlock: Int, filtersCalls: Bool, hidesProcesses: Bool) -> [String] {
        var gaps: [String] = []
        if landlock == 0 {
            gaps.append("read and write every file of yours (the kernel has no Landlock, which Linux has from 5.13 on)")
        } else if landlock < 3 {
            gaps.append("truncate files of yours (Landlock \(landlock) is older than that of Linux 6.2)")
        }
        if (1..<4).contains(landlock) {
            gaps.append("use other ports than it declares (Landlock \(landlock) is older than that of Linux 6.7)")
        }
        if landlock < 6 { gaps.append("signal your other processes (Landlock from Linux 6.12 on prevents it)") }
        if !filtersCalls { gaps.append("use the network and trace processes (the kernel cannot filter system calls)") }
        if !hidesProcesses {
            gaps.append("list your other processes with their arguments (this system refuses namespaces of processes)")
        }
        return gaps
    }
}
