internal import Dispatch
internal import HostClient
internal import Platform
internal import PushClient
internal import Synchronization

/// Builds the Xcode project of a preview again when one of its files changes, beside the main thread.
///
/// The preview notices the bundles that change as it notices those of anybody else.
final class ProjectBuilder {
    /// How a build ended.
    private struct End: Sendable {
        var inputs: [String] = []
        /// What the compiler wrote, or why it was not started; empty if all is well.
        var errors = ""
    }

    /// Passes the end of a build to the main thread.
    private final class Mailbox: Sendable {
        let end = Mutex<End?>(nil)
        let wakeup: Wakeup

        init() throws(SystemError) { wakeup = try Wakeup() }
    }

    private let build: ProjectBuild
    private let folder: String
    private let mailbox: Mailbox
    private let watch = FileWatch()
    private var inputs: [String: FileStamp?] = [:]
    private var isBuilding = false

    /// - Parameters:
    ///   - build: What builds.
    ///   - inputs: The files and folders of the last build.
    ///   - folder: A private folder.
    /// - Throws: That the system has no more descriptors.
    init(_ build: ProjectBuild, _ inputs: [String], folder: String) throws(SystemError) {
        (self.build, self.folder, mailbox) = (build, folder, try Mailbox())
        look(at: inputs)
    }

    /// What to wait for.
    var descriptors: [Int32] { [mailbox.wakeup.descriptor] + (watch.descriptor.map { [$0] } ?? []) }
    /// When to look without being told, on the monotonic clock.
    var deadline: Int64 { watch.interval.map { Clock.monotonic() + $0 } ?? .max }

    /// Starts a build if a file has changed and none runs.
    ///
    /// - Returns: What was wrong with the project in a build that has ended, empty if nothing was; nil if none has ended.
    func advance() -> String? {
        watch.reset()
        _ = mailbox.wakeup.take()
        let end = mailbox.end.withLock { end in
            defer { end = nil }
            return end
        }
        if let end {
            isBuilding = false
            // What changed during the build keeps its old stamp, and so is built now.
            for path in end.inputs where inputs[path] == nil { look(at: [path]) }
        }
        if !isBuilding, inputs.contains(where: { FileStamp(of: $0.key) != $0.value }) { start() }
        return end?.errors
    }

    private func start() {
        isBuilding = true
        look(at: Array(inputs.keys))
        let (build, folder, mailbox) = (build, folder, mailbox)
        DispatchQueue(label: "pushhost.build").async {
            let end = Self.run(build, folder)
            mailbox.end.withLock { $0 = end }
            mailbox.wakeup.signal()
        }
    }

    private func look(at paths: [String]) {
        for path in paths {
            let stamp = FileStamp(of: path)
            inputs[path] = .some(stamp)
            watch.add(folder: stamp?.kind == .folder ? path : Paths.parent(of: path))
        }
    }

    /// Builds, and copies what the compiler writes to stderr too.
    private static func run(_ build: ProjectBuild, _ folder: String) -> End {
        let file = "\(folder)/build-errors.txt"
        do throws(ClientError) {
            let errors = open(file, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
            guard errors >= 0 else { throw .failed("\(file) cannot be written: \(SystemError.last)") }
            defer {
                close(errors)
                unlink(file)
            }
            let products = try build.run(errors: errors)
            lseek(errors, 0, SEEK_SET)
            let text = String(decoding: (try? Descriptors.readAll(errors, limit: 1 << 24)) ?? [], as: UTF8.self)
            try? Descriptors.writeAll(Array(text.utf8)[...], to: STDERR_FILENO)
            // Warnings are no reason to show nothing.
            return End(inputs: products.inputs, errors: products.isComplete ? "" : text)
        } catch {
            return End(errors: error.text)
        }
    }
}
