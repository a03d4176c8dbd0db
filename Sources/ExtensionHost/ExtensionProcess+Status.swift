// What an owner tells of an extension to whoever asks.

extension ExtensionProcess {
    /// The state of the process in a word: `idle`, `backingOff`, `activating`, `ready`, `suspended` or `stopping`.
    public var state: String { isSuspended ? "suspended" : lifecycle.state.word }

    /// The state of the process in a sentence.
    public var stateSentence: String {
        isSuspended ? "a signal stopped the process; it is let go on when it is needed" : lifecycle.state.sentence
    }

    /// The number of its faults that count now.
    public var faults: Int { lifecycle.faults(now: now()) }

    /// Milliseconds until it may be started again, where it failed too often.
    public var retryAfter: Int64? {
        guard lifecycle.state == .backingOff, let deadline = lifecycle.deadline else { return nil }
        return max(0, deadline - now())
    }

    /// The last lines that the running process, or the last one, wrote on its stderr.
    public var standardErrorTail: String { standardError.text }
}
