/// Tells when something in folders changes, without reading them again and again.
///
/// macOS has no such descriptor for whole folders here; the caller then looks again after ``interval``.
package final class FileWatch {
    /// After how many milliseconds to look again; nil if the descriptor tells.
    package let interval: Int64?
    /// Can be read when something has changed; nil if the system has no such descriptor.
    package let descriptor: Int32?

    /// A watch of no folder.
    package init() {
        #if os(Linux)
        let made = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        descriptor = made >= 0 ? made : nil
        #else
        descriptor = nil
        #endif
        interval = descriptor == nil ? 200 : nil
    }

    deinit { if let descriptor { close(descriptor) } }

    /// Watches the names in a folder; one that is watched already, or does not exist, changes nothing.
    package func add(folder: String) {
        #if os(Linux)
        guard let descriptor else { return }
        let changes = IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_ATTRIB
        inotify_add_watch(descriptor, folder, UInt32(changes))
        #endif
    }

    /// Forgets what it told, so that the descriptor can be waited for again.
    package func reset() {
        guard let descriptor else { return }
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while buffer.withUnsafeMutableBytes({ read(descriptor, $0.baseAddress, $0.count) }) > 0 {}
    }
}
