internal import ArgumentParser

extension Pushhost {
    /// The commands about suites.
    static let outboxCommands: [any ParsableCommand.Type] = [
        SuitesCommand.self, PendingCommand.self, SaveCommand.self, FlushCommand.self, DeadLettersCommand.self,
        ExportCommand.self, ImportCommand.self,
    ]
}
