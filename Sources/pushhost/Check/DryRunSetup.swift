/// What a dry run checks, and how.
struct DryRunSetup {
    /// The folder of the bundle.
    let folder: String
    /// The file of the payload on the command line; nil if none was named.
    let payloadFile: String?
    let locale: String
    /// How long the extension may take for an answer, in milliseconds.
    let callDeadline: Int
    /// How long it may take to end, in milliseconds.
    let stopGrace: Int
    /// The steps that the command line names; all are performed if it names none.
    let named: Set<CheckStep>
    let folders: StandardFolders
    let progress: CheckProgress

    /// The steps to perform.
    var steps: Set<CheckStep> { named.isEmpty ? Set(CheckStep.allCases) : named }
}
