internal import GRDB

extension Suite {
    /// Makes several changes one: where the body throws, none of them is in the suite.
    ///
    /// Earlier changes of the turn's transaction stay, unless the error cost the whole of it.
    public func atomically<Result>(_ body: () throws -> Result) throws -> Result {
        try execute("SAVEPOINT atomically")
        let before = changes
        do {
            let result = try body()
            try execute("RELEASE atomically")
            return result
        } catch {
            // What lost the transaction left no savepoint to go back to.
            guard isInTransaction else { throw error }
            do {
                try execute("ROLLBACK TO atomically; RELEASE atomically")
                changes = before
            } catch {
                rollback()
            }
            throw error
        }
    }

    private func execute(_ sql: String) throws(SuiteError) {
        try change { file in try file.access { try $0.execute(sql: sql) } }
    }
}
