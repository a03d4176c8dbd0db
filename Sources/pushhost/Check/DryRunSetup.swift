/// What a dry run checks, and how.
struct DryRunSetup {
    /// The bundle.
    let folder: String
    /// The payload that the author named.
    let payloadFile: String?
    let locale: String
    /// How long the extension may take for an answer, in milliseconds.
    let callDeadline: Int
    /// How long it may take to end, in milliseconds.
    let stopGrace: Int
    /// What to try.
    let steps: Set<CheckStep>
    let folders: StandardFolders
}
