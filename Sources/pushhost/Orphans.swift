internal import Foundation

/// Descendants whose parents ended, and which this process adopted.
enum Orphans {
    /// Ends every child that is left, and its children.
    ///
    /// - Parameters:
    ///   - patience: How many milliseconds they may take to end by themselves.
    ///   - signals: The descriptor on which their deaths are told.
    /// - Returns: Those that did not, by name and number.
    static func kill(after patience: Int64, _ signals: CInt) -> [String] {
        let end = HostChild.now() + patience
        var killed: [pid_t: String] = [:]
        while true {
            let pid = waitpid(-1, nil, WNOHANG)
            if pid > 0 { continue }
            // No child is left; where the system gives no orphans away there never was one.
            if pid < 0 && errno != EINTR { return killed.sorted { $0.key < $1.key }.map { "\($0.value) (\($0.key))" } }
            if HostChild.now() >= end {
                for (child, name) in children() where killed[child] == nil {
                    killed[child] = name
                    Foundation.kill(child, SIGKILL)
                }
            }
            var polled = pollfd(fd: signals, events: Int16(POLLIN), revents: 0)
            let time = end - HostChild.now()
            var bytes: (UInt64, UInt64) = (0, 0)
            if poll(&polled, 1, time > 0 ? CInt(clamping: time) : -1) > 0 { _ = read(signals, &bytes, 16) }
        }
    }

    /// The living children with their names, from /proc.
    private static func children() -> [(pid_t, String)] {
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return entries.compactMap { pid_t($0) }.compactMap { pid in
            guard let data = FileManager.default.contents(atPath: "/proc/\(pid)/stat") else { return nil }
            // "pid (name) state parent …", and the name may hold anything.
            let text = String(decoding: data, as: UTF8.self)
            guard let open = text.firstIndex(of: "("), let close = text.lastIndex(of: ")") else { return nil }
            let fields = text[close...].dropFirst().split(separator: " ")
            guard fields.count > 1, fields[1] == "\(getpid())", fields[0] != "Z" else { return nil }
            return (pid, String(text[text.index(after: open)..<close]))
        }
    }
}
