internal import Contract

/// The versions that `pushhost --version` prints.
enum Version {
    /// The version of the program: the only place that has it.
    ///
    /// The contract has another version, which changes only with the contract.
    static let program = "1.0.0"

    /// Both versions on a line.
    static let text = "pushhost \(program) (contract \(ContractDocuments.version))"
}
