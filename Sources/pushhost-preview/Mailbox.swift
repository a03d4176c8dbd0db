internal import JSON
internal import Platform
internal import Synchronization

/// What the windows ask for, on its way to the thread that owns the host.
final class Mailbox: Sendable {
    /// A message of a window.
    struct Letter: Sendable {
        let window: Int
        let message: JSON
    }

    /// More than this means that the host hangs; what comes then is refused.
    private static let limit = 256

    private let letters = Mutex<[Letter]>([])
    private let wakeup: Wakeup

    init() throws(SystemError) { wakeup = try Wakeup() }

    /// Readable while there are letters.
    var descriptor: Int32 { wakeup.descriptor }

    /// Adds a letter; false if there are too many.
    func add(_ letter: Letter) -> Bool {
        let isAccepted = letters.withLock { letters in
            guard letters.count < Self.limit else { return false }
            letters.append(letter)
            return true
        }
        if isAccepted { wakeup.signal() }
        return isAccepted
    }

    /// Takes all letters, the oldest first.
    func take() -> [Letter] {
        _ = wakeup.take()
        return letters.withLock { letters in
            defer { letters = [] }
            return letters
        }
    }
}
