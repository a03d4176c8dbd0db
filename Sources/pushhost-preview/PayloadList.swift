internal import JSON
internal import LanguageServer
internal import Platform
internal import Synchronization

/// The payloads in the current folder and in those of the bundles, which a window lists to open one.
///
/// The folders may be large, so they are searched beside the main thread.
final class PayloadList: Sendable {
    private struct State {
        /// Those that a window was shown; no other file can be opened from the page.
        var paths: Set<String> = []
        /// The windows that wait for the search that is under way; nil if none is.
        var receivers: [@Sendable (JSON) -> Void]?
    }

    private let state = Mutex(State())

    /// Whether a window was shown a payload of this path.
    func contains(_ path: String) -> Bool { state.withLock { $0.paths.contains(path) } }

    /// Searches for payloads; the receiver gets the message for a window on another thread.
    func find(in bundles: [String], _ receiver: @escaping @Sendable (JSON) -> Void) {
        let isFirst = state.withLock { state in
            defer { state.receivers = (state.receivers ?? []) + [receiver] }
            return state.receivers == nil
        }
        guard isFirst else { return }
        let current = FileManager.default.currentDirectoryPath
        Task {
            let files = Workspace.payloads(in: [current] + bundles)
            let list = files.map { file -> JSON in
                let isInside = file.path.hasPrefix("\(current)/")
                return [
                    "path": .string(file.path), "title": .string(file.title), "bundle": JSON(file.bundle),
                    "name": .string(isInside ? String(file.path.dropFirst(current.count + 1)) : file.path),
                ]
            }
            let receivers = state.withLock { state in
                defer { state.receivers = nil }
                state.paths.formUnion(files.map(\.path))
                return state.receivers ?? []
            }
            for receiver in receivers { receiver(["type": "payloads", "payloads": JSON(list)]) }
        }
    }
}
