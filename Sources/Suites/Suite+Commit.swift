internal import GRDB

/// The end of a transaction: on the caller's thread, or on the connection's own while the caller goes on.
extension Suite {
    /// The statement that runs on the connection's thread.
    enum Background {
        case commit(BackgroundStatement)
        case checkpoint(BackgroundStatement)
    }

    /// Whether a commit or a checkpoint runs on the connection's thread.
    var isInBackground: Bool { background != nil }

    // MARK: Commit

    /// Makes every change since the last commit durable; on return it survives a power loss.
    ///
    /// - Throws: ``SuiteError/transactionLost(_:)``; then no change since the last commit is in the suite.
    public func commit() throws(SuiteError) {
        requireForeground()
        guard let file, isInTransaction else { return }
        do {
            try prepareCommit(file)
            try file.access { try $0.cachedStatement(sql: "COMMIT").execute() }
        } catch {
            throw lost(error, file)
        }
        try concludeCommit(file)
    }

    /// Begins to make every change since the last commit durable, on the connection's thread.
    ///
    /// - Parameter onEnd: Called once, on any thread, when ``finishCommit()`` would not wait; not called if there is
    ///   nothing to commit.
    /// - Returns: Whether there is something to commit, so that ``finishCommit()`` must follow.
    /// - Throws: ``SuiteError/transactionLost(_:)``; then no change since the last commit is in the suite.
    public func beginCommit(onEnd: @escaping @Sendable () -> Void) throws(SuiteError) -> Bool {
        requireForeground()
        guard let file, isInTransaction else { return false }
        do {
            try prepareCommit(file)
        } catch {
            throw lost(error, file)
        }
        background = .commit(file.begin("COMMIT", onEnd: onEnd))
        return true
    }

    /// Ends the commit that was begun, and waits for it if necessary; on return the changes survive a power loss.
    ///
    /// - Throws: ``SuiteError/transactionLost(_:)``; then no change of that transaction is in the suite.
    public func finishCommit() throws(SuiteError) {
        guard case .commit(let statement)? = background, let file else { return }
        background = nil
        do {
            try statement.wait()
        } catch {
            throw lost(error, file)
        }
        try concludeCommit(file)
    }

    /// Makes sure that nothing runs on the connection's thread.
    ///
    /// Every use of the suite begins with this: between the beginning and the end of a commit or a checkpoint it would make
    /// the event loop wait for the disk.
    func requireForeground() {
        precondition(background == nil, "\(name) is used while a commit of it runs beside the event loop")
    }

    /// Writes what a transaction changed besides its records.
    private func prepareCommit(_ file: SuiteFile) throws {
        try file.access { db in
            try repeatableSaves.finishKeys(db)
            try counters.changes?.addToTotals(db)
        }
    }

    /// Rolls a transaction back that could not be committed, and makes sure that no later start finds it in the log.
    private func lost(_ error: any Error, _ file: SuiteFile) -> SuiteError {
        file.rollback()
        let text = SuiteError(error).text
        let isRevoked = file.revokeRefusedCommit(error)
        endTransaction(file)
        guard isRevoked else {
            return .transactionLost(
                "\(text); the disk still fails, so a power loss before the next change of the suite can bring this one back"
            )
        }
        return .transactionLost(text)
    }

    private func concludeCommit(_ file: SuiteFile) throws(SuiteError) {
        endTransaction(file)
        // If the log was removed, the commit is in a file without a name and would not survive this process.
        guard file.isInPlace else { return try rescueCommit(file) }
    }

    private func rescueCommit(_ file: SuiteFile) throws(SuiteError) {
        let isHere = file.isDatabaseInPlace
        let inUse = "its log was removed while another process used it"
        let isSafe: Bool
        do {
            isSafe = try closeDisplacedFile()
        } catch {
            throw .transactionLost(error == .busy ? inUse : error.text)
        }
        guard isSafe else { throw .transactionLost(isHere ? inUse : "the file was removed or replaced meanwhile") }
    }

    // MARK: Checkpoints

    /// Checkpoints the write-ahead log if it is large or the host is idle; an idle host also returns free space to the
    /// file system.
    ///
    /// - Parameters:
    ///   - isIdle: Whether the host has nothing else to do.
    ///   - isBetweenSlices: Whether a long job continues afterwards; then a smaller log is checkpointed at once.
    public func checkpoint(isIdle: Bool, isBetweenSlices: Bool = false) {
        requireForeground()
        guard let file, !isInTransaction else { return }
        guard !isIdle || file.isInPlace else {
            _ = try? closeDisplacedFile()
            return
        }
        let isVacuumed = isIdle && file.shrink()
        let size = file.logSize
        let limit = isBetweenSlices ? SuiteStore.sliceLogLimit : SuiteStore.logLimit
        if isVacuumed || size > limit || (isIdle && size > 0) || store.reserve.isReleased { file.checkpoint() }
        // At once, so that the next save cannot use this space.
        if store.reserve.isReleased { store.reserve.restore() }
    }

    /// Begins to checkpoint the write-ahead log on the connection's thread, if it is large.
    ///
    /// - Parameter onEnd: Called once, on any thread, when ``finishCheckpoint()`` would not wait; not called if the log is
    ///   not checkpointed.
    /// - Returns: Whether it is checkpointed, so that ``finishCheckpoint()`` should follow.
    public func beginCheckpoint(onEnd: @escaping @Sendable () -> Void) -> Bool {
        requireForeground()
        guard let file, !isInTransaction, file.logSize > SuiteStore.logLimit,
            let statement = file.beginCheckpoint(onEnd: onEnd)
        else { return false }
        background = .checkpoint(statement)
        return true
    }

    /// Ends the checkpoint that was begun; waits for it if necessary.
    public func finishCheckpoint() {
        guard case .checkpoint(let statement)? = background, let file else { return }
        background = nil
        // A log that is not checkpointed now is checkpointed after a later commit.
        _ = try? statement.wait()
        file.endWriting()
    }
}
